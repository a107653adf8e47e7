import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Changes a request and a database so that a condition may become true, or false: walks the condition from its result
/// back to what it looks at. It need not succeed, since whatever comes of it is judged by the engine.
struct Steering {
  var witness: Witness
  var random: SeededRandom
  let rules: CheckedRuleset
  private let dictionary: FuzzDictionary
  private var steps = 0
  private static let mostSteps = 3_000

  /// What identifiers stand for.
  final class Names {
    let captures: [String: Place]
    let given: [String: (value: Expression, names: Names)]

    init(captures: [String: Place] = [:], given: [String: (value: Expression, names: Names)] = [:]) {
      self.captures = captures
      self.given = given
    }
  }

  init(_ witness: Witness, _ rules: CheckedRuleset, _ dictionary: FuzzDictionary, _ random: SeededRandom) {
    self.witness = witness
    self.rules = rules
    self.dictionary = dictionary
    self.random = random
  }

  // MARK: Truth

  mutating func steer(_ e: Expression, to wanted: Bool, _ names: Names) {
    steps += 1
    guard steps < Self.mostSteps else { return }
    switch e.kind {
    case .unary(.not, let operand): steer(operand, to: !wanted, names)
    case .binary(let op, let a, let b): steer(op, a, b, to: wanted, names)
    case .ternary(let condition, let a, let b):
      let first = random.once(in: 2)
      steer(condition, to: first, names)
      steer(first ? a : b, to: wanted, names)
    case .identifier(let name):
      if let given = names.given[name] { steer(given.value, to: wanted, given.names) }
    case .typeTest(let operand, let type):
      if wanted {
        if let value = dictionary.value(ofType: type.text, &random), !isOfType(operand, type.text, names) {
          assign(operand, value, names)
        }
      } else {
        assign(operand, dictionary.value(&random), names)
      }
    case .call(_, let arguments): steer(call: e, arguments, to: wanted, names)
    case .methodCall(let receiver, let method, let arguments):
      steer(receiver, method.text, arguments, to: wanted, names)
      // A field with a default.
      if method.text == "get" { assign(e, .bool(wanted), names) }
    default:
      if case .bool? = value(of: e, names) {
        assign(e, .bool(wanted), names)
      } else if wanted {
        assign(e, .bool(true), names)
      }
    }
  }

  private mutating func steer(
    _ op: BinaryOperator, _ a: Expression, _ b: Expression, to wanted: Bool, _ names: Names
  ) {
    switch op {
    case .and, .or:
      // The value that needs both operands: true of `&&`, false of `||`.
      if wanted == (op == .and) {
        let isFirst = random.once(in: 2)
        steer(isFirst ? a : b, to: wanted, names)
        steer(isFirst ? b : a, to: wanted, names)
      } else {
        steer(random.once(in: 2) ? a : b, to: wanted, names)
      }
    case .equal, .notEqual:
      let (to, from) = random.once(in: 2) ? (a, b) : (b, a)
      if wanted == (op == .equal) {
        if let value = value(of: from, names) {
          if !assign(to, value, names), let other = self.value(of: to, names) { assign(from, other, names) }
        } else if let value = value(of: to, names) {
          assign(from, value, names)
        } else {
          // Neither has a value yet.
          let value = dictionary.value(&random)
          assign(to, value, names)
          assign(from, value, names)
        }
      } else if let value = value(of: from, names), value == .null {
        assign(to, .string("x"), names)
      } else {
        assign(to, other(than: value(of: from, names)), names)
      }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let isLess = (op == .less || op == .lessOrEqual) == wanted
      let delta = Int64(random.pick([0, 1, 1, 5]) ?? 1)
      if let bound = value(of: b, names) {
        assign(a, bound.moved(by: isLess ? -delta : delta), names)
      } else if let bound =
        value(of: a, names)
      {
        assign(b, bound.moved(by: isLess ? delta : -delta), names)
      } else {
        assign(a, .int(random.pick(dictionary.numbers) ?? 0), names)
        assign(b, .int(random.pick(dictionary.numbers) ?? 0), names)
      }
    case .in: steer(member: a, of: b, to: wanted, names)
    default: break
    }
  }

  private mutating func steer(member a: Expression, of b: Expression, to wanted: Bool, _ names: Names) {
    let member = value(of: a, names)
    switch value(of: b, names) {
    case .array(let items)? where place(of: b, names) == nil:
      if wanted {
        if let item = random.pick(items) { assign(a, item, names) }
      } else {
        assign(a, other(than: items.first), names)
      }
    case .array(let items)?:
      if let member {
        let others = items.filter { $0 != member }
        assign(b, .array(wanted ? others + [member] : others), names)
      } else if wanted, let item = random.pick(items) {
        assign(a, item, names)
      }
    case .map(var fields)?:
      guard case .string(let key)? = member else { return }
      if let place = place(of: b, names)?.member(Text(key), of: witness) {
        if wanted { witness[place] = witness[place] ?? dictionary.value(&random) } else { witness[place] = nil }
      } else {
        fields[Text(key)] = wanted ? fields[Text(key)] ?? dictionary.value(&random) : nil
        assign(b, .map(fields), names)
      }
    case nil, .some:
      guard let member else { return }
      if case .string(let key) = member, case .methodCall(let map, let keys, _) = b.kind, keys.text == "keys" {
        if let place = place(of: map, names)?.member(Text(key), of: witness) {
          if wanted { witness[place] = witness[place] ?? dictionary.value(&random) } else { witness[place] = nil }
        }
        return
      }
      if case .string(let key) = member, let map = place(of: b, names), let place = map.member(Text(key), of: witness),
        random.once(in: 2) || map == .token([])
      {
        witness[place] = wanted ? dictionary.value(&random) : nil
      } else {
        assign(b, .array(wanted ? [member] : []), names)
      }
    }
  }

  private mutating func steer(call e: Expression, _ arguments: [Expression], to wanted: Bool, _ names: Names) {
    switch rules.callee(of: e) {
    case .function(let index):
      steer(rules.functions[index].declaration.result, to: wanted, inside(index, arguments, names))
    case .service(let name):
      guard let path = arguments.first.flatMap({ path(of: $0, names) }), path.isDocument else { return }
      // After a commit of one write only the requested document is another than before.
      if name.hasPrefix("exists"), path != witness.path || !name.hasSuffix("After") {
        witness[path == witness.path ? .resource : .document(path)] = wanted ? .map([:]) : .null
      }
    default: break
    }
  }

  private mutating func steer(
    _ receiver: Expression, _ method: String, _ arguments: [Expression], to wanted: Bool, _ names: Names
  ) {
    switch method {
    case "matches":
      if case .string(let source)? = arguments.first.flatMap({ value(of: $0, names) }),
        let text = dictionary.text(matching: Array(source.utf8), wanted, &random)
      {
        assign(receiver, .string(text), names)
      }
    case "hasAll", "hasAny", "hasOnly":
      guard case .array(let items)? = arguments.first.flatMap({ value(of: $0, names) }) else { return }
      steerSet(receiver, method, items, to: wanted, names)
    default: break
    }
  }

  /// `keys()` of a map, `affectedKeys()` and its like of a difference, or a list.
  private mutating func steerSet(
    _ receiver: Expression, _ method: String, _ items: [DataValue], to wanted: Bool, _ names: Names
  ) {
    let keys = items.compactMap { item -> Text? in if case .string(let s) = item { Text(s) } else { nil } }
    let stranger = random.pick(dictionary.names.filter { !keys.contains($0) }) ?? "another"
    if case .methodCall(let map, let word, _) = receiver.kind, word.text == "keys", let place = place(of: map, names) {
      var fields: Fields = [:]
      if case .map(let known)? = witness[place] { fields = known }
      switch (method, wanted) {
      case ("hasOnly", true): fields = fields.filter { keys.contains($0.key) }
      case ("hasOnly", false): fields[stranger] = dictionary.value(&random)
      case ("hasAny", true): if let key = random.pick(keys) { fields[key] = fields[key] ?? dictionary.value(&random) }
      case ("hasAll", true): for key in keys { fields[key] = fields[key] ?? dictionary.value(&random) }
      default: if let key = random.pick(keys) { fields[key] = nil }
      }
      if method == "hasAny", !wanted { for key in keys { fields[key] = nil } }
      witness[place] = .map(fields)
      return
    }
    if case .methodCall(let difference, _, _) = receiver.kind,
      case .methodCall(let new, let diff, let old) = difference.kind, diff.text == "diff", let older = old.first,
      let place = place(of: new, names), case .map(let before)? = value(of: older, names)
    {
      var after: Fields = [:]
      if case .map(let known)? = witness[place] { after = known }
      func change(_ key: Text) { after[key] = other(than: before[key]) }
      switch (method, wanted) {
      case ("hasOnly", true):
        after = before.merging(after.filter { keys.contains($0.key) }) { $1 }
        if let key = random.pick(keys) { change(key) }
      case ("hasOnly", false): change(stranger)
      case ("hasAny", true): if let key = random.pick(keys) { change(key) }
      case ("hasAll", true): keys.forEach(change)
      default: for key in keys { after[key] = before[key] }
      }
      witness[place] = .map(after)
      return
    }
    switch (method, wanted) {
    case ("hasAny", true), ("hasOnly", true):
      assign(receiver, .array(items.isEmpty ? [] : [items[random.below(items.count)]]), names)
    case ("hasAll", true): assign(receiver, .array(items), names)
    default: assign(receiver, .array([dictionary.value(&random)]), names)
    }
  }

  // MARK: Values

  /// Makes an expression have a value, where it is known how.
  @discardableResult
  private mutating func assign(_ e: Expression, _ value: DataValue?, _ names: Names) -> Bool {
    guard let value else { return false }
    steps += 1
    guard steps < Self.mostSteps else { return false }
    if let place = place(of: e, names) {
      witness[place] = value
      return true
    }
    switch e.kind {
    case .identifier(let name):
      guard let given = names.given[name] else { return false }
      return assign(given.value, value, given.names)
    case .call(_, let arguments):
      guard case .function(let index) = rules.callee(of: e) else { return false }
      return assign(rules.functions[index].declaration.result, value, inside(index, arguments, names))
    case .ternary(let condition, let a, let b):
      let first = random.once(in: 2)
      steer(condition, to: first, names)
      return assign(first ? a : b, value, names)
    case .methodCall(let receiver, let method, let arguments):
      switch method.text {
      case "size":
        guard case .int(let size) = value else { return false }
        return resize(receiver, Int(clamping: min(3_000, max(0, size))), names)
      case "lower", "upper", "trim", "toSet", "get": return assign(receiver, value, names)
      default: return arguments.isEmpty ? assign(receiver, value, names) : false
      }
    case .binary(.add, let a, let b):
      switch (value, self.value(of: a, names), self.value(of: b, names)) {
      case (.int(let sum), _, .int(let y)?): return assign(a, .int(sum &- y), names)
      case (.int(let sum), .int(let x)?, _): return assign(b, .int(sum &- x), names)
      case (.string(let whole), .string(let x)?, _) where whole.hasPrefix(x):
        return assign(b, .string(String(whole.dropFirst(x.count))), names)
      case (.string(let whole), _, .string(let y)?) where whole.hasSuffix(y):
        return assign(a, .string(String(whole.dropLast(y.count))), names)
      default: return false
      }
    case .binary(.subtract, let a, let b):
      guard case .int(let difference) = value, case .int(let y)? = self.value(of: b, names) else { return false }
      return assign(a, .int(difference &+ y), names)
    default: return false
    }
  }

  private mutating func resize(_ e: Expression, _ size: Int, _ names: Names) -> Bool {
    switch value(of: e, names) {
    case .array(let items)?:
      let filled = items + (0..<max(0, size - items.count)).map { DataValue.string("item\($0)") }
      return assign(e, .array(Array(filled.prefix(size))), names)
    case .map(let fields)?:
      var next = fields
      for i in 0..<max(0, min(200, size) - fields.count) { next[Text("key\(i)")] = .int(0) }
      while next.count > size, let key = next.keys.sorted().last { next[key] = nil }
      return assign(e, .map(next), names)
    default: return assign(e, .string(String(repeating: "x", count: size)), names)
    }
  }

  /// Another value, of the same type more often than not.
  private mutating func other(than value: DataValue?) -> DataValue {
    for _ in 0..<8 {
      let next: DataValue =
        switch value {
        case .string? where !random.once(in: 4): .string(random.pick(dictionary.texts) ?? "x")
        case .int? where !random.once(in: 4): .int(random.pick(dictionary.numbers) ?? 0)
        case .bool(let b)? where !random.once(in: 4): .bool(!b)
        case .timestamp(let t)? where !random.once(in: 4):
          .timestamp(Timestamp(seconds: t.seconds + (random.once(in: 2) ? 1 : -1), nanos: t.nanos))
        default: dictionary.value(&random)
        }
      if next != value { return next }
    }
    return .string("different")
  }

  private func isOfType(_ e: Expression, _ type: String, _ names: Names) -> Bool {
    switch (value(of: e, names), type) {
    case (.bool?, "bool"), (.int?, "int"), (.double?, "float"), (.int?, "number"), (.double?, "number"),
      (.string?, "string"), (.array?, "list"), (.map?, "map"), (.timestamp?, "timestamp"), (.bytes?, "bytes"),
      (.geoPoint?, "latlng"), (.reference?, "path"):
      true
    default: false
    }
  }
}

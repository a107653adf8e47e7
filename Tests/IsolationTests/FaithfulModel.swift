import RulesEngine
import RulesValues

@testable import Isolation

/// A real request on a real database as a model of the formulas about it: what the theory of proofs says must exist.
/// Values that only the engine knows (of what is not modelled) are `nil`.
final class FaithfulModel {
  enum Value: Hashable {
    case bool(Bool)
    case int(Int64)
    case real(Double)
    case rules(ValueKind, Int64, Double)
  }

  private let world: World
  private let witness: Witness
  private let store: TermStore
  private var texts: [[UInt8]: Int64] = [:]
  private var textByCode: [Int64: [UInt8]] = [:]
  private var wholes: [(id: Int64, data: DataValue)] = []
  private var memo: [Term: Value?] = [:]
  private let noData: Int64 = -77

  init(_ world: World, _ witness: Witness) {
    self.world = world
    self.witness = witness
    store = world.store
    for (i, text) in world.strings.literals.enumerated() {
      texts[text] = Int64(i)
      textByCode[Int64(i)] = text
    }
  }

  // MARK: Codes and ids

  func code(_ text: String) -> Int64 {
    let bytes = Array(text.utf8)
    if let known = texts[bytes] { return known }
    let code = Int64(1_000_000 + texts.count)
    texts[bytes] = code
    textByCode[code] = bytes
    return code
  }

  /// One number for equal content, `1` and `1.0` kept apart; a list or map that holds NaN is one by itself.
  private func id(_ data: DataValue) -> Int64 {
    if let known = wholes.first(where: { Self.isSame($0.data, data) }) { return known.id }
    wholes.append((Int64(wholes.count), data))
    return Int64(wholes.count - 1)
  }

  private static func isSame(_ a: DataValue, _ b: DataValue) -> Bool {
    switch (a, b) {
    case (.double(let x), .double(let y)): x.bitPattern == y.bitPattern || x.isNaN && y.isNaN
    case (.array(let x), .array(let y)): x.count == y.count && zip(x, y).allSatisfy { isSame($0, $1) }
    case (.map(let x), .map(let y)):
      x.count == y.count && x.allSatisfy { key, value in y[key].map { isSame(value, $0) } ?? false }
    default: a == b
    }
  }

  private func data(_ id: Int64) -> DataValue? { wholes.first { $0.id == id }?.data }

  func value(_ data: DataValue) -> Value {
    switch data {
    case .null: return .rules(.null, 0, 0)
    case .bool(let b): return .rules(.bool, b ? 1 : 0, 0)
    case .int(let i): return .rules(.int, i, 0)
    case .double(let d):
      let kind = d.isNaN ? FloatKind.nan : d.isInfinite ? (d > 0 ? FloatKind.infinity : FloatKind.minusInfinity) : d == 0 && d.sign == .minus ? FloatKind.minusZero : FloatKind.finite
      return .rules(.float, kind, kind == FloatKind.finite ? d : 0)
    case .string(let s): return .rules(.string, code(s), 0)
    case .timestamp(let t): return .rules(.timestamp, t.seconds * 1_000_000_000 + Int64(t.nanos), 0)
    case .bytes: return .rules(.bytes, id(data), 0)
    case .geoPoint: return .rules(.latlng, id(data), 0)
    case .reference: return .rules(.path, id(data), 0)
    case .array: return .rules(.list, id(data), 0)
    case .map: return .rules(.map, id(data), 0)
    case .vector: return .rules(.vector, id(data), 0)
    }
  }

  private func data(_ value: Value) -> DataValue? {
    guard case .rules(let kind, let n, let d) = value else { return nil }
    switch kind {
    case .null: return .null
    case .bool: return .bool(n != 0)
    case .int: return .int(n)
    case .float:
      switch n {
      case FloatKind.nan: return .double(.nan)
      case FloatKind.infinity: return .double(.infinity)
      case FloatKind.minusInfinity: return .double(-.infinity)
      case FloatKind.minusZero: return .double(-0.0)
      default: return .double(d)
      }
    case .string: return textByCode[n].map { .string(String(decoding: $0, as: UTF8.self)) }
    case .timestamp:
      return .timestamp(Timestamp(seconds: n / 1_000_000_000, nanos: Int32(n % 1_000_000_000)))
    case .list, .map, .bytes, .latlng, .vector, .path: return data(n)
    case .absent, .duration, .other: return nil
    }
  }

  // MARK: Terms

  func bool(_ term: Term) -> Bool? { if case .bool(let b)? = evaluate(term) { b } else { nil } }

  func evaluate(_ term: Term) -> Value? {
    if let known = memo[term] { return known }
    let value = compute(term)
    memo[term] = .some(value)
    return value
  }

  private func compute(_ term: Term) -> Value? {
    let node = store[term]
    switch node.operation {
    case .bool(let b): return .bool(b)
    case .int(let i): return .int(i)
    case .real(let n, let d): return .real(Double(n) / Double(d))
    case .unknown(let i): return symbol(store.symbols[i].name, [])
    case .apply(let i):
      var arguments: [Value] = []
      for operand in node.operands {
        guard let value = evaluate(operand) else { return nil }
        arguments.append(value)
      }
      return symbol(store.symbols[i].name, arguments)
    // Of a row one operand may decide, whatever the others are.
    case .and:
      var isKnown = true
      for operand in node.operands {
        guard let b = bool(operand) else {
          isKnown = false
          continue
        }
        if !b { return .bool(false) }
      }
      return isKnown ? .bool(true) : nil
    case .or:
      var isKnown = true
      for operand in node.operands {
        guard let b = bool(operand) else {
          isKnown = false
          continue
        }
        if b { return .bool(true) }
      }
      return isKnown ? .bool(false) : nil
    case .not: return bool(node.operands[0]).map { .bool(!$0) }
    case .ite: return bool(node.operands[0]).flatMap { evaluate(node.operands[$0 ? 1 : 2]) }
    default: break
    }
    var parts: [Value] = []
    for operand in node.operands {
      guard let value = evaluate(operand) else { return nil }
      parts.append(value)
    }
    switch (node.operation, parts.first, parts.dropFirst().first) {
    case (.make(let kind), let a, let b):
      switch (a, b) {
      case (nil, _): return .rules(kind, 0, 0)
      case (.bool(let x)?, _): return .rules(kind, x ? 1 : 0, 0)
      case (.int(let k)?, .real(let r)?): return .rules(kind, k, r)
      case (.int(let x)?, _): return .rules(kind, x, 0)
      default: return nil
      }
    case (.part(let kind, let i), .rules(let real, let n, let d)?, _):
      // Of another kind it is anything, for instance this.
      if kind == .bool { return .bool(real == kind && n != 0) }
      return kind.fields[i].sort == .real ? .real(real == kind ? d : 0) : .int(real == kind ? n : -5)
    case (.has(let kind), .rules(let real, _, _)?, _): return .bool(kind == real)
    case (.equal, let a?, let b?): return .bool(a == b)
    case (.less, .int(let a)?, .int(let b)?): return .bool(a < b)
    case (.less, .real(let a)?, .real(let b)?): return .bool(a < b)
    case (.lessOrEqual, .int(let a)?, .int(let b)?): return .bool(a <= b)
    case (.lessOrEqual, .real(let a)?, .real(let b)?): return .bool(a <= b)
    case (.add, .int(let a)?, .int(let b)?): return whole(a.addingReportingOverflow(b))
    case (.subtract, .int(let a)?, .int(let b)?): return whole(a.subtractingReportingOverflow(b))
    case (.multiply, .int(let a)?, .int(let b)?): return whole(a.multipliedReportingOverflow(by: b))
    case (.toReal, .int(let a)?, _): return .real(Double(a))
    default: return nil
    }
  }

  private func whole(_ result: (partialValue: Int64, overflow: Bool)) -> Value? {
    result.overflow ? nil : .int(result.partialValue)
  }

  private func symbol(_ name: String, _ arguments: [Value]) -> Value? {
    func int(_ i: Int) -> Int64? { if i < arguments.count, case .int(let n) = arguments[i] { n } else { nil } }
    func map(_ i: Int) -> Fields? { if let n = int(i), case .map(let fields)? = data(n) { fields } else { nil } }
    func named(_ prefix: String) -> Int? { name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil }
    switch name {
    case "signedIn": return .bool(witness.auth != nil)
    case "uid": return .int(code(witness.auth?.uid ?? "nobody"))
    case "token":
      // Of one who is signed out the token is anything that a token can be.
      let uid = witness.auth?.uid ?? "nobody"
      var token = witness.auth?.token ?? [:]
      for claim in ["sub", "user_id"] as [Text] where witness.auth == nil { token[claim] = .string(uid) }
      return .int(id(.map(token)))
    case "newData": return .int(id(.map(witness.data ?? [:])))
    case "noData": return .int(noData)
    case "time": return .int(witness.time.seconds * 1_000_000_000 + Int64(witness.time.nanos))
    case "timeMillis": return .int(witness.time.seconds * 1_000 + Int64(witness.time.nanos) / 1_000_000)
    case "isBatch": return .bool(false)
    case "missingIsNull": return .bool(true)
    case "mget":
      guard let key = int(1), let text = textByCode[key] else { return .rules(.absent, 0, 0) }
      guard let value = map(0)?[Text(String(decoding: text, as: UTF8.self))] else { return .rules(.absent, 0, 0) }
      return self.value(value)
    case "other": return .bool(!unnamed(map(0) ?? [:]).isEmpty)
    case "others_size": return .int(Int64(unnamed(map(0) ?? [:]).count))
    case "others_added", "others_removed", "others_changed", "others_unchanged":
      guard let new = map(0), let old = map(1) else { return .bool(false) }
      let (a, b) = (unnamed(new), unnamed(old))
      let both = a.keys.filter { b[$0] != nil }
      switch name {
      case "others_added": return .bool(a.keys.contains { b[$0] == nil })
      case "others_removed": return .bool(b.keys.contains { a[$0] == nil })
      case "others_changed": return .bool(both.contains { !Self.isUnchanged(a[$0], b[$0]) })
      default: return .bool(both.contains { Self.isUnchanged(a[$0], b[$0]) })
      }
    case "len":
      guard let n = int(0), let text = textByCode[n] else { return .int(3) }
      return .int(Int64(WTF8.utf16(text).count))
    case "elem":
      guard let n = int(0), case .array(let items)? = data(n), let member = data(arguments[1]) else { return .bool(false) }
      return .bool(items.contains { Self.isMember($0, member) })
    case "lsize":
      guard let n = int(0), case .array(let items)? = data(n) else { return .int(0) }
      return .int(Int64(items.count))
    case "nth":
      guard let n = int(0), case .array(let items)? = data(n), let i = int(1), i >= 0, i < items.count else {
        return .rules(.absent, 0, 0)
      }
      return value(items[Int(i)])
    case "nan": return .bool(data(arguments[0]).map { Self.holdsNaN($0) } ?? false)
    case "i2d": return int(0).map { .real(Double($0)) }
    case "concat":
      guard let a = int(0), let b = int(1), let x = textByCode[a], let y = textByCode[b] else { return nil }
      return .int(code(String(decoding: x + y, as: UTF8.self)))
    case "slt":
      guard let a = int(0), let b = int(1), let x = textByCode[a], let y = textByCode[b] else { return .bool(a(arguments)) }
      return .bool(
        String(decoding: x, as: UTF8.self).utf16.lexicographicallyPrecedes(String(decoding: y, as: UTF8.self).utf16))
    case "unchanged":
      let (a, b) = (data(arguments[0]), data(arguments[1]))
      return .bool(a == nil && b == nil || Self.isUnchanged(a, b))
    case "sameInside":
      guard let a = data(arguments[0]), let b = data(arguments[1]) else { return .bool(false) }
      return .bool(Self.isUnchanged(a, b))
    default: break
    }
    if let i = named("seg") { return .int(code(witness.path.segments[i].string)) }
    if named("doc") != nil || named("after") != nil {
      var segments: [Text] = []
      for i in arguments.indices {
        guard let n = int(i), let text = textByCode[n] else { return .rules(.absent, 0, 0) }
        segments.append(Text(String(decoding: text, as: UTF8.self)))
      }
      let fields = witness.documents[ResourcePath(database: witness.path.database, segments: segments)]
      return fields.map { value(.map($0)) } ?? .rules(.absent, 0, 0)
    }
    if let i = named("re") {
      guard let n = int(0), let text = textByCode[n] else { return nil }
      return .bool(world.strings.matches(text, number: i))
    }
    if named("only") != nil {
      guard let n = int(0), case .array(let items)? = data(n) else { return .bool(true) }
      return .bool(
        items.allSatisfy { item in
          arguments.dropFirst().contains { data($0).map { Self.isMember(item, $0) } ?? false }
        })
    }
    return nil
  }

  private func a(_ arguments: [Value]) -> Bool { if case .int(let x)? = arguments.first, case .int(let y)? = arguments.last { x < y } else { false } }

  private func unnamed(_ fields: Fields) -> Fields {
    fields.filter { key, _ in
      texts[Array(key.string.utf8)].map { code in !world.namedKeys.contains(store.int(code)) } ?? true
    }
  }

  private static func isMember(_ a: DataValue, _ b: DataValue) -> Bool {
    if case .double(let x) = a, case .double(let y) = b { return x == y }
    return isSame(a, b) && !holdsNaN(a)
  }

  private static func holdsNaN(_ data: DataValue) -> Bool {
    switch data {
    case .double(let d): d.isNaN
    case .array(let items): items.contains { holdsNaN($0) }
    case .map(let fields): fields.values.contains { holdsNaN($0) }
    default: false
    }
  }

  /// As `diff` compares.
  private static func isUnchanged(_ a: DataValue?, _ b: DataValue?) -> Bool {
    guard let a, let b else { return false }
    switch (a, b) {
    case (.int(let x), .double(let y)), (.double(let y), .int(let x)): return Double(x) == y
    case (.double(let x), .double(let y)): return x == y || x.isNaN && y.isNaN
    case (.array(let x), .array(let y)): return x.count == y.count && zip(x, y).allSatisfy { isUnchanged($0, $1) }
    case (.map(let x), .map(let y)): return x.count == y.count && x.allSatisfy { isUnchanged($1, y[$0]) }
    default: return isSame(a, b)
    }
  }
}

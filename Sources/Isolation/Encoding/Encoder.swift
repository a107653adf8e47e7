import RulesSemantics
import RulesSyntax

/// Turns the conditions of one rule set into formulas about a world.
///
/// Errors need no value of their own: a condition is a pair of formulas, true and false, of which an error makes
/// neither hold, and any other value comes with a formula for its being there.
final class Encoder {
  /// The question is larger than anything that is answered.
  struct TooLarge: Error {}

  let world: World
  let rules: CheckedRuleset
  var store: TermStore { world.store }
  /// Nodes that were encoded, calls counted each time.
  private(set) var steps = 0
  static let stepLimit = 60_000
  private let termLimit = 400_000

  struct Environment {
    /// By slot.
    var captures: [Symbolic]
    var parameters: [Symbolic] = []
    var lets: [Symbolic] = []
  }

  init(_ world: World, _ rules: CheckedRuleset) {
    self.world = world
    self.rules = rules
  }

  // MARK: Helpers

  var yes: Term { store.yes }
  var no: Term { store.no }
  var never: Truth { Truth(yes: no, no: no) }

  func string(_ text: String) -> Symbolic { scalar(.string, world.strings.code(text)) }
  func scalar(_ kind: ValueKind, _ parts: Term...) -> Symbolic {
    .scalar(
      Scalar(
        value: parts.count == 2
          ? store.value(kind, parts[0], parts[1]) : parts.isEmpty ? store.value(kind) : store.value(kind, parts[0]),
        isThere: yes))
  }

  // MARK: Expressions

  func truth(of e: Expression, _ environment: Environment) throws(TooLarge) -> Truth {
    truth(try encode(e, environment))
  }

  /// A value where a boolean is needed; anything else is an error.
  func truth(_ symbolic: Symbolic) -> Truth {
    switch symbolic {
    case .truth(let truth): return truth
    case .scalar(let s):
      return Truth(
        yes: store.and(s.isThere, store.equal(s.value, store.value(.bool, yes))),
        no: store.and(s.isThere, store.equal(s.value, store.value(.bool, no))))
    case .either(let cases):
      let truths = cases.map { (condition: $0.condition, truth: truth($0.value)) }
      return Truth(
        yes: store.or(truths.map { store.and($0.condition, $0.truth.yes) }),
        no: store.or(truths.map { store.and($0.condition, $0.truth.no) }))
    default: return never
    }
  }

  func encode(_ e: Expression, _ environment: Environment) throws(TooLarge) -> Symbolic {
    steps += 1
    guard steps <= Self.stepLimit, store.nodes.count <= termLimit else { throw TooLarge() }
    switch e.kind {
    case .null: return scalar(.null)
    case .bool(let b): return .truth(Truth(yes: store.bool(b), no: store.bool(!b)))
    case .int(let i): return scalar(.int, store.int(i))
    case .float(let d): return .scalar(Scalar(value: float(d), isThere: yes))
    case .string(let text): return scalar(.string, world.strings.code(text))
    case .bytes(let bytes): return scalar(.bytes, store.unknown("bytes" + bytes.map { "_\($0)" }.joined(), .int))
    case .identifier: return identifier(e, environment)
    case .list(let items):
      var members: [Symbolic] = []
      for item in items { members.append(try encode(item, environment)) }
      return .list(members)
    case .map(let entries): return try literalMap(entries, environment)
    case .path(let segments): return try path(segments, environment, e)
    case .member(let receiver, let name):
      let value = try encode(receiver, environment)
      return distribute(value) { member($0, Array(name.text.utf8), e) }
    case .index(let receiver, let index):
      let (a, b) = (try encode(receiver, environment), try encode(index, environment))
      return distribute(a) { element($0, b, e) }
    case .slice(let receiver, let lower, let upper):
      var parts = [try encode(receiver, environment)]
      for bound in [lower, upper] {
        parts.append(try bound.map { (b) throws(TooLarge) in try encode(b, environment) } ?? scalar(.null))
      }
      return opaque("slice", parts, e)
    case .call(let name, let arguments): return try call(e, name.text, nil, arguments, environment)
    case .methodCall(let receiver, let name, let arguments):
      return try call(e, name.text, receiver, arguments, environment)
    case .unary(.not, let operand):
      let value = try truth(of: operand, environment)
      return .truth(Truth(yes: value.no, no: value.yes))
    case .unary(.negate, let operand): return negate(try encode(operand, environment), e)
    case .binary(let op, let left, let right): return try binary(op, left, right, environment, e)
    case .typeTest(let operand, let type):
      let value = try encode(operand, environment)
      return distribute(value) { .truth(typeTest($0, type.text)) }
    case .ternary(let condition, let a, let b):
      let c = try truth(of: condition, environment)
      return either([(c.yes, try encode(a, environment)), (c.no, try encode(b, environment))])
    }
  }

  private func identifier(_ e: Expression, _ environment: Environment) -> Symbolic {
    switch rules.resolution(of: e) {
    case .parameter(let i): environment.parameters.indices.contains(i) ? environment.parameters[i] : .error
    case .letBinding(let i): environment.lets.indices.contains(i) ? environment.lets[i] : .error
    case .wildcard(let slot): environment.captures.indices.contains(slot) ? environment.captures[slot] : .error
    case .request: .request
    case .resource: .document(resource)
    case .unknown: .error
    }
  }

  private func literalMap(_ entries: [Expression.MapEntry], _ environment: Environment) throws(TooLarge) -> Symbolic {
    var fields: [(key: [UInt8], value: Symbolic)] = []
    var isThere: [Term] = []
    var all: [Symbolic] = []
    for entry in entries {
      let key = try encode(entry.key, environment)
      let value = try encode(entry.value, environment)
      all += [key, value]
      isThere.append(presence(value))
      guard case .scalar(let s) = key, case .make(.string) = store[s.value].operation,
        let text = world.strings.literal(store.part(.string, s.value)), s.isThere == yes
      else { return opaque("map", all, entry.key) }
      fields.removeAll { $0.key == text }
      fields.append((text, value))
    }
    return .literalMap(fields, isThere: store.and(isThere))
  }

  // MARK: Several cases

  /// Does something with each value that this may be.
  func distribute(_ value: Symbolic, _ body: (Symbolic) -> Symbolic) -> Symbolic {
    guard case .either(let cases) = value else { return body(value) }
    return either(cases.map { ($0.condition, distribute($0.value, body)) })
  }

  /// One of several values, put together where they are of one form.
  func either(_ cases: [(condition: Term, value: Symbolic)]) -> Symbolic {
    let possible = cases.filter { one in
      if case .error = one.value { return false }
      return one.condition != no
    }
    guard let first = possible.first else { return .error }
    if possible.count == 1, first.condition == yes { return first.value }
    if possible.allSatisfy({ if case .truth = $0.value { true } else { false } }) {
      return .truth(truth(.either(possible)))
    }
    let isPlain = possible.allSatisfy { one in
      switch one.value {
      case .scalar, .truth: true
      default: false
      }
    }
    guard isPlain else { return .either(possible) }
    let scalars = possible.map { (condition: $0.condition, value: scalar(of: $0.value)) }
    var value = scalars[scalars.count - 1].value.value
    for one in scalars.dropLast().reversed() { value = store.ite(one.condition, one.value.value, value) }
    return .scalar(
      Scalar(
        value: value, isThere: store.or(scalars.map { store.and($0.condition, $0.value.isThere) }),
        isLaw: scalars.contains { $0.value.isLaw }))
  }

  /// Whether there is a value rather than an error.
  func presence(_ value: Symbolic) -> Term {
    switch value {
    case .error: no
    case .truth(let t): store.or(t.yes, t.no)
    case .scalar(let s): s.isThere
    case .map(let m): m.isThere
    case .literalMap(_, let isThere): isThere
    case .list(let items), .set(let items): store.and(items.map { presence($0) })
    case .keys(let m): m.isThere
    case .difference(let new, let old), .changedKeys(let new, let old, _): store.and(new.isThere, old.isThere)
    case .path(let p), .unboundPath(let p): p.isThere
    case .document(let d): d.isThere
    case .request, .auth: yes
    case .query: world.method == .list ? yes : no
    case .either(let cases): store.or(cases.map { store.and($0.condition, presence($0.value)) })
    }
  }

  /// Anything as one value, for operators that take any kind.
  func scalar(of symbolic: Symbolic) -> Scalar {
    switch symbolic {
    case .error: return Scalar(value: store.value(.null), isThere: no)
    case .scalar(let s): return s
    case .truth(let t): return Scalar(value: store.value(.bool, t.yes), isThere: store.or(t.yes, t.no))
    case .map(let m): return Scalar(value: store.value(.map, seen(m)), isThere: m.isThere, isLaw: m.isLaw)
    case .document(let d):
      let whole = store.value(.map, store.apply(d.isLaw ? "lawWhole" : "whole", [d.data, d.exists], .int))
      return Scalar(value: store.ite(d.exists, whole, store.value(.null)), isThere: d.isThere, isLaw: d.isLaw)
    case .auth:
      let whole = store.value(.map, store.unknown("authMap", .int))
      return Scalar(value: store.ite(world.signedIn, whole, store.value(.null)), isThere: yes)
    case .request:
      let whole = store.unknown(world.isReadAlone ? "getRequestMap" : "requestMap", .int)
      return Scalar(value: store.value(.map, whole), isThere: yes)
    case .query:
      return Scalar(value: store.value(.map, store.unknown("queryMap", .int)), isThere: presence(.query))
    case .list(let items): return wholeList(items)
    case .literalMap(let fields, let isThere): return wholeMap(fields, isThere)
    case .keys(let m):
      return Scalar(
        value: store.value(.list, store.apply("keys", [seen(m)], .int)), isThere: m.isThere, isLaw: m.isLaw)
    case .set(let items):
      let members = items.map { scalar(of: $0).value }
      return Scalar(
        value: store.value(.other, store.apply("set\(items.count)", members, .int)), isThere: presence(symbolic))
    case .difference(let new, let old):
      return Scalar(
        value: store.value(.other, store.apply("diff", [seen(new), seen(old)], .int)), isThere: presence(symbolic),
        isLaw: new.isLaw || old.isLaw)
    case .changedKeys(let new, let old, let change):
      return Scalar(
        value: store.value(.other, store.apply("keys_\(change)", [seen(new), seen(old)], .int)),
        isThere: presence(symbolic),
        isLaw: new.isLaw || old.isLaw)
    case .path(let p):
      let name = "path\(p.segments.count)" + (p.gap.map { "_\($0)" } ?? "")
      return Scalar(value: store.value(.path, store.apply(name, p.segments, .int)), isThere: p.isThere)
    case .unboundPath(let p):
      let name = "unboundPath\(p.segments.count)" + (p.gap.map { "_\($0)" } ?? "")
      return Scalar(value: store.value(.path, store.apply(name, p.segments, .int)), isThere: p.isThere)
    case .either(let cases):
      return cases.reduce(Scalar(value: store.value(.null), isThere: no)) { rest, one in
        let s = scalar(of: one.value)
        return Scalar(
          value: store.ite(one.condition, s.value, rest.value),
          isThere: store.or(store.and(one.condition, s.isThere), store.and(store.not(one.condition), rest.isThere)),
          isLaw: rest.isLaw || s.isLaw)
      }
    }
  }

  /// The id of a map as a whole; what a query says of one is another map.
  private func seen(_ m: MapView) -> Term { m.isLaw ? store.apply("lawMap", [m.id], .int) : m.id }

  /// A literal list as a value: some list with these members.
  private func wholeList(_ items: [Symbolic]) -> Scalar {
    let members = items.map { scalar(of: $0) }
    let id = store.apply("list\(items.count)", members.map(\.value), .int)
    let isThere = store.and(members.map(\.isThere))
    world.assume(store.implies(isThere, store.equal(world.size(ofList: id), store.int(Int64(items.count)))))
    for (i, member) in members.enumerated() {
      let same = store.equal(world.element(id, at: store.int(Int64(i))), member.value)
      world.assume(store.implies(isThere, same))
    }
    return Scalar(value: store.value(.list, id), isThere: isThere, isLaw: members.contains { $0.isLaw })
  }

  /// A literal map as a value: some map with these fields and no others.
  private func wholeMap(_ fields: [(key: [UInt8], value: Symbolic)], _ isThere: Term) -> Scalar {
    let members = fields.map { scalar(of: $0.value) }
    let keys = fields.map { world.strings.code($0.key) }
    let id = store.apply(
      "map\(fields.count)", zip(keys, members).flatMap { [store.value(.string, $0), $1.value] }, .int)
    for (key, member) in zip(keys, members) {
      world.assume(store.implies(isThere, store.equal(world.field(id, key), member.value)))
    }
    for key in world.namedKeys where !keys.contains(key) {
      world.assume(store.implies(isThere, world.isAbsent(world.field(id, key))))
    }
    // A name that was put together is not among those that are told apart.
    let others = store.bool(keys.contains { !world.namedKeys.contains($0) })
    world.assume(store.implies(isThere, store.equal(world.hasOthers(id), others)))
    return Scalar(value: store.value(.map, id), isThere: isThere, isLaw: members.contains { $0.isLaw })
  }

  func float(_ d: Double) -> Term {
    func make(_ kind: Int64, _ number: Term) -> Term { store.value(.float, store.int(kind), number) }
    let zero = store.real(0)
    if d.isNaN { return make(FloatKind.nan, zero) }
    if d.isInfinite { return make(d > 0 ? FloatKind.infinity : FloatKind.minusInfinity, zero) }
    if d == 0 { return make(d.sign == .minus ? FloatKind.minusZero : FloatKind.finite, zero) }
    for shift in 0..<62 {
      let denominator = Int64(1) << Int64(shift)
      let scaled = d * Double(denominator)
      guard scaled.magnitude < 0x1p61 else { break }
      if scaled == scaled.rounded() { return make(FloatKind.finite, store.real(Int64(scaled), over: denominator)) }
    }
    return make(FloatKind.finite, store.unknown("double\(d.bitPattern)", .real))
  }

  // MARK: What is not modelled

  /// The result of something of which only this is known: the same operands give the same result.
  func opaque(_ name: String, _ operands: [Symbolic], _ e: Expression, kind: ValueKind? = nil) -> Symbolic {
    world.note("'\(name)' is not modelled", e)
    let scalars = operands.map { scalar(of: $0) }
    let values = scalars.map(\.value)
    // What a query says of a value may be another one: then what is made of it has nothing to do with the document.
    let name = scalars.contains { $0.isLaw } ? "law_" + name : name
    let value = store.apply("f_\(name)_\(values.count)", values, .value)
    let isThere = store.apply("ok_\(name)_\(values.count)", values, .bool)
    world.assume(store.not(world.isAbsent(value)))
    if let kind { world.assume(store.implies(isThere, store.has(kind, value))) }
    // Sets, constraints and the like have methods that their stand-ins lack, but then those are not modelled either.
    return .scalar(
      Scalar(
        value: value, isThere: store.and(scalars.map(\.isThere) + [isThere]), isLaw: scalars.contains { $0.isLaw }))
  }
}

import RulesSyntax

extension Encoder {
  func binary(
    _ op: BinaryOperator, _ left: Expression, _ right: Expression, _ environment: Environment, _ e: Expression
  ) throws(TooLarge) -> Symbolic {
    if op == .and || op == .or {
      let (a, b) = (try truth(of: left, environment), try truth(of: right, environment))
      return .truth(
        op == .and
          ? Truth(yes: store.and(a.yes, b.yes), no: store.or(a.no, b.no))
          : Truth(yes: store.or(a.yes, b.yes), no: store.and(a.no, b.no)))
    }
    let (a, b) = (try encode(left, environment), try encode(right, environment))
    switch op {
    case .equal: return .truth(equal(a, b))
    case .notEqual:
      let same = equal(a, b)
      return .truth(Truth(yes: same.no, no: same.yes))
    case .less: return .truth(less(a, b, orEqual: false))
    case .lessOrEqual: return .truth(less(a, b, orEqual: true))
    case .greater: return .truth(less(b, a, orEqual: false))
    case .greaterOrEqual: return .truth(less(b, a, orEqual: true))
    case .in: return distribute(b) { .truth(contains($0, a, e)) }
    case .add: return add(scalar(of: a), scalar(of: b), e)
    case .subtract: return subtract(scalar(of: a), scalar(of: b), e)
    case .multiply, .divide, .remainder:
      return arithmetic("\(op)", scalar(of: a), scalar(of: b), e)
    case .and, .or: return .error
    }
  }

  // MARK: Equality

  func equal(_ a: Symbolic, _ b: Symbolic) -> Truth {
    if case .either(let cases) = a {
      return truth(.either(cases.map { ($0.condition, .truth(equal($0.value, b))) }))
    }
    if case .either = b { return equal(b, a) }
    switch (a, b) {
    case (.path(let p), .path(let q)) where p.gap == nil && q.gap == nil:
      let isThere = store.and(p.isThere, q.isThere)
      let same =
        p.segments.count == q.segments.count ? store.and(zip(p.segments, q.segments).map { store.equal($0, $1) }) : no
      return Truth(yes: store.and(isThere, same), no: store.and(isThere, store.not(same)))
    case (.unboundPath, _), (_, .unboundPath): return Truth(yes: no, no: store.and(presence(a), presence(b)))
    // A map difference equals nothing; of sets, of which the members count, nothing is known here.
    case (.difference, _), (_, .difference):
      return Truth(yes: no, no: store.and(presence(a), presence(b)))
    case (.set, _), (_, .set), (.changedKeys, _), (_, .changedKeys):
      let isThere = store.and(presence(a), presence(b))
      let (x, y) = (scalar(of: a).value, scalar(of: b).value)
      let same = store.apply("sameSet", x.index < y.index ? [x, y] : [y, x], .bool)
      return Truth(yes: store.and(isThere, same), no: store.and(isThere, store.not(same)))
    default: return equal(scalar(of: a), scalar(of: b))
    }
  }

  private func equal(_ a: Scalar, _ b: Scalar) -> Truth {
    let isThere = store.and(a.isThere, b.isThere)
    let same = same(a.value, b.value)
    var truth = Truth(yes: store.and(isThere, same), no: store.and(isThere, store.not(same)))
    if a.isLaw || b.isLaw {
      // A query for [1] returns documents with [1.0], which the rules tell apart.
      let isLoose = store.and(isWhole(a.value), isWhole(b.value), world.sameButForKinds(a.value, b.value))
      truth = Truth(
        yes: store.and(isThere, store.or(same, isLoose)), no: store.and(isThere, store.or(store.not(same), isLoose)))
    }
    // What a filter says is never null, whatever the documents hold.
    if a.isLaw && b.value == store.value(.null) || b.isLaw && a.value == store.value(.null) { truth.no = isThere }
    return truth
  }

  private func isWhole(_ v: Term) -> Term { store.or(store.has(.list, v), store.has(.map, v)) }

  /// Values that a query takes for equal to others, which the members of lists are told apart from.
  func isLoose(_ v: Term) -> Term { store.or(store.has(.int, v), store.has(.float, v), isWhole(v)) }

  /// As `==` compares: numbers as numbers, all else by kind and content.
  private func same(_ a: Term, _ b: Term) -> Term {
    func isNumber(_ v: Term) -> Term { store.or(store.has(.int, v), store.has(.float, v)) }
    let (x, y) = (isNumber(a), isNumber(b))
    let asNumbers = x == no || y == no ? no : store.and(x, y, world.numbersEqual(a, b))
    let asOthers = store.and(store.not(x), store.not(y), store.equal(a, b), store.not(world.holdsNaN(a)))
    return store.or(asNumbers, asOthers)
  }

  /// As members of lists are compared: a number is of its kind.
  func strictlySame(_ a: Term, _ b: Term) -> Term {
    let isFloat = store.and(store.has(.float, a), store.has(.float, b))
    return store.ite(
      isFloat == no ? no : isFloat, isFloat == no ? no : world.numbersEqual(a, b),
      store.and(store.equal(a, b), store.not(world.holdsNaN(a))))
  }

  // MARK: Order

  private func less(_ left: Symbolic, _ right: Symbolic, orEqual: Bool) -> Truth {
    let (a, b) = (scalar(of: left), scalar(of: right))
    func isNumber(_ v: Term) -> Term { store.or(store.has(.int, v), store.has(.float, v)) }
    var holds: [Term] = []
    var applies: [Term] = []
    func add(_ condition: Term, _ isLess: () -> Term) {
      guard condition != no else { return }
      applies.append(condition)
      holds.append(store.and(condition, isLess()))
    }
    func both(_ kind: ValueKind) -> Term { store.and(store.has(kind, a.value), store.has(kind, b.value)) }
    add(store.and(isNumber(a.value), isNumber(b.value))) {
      let less = world.numberLess(a.value, b.value)
      return orEqual ? store.or(less, world.numbersEqual(a.value, b.value)) : less
    }
    for kind in [ValueKind.timestamp, .duration] {
      add(both(kind)) {
        let (x, y) = (store.part(kind, a.value), store.part(kind, b.value))
        return orEqual ? store.lessOrEqual(x, y) : store.less(x, y)
      }
    }
    add(both(.string)) {
      let (x, y) = (store.part(.string, a.value), store.part(.string, b.value))
      return orEqual ? store.or(world.textLess(x, y), store.equal(x, y)) : world.textLess(x, y)
    }
    add(both(.bytes)) {
      let (x, y) = (store.part(.bytes, a.value), store.part(.bytes, b.value))
      let less = store.apply("bytesLess", [x, y], .bool)
      return orEqual ? store.or(less, store.equal(x, y)) : less
    }
    let isThere = store.and(a.isThere, b.isThere, store.or(applies))
    let isLess = store.or(holds)
    return Truth(yes: store.and(isThere, isLess), no: store.and(isThere, store.not(isLess)))
  }

  // MARK: in

  func contains(_ container: Symbolic, _ member: Symbolic, _ e: Expression) -> Truth {
    if case .either(let cases) = member {
      return truth(.either(cases.map { ($0.condition, .truth(contains(container, $0.value, e))) }))
    }
    let m = scalar(of: member)
    switch container {
    case .list(let items):
      let isThere = store.and(m.isThere, presence(container))
      var found = member.isUnboundPath ? no : store.or(items.map { strictlySame(scalar(of: $0).value, m.value) })
      if m.isLaw { found = store.or(found, isWhole(m.value)) }
      // Of what a query compares nothing is in a list, whatever the documents hold.
      return Truth(yes: store.and(isThere, found), no: m.isLaw ? isThere : store.and(isThere, store.not(found)))
    case .set(let items):
      let isThere = store.and(m.isThere, presence(container))
      let found = store.or(items.map { equal(scalar(of: $0), m).yes })
      return Truth(yes: store.and(isThere, found), no: m.isLaw ? isThere : store.and(isThere, store.not(found)))
    case .map(let map): return hasKey(map, m)
    case .literalMap(let fields, let isThere):
      let found = store.or(fields.map { store.equal(m.value, store.value(.string, world.strings.code($0.key))) })
      let both = store.and(isThere, m.isThere, store.has(.string, m.value))
      return Truth(yes: store.and(both, found), no: store.and(both, store.not(found)))
    case .keys(let map):
      // A list of names: what is no name is not in it.
      let truth = hasKey(map, m)
      return Truth(
        yes: truth.yes,
        no: store.or(truth.no, store.and(map.isThere, m.isThere, store.not(store.has(.string, m.value)))))
    case .changedKeys(let new, let old, let change):
      let isThere = store.and(new.isThere, old.isThere, m.isThere)
      if new.isLaw || old.isLaw { return Truth(yes: isThere, no: isThere) }
      let found = store.and(
        store.has(.string, m.value), isChanged(store.part(.string, m.value), new, old, change))
      return Truth(yes: store.and(isThere, found), no: store.and(isThere, store.not(found)))
    case .scalar(let s):
      let isList = store.and(s.isThere, store.has(.list, s.value), m.isThere)
      let member = world.contains(store.part(.list, s.value), m.value)
      let loose = s.isLaw ? isLoose(m.value) : no
      let (isMember, isNone) = (store.or(member, loose), store.or(store.not(member), loose))
      let asMap = store.has(.map, s.value) == no ? never : hasKey(map(s), m)
      let asOther = store.and(s.isThere, m.isThere, store.has(.other, s.value))
      let inOther = store.apply("inOther", [s.value, m.value], .bool)
      return Truth(
        yes: store.or(store.and(isList, isMember), asMap.yes, store.and(asOther, inOther)),
        no: store.or(store.and(isList, isNone), asMap.no, store.and(asOther, store.not(inOther))))
    case .document, .auth, .request, .query:
      return truth(opaque("in", [container, member], e, kind: .bool))
    case .error, .truth, .path, .unboundPath, .difference, .either: return never
    }
  }

  private func hasKey(_ map: MapView, _ key: Scalar) -> Truth {
    let isThere = store.and(map.isThere, key.isThere, store.has(.string, key.value))
    let found = hasKey(map, store.part(.string, key.value))
    return Truth(yes: store.and(isThere, found), no: store.and(isThere, store.not(found)))
  }

  // MARK: is

  func typeTest(_ value: Symbolic, _ type: String) -> Truth {
    let isThere = presence(value)
    func decided(_ holds: Term) -> Truth {
      Truth(yes: store.and(isThere, holds), no: store.and(isThere, store.not(holds)))
    }
    switch value {
    // Sets are of no type that can be asked for.
    case .set, .changedKeys: return decided(no)
    case .difference: return decided(store.bool(type == "map_diff"))
    case .document(let d): return decided(type == "map" ? d.exists : no)
    case .auth: return decided(type == "map" ? world.signedIn : no)
    case .request, .query, .literalMap, .map: return decided(store.bool(type == "map"))
    case .list, .keys: return decided(store.bool(type == "list"))
    case .path, .unboundPath: return decided(store.bool(type == "path"))
    default: break
    }
    let s = scalar(of: value)
    let kinds: [ValueKind]? =
      switch type {
      case "bool": [.bool]
      case "bytes": [.bytes]
      case "duration": [.duration]
      case "float": [.float]
      case "int": [.int]
      case "number": [.int, .float]
      case "latlng": [.latlng]
      case "list": [.list]
      case "vector": [.vector]
      case "map": [.map]
      case "string": [.string]
      case "timestamp": [.timestamp]
      case "path": [.path]
      default: nil
      }
    guard let kinds else {
      // constraint, set, map_diff: of a value of another kind nothing is known.
      let holds = store.and(store.has(.other, s.value), store.apply("is_\(type)", [s.value], .bool))
      return s.isLaw ? Truth(yes: isThere, no: isThere) : decided(holds)
    }
    var truth = decided(store.or(kinds.map { store.has($0, s.value) }))
    // What a range says of a field is of no type, whatever the documents hold.
    if s.isLaw { truth.no = isThere }
    return truth
  }

  // MARK: Arithmetic

  private func inRange(_ i: Term) -> Term {
    store.and(store.lessOrEqual(store.int(.min), i), store.lessOrEqual(i, store.int(.max)))
  }

  /// Results by the kinds of the operands; where none of them applies there is an error.
  private func result(_ cases: [(condition: Term, value: Term)], _ a: Scalar, _ b: Scalar) -> Symbolic {
    let possible = cases.filter { $0.condition != no }
    guard let last = possible.last else { return .error }
    var value = last.value
    for one in possible.dropLast().reversed() { value = store.ite(one.condition, one.value, value) }
    return .scalar(
      Scalar(
        value: value, isThere: store.and(a.isThere, b.isThere, store.or(possible.map(\.condition))),
        isLaw: a.isLaw || b.isLaw))
  }

  private func floatResult(_ name: String, _ a: Scalar, _ b: Scalar, _ e: Expression) -> (condition: Term, value: Term)
  {
    func isNumber(_ v: Term) -> Term { store.or(store.has(.int, v), store.has(.float, v)) }
    let isFloat = store.and(
      isNumber(a.value), isNumber(b.value), store.or(store.has(.float, a.value), store.has(.float, b.value)))
    guard isFloat != no else { return (no, a.value) }
    if isFloat == yes { world.note("arithmetic of floats is not modelled", e) }
    let value = store.apply("float_\(name)", [a.value, b.value], .value)
    world.assume(store.has(.float, value))
    return (isFloat, value)
  }

  /// A case with times as operands: beyond the range of its kind the result is an error.
  private func time(_ applies: Term, _ kind: ValueKind, _ nanos: Term) -> (condition: Term, value: Term) {
    guard applies != no else { return (no, store.value(.null)) }
    let (least, most): (Int64, Int64) =
      kind == .timestamp ? (-62_135_596_800, 253_402_300_800) : (-315_576_000_001, 315_576_000_001)
    func seconds(_ s: Int64) -> Term { store.multiply(store.int(1_000_000_000), store.int(s)) }
    let isOutside = store.or(store.less(nanos, seconds(least)), store.lessOrEqual(seconds(most), nanos))
    // Within a second of the limit of durations only the engine knows.
    let isNear =
      kind == .timestamp
      ? no : store.or(store.lessOrEqual(nanos, seconds(least + 1)), store.lessOrEqual(seconds(most - 1), nanos))
    let fits = store.or(store.not(isNear), store.apply("durationFits", [nanos], .bool))
    return (store.and(applies, store.not(isOutside), fits), store.value(kind, nanos))
  }

  private func add(_ a: Scalar, _ b: Scalar, _ e: Expression) -> Symbolic {
    func both(_ x: ValueKind, _ y: ValueKind) -> Term { store.and(store.has(x, a.value), store.has(y, b.value)) }
    func sum(_ x: ValueKind, _ y: ValueKind) -> Term { store.add(store.part(x, a.value), store.part(y, b.value)) }
    let ints = sum(.int, .int)
    let text = both(.string, .string)
    return result(
      [
        (store.and(both(.int, .int), inRange(ints)), store.value(.int, ints)), floatResult("add", a, b, e),
        (
          text,
          text == no
            ? a.value : store.value(.string, world.join(store.part(.string, a.value), store.part(.string, b.value)))
        ),
        time(both(.duration, .duration), .duration, sum(.duration, .duration)),
        time(both(.timestamp, .duration), .timestamp, sum(.timestamp, .duration)),
        time(both(.duration, .timestamp), .timestamp, sum(.duration, .timestamp)),
      ], a, b)
  }

  private func subtract(_ a: Scalar, _ b: Scalar, _ e: Expression) -> Symbolic {
    func both(_ x: ValueKind, _ y: ValueKind) -> Term { store.and(store.has(x, a.value), store.has(y, b.value)) }
    func difference(_ x: ValueKind, _ y: ValueKind) -> Term {
      store.subtract(store.part(x, a.value), store.part(y, b.value))
    }
    let ints = difference(.int, .int)
    return result(
      [
        (store.and(both(.int, .int), inRange(ints)), store.value(.int, ints)), floatResult("subtract", a, b, e),
        time(both(.duration, .duration), .duration, difference(.duration, .duration)),
        time(both(.timestamp, .duration), .timestamp, difference(.timestamp, .duration)),
        time(both(.timestamp, .timestamp), .duration, difference(.timestamp, .timestamp)),
      ], a, b)
  }

  private func arithmetic(_ name: String, _ a: Scalar, _ b: Scalar, _ e: Expression) -> Symbolic {
    world.note("'\(name)' of integers is not modelled", e)
    let value = store.apply("int_\(name)", [a.value, b.value], .value)
    let isThere = store.apply("int_ok_\(name)", [a.value, b.value], .bool)
    world.assume(store.and(store.has(.int, value), inRange(store.part(.int, value))))
    let isInt = store.and(store.has(.int, a.value), store.has(.int, b.value), isThere)
    return result([(isInt, value), floatResult(name, a, b, e)], a, b)
  }

  func negate(_ value: Symbolic, _ e: Expression) -> Symbolic {
    let a = scalar(of: value)
    if case .make(.int) = store[a.value].operation {
      return subtract(Scalar(value: store.value(.int, store.int(0)), isThere: yes), a, e)
    }
    return opaque("negate", [value], e)
  }
}

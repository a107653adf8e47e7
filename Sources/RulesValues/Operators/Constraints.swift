extension ConstraintOperator {
  /// `a < b` is `b > a`.
  var mirrored: ConstraintOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .equal, .notEqual, .listContains: self
    }
  }

  func holds(for order: Operators.Order) -> Bool {
    switch self {
    case .less: order == .before
    case .lessOrEqual: order == .before || order == .same
    case .greater: order == .after
    case .greaterOrEqual: order == .after || order == .same
    case .equal: order == .same
    case .notEqual: order != .same
    case .listContains: false
    }
  }

  /// Does it ask for an order, which only some types have?
  public var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    case .equal, .notEqual, .listContains: false
    }
  }
}

extension Arena {
  /// A constraint that holds when each of its parts does.
  public func constraint(_ parts: [(ConstraintOperator, Value)]) -> Value {
    guard let row = row(parts.count * 2) else { return .error(.memory) }
    for (i, part) in parts.enumerated() {
      set(row, 2 * i, .int(part.0.rawValue))
      set(row, 2 * i + 1, part.1)
    }
    return entries(row, as: .constraint)
  }
}

/// Comparisons with a field of which only the query's filters are known.
///
/// `C op v` is true when one part of the constraint C excludes the opposite of `op v`; in every other case nothing
/// is known, which is `unknown`, never false. Which parts exclude what was measured on the official emulator 1.19.9
/// in 23,520 questions, and is not always what logic would say:
///
/// - An int in the query and a float in the rule are compared by value. A float in the query and an int in the rule
///   are not compared at all, except that `x == 2.0` makes `x != 2` (and every other int) true.
/// - `x == NaN` beside another filter makes everything true of numbers.
public enum Constraints {
  /// `constraint op operand`
  @usableFromInline
  static func compare(_ constraint: Value, _ comparator: ConstraintOperator, _ operand: Value, _ arena: Arena)
    -> Value
  {
    if comparator.isOrdering {
      guard isOrdered(operand) else { return arena.typeError(operand, .ordered) }
    } else if operand.has(.mapDiff) || operand.has(.constraint) {
      return arena.typeError(operand, .comparable)
    }
    var comparison = Comparison(arena)
    for i in 0..<constraint.count {
      guard let part = ConstraintOperator(rawValue: arena.key(constraint, i).asInt) else { continue }
      if excludes(part, arena.value(constraint, i), oppositeOf: comparator, operand, &comparison) { return .true }
    }
    return comparison.failure ?? .unknown
  }

  /// `element in constraint`
  static func contains(_ element: Value, _ constraint: Value, _ arena: Arena) -> Value {
    if element.has(.constraint) { return arena.typeError(element, .ordered) }
    if element.has(.mapDiff) { return arena.typeError(element, .comparable) }
    var comparison = Comparison(arena)
    for i in 0..<constraint.count where holds(constraint, i, element, &comparison) { return .true }
    return comparison.failure ?? .unknown
  }

  /// Does part `i` tell that the element is there?
  private static func holds(
    _ constraint: Value, _ i: Int, _ element: Value, _ comparison: inout Comparison
  ) -> Bool {
    let part = ConstraintOperator(rawValue: comparison.arena.key(constraint, i).asInt)
    let known = comparison.arena.value(constraint, i)
    if part == .listContains, agrees(known, with: element, &comparison) { return true }
    return part == .equal && isNaN(known) && isNumber(element)
  }

  /// The only method of a constraint. Unlike the comparisons it says false where nothing is known.
  static func hasAny(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.constraintHasAny, arguments) }
    guard arguments.a.has(.list) else { return arena.unsupported(.constraintHasAny, arguments.a) }
    var comparison = Comparison(arena)
    for i in 0..<arguments.a.count {
      let element = arena.element(arguments.a, i)
      if element.has(.constraint) || element.has(.mapDiff) { return arena.typeError(element, .comparable) }
      for j in 0..<receiver.count where holds(receiver, j, element, &comparison) { return .true }
    }
    return comparison.result(false)
  }

  // MARK: Parts

  /// Does `field part known` rule out that `field comparator operand` is false?
  private static func excludes(
    _ part: ConstraintOperator, _ known: Value, oppositeOf comparator: ConstraintOperator, _ operand: Value,
    _ comparison: inout Comparison
  ) -> Bool {
    if operand.has(.null) { return comparator == .notEqual }
    if isNumber(known), isNumber(operand) {
      if isNaN(known), part == .equal { return true }
      if isNaN(operand), comparator == .notEqual { return true }
    }
    if known.has(.float), operand.has(.int) { return part == .equal && comparator == .notEqual }
    switch (part, comparator) {
    case (.equal, .equal), (.notEqual, .notEqual):
      return agrees(known, with: operand, &comparison)
    case (.equal, .notEqual):
      return sameKind(known, operand) && !comparison.equal(known, operand) && comparison.failure == nil
    default:
      guard part != .listContains, part != .notEqual, sameKind(known, operand),
        let order = Operators.order(known, operand, comparison.arena)
      else { return false }
      return follows(comparator, from: part, order)
    }
  }

  /// Does `x comparator operand` follow from `x part known`, `known` standing in `order` to the operand?
  private static func follows(
    _ comparator: ConstraintOperator, from part: ConstraintOperator, _ order: Operators.Order
  ) -> Bool {
    let strictly = order == .before
    let atMost = order == .before || order == .same
    let strictlyAbove = order == .after
    let atLeast = order == .after || order == .same
    switch (part, comparator) {
    case (.less, .less), (.less, .lessOrEqual), (.less, .notEqual): return atMost
    case (.lessOrEqual, .lessOrEqual): return atMost
    case (.lessOrEqual, .less), (.lessOrEqual, .notEqual): return strictly
    case (.greater, .greater), (.greater, .greaterOrEqual), (.greater, .notEqual): return atLeast
    case (.greaterOrEqual, .greaterOrEqual): return atLeast
    case (.greaterOrEqual, .greater), (.greaterOrEqual, .notEqual): return strictlyAbove
    case (.equal, .less): return strictly
    case (.equal, .lessOrEqual): return atMost
    case (.equal, .greater): return strictlyAbove
    case (.equal, .greaterOrEqual): return atLeast
    default: return false
    }
  }

  /// The same value, as far as types may be compared.
  private static func agrees(_ known: Value, with operand: Value, _ comparison: inout Comparison) -> Bool {
    if isNaN(known), isNaN(operand) { return true }
    return sameKind(known, operand) && comparison.equal(known, operand)
  }

  private static func sameKind(_ known: Value, _ operand: Value) -> Bool {
    known.has(operand.tag) || (known.has(.int) && operand.has(.float))
  }

  private static func isNumber(_ v: Value) -> Bool { v.has(.int) || v.has(.float) }

  private static func isNaN(_ v: Value) -> Bool { v.has(.float) && v.asDouble.isNaN }

  private static func isOrdered(_ v: Value) -> Bool {
    switch v.tag {
    case .timestamp, .duration, .float, .int, .string, .bytes: true
    default: false
    }
  }
}

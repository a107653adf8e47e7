extension Arena {
  /// A map, the keys of one, or a constraint, of which there may be more than is known: what a query tells of a
  /// document, taken at its word. Where the emulator takes what a query does not mention for absent, an open value
  /// gives no answer.
  public func open(_ known: Value) -> Value {
    guard !known.isFailure else { return known }
    guard let row = row(1) else { return .error(.memory) }
    set(row, 0, known)
    return finish(row, as: .open)
  }

  /// What is known of an open value.
  public func known(of open: Value) -> Value { element(open, 0) }
}

/// What can be said of open values: true or false only where it follows from what is known, else `unknown`.
/// Operators and methods that are not here do not know open values and err, which refuses the request.
@usableFromInline
enum OpenValues {
  static func member(_ open: Value, _ name: Value, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    return known.has(.map) ? Operators.member(known, name, arena) : arena.typeError(known, .mapOrPath)
  }

  /// `open op operand`
  static func compare(_ open: Value, _ comparator: ConstraintOperator, _ operand: Value, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    guard known.has(.constraint) else {
      // A map or list is no null, whatever else it holds.
      return operand.has(.null) && !comparator.isOrdering ? .bool(comparator == .notEqual) : .unknown
    }
    if operand.has(.open) || (hasNaN(known, arena) && comparator != .notEqual) { return .unknown }
    return Constraints.compare(known, comparator, operand, arena)
  }

  /// `element in open`
  static func contains(_ element: Value, _ open: Value, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    if element.has(.open) || known.has(.constraint) && hasNaN(known, arena) { return .unknown }
    let answer = Operators.contains(element, known, arena)
    return answer.isFalse ? .unknown : answer
  }

  /// `map.get(key, default)`
  static func get(_ open: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    guard known.has(.map) else { return arena.noMethod(known, "get") }
    guard arguments.count == 2 else { return arena.argumentCount(.mapGet, arguments) }
    guard arguments.a.has(.list) else {
      return arguments.a.has(.string) ? arena.lookup(known, arguments.a) ?? .unknown : .unknown
    }
    var value = open
    for i in 0..<arguments.a.count {
      let key = arena.element(arguments.a, i)
      guard key.has(.string) else { return arena.typeError(key, .string) }
      let map = value.has(.open) ? arena.known(of: value) : value
      guard map.has(.map), let next = arena.lookup(map, key) else { return value.has(.open) ? .unknown : arguments.b }
      value = next
    }
    return value
  }

  static func keys(_ open: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    return known.has(.map) ? arena.open(MapMethods.keys(known, arguments, arena)) : arena.noMethod(known, "keys")
  }

  /// The keys of an open map as a set answer the same questions as the list of them.
  static func toSet(_ open: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    arena.known(of: open).has(.list) ? open : arena.noMethod(arena.known(of: open), "toSet")
  }

  /// More keys can only make it true.
  static func hasAll(_ open: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    guard known.has(.list) else { return arena.noMethod(known, "hasAll") }
    let answer = ListMethods.hasAll(known, arguments, arena)
    return answer.isFalse ? .unknown : answer
  }

  /// More keys, or more filters, can only make it true.
  static func hasAny(_ open: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    guard known.has(.list) || known.has(.constraint) else { return arena.noMethod(known, "hasAny") }
    let answer =
      known.has(.list)
      ? ListMethods.hasAny(known, arguments, arena) : Constraints.hasAny(known, arguments, arena)
    return answer.isFalse ? .unknown : answer
  }

  /// More keys can only make it false.
  static func hasOnly(_ open: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    let known = arena.known(of: open)
    guard known.has(.list) else { return arena.noMethod(known, "hasOnly") }
    let answer = ListMethods.hasOnly(known, arguments, arena)
    return answer.isTrue ? .unknown : answer
  }

  /// A method whose answer always depends on what is not known.
  @usableFromInline
  static func unanswered(_ open: Value, _ arguments: Arguments, _ arena: Arena) -> Value { .unknown }

  /// Beside another filter the emulator takes everything for true of a field that equals NaN.
  private static func hasNaN(_ constraint: Value, _ arena: Arena) -> Bool {
    for i in 0..<constraint.count {
      let value = arena.value(constraint, i)
      if arena.key(constraint, i).asInt == ConstraintOperator.equal.rawValue, value.has(.float), value.asDouble.isNaN {
        return true
      }
    }
    return false
  }
}

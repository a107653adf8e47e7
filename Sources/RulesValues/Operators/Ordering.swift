extension Operators {
  /// `a < b`
  @inlinable
  public static func less(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    a.has(.int) && b.has(.int) ? .bool(a.asInt < b.asInt) : ordered(.less, .less, a, b, arena)
  }

  /// `a <= b`
  @inlinable
  public static func lessOrEqual(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    a.has(.int) && b.has(.int) ? .bool(a.asInt <= b.asInt) : ordered(.lessOrEqual, .lessOrEqual, a, b, arena)
  }

  /// `a > b`
  @inlinable
  public static func greater(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    a.has(.int) && b.has(.int) ? .bool(a.asInt > b.asInt) : ordered(.greater, .greater, a, b, arena)
  }

  /// `a >= b`
  @inlinable
  public static func greaterOrEqual(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    a.has(.int) && b.has(.int)
      ? .bool(a.asInt >= b.asInt) : ordered(.greaterOrEqual, .greaterOrEqual, a, b, arena)
  }

  @usableFromInline
  static func ordered(
    _ comparator: ConstraintOperator, _ operation: Operation, _ a: Value, _ b: Value, _ arena: Arena
  ) -> Value {
    if a.has(.open) { return OpenValues.compare(a, comparator, b, arena) }
    if b.has(.open) { return OpenValues.compare(b, comparator.mirrored, a, arena) }
    if a.has(.constraint) { return Constraints.compare(a, comparator, b, arena) }
    if b.has(.constraint) { return Constraints.compare(b, comparator.mirrored, a, arena) }
    guard let order = order(a, b, arena) else { return arena.unsupported(operation, a, b) }
    return .bool(comparator.holds(for: order))
  }

  /// How two values of an ordered type stand to each other.
  enum Order {
    case before, same, after
    /// One is NaN: no comparison holds.
    case none

    init<T: BinaryInteger>(_ sign: T) { self = sign < 0 ? .before : sign > 0 ? .after : .same }

    init(_ a: Double, _ b: Double) { self = a < b ? .before : a > b ? .after : a == b ? .same : .none }
  }

  /// Strings by UTF-16 units, bytes as unsigned numbers, ints as floats where the other is one; `nil` for types that
  /// have no order.
  static func order(_ a: Value, _ b: Value, _ arena: Arena) -> Order? {
    switch (a.tag, b.tag) {
    case (.int, .int): a.asInt == b.asInt ? .same : a.asInt < b.asInt ? .before : .after
    case (.float, .float): Order(a.asDouble, b.asDouble)
    case (.int, .float): Order(Double(a.asInt), b.asDouble)
    case (.float, .int): Order(a.asDouble, Double(b.asInt))
    case (.string, .string): Order(arena.compareStrings(a, b))
    case (.bytes, .bytes): Order(arena.compareBytes(a, b))
    case (.timestamp, .timestamp), (.duration, .duration):
      a.asInt != b.asInt ? (a.asInt < b.asInt ? .before : .after) : Order(Int(a.nanos) - Int(b.nanos))
    default: nil
    }
  }
}

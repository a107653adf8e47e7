extension Operators {
  /// `a + b`
  @inlinable
  public static func add(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    guard a.has(.int), b.has(.int) else { return addSlowly(a, b, arena) }
    let (sum, overflow) = a.asInt.addingReportingOverflow(b.asInt)
    return overflow ? .error(.integerRange) : .int(sum)
  }

  /// `a - b`
  @inlinable
  public static func subtract(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    guard a.has(.int), b.has(.int) else { return subtractSlowly(a, b, arena) }
    let (difference, overflow) = a.asInt.subtractingReportingOverflow(b.asInt)
    return overflow ? .error(.integerRange) : .int(difference)
  }

  /// `a * b`
  public static func multiply(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    if a.has(.int), b.has(.int) {
      let (product, overflow) = a.asInt.multipliedReportingOverflow(by: b.asInt)
      return overflow ? .error(.integerRange) : .int(product)
    }
    guard let (x, y) = floats(a, b) else { return arena.unsupported(.multiply, a, b) }
    return .float(x * y)
  }

  /// `a / b`; ints toward zero. The least int divided by -1 stays what it is.
  public static func divide(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    if a.has(.int), b.has(.int) {
      guard b.asInt != 0 else { return .error(.divideByZero) }
      return .int(a.asInt.dividedReportingOverflow(by: b.asInt).partialValue)
    }
    guard let (x, y) = floats(a, b) else { return arena.unsupported(.divide, a, b) }
    return .float(x / y)
  }

  /// `a % b`, with the sign of `a`.
  public static func remainder(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    if a.has(.int), b.has(.int) {
      guard b.asInt != 0 else { return .error(.divideByZero) }
      return .int(b.asInt == -1 ? 0 : a.asInt % b.asInt)
    }
    guard let (x, y) = floats(a, b) else { return arena.unsupported(.remainder, a, b) }
    return .float(x.truncatingRemainder(dividingBy: y))
  }

  /// `-a`
  public static func negate(_ a: Value, _ arena: Arena) -> Value {
    switch a.tag {
    case .int: a.asInt == .min ? .error(.integerRange) : .int(0 &- a.asInt)
    case .float: .float(-a.asDouble)
    case .duration: .duration(seconds: 0 &- a.asInt, nanos: 0 &- a.nanos)
    default: arena.unsupported(.negate, a)
    }
  }

  /// `!a`
  @inlinable
  public static func not(_ a: Value, _ arena: Arena) -> Value {
    a.has(.bool) ? .bool(a.bits == 0) : arena.unsupported(.not, a)
  }

  @usableFromInline
  static func addSlowly(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    if let (x, y) = floats(a, b) { return .float(x + y) }
    switch (a.tag, b.tag) {
    case (.string, .string): return arena.concatenate(a, b)
    case (.duration, .duration): return duration(seconds: a.asInt &+ b.asInt, nanos: Int64(a.nanos) + Int64(b.nanos))
    case (.timestamp, .duration), (.duration, .timestamp):
      return timestamp(seconds: a.asInt &+ b.asInt, nanos: Int64(a.nanos) + Int64(b.nanos))
    default: return arena.unsupported(.add, a, b)
    }
  }

  @usableFromInline
  static func subtractSlowly(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    if let (x, y) = floats(a, b) { return .float(x - y) }
    let seconds = a.asInt &- b.asInt
    let nanos = Int64(a.nanos) - Int64(b.nanos)
    switch (a.tag, b.tag) {
    case (.duration, .duration), (.timestamp, .timestamp): return duration(seconds: seconds, nanos: nanos)
    case (.timestamp, .duration): return timestamp(seconds: seconds, nanos: nanos)
    default: return arena.unsupported(.subtract, a, b)
    }
  }

  /// Two numbers as floats; `nil` when one is no number.
  private static func floats(_ a: Value, _ b: Value) -> (Double, Double)? {
    guard let x = MathFunctions.number(a), let y = MathFunctions.number(b) else { return nil }
    return (x, y)
  }

  private static func duration(seconds: Int64, nanos: Int64) -> Value {
    DurationFunctions.normalized(seconds: seconds, nanos: nanos) ?? .error(.durationRange)
  }

  private static func timestamp(seconds: Int64, nanos: Int64) -> Value {
    var seconds = seconds
    var nanos = nanos
    if nanos < 0 {
      seconds &-= 1
      nanos += 1_000_000_000
    } else if nanos >= 1_000_000_000 {
      seconds &+= 1
      nanos -= 1_000_000_000
    }
    let t = Timestamp(seconds: seconds, nanos: Int32(truncatingIfNeeded: nanos))
    return t.isInRange ? .timestamp(t) : .error(.timestampRange)
  }
}

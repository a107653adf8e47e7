/// Durations: the package `duration` and the methods of its values.
public enum DurationFunctions {
  /// The range of durations, about 10,000 years.
  static let maximumSeconds: Int64 = 315_576_000_000
  private static let nanosPerSecond: Int64 = 1_000_000_000

  public static func value(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 2 else { return arena.argumentCount(.durationValue, arguments) }
    guard arguments.a.has(.int), arguments.b.has(.string) else {
      return arena.unsupported(.durationValue, arguments)
    }
    guard let unit = unit(arguments.b, arena) else { return arena.error(.invalidPattern, arguments.b) }
    // Small units are counted in nanoseconds and must fit 64 bits as such.
    let (total, overflow) = arguments.a.asInt.multipliedReportingOverflow(by: unit.factor)
    if overflow { return .error(.durationRange) }
    if unit.isNanos {
      return .duration(seconds: total / nanosPerSecond, nanos: Int32(truncatingIfNeeded: total % nanosPerSecond))
    }
    guard total.magnitude <= maximumSeconds.magnitude else { return .error(.durationRange) }
    return .duration(seconds: total, nanos: 0)
  }

  private static func unit(_ unit: Value, _ arena: Arena) -> (factor: Int64, isNanos: Bool)? {
    switch (unit.count, arena.byte(unit, 0), arena.byte(unit, 1)) {
    case (1, UInt8(ascii: "w"), _): (604_800, false)
    case (1, UInt8(ascii: "d"), _): (86400, false)
    case (1, UInt8(ascii: "h"), _): (3600, false)
    case (1, UInt8(ascii: "m"), _): (60, false)
    case (1, UInt8(ascii: "s"), _): (1, false)
    case (2, UInt8(ascii: "m"), UInt8(ascii: "s")): (1_000_000, true)
    case (2, UInt8(ascii: "n"), UInt8(ascii: "s")): (1, true)
    default: nil
    }
  }

  /// Hours, minutes, seconds and nanoseconds added up. Each part, hours with minutes, seconds with nanoseconds and
  /// the whole must be in the range of durations; the official words speak of timestamps here too.
  public static func time(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 4 else { return arena.argumentCount(.durationTime, arguments) }
    guard arguments.a.has(.int), arguments.b.has(.int), arguments.c.has(.int), arguments.d.has(.int) else {
      return arena.unsupported(.durationTime, arguments)
    }
    guard let hours = part(arguments.a, 3600), let minutes = part(arguments.b, 60), let seconds = part(arguments.c, 1),
      let upper = normalized(seconds: hours + minutes, nanos: 0),
      let lower = normalized(seconds: seconds, nanos: arguments.d.asInt),
      let sum = normalized(seconds: upper.asInt + lower.asInt, nanos: Int64(lower.nanos))
    else { return .error(.timestampRange) }
    return sum
  }

  private static func part(_ v: Value, _ factor: Int64) -> Int64? {
    let (product, overflow) = v.asInt.multipliedReportingOverflow(by: factor)
    return overflow || product.magnitude > maximumSeconds.magnitude ? nil : product
  }

  /// The duration of a sum whose parts may differ in sign; `nil` out of range.
  static func normalized(seconds: Int64, nanos: Int64) -> Value? {
    var seconds = seconds &+ nanos / nanosPerSecond
    var nanos = nanos % nanosPerSecond
    if seconds > 0, nanos < 0 {
      seconds -= 1
      nanos += nanosPerSecond
    } else if seconds < 0, nanos > 0 {
      seconds += 1
      nanos -= nanosPerSecond
    }
    guard seconds.magnitude <= maximumSeconds.magnitude else { return nil }
    return .duration(seconds: seconds, nanos: Int32(truncatingIfNeeded: nanos))
  }

  public static func abs(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.durationAbs, arguments) }
    let v = arguments.a
    guard v.has(.duration) else { return arena.unsupported(.durationAbs, v) }
    return v.asInt < 0 || v.nanos < 0 ? .duration(seconds: 0 &- v.asInt, nanos: 0 &- v.nanos) : v
  }
}

/// The methods of durations.
public enum DurationMethods {
  public static func seconds(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.durationSeconds, arguments) }
    return .int(receiver.asInt)
  }

  /// What is beyond the whole seconds, with their sign.
  public static func nanos(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.durationNanos, arguments) }
    return .int(Int64(receiver.nanos))
  }
}

/// The package `timestamp`.
public enum TimestampFunctions {
  /// From milliseconds since 1970, or from RFC 3339 text of a lenient kind.
  public static func value(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.timestampValue, arguments) }
    let v = arguments.a
    let timestamp: Timestamp?
    switch v.tag {
    case .int: timestamp = Timestamp(milliseconds: v.asInt)
    case .string: timestamp = Timestamp(lenient: arena.copyBytes(v))
    default: return arena.unsupported(.timestampValue, v)
    }
    guard let timestamp, timestamp.isInRange else { return .error(.timestampRange) }
    return .timestamp(timestamp)
  }

  /// Midnight of a date that must exist, unlike the dates in a text.
  public static func date(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 3 else { return arena.argumentCount(.timestampDate, arguments) }
    guard arguments.a.has(.int), arguments.b.has(.int), arguments.c.has(.int) else {
      return arena.unsupported(.timestampDate, arguments)
    }
    let year = arguments.a.asInt
    guard year >= 1, year <= 9999 else { return arena.error(.yearRange, arguments.a) }
    guard let timestamp = Timestamp(year: year, month: arguments.b.asInt, day: arguments.c.asInt) else {
      return arena.error(.invalidDate, arguments.a, arguments.b, arguments.c)
    }
    return .timestamp(timestamp)
  }
}

/// The methods of timestamps. All of them speak of UTC.
public enum TimestampMethods {
  public static func year(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampYear, receiver, arguments, arena) { $0.civil.year }
  }

  public static func month(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampMonth, receiver, arguments, arena) { $0.civil.month }
  }

  public static func day(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampDay, receiver, arguments, arena) { $0.civil.day }
  }

  public static func hours(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampHours, receiver, arguments, arena) { $0.civil.hours }
  }

  public static func minutes(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampMinutes, receiver, arguments, arena) { $0.civil.minutes }
  }

  /// Of the minute.
  public static func seconds(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampSeconds, receiver, arguments, arena) { $0.civil.seconds }
  }

  /// Of the second.
  public static func nanos(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampNanos, receiver, arguments, arena) { Int64($0.nanos) }
  }

  /// Monday is 1, Sunday 7.
  public static func dayOfWeek(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampDayOfWeek, receiver, arguments, arena) { $0.dayOfWeek }
  }

  /// The first of January is 1.
  public static func dayOfYear(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampDayOfYear, receiver, arguments, arena) { $0.dayOfYear }
  }

  public static func toMillis(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    part(.timestampToMillis, receiver, arguments, arena) { $0.milliseconds }
  }

  /// Midnight of the day.
  public static func date(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.timestampDateMethod, arguments) }
    return .timestamp(seconds: receiver.asInt &- secondOfDay(receiver), nanos: 0)
  }

  /// The duration since midnight.
  public static func time(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.timestampTime, arguments) }
    return DurationFunctions.normalized(seconds: secondOfDay(receiver), nanos: Int64(receiver.nanos))
      ?? .error(.durationRange)
  }

  /// Seconds since midnight. Within the first second of a day before 1970, the official implementation counts from
  /// the next midnight, unless it is midnight to the nanosecond. (Observed on the official emulator 1.19.9.)
  private static func secondOfDay(_ v: Value) -> Int64 {
    let rest = Calendar.divide(v.asInt, by: Calendar.secondsPerDay).rest
    return rest == 0 && v.asInt < 0 && v.nanos > 0 ? -Calendar.secondsPerDay : rest
  }

  private static func part(
    _ operation: Operation, _ receiver: Value, _ arguments: Arguments, _ arena: Arena, _ body: (Timestamp) -> Int64
  ) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(operation, arguments) }
    return .int(body(receiver.asTimestamp))
  }
}

extension Value {
  public static func timestamp(_ t: Timestamp) -> Value {
    .timestamp(seconds: t.seconds, nanos: UInt32(clamping: t.nanos))
  }

  public var asTimestamp: Timestamp { Timestamp(seconds: asInt, nanos: nanos) }
}

/// A point in time taken apart in UTC by the Gregorian calendar, extended to before its introduction.
public struct CivilTime: Sendable, Equatable {
  public var year: Int64
  /// 1 … 12
  public var month: Int64
  /// 1 … 31
  public var day: Int64
  public var hours: Int64
  public var minutes: Int64
  public var seconds: Int64
}

/// Dates as days since 1970-01-01. All arithmetic wraps: callers check the range of what they were given.
enum Calendar {
  static let secondsPerDay: Int64 = 86400

  /// Days of a date whose month may be any number: month 13 is January of the next year.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (carry, month) = divide(month &- 1, by: 12)
    // Years that begin in March, so that the leap day comes last.
    let beforeMarch = month < 2
    let y = year &+ carry &- (beforeMarch ? 1 : 0)
    let (era, yearOfEra) = divide(y, by: 400)
    let monthFromMarch = beforeMarch ? month + 10 : month - 2
    let dayOfYear = (153 * monthFromMarch + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era &* 146_097 &+ dayOfEra &+ (day &- 1) &- 719_468
  }

  static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = divide(days &+ 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era &* 400 &+ yearOfEra &+ (month <= 2 ? 1 : 0), month, day)
  }

  /// Quotient rounded down, and the rest from zero up.
  static func divide(_ a: Int64, by b: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = a.quotientAndRemainder(dividingBy: b)
    return rest < 0 ? (quotient - 1, rest + b) : (quotient, rest)
  }

  static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// Days of month 1 … 12; 0 for any other.
  static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 0
    }
  }
}

extension Timestamp {
  /// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z: the range of timestamps.
  public static let minimumSeconds: Int64 = -62_135_596_800
  public static let maximumSeconds: Int64 = 253_402_300_799

  public var isInRange: Bool {
    seconds >= Self.minimumSeconds && seconds <= Self.maximumSeconds && nanos >= 0 && nanos <= 999_999_999
  }

  /// Midnight of a date; `nil` when there is no such day, or its year is not in 1 … 9999.
  public init?(year: Int64, month: Int64, day: Int64) {
    guard year >= 1, year <= 9999, day >= 1, day <= Calendar.length(ofMonth: month, year: year) else { return nil }
    self.init(seconds: Calendar.days(year: year, month: month, day: day) * Calendar.secondsPerDay)
  }

  public var civil: CivilTime {
    let (days, rest) = Calendar.divide(seconds, by: Calendar.secondsPerDay)
    let date = Calendar.date(days: days)
    return CivilTime(
      year: date.year, month: date.month, day: date.day, hours: rest / 3600, minutes: rest / 60 % 60,
      seconds: rest % 60)
  }

  /// Monday is 1, Sunday 7.
  public var dayOfWeek: Int64 {
    // 1970-01-01 was a Thursday.
    Calendar.divide(Calendar.divide(seconds, by: Calendar.secondsPerDay).quotient &+ 3, by: 7).rest + 1
  }

  /// The first of January is 1.
  public var dayOfYear: Int64 {
    let days = Calendar.divide(seconds, by: Calendar.secondsPerDay).quotient
    return days &- Calendar.days(year: Calendar.date(days: days).year, month: 1, day: 1) &+ 1
  }

  /// Milliseconds since 1970, rounded down.
  public var milliseconds: Int64 { seconds &* 1000 &+ Int64(nanos) / 1_000_000 }

  public init(milliseconds: Int64) {
    let (seconds, rest) = Calendar.divide(milliseconds, by: 1000)
    self.init(seconds: seconds, nanos: Int32(truncatingIfNeeded: rest * 1_000_000))
  }
}

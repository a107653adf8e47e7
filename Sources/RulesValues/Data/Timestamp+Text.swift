extension Timestamp {
  /// `2026-01-01T00:00:00Z`, with as many fraction digits (none, 3, 6 or 9) as needed.
  public var rfc3339: String {
    let t = civil
    func padded(_ n: Int64, _ width: Int) -> String {
      let digits = String(n)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(t.year, 4) + "-" + padded(t.month, 2) + "-" + padded(t.day, 2) + "T" + padded(t.hours, 2) + ":"
      + padded(t.minutes, 2) + ":" + padded(t.seconds, 2) + Self.fraction(nanos) + "Z"
  }

  /// `.500`, or nothing for zero.
  static func fraction(_ nanos: Int32) -> String {
    let nanos = nanos.magnitude
    if nanos == 0 { return "" }
    let digits = String(nanos)
    let all = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    return "." + all.prefix(nanos % 1_000_000 == 0 ? 3 : nanos % 1000 == 0 ? 6 : 9)
  }

  /// Reads a timestamp as data holds them: RFC 3339 with real dates, `T` and `Z` or an offset; up to nine fraction
  /// digits. `nil` for anything else, out-of-range fields included.
  public init?(rfc3339 text: String) { self.init(rfc3339: Array(text.utf8)[...]) }

  public init?(rfc3339 text: ArraySlice<UInt8>) {
    var at = text.startIndex
    let end = text.endIndex
    func take(_ first: UInt8, or second: UInt8) -> Bool {
      guard at < end, text[at] == first || text[at] == second else { return false }
      at += 1
      return true
    }
    func take(_ c: UInt8) -> Bool { take(c, or: c) }
    func digits(_ count: Int) -> Int64? {
      guard end - at >= count else { return nil }
      var value: Int64 = 0
      for _ in 0..<count {
        let c = text[at]
        guard c >= 0x30, c <= 0x39 else { return nil }
        value = value &* 10 &+ Int64(c &- 0x30)
        at += 1
      }
      return value
    }
    guard let year = digits(4), take(0x2D), let month = digits(2), take(0x2D), let day = digits(2),
      take(0x54, or: 0x74), let hours = digits(2), take(0x3A), let minutes = digits(2), take(0x3A),
      let seconds = digits(2), hours < 24, minutes < 60, seconds < 60,
      let midnight = Timestamp(year: year, month: month, day: day)
    else { return nil }
    var nanos: Int64 = 0
    if take(0x2E) {
      var unit: Int64 = 100_000_000
      let first = at
      while at < end, text[at] >= 0x30, text[at] <= 0x39 {
        guard unit > 0 else { return nil }
        nanos += Int64(text[at] - 0x30) * unit
        unit /= 10
        at += 1
      }
      guard at > first else { return nil }
    }
    var offset: Int64 = 0
    if !take(0x5A, or: 0x7A) {
      let east = take(0x2B)
      guard east || take(0x2D), let h = digits(2), take(0x3A), let m = digits(2), h < 24, m < 60 else { return nil }
      offset = (h * 3600 + m * 60) * (east ? 1 : -1)
    }
    guard at == end else { return nil }
    self.init(
      seconds: midnight.seconds + hours * 3600 + minutes * 60 + seconds - offset, nanos: Int32(clamping: nanos))
    guard isInRange else { return nil }
  }
}

extension Timestamp {
  /// Reads a timestamp as `timestamp.value(string)` does, which lets a lot pass: fields of any length, signs and
  /// blanks before them, numbers beyond their range (which roll over), anything between the seconds and the zone.
  /// (Observed on the official emulator 1.19.9.) `nil` when refused or out of range.
  init?(lenient text: [UInt8]) {
    let units = WTF8.utf16(text)
    guard let t = units.firstIndex(of: 0x54) else { return nil }
    func find(_ c: UInt16) -> Int? { units[t...].firstIndex(of: c) }
    // A Z anywhere counts before a plus, and that before a minus.
    guard let zone = find(0x5A) ?? find(0x2B) ?? find(0x2D) else { return nil }
    let point = units[..<zone].firstIndex(of: 0x2E)
    var reader = LenientFields(units: Array(units[..<(point ?? zone)]))
    guard let seconds = reader.read() else { return nil }

    var nanos: Int32 = 0
    if let point {
      let digits = units[(point + 1)..<zone].prefix(9)
      var unit: Int32 = 100_000_000
      for c in digits {
        guard c >= 0x30, c <= 0x39 else { return nil }
        nanos += Int32(c - 0x30) * unit
        unit /= 10
      }
    }
    var shift: Int64 = 0
    if units[zone] == 0x5A {
      guard zone == units.count - 1 else { return nil }
    } else {
      let offset = units[(zone + 1)...]
      guard let colon = offset.firstIndex(of: 0x3A), let hours = JavaLong.parse(offset[..<colon]),
        let minutes = JavaLong.parse(offset[(colon + 1)...])
      else { return nil }
      shift = (hours &* 60 &+ minutes) &* 60
      if units[zone] == 0x2D { shift = 0 &- shift }
    }
    self.init(seconds: seconds &- shift, nanos: nanos)
    guard isInRange else { return nil }
  }

  /// The six numbers of `year-month-dayThours:minutes:seconds`, each as a formatted integer is read: blanks and tabs
  /// before it are skipped, a minus is taken, an exponent too; what does not fit 32 bits is cut.
  private struct LenientFields {
    let units: [UInt16]
    var at = 0

    init(units: [UInt16]) { self.units = units }

    mutating func read() -> Int64? {
      guard let year = number(), skip(0x2D), let month = number(), skip(0x2D), let day = number(), skip(0x54),
        let hours = number(), skip(0x3A), let minutes = number(), skip(0x3A), let seconds = number()
      else { return nil }
      // Months are counted from zero, in 32 bits.
      let zeroBased = Int64(month &- 1)
      let days = Calendar.days(year: Int64(year), month: zeroBased + 1, day: Int64(day))
      return days &* 86400 &+ Int64(hours) &* 3600 &+ Int64(minutes) &* 60 &+ Int64(seconds)
    }

    private mutating func skip(_ c: UInt16) -> Bool {
      guard at < units.count, units[at] == c else { return false }
      at += 1
      return true
    }

    private mutating func number() -> Int32? {
      while at < units.count, units[at] == 0x20 || units[at] == 0x09 { at += 1 }
      if units[at...].starts(with: "NaN".utf16) {
        at += 3
        return 0
      }
      let negative = skip(0x2D)
      if skip(0x221E) { return negative ? .min : .max }
      guard let digits = self.digits() else { return nil }
      var exponent: Int64 = 0
      if at < units.count, units[at] == 0x45 {
        let mark = at
        at += 1
        let minus = skip(0x2D)
        if let text = self.digits(), let value = JavaLong.parse(text) {
          exponent = Int64(Int32(truncatingIfNeeded: minus ? 0 &- value : value))
        } else {
          at = mark
        }
      }
      return Self.cut(digits.drop { DecimalDigits.value($0) == 0 }, exponent: exponent, negative: negative)
    }

    private mutating func digits() -> ArraySlice<UInt16>? {
      let start = at
      while at < units.count, DecimalDigits.value(units[at]) != nil { at += 1 }
      return at == start ? nil : units[start..<at]
    }

    /// digits · 10^exponent: a whole number of 64 bits loses its upper half, a greater one saturates.
    private static func cut(_ digits: ArraySlice<UInt16>, exponent: Int64, negative: Bool) -> Int32 {
      let places = Int64(digits.count) + exponent
      if places > 25 { return digits.isEmpty ? 0 : negative ? .min : .max }
      if places <= 0 { return 0 }
      let limit: UInt64 = negative ? 1 << 63 : 1 << 63 - 1
      var total: UInt64 = 0
      var i = digits.startIndex
      for _ in 0..<places {
        let digit = i < digits.endIndex ? DecimalDigits.value(digits[i]) ?? 0 : 0
        i += 1
        let (product, tooBig) = total.multipliedReportingOverflow(by: 10)
        let (sum, overflow) = product.addingReportingOverflow(UInt64(digit))
        if tooBig || overflow || sum > limit { return negative ? .min : .max }
        total = sum
      }
      // With a fraction the number is a double on its way, which saturates rather than being cut.
      let whole = digits.dropFirst(Int(places)).allSatisfy { DecimalDigits.value($0) == 0 }
      let value = Int64(bitPattern: negative ? 0 &- total : total)
      return whole ? Int32(truncatingIfNeeded: value) : Int32(clamping: value)
    }
  }
}

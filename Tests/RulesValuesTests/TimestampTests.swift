import Testing

@testable import RulesValues

struct TimestampTests {
  @Test("Every day from year 1 to 9999 has the date it is counted from")
  func calendar() {
    var expected: (year: Int64, month: Int64, day: Int64) = (1, 1, 1)
    var days = Timestamp.minimumSeconds / 86400
    var misses = 0
    // Counting by hand is arithmetic enough to check the formulas against.
    while expected.year <= 9999 {
      if Calendar.days(year: expected.year, month: expected.month, day: expected.day) != days { misses += 1 }
      if Calendar.date(days: days) != expected { misses += 1 }
      days += 1
      expected.day += 1
      if expected.day > Calendar.length(ofMonth: expected.month, year: expected.year) {
        expected.day = 1
        expected.month += 1
      }
      if expected.month > 12 {
        expected.month = 1
        expected.year += 1
      }
    }
    #expect(misses == 0)
    #expect(days - 1 == Timestamp.maximumSeconds / 86400)
  }

  @Test(
    "RFC 3339 is read strictly",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0),
      ("2026-01-01T00:00:00Z", 1_767_225_600, 0),
      ("2026-01-01t00:00:00z", 1_767_225_600, 0),
      ("2026-01-01T01:30:00+01:30", 1_767_225_600, 0),
      ("2025-12-31T16:00:00-08:00", 1_767_225_600, 0),
      ("1969-12-31T23:59:59.5Z", -1, 500_000_000),
      ("2026-01-01T00:00:00.123456789Z", 1_767_225_600, 123_456_789),
      ("2024-02-29T00:00:00Z", 1_709_164_800, 0),
      ("0001-01-01T00:00:00Z", Timestamp.minimumSeconds, 0),
      ("9999-12-31T23:59:59.999999999Z", Timestamp.maximumSeconds, 999_999_999),
    ] as [(String, Int64, Int32)])
  func strict(text: String, seconds: Int64, nanos: Int32) {
    #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds, nanos: nanos))
  }

  @Test(
    "What is no RFC 3339 is refused",
    arguments: [
      "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-1-01T00:00:00Z",
      "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
      "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z",
      "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+24:00",
      "2026-01-01T00:00:00+00:60", "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
      "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z", "2026-01-01T00:00:00ZZ",
      "٢٠٢٦-01-01T00:00:00Z",
    ])
  func refused(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(
    "Timestamps are printed with no, 3, 6 or 9 digits of fraction",
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (0, 500_000_000, "1970-01-01T00:00:00.500Z"),
      (0, 1000, "1970-01-01T00:00:00.000001Z"), (0, 1, "1970-01-01T00:00:00.000000001Z"),
      (Timestamp.minimumSeconds, 0, "0001-01-01T00:00:00Z"),
    ] as [(Int64, Int32, String)])
  func printed(seconds: Int64, nanos: Int32, text: String) {
    #expect(Timestamp(seconds: seconds, nanos: nanos).rfc3339 == text)
    #expect(Timestamp(rfc3339: text) == Timestamp(seconds: seconds, nanos: nanos))
  }

  @Test("Any 64 bits can be taken apart without a trap", arguments: [Int64.min, .min + 1, -1, 0, .max - 1, .max])
  func extremes(seconds: Int64) {
    let t = Timestamp(seconds: seconds, nanos: 999_999_999)
    #expect((1...12).contains(t.civil.month))
    #expect((1...7).contains(t.dayOfWeek))
    _ = (t.dayOfYear, t.milliseconds, t.rfc3339, Timestamp(milliseconds: seconds))
    _ = Calendar.days(year: seconds, month: seconds, day: seconds)
  }
}

/// Decimal digits of all scripts, as `Character.digit` of Java 17 knows them: those of one UTF-16 unit only
/// (observed on the official emulator 1.19.9: `int('\u0663')` is 3, `int('𝟛')` an error).
enum DecimalDigits {
  /// The zeros of the scripts; the nine units after each are its other digits.
  private static let zeros: [UInt16] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6, 0x0E50,
    0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50,
    0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
  ]

  static func value(_ unit: UInt16) -> Int64? {
    if unit < 0x80 { return unit >= 0x30 && unit <= 0x39 ? Int64(unit) - 0x30 : nil }
    for zero in zeros {
      if unit < zero { return nil }
      if unit - zero < 10 { return Int64(unit - zero) }
    }
    return nil
  }
}

/// Integers as text, the way `Long.parseLong` reads them: an optional sign, then digits of any script; no blanks.
enum JavaLong {
  static func parse<S: Collection>(_ units: S) -> Int64? where S.Element == UInt16 {
    var rest = units[...]
    let negative = rest.first == 0x2D
    if negative || rest.first == 0x2B { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    // Negative throughout, since that side reaches one further.
    var total: Int64 = 0
    for unit in rest {
      guard let digit = DecimalDigits.value(unit) else { return nil }
      let (product, tooBig) = total.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.subtractingReportingOverflow(digit)
      if tooBig || overflow { return nil }
      total = sum
    }
    if negative { return total }
    return total == .min ? nil : -total
  }
}

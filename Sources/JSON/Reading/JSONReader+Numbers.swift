extension JSONReader {
  /// Reads the number whose first byte (`-` or a digit) is at the cursor.
  mutating func readNumber() throws(JSONError) -> Event {
    let first = cursor
    var number = NumberParts()
    var index = first
    if bytes[index] == UInt8(ascii: "-") {
      number.isNegative = true
      index += 1
    }

    let firstDigit = index
    while index < bytes.count, bytes[index].isDigit {
      number.append(digit: bytes[index])
      index += 1
    }
    guard index > firstDigit else { throw numberComplaint("expected a digit after \"-\"", at: index) }
    if bytes[firstDigit] == UInt8(ascii: "0"), index > firstDigit + 1 {
      throw error("a number may not start with 0; remove the leading zeros", at: firstDigit)
    }

    var isWhole = true
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      let firstPlace = index
      while index < bytes.count, bytes[index].isDigit {
        number.append(digit: bytes[index])
        index += 1
      }
      guard index > firstPlace else { throw numberComplaint("expected a digit after the decimal point", at: index) }
      number.exponent = firstPlace - index
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      index = try readExponent(at: index + 1, into: &number)
    }
    if index < bytes.count, bytes[index].continuesWord || bytes[index] == UInt8(ascii: ".") {
      throw error("\(named(scalarAt: index)) cannot stand in a number, which is written like -12.5e3", at: index)
    }
    token = first..<index
    cursor = index

    if isWhole, let value = number.wholeValue { return .int(value) }
    let value = number.exactDouble ?? Double(String(decoding: bytes[token], as: UTF8.self)) ?? .nan
    guard value.isFinite else {
      throw error("the number is beyond the range of a double, about ±1.8e308", at: first)
    }
    return .double(value)
  }

  private func readExponent(at start: Int, into number: inout NumberParts) throws(JSONError) -> Int {
    var index = start
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    let firstDigit = index
    var exponent = 0
    while index < bytes.count, bytes[index].isDigit {
      // Beyond a few thousand the exact value no longer matters to `exactDouble`.
      if exponent < 10_000 { exponent = exponent * 10 + Int(bytes[index] - UInt8(ascii: "0")) }
      index += 1
    }
    guard index > firstDigit else { throw numberComplaint("expected a digit in the exponent", at: index) }
    number.exponent += isNegative ? -exponent : exponent
    return index
  }

  private func numberComplaint(_ message: String, at offset: Int) -> JSONError {
    error("\(message), found \(named(scalarAt: offset))", at: offset)
  }
}

/// The digits of a number without its point, and where the point belongs.
private struct NumberParts {
  var isNegative = false
  /// All digits as one number; meaningless once `overflows`.
  var digits: UInt64 = 0
  var overflows = false
  /// The power of ten that `digits` must be multiplied with.
  var exponent = 0

  mutating func append(digit: UInt8) {
    let (tenfold, overflow) = digits.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
    if overflow || carry { overflows = true }
    digits = sum
  }

  /// The value of a number without fraction and exponent; nil if `Int64` cannot hold it.
  var wholeValue: Int64? {
    guard !overflows else { return nil }
    if isNegative { return digits <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- digits) : nil }
    return Int64(exactly: digits)
  }

  /// The nearest double where one multiplication or division of two exactly representable numbers
  /// yields it (W. Clinger, "How to read floating point numbers accurately", 1990); else nil.
  var exactDouble: Double? {
    guard !overflows, digits <= 1 << 53, (-22...22).contains(exponent) else { return nil }
    let magnitude =
      exponent < 0 ? Double(digits) / Self.powersOfTen[-exponent] : Double(digits) * Self.powersOfTen[exponent]
    return isNegative ? -magnitude : magnitude
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

extension JSONReader {
  /// Reads the string whose opening quote is at the cursor.
  mutating func readString() throws(JSONError) {
    let opening = cursor
    hasEscapes = false
    textHasLoneSurrogate = false
    var index = opening + 1
    let count = bytes.count
    while index < count {
      // Most of a string is plain.
      let plain = index
      index = endOfPlain(from: index)
      if hasEscapes, index > plain { unescaped.append(contentsOf: bytes[plain..<index]) }
      guard index < count else { break }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        if !hasEscapes { plainText = opening + 1..<index }
        token = opening..<index + 1
        cursor = index + 1
        return
      }
      if byte == UInt8(ascii: "\\") {
        if !hasEscapes {
          hasEscapes = true
          unescaped.removeAll(keepingCapacity: true)
          unescaped.append(contentsOf: bytes[opening + 1..<index])
        }
        index = try readEscape(at: index, opening: opening)
        continue
      }
      if byte < 0x20 { throw unescapedControl(byte, at: index) }
      let length = byte < 0x80 ? 1 : bytes.lengthOfScalar(at: index)
      guard length > 0 else {
        throw error("byte 0x\(hex(UInt32(byte), 2)) is not valid UTF-8 here; JSON must be saved as UTF-8", at: index)
      }
      if hasEscapes {
        for offset in index..<index + length { unescaped.append(bytes[offset]) }
      }
      index += length
    }
    throw error("this string is not closed; expected a \"", at: opening)
  }

  /// Appends what the escape at `index` stands for; answers where it ends.
  private mutating func readEscape(at index: Int, opening: Int) throws(JSONError) -> Int {
    guard index + 1 < bytes.count else { throw error("this string is not closed; expected a \"", at: opening) }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""): unescaped.append(0x22)
    case UInt8(ascii: "\\"): unescaped.append(0x5C)
    case UInt8(ascii: "/"): unescaped.append(0x2F)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): return try readUnicodeEscape(at: index)
    default:
      throw error(
        "unknown escape \\\(named(scalarAt: index + 1)); allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits",
        at: index)
    }
    return index + 2
  }

  private mutating func readUnicodeEscape(at index: Int) throws(JSONError) -> Int {
    guard let unit = hexadecimalUnit(at: index + 2) else {
      throw error("\\u needs four hexadecimal digits", at: index)
    }
    if (0xD800...0xDBFF).contains(unit), index + 7 < bytes.count,
      bytes[index + 6] == UInt8(ascii: "\\"), bytes[index + 7] == UInt8(ascii: "u"),
      let low = hexadecimalUnit(at: index + 8), (0xDC00...0xDFFF).contains(low)
    {
      unescaped.appendScalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      return index + 12
    }
    if (0xD800...0xDFFF).contains(unit) { textHasLoneSurrogate = true }
    unescaped.appendScalar(unit)
    return index + 6
  }

  /// The four hexadecimal digits at `offset`; nil if there are not four.
  private func hexadecimalUnit(at offset: Int) -> UInt32? {
    guard offset + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for index in offset..<offset + 4 {
      guard let digit = bytes[index].hexadecimalDigit else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  private func unescapedControl(_ byte: UInt8, at index: Int) -> JSONError {
    switch byte {
    case 0x0A, 0x0D:
      error("a string may not go over a line's end; close it with \" or write \\n", at: index)
    case 0x09:
      error("a tab in a string must be written \\t", at: index)
    default:
      error("control character U+\(hex(UInt32(byte), 4)) in a string must be written \\u\(hex(UInt32(byte), 4))", at: index)
    }
  }
}

extension [UInt8] {
  /// The length of the well-formed UTF-8 sequence at `index` (Unicode 15, table 3-7); 0 if there is none.
  func lengthOfScalar(at index: Int) -> Int {
    guard index < count else { return 0 }
    let lead = self[index]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard index + length <= count, second.contains(self[index + 1]) else { return 0 }
    for offset in 2..<Swift.max(length, 2) where self[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// Appends a code point in (generalised) UTF-8; surrogates get three bytes.
  mutating func appendScalar(_ scalar: UInt32) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar >> shift) & 0x3F) }
    switch scalar {
    case 0..<0x80:
      append(UInt8(truncatingIfNeeded: scalar))
    case 0x80..<0x800:
      append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
      append(tail(0))
    case 0x800..<0x10000:
      append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
      append(tail(6))
      append(tail(0))
    default:
      append(UInt8(truncatingIfNeeded: 0xF0 | (scalar >> 18) & 0x07))
      append(tail(12))
      append(tail(6))
      append(tail(0))
    }
  }
}

extension UInt8 {
  /// ASCII that means itself inside a string.
  @inline(__always)
  var isPlainInString: Bool { self >= 0x20 && self < 0x80 && self != 0x22 && self != 0x5C }

  var isDigit: Bool { (0x30...0x39).contains(self) }

  var hexadecimalDigit: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x41 + 10
    case 0x61...0x66: UInt32(self) - 0x61 + 10
    default: nil
    }
  }

  /// A letter, digit, `_` or `$`: what would make `null` the start of another word.
  var continuesWord: Bool {
    isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F || self == 0x24
  }
}

/// An upper-case hexadecimal number with at least `width` digits.
func hex(_ number: UInt32, _ width: Int) -> String {
  let digits = String(number, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

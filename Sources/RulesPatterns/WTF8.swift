/// Conversions between our strings and UTF-16.
///
/// Our strings are WTF-8: UTF-8 in which a surrogate that has no partner may stand as three bytes
/// (`ED A0…BF xx`). A high surrogate directly followed by a low one is always written as the four
/// bytes of the code point they form. The official implementations work on UTF-16 units, and some
/// of their behaviour shows it (an empty match may lie between the halves of a pair).
enum WTF8 {
  /// The UTF-16 units of a WTF-8 string. Bytes that are not WTF-8 become U+FFFD each.
  static func utf16(_ bytes: [UInt8]) -> [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let (scalar, length) = decode(bytes, at: position)
      append(scalar ?? 0xFFFD, to: &units)
      position += length
    }
    return units
  }

  /// The WTF-8 form of a slice of UTF-16 units; halves that meet are joined.
  static func bytes(_ units: ArraySlice<UInt16>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.count)
    var position = units.startIndex
    while position < units.endIndex {
      let (codePoint, width) = codePoint(units, at: position)
      append(codePoint, to: &bytes)
      position += width
    }
    return bytes
  }

  /// The code point that starts at a unit, and its width in units: a lone surrogate is itself.
  static func codePoint(_ units: ArraySlice<UInt16>, at position: Int) -> (UInt32, Int) {
    let first = units[position]
    if first & 0xFC00 == 0xD800, position + 1 < units.endIndex {
      let second = units[position + 1]
      if second & 0xFC00 == 0xDC00 {
        return (0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)), 2)
      }
    }
    return (UInt32(first), 1)
  }

  static func append(_ codePoint: UInt32, to units: inout [UInt16]) {
    if codePoint < 0x10000 {
      units.append(UInt16(truncatingIfNeeded: codePoint))
    } else {
      let rest = codePoint &- 0x10000
      units.append(0xD800 | UInt16(truncatingIfNeeded: rest >> 10 & 0x3FF))
      units.append(0xDC00 | UInt16(truncatingIfNeeded: rest & 0x3FF))
    }
  }

  static func append(_ codePoint: UInt32, to bytes: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: codePoint >> shift & 0x3F) }
    switch codePoint {
    case ..<0x80: bytes.append(UInt8(truncatingIfNeeded: codePoint))
    case ..<0x800:
      bytes.append(0xC0 | UInt8(truncatingIfNeeded: codePoint >> 6))
      bytes.append(tail(0))
    case ..<0x10000:
      bytes.append(0xE0 | UInt8(truncatingIfNeeded: codePoint >> 12))
      bytes.append(tail(6))
      bytes.append(tail(0))
    default:
      bytes.append(0xF0 | UInt8(truncatingIfNeeded: codePoint >> 18 & 7))
      bytes.append(tail(12))
      bytes.append(tail(6))
      bytes.append(tail(0))
    }
  }

  /// The code point at a byte position (`nil` where the bytes are not WTF-8) and its length in bytes.
  static func decode(_ bytes: [UInt8], at position: Int) -> (UInt32?, Int) {
    let first = UInt32(bytes[position])
    func tail(_ index: Int) -> UInt32? {
      guard position + index < bytes.count else { return nil }
      let byte = bytes[position + index]
      return byte & 0xC0 == 0x80 ? UInt32(byte & 0x3F) : nil
    }
    switch first {
    case 0..<0x80: return (first, 1)
    case 0xC2..<0xE0:
      guard let a = tail(1) else { return (nil, 1) }
      return ((first & 0x1F) << 6 | a, 2)
    case 0xE0..<0xF0:
      guard let a = tail(1), let b = tail(2) else { return (nil, 1) }
      let codePoint = (first & 0xF) << 12 | a << 6 | b
      return codePoint < 0x800 ? (nil, 1) : (codePoint, 3)
    case 0xF0..<0xF5:
      guard let a = tail(1), let b = tail(2), let c = tail(3) else { return (nil, 1) }
      let codePoint = (first & 7) << 18 | a << 12 | b << 6 | c
      return (0x10000...0x10FFFF).contains(codePoint) ? (codePoint, 4) : (nil, 1)
    default: return (nil, 1)
    }
  }

  /// Whether any character of the string takes two UTF-16 units.
  static func hasPairs(_ bytes: [UInt8]) -> Bool { bytes.contains { $0 >= 0xF0 } }
}

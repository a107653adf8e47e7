/// WTF-8: UTF-8 that may also hold unpaired surrogates, each as three bytes. A high surrogate followed by a low
/// one is always joined into the four bytes of the character they make.
public enum WTF8 {
  /// The UTF-16 code units of a WTF-8 text. Bytes that are no WTF-8 become U+FFFD.
  public static func utf16(_ bytes: [UInt8]) -> [UInt16] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count)
    var i = 0
    func tail(_ offset: Int) -> UInt32? {
      guard i + offset < bytes.count, bytes[i + offset] & 0xC0 == 0x80 else { return nil }
      return UInt32(bytes[i + offset] & 0x3F)
    }
    while i < bytes.count {
      let b = bytes[i]
      switch b {
      case 0..<0x80:
        units.append(UInt16(b))
        i += 1
      case 0xC2..<0xE0:
        guard let t = tail(1) else { fallthrough }
        units.append(UInt16(UInt32(b & 0x1F) << 6 | t))
        i += 2
      case 0xE0..<0xF0:
        guard let t = tail(1), let u = tail(2) else { fallthrough }
        units.append(UInt16(UInt32(b & 0x0F) << 12 | t << 6 | u))
        i += 3
      case 0xF0..<0xF5:
        guard let t = tail(1), let u = tail(2), let v = tail(3) else { fallthrough }
        let scalar = UInt32(b & 0x07) << 18 | t << 12 | u << 6 | v
        guard scalar >= 0x10000, scalar <= 0x10FFFF else { fallthrough }
        units.append(UInt16(0xD800 + (scalar - 0x10000) >> 10))
        units.append(UInt16(0xDC00 + (scalar - 0x10000) & 0x3FF))
        i += 4
      default:
        units.append(0xFFFD)
        i += 1
      }
    }
    return units
  }

  /// WTF-8 from UTF-16 code units, pairs joined.
  public static func bytes<S: Collection>(utf16 units: S) -> [UInt8] where S.Element == UInt16 {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.count)
    var index = units.startIndex
    while index < units.endIndex {
      var scalar = UInt32(units[index])
      index = units.index(after: index)
      if scalar & 0xFC00 == 0xD800, index < units.endIndex, units[index] & 0xFC00 == 0xDC00 {
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + UInt32(units[index] & 0x3FF)
        index = units.index(after: index)
      }
      append(scalar, to: &bytes)
    }
    return bytes
  }

  /// Appends one code point (a surrogate in three bytes).
  public static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    switch scalar {
    case 0..<0x80:
      bytes.append(UInt8(scalar))
    case 0x80..<0x800:
      bytes.append(UInt8(0xC0 | scalar >> 6))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    case 0x800..<0x10000:
      bytes.append(UInt8(0xE0 | scalar >> 12))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    default:
      bytes.append(UInt8(0xF0 | scalar >> 18 & 0x07))
      bytes.append(UInt8(0x80 | scalar >> 12 & 0x3F))
      bytes.append(UInt8(0x80 | scalar >> 6 & 0x3F))
      bytes.append(UInt8(0x80 | scalar & 0x3F))
    }
  }

  /// Two texts one after the other, joining a surrogate pair that meets at the seam.
  public static func joined(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    let n = a.count
    if n >= 3, a[n - 3] == 0xED, a[n - 2] & 0xF0 == 0xA0, b.count >= 3, b[0] == 0xED, b[1] & 0xF0 == 0xB0 {
      return bytes(utf16: utf16(a) + utf16(b))
    }
    return a + b
  }

  /// Orders two texts by UTF-16 code units.
  public static func compareUTF16(_ a: [UInt8], _ b: [UInt8]) -> Int {
    let x = utf16(a)
    let y = utf16(b)
    for (p, q) in zip(x, y) where p != q { return Int(p) - Int(q) }
    return x.count - y.count
  }

  /// The text as well-formed UTF-8, each unpaired surrogate as `?`: how the official implementation encodes it.
  public static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xED) else { return bytes }
    var out: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if bytes[i] == 0xED, i + 2 < bytes.count, bytes[i + 1] >= 0xA0 {
        out.append(0x3F)
        i += 3
      } else {
        out.append(bytes[i])
        i += 1
      }
    }
    return out
  }
}

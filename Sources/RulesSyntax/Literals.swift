/// The values of literal tokens.
enum Literals {
  /// The text of an escaped literal as WTF-8, or `nil` for a `\u` escape where only bytes may stand.
  /// `content` is what lies between the quotes; the lexer has checked its escapes.
  static func unescape(_ content: ArraySlice<UInt8>, asBytes: Bool) -> [UInt8]? {
    guard content.contains(0x5C) else { return Array(content) }
    var out: [UInt8] = []
    out.reserveCapacity(content.count)
    var pendingHigh: UInt32?
    var i = content.startIndex
    func digits(_ from: Int, _ count: Int, radix: UInt32) -> UInt32 {
      var value: UInt32 = 0
      for c in content[from..<min(from + count, content.endIndex)] { value = value &* radix &+ hexDigit(c) }
      return value
    }
    while i < content.endIndex {
      let c = content[i]
      guard c == 0x5C, i + 1 < content.endIndex else {
        flush(&pendingHigh, into: &out)
        out.append(c)
        i += 1
        continue
      }
      let escape = content[i + 1]
      if escape == 0x75 {
        if asBytes { return nil }
        let unit = digits(i + 2, 4, radix: 16)
        if let high = pendingHigh, unit & 0xFC00 == 0xDC00 {
          pendingHigh = nil
          append(0x10000 + ((high & 0x3FF) << 10) + (unit & 0x3FF), to: &out)
        } else {
          flush(&pendingHigh, into: &out)
          if unit & 0xFC00 == 0xD800 { pendingHigh = unit } else { append(unit, to: &out) }
        }
        i += 6
        continue
      }
      flush(&pendingHigh, into: &out)
      var value: UInt32
      var length = 2
      switch escape {
      case 0x6E: value = 0x0A
      case 0x72: value = 0x0D
      case 0x74: value = 0x09
      case 0x62: value = 0x08
      case 0x66: value = 0x0C
      case 0x78:
        value = digits(i + 2, 2, radix: 16)
        length = 4
      case 0x30...0x33:
        value = digits(i + 1, 3, radix: 8)
        length = 4
      default: value = UInt32(escape)
      }
      if asBytes { out.append(UInt8(truncatingIfNeeded: value)) } else { append(value, to: &out) }
      i += length
    }
    flush(&pendingHigh, into: &out)
    return out
  }

  static func hexDigit(_ c: UInt8) -> UInt32 {
    switch c {
    case 0x30...0x39: UInt32(c - 0x30)
    case 0x41...0x46: UInt32(c - 0x41 + 10)
    case 0x61...0x66: UInt32(c - 0x61 + 10)
    default: 0
    }
  }

  private static func flush(_ high: inout UInt32?, into out: inout [UInt8]) {
    if let unit = high { append(unit, to: &out) }
    high = nil
  }

  /// Appends one scalar, or an unpaired surrogate in the three bytes UTF-8 would give it.
  static func append(_ value: UInt32, to out: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (value >> shift) & 0x3F) }
    switch value {
    case 0..<0x80: out.append(UInt8(truncatingIfNeeded: value))
    case 0x80..<0x800:
      out.append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
      out.append(tail(0))
    case 0x800..<0x10000:
      out.append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
      out.append(tail(6))
      out.append(tail(0))
    default:
      out.append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
      out.append(tail(12))
      out.append(tail(6))
      out.append(tail(0))
    }
  }

  /// The magnitude of a decimal literal; `nil` beyond 9223372036854775808.
  static func magnitude(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for c in digits {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(c &- 0x30))
      if overflow || carry || sum > 1 << 63 { return nil }
      value = sum
    }
    return value
  }

  static func float(_ text: ArraySlice<UInt8>) -> Double {
    // `.5` and `5.` are completed, so that the conversion sees a form everyone knows.
    Double("0" + String(decoding: text, as: UTF8.self) + "0") ?? 0
  }

  /// The name of a segment token, percent escapes decoded, without its slash.
  static func segment(_ text: ArraySlice<UInt8>) -> String {
    let name = text.dropFirst()
    guard name.contains(0x25) else { return String(decoding: name, as: UTF8.self) }
    var out: [UInt8] = []
    var i = name.startIndex
    while i < name.endIndex {
      if name[i] == 0x25, i + 2 < name.endIndex {
        out.append(UInt8(truncatingIfNeeded: hexDigit(name[i + 1]) << 4 | hexDigit(name[i + 2])))
        i += 3
      } else {
        out.append(name[i])
        i += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}

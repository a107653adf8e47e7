/// Percent decoding as the official implementation's library does it, error texts included: `+` is a blank, a run of
/// escapes is one piece of UTF-8, and hexadecimal digits may have a sign or be of any script.
enum URLDecoding {
  struct Reason: Error {
    let text: String
  }

  static func decode(_ text: [UInt8]) -> Result<[UInt8], Reason> {
    let units = WTF8.utf16(text)
    var out: [UInt8] = []
    var i = 0
    while i < units.count {
      switch units[i] {
      case 0x2B:
        out.append(0x20)
        i += 1
      case 0x25:
        var bytes: [UInt8] = []
        while i + 2 < units.count, units[i] == 0x25 {
          switch hexadecimal(units[i + 1], units[i + 2]) {
          case .success(let value): bytes.append(UInt8(truncatingIfNeeded: value))
          case .failure(let reason): return .failure(reason)
          }
          i += 3
        }
        if i < units.count, units[i] == 0x25 {
          return .failure(Reason(text: "Incomplete trailing escape (%) pattern"))
        }
        out += repaired(bytes)
      default:
        let start = i
        while i < units.count, units[i] != 0x25, units[i] != 0x2B { i += 1 }
        out += WTF8.bytes(utf16: units[start..<i])
      }
    }
    return .success(out)
  }

  private static func hexadecimal(_ a: UInt16, _ b: UInt16) -> Result<Int, Reason> {
    func wrong(_ index: Int) -> Result<Int, Reason> {
      let digits = String(decoding: [a, b], as: UTF16.self)
      return .failure(
        Reason(text: "Illegal hex characters in escape (%) pattern - Error at index \(index) in: \"\(digits)\""))
    }
    if a == 0x2B || a == 0x2D {
      guard let low = digit(b) else { return wrong(1) }
      if a == 0x2D, low > 0 {
        return .failure(Reason(text: "Illegal hex characters in escape (%) pattern - negative value"))
      }
      return .success(low)
    }
    guard let high = digit(a) else { return wrong(0) }
    guard let low = digit(b) else { return wrong(1) }
    return .success(high * 16 + low)
  }

  private static func digit(_ unit: UInt16) -> Int? {
    switch unit {
    case 0x30...0x39: return Int(unit) - 0x30
    case 0x41...0x46: return Int(unit) - 0x41 + 10
    case 0x61...0x66: return Int(unit) - 0x61 + 10
    // Full-width letters count as hexadecimal digits too.
    case 0xFF21...0xFF26: return Int(unit) - 0xFF21 + 10
    case 0xFF41...0xFF46: return Int(unit) - 0xFF41 + 10
    default:
      guard unit >= 0x80, let scalar = Unicode.Scalar(unit),
        scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue
      else { return nil }
      return Int(value)
    }
  }

  /// UTF-8 with each malformed part as U+FFFD; an encoded surrogate counts as one part.
  private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var joined: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if bytes[i] == 0xED, i + 2 < bytes.count, bytes[i + 1] & 0xE0 == 0xA0, bytes[i + 2] & 0xC0 == 0x80 {
        joined += [0xEF, 0xBF, 0xBD]
        i += 3
      } else {
        joined.append(bytes[i])
        i += 1
      }
    }
    return Array(String(decoding: joined, as: UTF8.self).utf8)
  }
}

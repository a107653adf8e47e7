/// Base64 of RFC 4648.
public enum Base64 {
  public enum Alphabet: Sendable {
    /// `+` and `/`
    case standard
    /// `-` and `_`
    case urlSafe

    fileprivate var last: (UInt8, UInt8) { self == .standard ? (0x2B, 0x2F) : (0x2D, 0x5F) }
  }

  /// ASCII text with padding.
  public static func encode(_ bytes: [UInt8], alphabet: Alphabet = .standard) -> [UInt8] {
    let last = alphabet.last
    func letter(_ n: UInt32) -> UInt8 {
      let n = UInt8(truncatingIfNeeded: n & 63)
      return switch n {
      case 0..<26: 0x41 + n
      case 26..<52: 0x61 + n - 26
      case 52..<62: 0x30 + n - 52
      case 62: last.0
      default: last.1
      }
    }
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for i in 0..<4 { out.append(i <= group.count ? letter(bits >> UInt32(18 - 6 * i)) : 0x3D) }
    }
    return out
  }

  /// Reads either alphabet, with or without padding; `nil` when the text is no base64.
  public static func decode(_ text: String) -> [UInt8]? {
    var letters = Array(text.utf8)
    var padding = 0
    while letters.last == 0x3D {
      letters.removeLast()
      padding += 1
    }
    guard letters.count % 4 != 1, padding == 0 || (letters.count + padding) % 4 == 0, padding <= 2 else { return nil }
    var out: [UInt8] = []
    out.reserveCapacity(letters.count * 3 / 4)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for letter in letters {
      let n: UInt8
      switch letter {
      case 0x41...0x5A: n = letter - 0x41
      case 0x61...0x7A: n = letter - 0x61 + 26
      case 0x30...0x39: n = letter - 0x30 + 52
      case 0x2B, 0x2D: n = 62
      case 0x2F, 0x5F: n = 63
      default: return nil
      }
      bits = bits << 6 | UInt32(n)
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return out
  }
}

/// Base64 in the URL alphabet (RFC 4648, section 5). Our own, because FoundationEssentials has only the
/// standard alphabet and would be linked for these lines alone.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)

  /// Without padding.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
      bits = (bits << 8 | UInt32(byte)) & 0xFFFF
      count += 8
      while count >= 6 {
        count -= 6
        text.unicodeScalars.append(alphabet[Int(bits >> count & 0x3F)])
      }
    }
    if count > 0 { text.unicodeScalars.append(alphabet[Int(bits << (6 - count) & 0x3F)]) }
    return text
  }

  /// With or without padding; left-over bits need not be 0. Nil for anything else.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    var digits = 0
    var padding = 0
    for character in text {
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = value(of: character) else { return nil }
      digits += 1
      bits = (bits << 6 | digit) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    guard digits % 4 != 1, padding == 0 || (digits + padding) % 4 == 0 && padding <= 2 else { return nil }
    return bytes
  }

  /// Why a text is not base64url as RFC 7515 wants it.
  enum Fault: Error { case standardAlphabet, character, padding, length, leftOverBits }

  /// Without padding, and with left-over bits of 0: so that only one text means these bytes.
  static func strictlyDecode(_ text: some Collection<UInt8>) -> Result<[UInt8], Fault> {
    if text.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
      return .failure(.standardAlphabet)
    }
    if text.contains(UInt8(ascii: "=")) { return .failure(.padding) }
    guard text.allSatisfy({ value(of: $0) != nil }) else { return .failure(.character) }
    guard let bytes = decode(text) else { return .failure(.length) }
    let last = Array(text.suffix(1)).first.flatMap(value) ?? 0
    let unused: UInt32 = [0, 0, 0x0F, 0x03][text.count % 4]
    return last & unused == 0 ? .success(bytes) : .failure(.leftOverBits)
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case 0x41...0x5A: UInt32(character) - 0x41
    case 0x61...0x7A: UInt32(character) - 0x61 + 26
    case 0x30...0x39: UInt32(character) - 0x30 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

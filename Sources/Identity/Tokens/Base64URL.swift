/// Base64 in the URL alphabet (RFC 4648, section 5). Our own, because FoundationEssentials has only the
/// standard alphabet and would be linked for these lines alone.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The value of each byte; 64 for those that are no digits.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// Without padding.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    let alphabet = alphabet
    let left = bytes.count % 3
    var text = [UInt8](repeating: 0, count: bytes.count / 3 * 4 + (left == 0 ? 0 : left + 1))
    var place = 0
    var index = 0
    while index < bytes.count - left {
      let bits = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      text[place] = alphabet[Int(bits >> 18)]
      text[place + 1] = alphabet[Int(bits >> 12 & 63)]
      text[place + 2] = alphabet[Int(bits >> 6 & 63)]
      text[place + 3] = alphabet[Int(bits & 63)]
      index += 3
      place += 4
    }
    if left > 0 {
      let bits = UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
      text[place] = alphabet[Int(bits >> 18)]
      text[place + 1] = alphabet[Int(bits >> 12 & 63)]
      if left > 1 { text[place + 2] = alphabet[Int(bits >> 6 & 63)] }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// With or without padding; left-over bits need not be 0. Nil for anything else.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var text = Array(text)
    let length = text.count
    while text.count > length - 2, text.last == UInt8(ascii: "=") { text.removeLast() }
    let padding = length - text.count
    guard text.count % 4 != 1, padding == 0 || length % 4 == 0 else { return nil }
    return decode(digits: text)
  }

  /// Nil if one is none; left-over bits are dropped.
  private static func decode(digits: [UInt8]) -> [UInt8]? {
    let values = values
    var bytes = [UInt8](repeating: 0, count: digits.count * 3 / 4)
    var place = 0
    var index = 0
    while index + 3 < digits.count {
      let first = values[Int(digits[index])], second = values[Int(digits[index + 1])]
      let third = values[Int(digits[index + 2])], fourth = values[Int(digits[index + 3])]
      guard first | second | third | fourth < 64 else { return nil }
      bytes[place] = first << 2 | second >> 4
      bytes[place + 1] = second << 4 | third >> 2
      bytes[place + 2] = third << 6 | fourth
      index += 4
      place += 3
    }
    let rest = digits[index...].map { values[Int($0)] }
    guard rest.allSatisfy({ $0 < 64 }) else { return nil }
    if rest.count > 1 { bytes[place] = rest[0] << 2 | rest[1] >> 4 }
    if rest.count > 2 { bytes[place + 1] = rest[1] << 4 | rest[2] >> 2 }
    return bytes
  }

  /// Why a text is not base64url as RFC 7515 wants it.
  enum Fault: Error { case standardAlphabet, character, padding, length, leftOverBits }

  /// Without padding, and with left-over bits of 0: so that only one text means these bytes.
  static func strictlyDecode(_ text: some Collection<UInt8>) -> Result<[UInt8], Fault> {
    let digits = Array(text)
    guard let bytes = decode(digits: digits) else {
      if digits.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
        return .failure(.standardAlphabet)
      }
      return .failure(digits.contains(UInt8(ascii: "=")) ? .padding : .character)
    }
    guard digits.count % 4 != 1 else { return .failure(.length) }
    let unused: UInt8 = [0, 0, 0x0F, 0x03][digits.count % 4]
    return digits.last.map { values[Int($0)] & unused } ?? 0 == 0 ? .success(bytes) : .failure(.leftOverBits)
  }
}

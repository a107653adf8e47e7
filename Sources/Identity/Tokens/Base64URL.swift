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
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    var index = 0
    while index + 2 < bytes.count {
      let bits = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
      text.append(alphabet[Int(bits >> 18)])
      text.append(alphabet[Int(bits >> 12 & 63)])
      text.append(alphabet[Int(bits >> 6 & 63)])
      text.append(alphabet[Int(bits & 63)])
      index += 3
    }
    let left = bytes.count - index
    if left > 0 {
      let bits = UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
      text.append(alphabet[Int(bits >> 18)])
      text.append(alphabet[Int(bits >> 12 & 63)])
      if left > 1 { text.append(alphabet[Int(bits >> 6 & 63)]) }
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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for digit in digits {
      let value = values[Int(digit)]
      guard value < 64 else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
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

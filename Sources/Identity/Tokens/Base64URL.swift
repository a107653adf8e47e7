/// Base64 in the URL alphabet (RFC 4648, section 5). libcrypto does the standard alphabet; FoundationEssentials does,
/// too, but would be linked for these lines alone.
package enum Base64URL {
  private static let padding = UInt8(ascii: "=")

  /// Without padding.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String { LibCrypto.base64URL(Array(bytes)) }

  /// With or without padding; left-over bits need not be 0. Nil for anything else.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var text = Array(text)
    let length = text.count
    while text.count > length - 2, text.last == padding { text.removeLast() }
    guard text.count % 4 != 1, text.count == length || length % 4 == 0 else { return nil }
    return LibCrypto.bytes(ofBase64URL: text[...])
  }

  /// Why a text is not base64url as RFC 7515 wants it.
  enum Fault: Error { case standardAlphabet, character, padding, length, leftOverBits }

  /// Without padding, and with left-over bits of 0: so that only one text means these bytes.
  static func strictlyDecode(_ digits: ArraySlice<UInt8>) -> Result<[UInt8], Fault> {
    guard let bytes = LibCrypto.bytes(ofBase64URL: digits) else {
      if digits.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) {
        return .failure(.standardAlphabet)
      }
      return .failure(digits.contains(padding) ? .padding : .character)
    }
    switch digits.count % 4 {
    case 0: return .success(bytes)
    case 1: return .failure(.length)
    default:
      let last = digits.suffix(digits.count % 4)
      return encode(bytes.suffix(last.count - 1)).utf8.elementsEqual(last) ? .success(bytes) : .failure(.leftOverBits)
    }
  }
}

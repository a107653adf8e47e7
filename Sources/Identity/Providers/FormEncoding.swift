/// The encoding of query strings and form bodies.
package enum FormEncoding {
  package static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + Hexadecimal.encode([byte]).uppercased()
      }
    }
    return encoded
  }

  /// What is not a hexadecimal number after `%` stays as it is; bytes that are not UTF-8 become U+FFFD.
  package static func decode(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(0x20)
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.first != UInt8(ascii: "+") {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Names and values in order.
  package static func fields(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decode(parts[0]), parts.count == 2 ? decode(parts[1]) : "")
    }
  }

  /// The value of a name in the query of a URL.
  package static func query(_ name: String, in url: String) -> String? {
    guard let mark = url.firstIndex(of: "?") else { return nil }
    let query = url[url.index(after: mark)...].prefix { $0 != "#" }
    return fields(query).first { $0.name == name }?.value
  }
}

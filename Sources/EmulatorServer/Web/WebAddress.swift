/// The parts of an absolute address that matter here: `scheme://host:port/path?query#fragment`.
struct WebAddress: Sendable, Equatable {
  let scheme: String
  /// Without port and user; of IPv6 with its brackets. In lower case.
  let host: String
  let query: String

  /// Nil for what is no absolute address with a host.
  init?(_ text: String) {
    guard text.utf8.count <= 64 << 10,
      !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F || $0 == "\\" })
    else { return nil }
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
      scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }),
      rest.hasPrefix("//")
    else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      self.host = host[...end].lowercased()
    } else {
      self.host = host.prefix { $0 != ":" }.lowercased()
    }
    guard !self.host.isEmpty else { return nil }
    self.scheme = scheme
    query = rest.firstIndex(of: "?").map { String(rest[rest.index(after: $0)...].prefix { $0 != "#" }) } ?? ""
  }

  /// Whether a browser may be sent there: not to what would be run or shown as if it were ours.
  var isSafeToVisit: Bool { !["javascript", "data", "vbscript", "file", "blob", "about"].contains(scheme) }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]" || host == "127.0.0.1"
  }

  /// The address with a query of more fields.
  static func adding(_ fields: [(String, String)], to address: String) -> String {
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let query = fields.map { Encoded.field($0.0, $0.1) }.joined(separator: "&")
    let joined = parts[0] + (parts[0].contains("?") ? (parts[0].hasSuffix("?") ? "" : "&") : "?") + query
    return parts.count == 2 ? joined + "#" + parts[1] : String(joined)
  }
}

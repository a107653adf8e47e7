/// A request line with its header fields, read.
struct HTTPHead {
  enum Length: Equatable {
    case none
    case bytes(Int)
    case chunked
  }

  let request: HTTPRequest
  let length: Length
  let expectsContinue: Bool

  /// - Parameter head: with the CR LF of its last line.
  init(_ head: ArraySlice<UInt8>, limits: HTTPLimits) throws(HTTPFailure) {
    var lines = head.split(separator: 0x0A, omittingEmptySubsequences: true)[...]
    guard let first = lines.popFirst() else { throw HTTPFailure(400, "There is no request line.") }
    let (method, path, query, minor) = try Self.requestLine(first.dropLast())
    guard lines.count <= limits.headerFields else {
      throw HTTPFailure(431, "A request has at most \(limits.headerFields) header fields.")
    }
    var headers = HTTPHeaders()
    for line in lines {
      let (name, value) = try Self.field(line.dropLast())
      headers.add(name, value)
    }
    if minor == 1, headers.all("host").count != 1 { throw HTTPFailure(400, "A request names its host, once.") }
    length = try Self.length(headers, minor: minor)
    let connection = headers.all("connection").joined(separator: ",").lowercased().split(separator: ",").map {
      $0.filter { $0 != " " && $0 != "\t" }
    }
    let keepsAlive = minor == 1 ? !connection.contains("close") : connection.contains("keep-alive")
    if let expect = headers["expect"] {
      guard expect.lowercased() == "100-continue" else {
        throw HTTPFailure(417, "Of expectations only 100-continue is known.")
      }
      expectsContinue = minor == 1
    } else {
      expectsContinue = false
    }
    request = HTTPRequest(method: method, path: path, query: query, headers: headers, keepsAlive: keepsAlive)
  }

  private static func requestLine(
    _ line: ArraySlice<UInt8>
  ) throws(HTTPFailure) -> (method: String, path: String, query: String, minor: Int) {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, (1...32).contains(parts[0].count), parts[0].allSatisfy(isTokenByte) else {
      throw HTTPFailure(400, "A request line is written METHOD /path HTTP/1.1.")
    }
    let minor: Int
    switch String(decoding: parts[2], as: UTF8.self) {
    case "HTTP/1.1": minor = 1
    case "HTTP/1.0": minor = 0
    case let other where other.hasPrefix("HTTP/"): throw HTTPFailure(505, "HTTP/1.1 is spoken here.")
    default: throw HTTPFailure(400, "A request line is written METHOD /path HTTP/1.1.")
    }
    // No controls; bytes above ASCII are let through, for clients that do not encode them.
    guard parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw HTTPFailure(400, "The path has a character that must be percent-encoded.")
    }
    var target = parts[1]
    if target.first != UInt8(ascii: "/") {
      // `http://host/path`, as to a proxy; `*` only asks what there is.
      let text = String(decoding: target, as: UTF8.self)
      if text == "*", parts[0].elementsEqual("OPTIONS".utf8) { return ("OPTIONS", "*", "", minor) }
      let scheme = "http://"
      guard text.lowercased().hasPrefix(scheme) else {
        throw HTTPFailure(400, "A path begins with a slash.")
      }
      let rest = target.dropFirst(scheme.utf8.count)
      guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else {
        return (String(decoding: parts[0], as: UTF8.self), "/", "", minor)
      }
      target = rest[slash...]
    }
    // A fragment is not for servers.
    target = target.prefix { $0 != UInt8(ascii: "#") }
    let path = target.prefix { $0 != UInt8(ascii: "?") }
    return (
      String(decoding: parts[0], as: UTF8.self), String(decoding: path, as: UTF8.self),
      String(decoding: target[path.endIndex...].dropFirst(), as: UTF8.self), minor
    )
  }

  private static func field(_ line: ArraySlice<UInt8>) throws(HTTPFailure) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isTokenByte)
    else { throw HTTPFailure(400, "A header field is written Name: value.") }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    var value = line[(colon + 1)...].drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw HTTPFailure(400, "A header field has a control character.")
    }
    return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// How long the body is. Two ways to tell are one too many: whoever stands between could take the other.
  private static func length(_ headers: HTTPHeaders, minor: Int) throws(HTTPFailure) -> Length {
    let codings = headers.all("transfer-encoding")
    let lengths = headers.all("content-length")
    if !codings.isEmpty {
      guard lengths.isEmpty else { throw HTTPFailure(400, "A body has a length or comes in chunks, not both.") }
      guard minor == 1, codings.count == 1, codings[0].lowercased() == "chunked" else {
        throw HTTPFailure(501, "Of transfer codings only chunked is known.")
      }
      return .chunked
    }
    guard let text = lengths.first else { return .none }
    guard lengths.count == 1, (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(text)
    else { throw HTTPFailure(400, "Content-Length is one number.") }
    return .bytes(count)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

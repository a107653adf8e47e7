import Identity

/// Header fields in the order in which they came; names count without regard to case.
public struct HTTPHeaders: Sendable, Equatable {
  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  public private(set) var fields: [Field] = []

  public init(_ fields: [(name: String, value: String)] = []) {
    for field in fields { add(field.name, field.value) }
  }

  public mutating func add(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  /// The first value of a name.
  public subscript(name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name.lowercased() == name }?.value
  }

  /// All values of a name.
  public func all(_ name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The first value of each name, by names in lower case.
  public var byLowerCasedName: [String: String] {
    Dictionary(fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A request as it came over HTTP, whole.
public struct HTTPRequest: Sendable, Equatable {
  public var method: String
  /// As it came, still percent-encoded, without the query.
  public var path: String
  /// What follows the `?`, as it came.
  public var query: String
  public var headers: HTTPHeaders
  /// At most as long as the server's limit.
  public var body: [UInt8]
  /// Whether the connection stays open after the answer.
  public var keepsAlive: Bool

  public init(
    method: String, path: String, query: String = "", headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
    keepsAlive: Bool = true
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.keepsAlive = keepsAlive
  }

  /// The parts of the path between slashes, as they came. An empty part in the middle or at the end counts.
  public var rawSegments: [String] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.first == "" ? Array(parts.dropFirst()) : parts
  }

  /// The same, percent-decoded; `+` is a plus.
  public var segments: [String] { rawSegments.map { Self.decode($0) } }

  /// The fields of the query in their order, decoded; `+` is a space.
  public var parameters: [(name: String, value: String)] { FormEncoding.fields(query) }

  /// Whether the body is `a=1&b=2`.
  var isForm: Bool {
    headers["content-type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
  }

  /// Undoes percent-encoding. A `%` that no two digits follow stands for itself; bytes that are no UTF-8 become U+FFFD.
  static func decode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = hex(rest[rest.startIndex]),
        let low = hex(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

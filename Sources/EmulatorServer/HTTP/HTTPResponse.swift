import JSON

/// An answer to a request. What belongs to the connection (length, `Connection`, `Date`, cross-origin headers) is the
/// server's to add.
public struct HTTPResponse: Sendable {
  public enum Body: Sendable {
    case bytes([UInt8])
    /// What comes bit by bit for as long as the client listens: server-sent events. Called once the head is on its way;
    /// the stream may be written to from any thread, then and later.
    case stream(@Sendable (HTTPStream) -> Void)
  }

  public var status: Int
  public var headers: HTTPHeaders
  public var body: Body

  public init(status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// - Parameters:
  ///   - status: of HTTP.
  ///   - json: the body.
  ///   - pretty: indented by two, as the emulators write what is no error.
  public init(status: Int = 200, json: JSONValue, pretty: Bool = true) {
    self.init(
      status: status, headers: HTTPHeaders([("Content-Type", "application/json; charset=UTF-8")]),
      body: .bytes(Array(json.serialized(pretty: pretty).utf8)))
  }

  public init(status: Int = 200, text: String, type: String = "text/plain; charset=UTF-8") {
    self.init(status: status, headers: HTTPHeaders([("Content-Type", type)]), body: .bytes(Array(text.utf8)))
  }

  /// The body, unless it comes bit by bit.
  public var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }

  /// What stands behind the number in the first line.
  static func reason(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 204: "No Content"
    case 303: "See Other"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 417: "Expectation Failed"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}

/// What answers requests. Called from several threads at once.
public protocol HTTPHandler: Sendable {
  func answer(_ request: HTTPRequest) -> HTTPResponse
  /// Whether the answer may have to wait for another program. It then has a thread of its own; others hold up the
  /// connections of their worker.
  func mayWait(for request: HTTPRequest) -> Bool
}

extension HTTPHandler {
  public func mayWait(for request: HTTPRequest) -> Bool { false }
}

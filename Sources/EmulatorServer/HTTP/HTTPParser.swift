/// Bounds of what a client may send.
public struct HTTPLimits: Sendable {
  /// Request line and header fields together, and likewise the trailer of a chunked body.
  public var headBytes = 64 << 10
  public var headerFields = 256
  public var bodyBytes = 10 << 20

  public init() {}
}

/// Why a request cannot be answered: the status says it, and the connection ends.
package struct HTTPFailure: Error, Equatable, Sendable {
  let status: Int
  let message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }
}

/// Takes bytes as they come from a connection and gives whole requests: HTTP/1.1 as RFC 9112 has it, HTTP/1.0 besides.
///
/// A parser of our own, because what could be had did not fit: libmicrohttpd and libevent know HTTP/1 only and own the
/// socket, so that HTTP/2 could not come to the same port later; h2o's interface is C macros; and no Swift package can
/// be fetched. It is strict where leniency is dangerous (two lengths, bare line feeds, folded fields, white space
/// before a colon), and `HTTPProperties` in `Fuzz/` puts any bytes to it, cut anywhere.
package struct HTTPParser: Sendable {
  package enum Outcome: Equatable, Sendable {
    case needsMore
    /// The client waits for `100 Continue` before it sends the body. Said once a request.
    case expectsContinue
    case request(HTTPRequest)
    /// What follows cannot be understood any more; every further call says the same.
    case failure(HTTPFailure)
  }

  private enum Stage: Sendable {
    case head
    case body(remaining: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailer(bytes: Int)
    case failed(HTTPFailure)
  }

  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
  /// Of a chunk's size with its extensions.
  private static let chunkLineBytes = 1 << 10

  let limits: HTTPLimits
  private var stage = Stage.head
  private var buffer: [UInt8] = []
  /// What of the buffer is used up.
  private var start = 0
  /// Up to where the end of the head, or of a line, was looked for.
  private var searched = 0
  private var request: HTTPRequest?
  private var mustAnnounceContinue = false

  package init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

  /// Nothing has come of a further request.
  var isIdle: Bool {
    if case .head = stage { return start == buffer.count }
    return false
  }

  /// A head has come whole, and its body is awaited.
  var isInBody: Bool { request != nil }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= limits.headBytes * 2)
      searched = 0
      start = 0
    } else if start > 1 << 16 {
      buffer.removeFirst(start)
      searched -= min(start, searched)
      start = 0
    }
    buffer += bytes
  }

  /// Lets go of memory that a long request took.
  mutating func rest() {
    guard isIdle, buffer.capacity > 4096 else { return }
    buffer = []
    start = 0
    searched = 0
  }

  /// The next request, or what stands in its way.
  package mutating func next() -> Outcome {
    do throws(HTTPFailure) {
      return try advance()
    } catch {
      stage = .failed(error)
      request = nil
      buffer = []
      start = 0
      searched = 0
      return .failure(error)
    }
  }

  private mutating func advance() throws(HTTPFailure) -> Outcome {
    while true {
      switch stage {
      case .failed(let failure): throw failure
      case .head:
        guard let head = try takeHead() else { return .needsMore }
        try begin(head)
      case .body(let remaining):
        let taken = take(remaining)
        if taken < remaining {
          stage = .body(remaining: remaining - taken)
          return waiting()
        }
        return finished()
      case .chunkSize:
        guard let line = try takeLine(limit: Self.chunkLineBytes, HTTPFailure(400, "A chunk's size is too long."))
        else { return waiting() }
        let size = try Self.chunkSize(buffer[line])
        guard (request?.body.count ?? 0) + size <= limits.bodyBytes else { throw tooLarge }
        stage = size == 0 ? .trailer(bytes: 0) : .chunk(remaining: size)
      case .chunk(let remaining):
        let taken = take(remaining)
        guard taken == remaining else {
          stage = .chunk(remaining: remaining - taken)
          return waiting()
        }
        stage = .chunkEnd
      case .chunkEnd:
        guard buffer.count - start >= 2 else { return waiting() }
        guard buffer[start] == Self.cr, buffer[start + 1] == Self.lf else {
          throw HTTPFailure(400, "A chunk is longer than its size says.")
        }
        use(2)
        stage = .chunkSize
      case .trailer(let bytes):
        guard let line = try takeLine(limit: limits.headBytes - bytes, HTTPFailure(431, "The trailer is too long."))
        else { return waiting() }
        if line.isEmpty { return finished() }
        // Nothing in a trailer matters here.
        stage = .trailer(bytes: bytes + line.count + 2)
      }
    }
  }

  private mutating func waiting() -> Outcome {
    guard mustAnnounceContinue else { return .needsMore }
    mustAnnounceContinue = false
    // Whoever has begun to send the body does not wait any more.
    return start == buffer.count && (request?.body.isEmpty ?? false) ? .expectsContinue : .needsMore
  }

  private mutating func finished() -> Outcome {
    stage = .head
    mustAnnounceContinue = false
    guard let whole = request else { return .needsMore }
    request = nil
    return .request(whole)
  }

  private var tooLarge: HTTPFailure {
    HTTPFailure(413, "A body has at most \(limits.bodyBytes) bytes.")
  }

  // MARK: Bytes

  private mutating func use(_ count: Int) {
    start += count
    searched = max(searched, start)
  }

  /// Moves up to so many bytes to the body.
  private mutating func take(_ count: Int) -> Int {
    let taken = min(count, buffer.count - start)
    request?.body += buffer[start..<(start + taken)]
    use(taken)
    return taken
  }

  /// The next line without its end, which must be CR LF.
  private mutating func takeLine(limit: Int, _ failure: HTTPFailure) throws(HTTPFailure) -> Range<Int>? {
    var i = max(searched, start)
    while i < buffer.count, buffer[i] != Self.lf { i += 1 }
    searched = i
    guard i - start <= limit else { throw failure }
    guard i < buffer.count else { return nil }
    guard i > start, buffer[i - 1] == Self.cr else {
      throw HTTPFailure(400, "A line ends in CR LF.")
    }
    let line = start..<(i - 1)
    start = i + 1
    searched = start
    return line
  }

  /// The request line and header fields, without the empty line at their end.
  private mutating func takeHead() throws(HTTPFailure) -> Range<Int>? {
    // Empty lines before a request are passed over: some clients send one after a body.
    while buffer.count - start >= 2, buffer[start] == Self.cr, buffer[start + 1] == Self.lf { use(2) }
    var i = max(searched, start)
    // What lies behind the limit is not looked at: what is wrong there does not matter any more, however the bytes come.
    let end = min(buffer.count, start + limits.headBytes)
    while i < end {
      if buffer[i] == Self.lf {
        guard i > start, buffer[i - 1] == Self.cr else { throw HTTPFailure(400, "A line ends in CR LF.") }
        if i - start >= 3, buffer[i - 2] == Self.lf {
          let head = start..<(i - 1)
          start = i + 1
          searched = start
          return head
        }
      }
      i += 1
    }
    searched = i
    guard i - start < limits.headBytes else {
      throw HTTPFailure(431, "Request line and header fields have at most \(limits.headBytes) bytes.")
    }
    return nil
  }

  private static func chunkSize(_ line: ArraySlice<UInt8>) throws(HTTPFailure) -> Int {
    let digits = line.prefix { HTTPRequest.hex($0) != nil }
    let rest = line[digits.endIndex...]
    guard !digits.isEmpty, digits.count <= 15, rest.isEmpty || [0x3B, 0x20, 0x09].contains(rest[rest.startIndex]) else {
      throw HTTPFailure(400, "A chunk begins with its size in hexadecimal digits.")
    }
    return digits.reduce(0) { $0 << 4 | Int(HTTPRequest.hex($1) ?? 0) }
  }

  // MARK: The head

  private mutating func begin(_ head: Range<Int>) throws(HTTPFailure) {
    let read = try HTTPHead(buffer[head], limits: limits)
    let hasBody: Bool
    switch read.length {
    case .none:
      stage = .body(remaining: 0)
      hasBody = false
    case .bytes(let count):
      guard count <= limits.bodyBytes else { throw tooLarge }
      stage = .body(remaining: count)
      hasBody = count > 0
    case .chunked:
      stage = .chunkSize
      hasBody = true
    }
    mustAnnounceContinue = hasBody && read.expectsContinue
    request = read.request
  }
}

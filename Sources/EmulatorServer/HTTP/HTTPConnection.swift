/// One client's connection, as its worker keeps it.
final class HTTPConnection {
  enum Phase { case open, closing, draining }

  let descriptor: Int32
  let handler: any HTTPHandler
  var parser: HTTPParser
  var output: [UInt8] = []
  /// What of the output is sent.
  var sent = 0
  var phase = Phase.open
  /// The client sends nothing any more, but may wait for answers.
  var hasPeerFinished = false
  var stream: HTTPStream?
  /// A request is being answered on another thread; until then nothing more is read.
  var isWaiting = false
  /// When something last went on, and since when a request has been on its way, in milliseconds of the clock.
  var lastProgress: UInt64
  var requestBegan: UInt64?
  /// What the poller waits for: reading, writing.
  var interest: (reads: Bool, writes: Bool) = (true, false)

  init(_ descriptor: Int32, _ handler: any HTTPHandler, limits: HTTPLimits, now: UInt64) {
    self.descriptor = descriptor
    self.handler = handler
    parser = HTTPParser(limits: limits)
    lastProgress = now
  }

  var pending: Int { output.count - sent }

  func queue(_ bytes: some Sequence<UInt8>) { output += bytes }

  /// Forgets what is sent.
  func tidy() {
    if sent == output.count {
      output.removeAll(keepingCapacity: output.capacity <= 16 << 10)
      sent = 0
    } else if sent > 1 << 16 {
      output.removeFirst(sent)
      sent = 0
    }
  }

  // MARK: Answers

  /// Writes an answer as HTTP has it.
  func queue(_ response: HTTPResponse, to request: HTTPRequest?, date: String) {
    let keepsAlive = request?.keepsAlive ?? false
    var head = "HTTP/1.1 \(response.status) \(HTTPResponse.reason(response.status))\r\n"
    for field in response.headers.fields {
      head += "\(Self.safe(field.name)): \(Self.safe(field.value))\r\n"
    }
    head += "Date: \(date)\r\n"
    if let request { Self.addCrossOrigin(request, &head) }
    let isBodyless = request?.method == "HEAD" || response.status == 204
    switch response.body {
    case .bytes(let bytes):
      if response.status != 204 { head += "Content-Length: \(bytes.count)\r\n" }
      head += keepsAlive ? "\r\n" : "Connection: close\r\n\r\n"
      queue(head.utf8)
      if !isBodyless { queue(bytes) }
      if !keepsAlive { phase = .closing }
    case .stream:
      // Nothing else comes on this connection, so that the end of the connection ends the body too.
      head += "Connection: close\r\n\r\n"
      queue(head.utf8)
    }
  }

  /// Nothing that an answer says may end its line.
  private static func safe(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    return String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
  }

  /// As the official emulator says it (1.19.9): whoever asks may read the answer.
  static func addCrossOrigin(_ request: HTTPRequest, _ head: inout String) {
    guard let origin = request.headers["origin"] else { return }
    head += "Access-Control-Allow-Origin: \(safe(origin))\r\n"
    head += "Access-Control-Allow-Methods: DELETE,GET,HEAD,PATCH,POST,PUT\r\n"
    head += "Access-Control-Allow-Credentials: true\r\nVary: Origin\r\n"
    if let asked = request.headers["access-control-request-headers"] {
      head += "Access-Control-Allow-Headers: \(safe(asked))\r\n"
    }
    if request.headers["access-control-request-private-network"] == "true" {
      head += "Access-Control-Allow-Private-Network: true\r\n"
    }
  }
}

import Testing

@testable import EmulatorServer

/// RFC 9112 is where the expected outcomes come from.
@Suite struct HTTPParsing {
  /// What comes of some bytes, put to the parser in pieces of a size: requests, and the status of what ends it.
  static func outcome(
    _ text: String, pieces: Int = .max, limits: HTTPLimits = HTTPLimits()
  ) -> (requests: [HTTPRequest], failure: Int?, announced: Int) {
    var parser = HTTPParser(limits: limits)
    var requests: [HTTPRequest] = []
    var announced = 0
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieces)
      rest = rest.dropFirst(piece.count)
      parser.append(piece)
      reading: while true {
        switch parser.next() {
        case .needsMore: break reading
        case .expectsContinue: announced += 1
        case .request(let request): requests.append(request)
        case .failure(let failure): return (requests, failure.status, announced)
        }
      }
    }
    return (requests, nil, announced)
  }

  @Test(arguments: [1, 2, 3, 7, 64, Int.max])
  func pipelinedRequestsComeOneByOne(pieces: Int) {
    let text =
      "\r\nGET /a%20b/c?x=1+2&y HTTP/1.1\r\nHost: h\r\n\r\n"
      + "POST /v1 HTTP/1.1\r\nhost:h\r\nContent-Length: 5\r\nConnection: x, Close\r\n\r\nhello"
      + "POST /v1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n3;a=b\r\nabc\r\nA \r\n0123456789\r\n0\r\nT: 1\r\n\r\n"
      + "GET http://h:80/p#f HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    let (requests, failure, _) = Self.outcome(text, pieces: pieces)
    #expect(failure == nil)
    #expect(requests.count == 4)
    guard requests.count == 4 else { return }
    #expect(requests[0].segments == ["a b", "c"])
    #expect(requests[0].rawSegments == ["a%20b", "c"])
    #expect(requests[0].parameters.map(\.name) == ["x", "y"])
    #expect(requests[0].parameters.map(\.value) == ["1 2", ""])
    #expect(requests[0].keepsAlive)
    #expect(requests[1].body == Array("hello".utf8))
    #expect(!requests[1].keepsAlive)
    #expect(requests[1].headers["HOST"] == "h")
    #expect(requests[2].body == Array("abc0123456789".utf8))
    #expect(requests[3].path == "/p")
    #expect(requests[3].keepsAlive)
  }

  static let refused: [(String, Int)] = [
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET /  HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10485761\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nA00001\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
    ("GET /" + String(repeating: "a", count: 70_000), 431),
    (
      "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 300) + "\r\n", 431
    ),
  ]

  @Test(arguments: refused) func whatIsNoRequestIsRefused(text: String, status: Int) {
    for pieces in [1, 5, Int.max] where pieces > 1 || text.utf8.count < 5000 {
      #expect(Self.outcome(text, pieces: pieces).failure == status)
    }
  }

  @Test func continueIsSaidOnceAndOnlyToWhoWaits() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    #expect(Self.outcome(head).announced == 1)
    #expect(Self.outcome(head + "ab").announced == 0)
    #expect(Self.outcome(head, pieces: 1).announced == 1)
  }

  @Test func aLineOfTenMebibytesMayBeTheBody() {
    let body = String(repeating: "x", count: 10 << 20)
    let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(10 << 20)\r\n\r\n"
    #expect(Self.outcome(head + body, pieces: 60_000).requests.first?.body.count == 10 << 20)
  }
}

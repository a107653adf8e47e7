import CLinux
import Glibc
import Testing

@testable import EmulatorServer

/// Answers with what it was asked.
private struct Echo: HTTPHandler {
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    if request.path == "/events" {
      return HTTPResponse(
        headers: HTTPHeaders([("Content-Type", "text/event-stream")]),
        body: .stream { stream in
          stream.write(Array("data: 1\n\n".utf8))
          stream.write(Array("data: 2\n\n".utf8))
          stream.finish()
        })
    }
    return HTTPResponse(text: "\(request.method) \(request.path) \(request.body.count)")
  }
}

/// A client that says what it is told, byte for byte.
struct RawClient: ~Copyable {
  let descriptor: Int32

  init(_ port: UInt16) { descriptor = clinux_connect("127.0.0.1", port, 10) }
  deinit { close(descriptor) }

  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// All that comes until the server closes.
  func all() -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = buffer.withUnsafeMutableBytes { clinux_receive(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += buffer[..<count]
    }
  }
}

@Suite struct HTTPServing {
  private func serving(_ options: HTTPServerOptions = HTTPServerOptions(), _ body: (UInt16) throws -> Void) throws {
    let server = try HTTPServer([(0, Echo())], options: options)
    defer { server.stop() }
    try body(server.ports[0])
  }

  /// What is answered until the connection ends.
  private func answer(_ port: UInt16, _ text: String) -> String {
    let client = RawClient(port)
    client.send(text)
    return client.all()
  }

  /// A second without a connection, and the memory of the program's code is given back.
  @Test func aServerThatHasRestedAnswers() throws {
    try serving { port in
      for _ in 0..<2 {
        usleep(1_300_000)
        #expect(answer(port, "GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").hasSuffix("GET /1 0"))
      }
    }
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    try serving { port in
      let text =
        "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPUT /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
        + "GET /3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
      let answers = answer(port, text).split(separator: "\r\n\r\n").map(String.init)
      #expect(answers.count == 4)
      #expect(answers.dropFirst().map { $0.prefix(8) } == ["GET /1 0", "PUT /2 3", "GET /3 0"])
    }
  }

  @Test func headAndOptionsHaveNoBody() throws {
    try serving { port in
      let head = answer(port, "HEAD /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(head.contains("Content-Length: 9\r\n"))
      #expect(head.hasSuffix("\r\n\r\n"))
      let options = answer(
        port,
        "OPTIONS /1 HTTP/1.1\r\nHost: h\r\nOrigin: http://localhost:3000\r\nConnection: close\r\n"
          + "Access-Control-Request-Headers: authorization,x-foo\r\n\r\n")
      // As the official emulator 1.19.9 answers it.
      #expect(options.contains("Access-Control-Allow-Origin: http://localhost:3000\r\n"))
      #expect(options.contains("Access-Control-Allow-Methods: DELETE,GET,HEAD,PATCH,POST,PUT\r\n"))
      #expect(options.contains("Access-Control-Allow-Credentials: true\r\n"))
      #expect(options.contains("Access-Control-Allow-Headers: authorization,x-foo\r\n"))
    }
  }

  @Test func eventsComeUntilTheEnd() throws {
    try serving { port in
      let text = answer(port, "GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(text.hasSuffix("\r\n\r\ndata: 1\n\ndata: 2\n\n"))
    }
  }

  @Test func slowClientsAreTimedOutAndOthersServed() throws {
    var options = HTTPServerOptions()
    options.headMilliseconds = 500
    options.workers = 1
    try serving(options) { port in
      let slow = RawClient(port)
      slow.send("GET / HTT")
      #expect(answer(port, "GET /1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").hasSuffix("GET /1 0"))
      #expect(slow.all().hasPrefix("HTTP/1.1 408 "))
    }
  }

  @Test func garbageIsRefusedAndTheNextServed() throws {
    try serving { port in
      #expect(answer(port, "\u{1}\u{2}garbage\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
      #expect(answer(port, "GET / HTTP/1.1\r\nConnection: close\r\nHost: h\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func whoStopsSendingIsStillAnswered() throws {
    try serving { port in
      let client = RawClient(port)
      client.send("GET /x HTTP/1.1\r\nHost: h\r\n\r\n")
      clinux_finish_sending(client.descriptor)
      #expect(client.all().hasSuffix("GET /x 0"))
    }
  }

  @Test func aTakenPortIsAnError() throws {
    try serving { port in
      #expect(throws: HTTPServerError.self) { _ = try HTTPServer([(port, Echo())]) }
    }
  }
}

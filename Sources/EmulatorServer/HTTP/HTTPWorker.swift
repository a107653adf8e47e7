import CLinux
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One thread that serves the connections it has accepted: it reads what there is, answers whole requests, and sends
/// what the clients take. Only its own thread touches its connections.
final class HTTPWorker: @unchecked Sendable {
  struct Listener: Sendable {
    let descriptor: Int32
    let handler: any HTTPHandler
  }

  /// What other threads leave for it.
  private struct Mail: Sendable {
    var streams: [UInt64] = []
    /// Answers that took their time on a thread of their own.
    var answers: [(token: UInt64, request: HTTPRequest, response: HTTPResponse)] = []
    var mustStop = false
  }

  private static let wakeToken = UInt64.max
  /// Tokens below are listeners.
  private static let firstConnection: UInt64 = 1 << 16
  private static let readBytes = 64 << 10
  /// When so much waits to be sent, no more requests are read.
  private static let mostOutput = 1 << 20

  private let listeners: [Listener]
  private let options: HTTPServerOptions
  private let poller: Int32
  private let waker: Int32
  private let mail = Mutex(Mail())
  private var connections: [UInt64: HTTPConnection] = [:]
  private var nextToken = HTTPWorker.firstConnection
  private var buffer = [UInt8](repeating: 0, count: HTTPWorker.readBytes)
  /// Kept for the moment when no more files can be open: then it makes room to turn a client away.
  private var spare: Int32
  private var date = (second: -1, text: "")
  private let count: CountedConnections

  init?(_ listeners: [Listener], _ options: HTTPServerOptions, _ count: CountedConnections) {
    self.listeners = listeners
    self.options = options
    self.count = count
    poller = clinux_epoll_create()
    waker = clinux_eventfd()
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard poller >= 0, waker >= 0 else { return nil }
    clinux_epoll_add(poller, waker, Self.wakeToken, 1, 0, 0)
    for (i, listener) in listeners.enumerated() {
      guard clinux_epoll_add(poller, listener.descriptor, UInt64(i), 1, 0, 1) == 0 else { return nil }
    }
  }

  deinit {
    if poller >= 0 { close(poller) }
    if waker >= 0 { close(waker) }
    if spare >= 0 { close(spare) }
  }

  /// From any thread.
  func stop() {
    mail.withLock { $0.mustStop = true }
    clinux_eventfd_signal(waker)
  }

  // MARK: The loop

  func run() {
    var events = [clinux_event](repeating: clinux_event(), count: 256)
    var lastSweep = clinux_milliseconds()
    // A server may stand by for hours; after a second without a connection it holds what it needs for that only.
    var isResting = false
    while true {
      let found = clinux_epoll_wait(poller, &events, 256, isResting ? -1 : 1000)
      if found < 0 { break }
      let mayRest = found == 0 && connections.isEmpty
      if mayRest, !isResting { clinux_release_code() }
      isResting = mayRest
      let now = clinux_milliseconds()
      for event in events.prefix(Int(found)) {
        if event.token == Self.wakeToken {
          clinux_eventfd_clear(waker)
        } else if event.token < Self.firstConnection {
          accept(listeners[Int(event.token)], now)
        } else if let connection = connections[event.token] {
          serve(connection, event, now)
        }
      }
      let (streams, answers, mustStop) = mail.withLock { mail in
        defer { (mail.streams, mail.answers) = ([], []) }
        return (mail.streams, mail.answers, mail.mustStop)
      }
      for (token, request, response) in answers {
        guard let connection = connections[token] else { continue }
        connection.isWaiting = false
        send(response, to: request, on: connection, token)
        proceed(connection, token, now)
      }
      for token in streams { if let connection = connections[token] { proceed(connection, token, now) } }
      if mustStop { break }
      if now - lastSweep >= 1000 {
        lastSweep = now
        sweep(now)
      }
    }
    for (token, connection) in connections { drop(connection, token) }
  }

  private func accept(_ listener: Listener, _ now: UInt64) {
    // A few at a time, so that connections already there are served between.
    for _ in 0..<64 {
      var descriptor = clinux_accept(listener.descriptor)
      if descriptor < 0, errno == EMFILE || errno == ENFILE, spare >= 0 {
        close(spare)
        descriptor = clinux_accept(listener.descriptor)
        if descriptor >= 0 { close(descriptor) }
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return
      }
      if descriptor < 0 {
        if errno == ECONNABORTED || errno == EINTR { continue }
        return
      }
      guard count.enter(options.mostConnections) else {
        close(descriptor)
        continue
      }
      let token = nextToken
      nextToken += 1
      guard clinux_epoll_add(poller, descriptor, token, 1, 0, 0) == 0 else {
        count.leave()
        close(descriptor)
        continue
      }
      connections[token] = HTTPConnection(descriptor, listener.handler, limits: options.limits, now: now)
    }
  }

  private func serve(_ connection: HTTPConnection, _ event: clinux_event, _ now: UInt64) {
    if event.isReadable != 0 {
      let received = buffer.withUnsafeMutableBytes {
        clinux_receive(connection.descriptor, $0.baseAddress, $0.count)
      }
      if received > 0 {
        connection.lastProgress = now
        // What comes after the last answer, or during one that goes on, is not looked at.
        if connection.phase == .open, connection.stream == nil { connection.parser.append(buffer[..<received]) }
      } else if received == 0 {
        connection.hasPeerFinished = true
      } else if errno != EAGAIN, errno != EINTR {
        return drop(connection, event.token)
      }
    }
    proceed(connection, event.token, now)
  }

  /// Answers what can be answered and sends what can be sent.
  private func proceed(_ connection: HTTPConnection, _ token: UInt64, _ now: UInt64) {
    while true {
      answer(connection, token, now)
      let before = connection.pending
      guard send(connection, now) else { return drop(connection, token) }
      // Room again: perhaps more requests wait in the parser.
      guard before >= Self.mostOutput, connection.pending < Self.mostOutput else { break }
    }
    if connection.hasPeerFinished {
      let isDone = connection.pending == 0 && !connection.isWaiting
      if isDone || connection.stream != nil || connection.phase == .draining { return drop(connection, token) }
    }
    if connection.phase == .closing, connection.pending == 0 {
      // What the client still sends is read and thrown away: closing at once would take the answer from it.
      clinux_finish_sending(connection.descriptor)
      connection.phase = .draining
      connection.lastProgress = now
      connection.requestBegan = now
    }
    wait(for: connection, token)
  }

  private func wait(for connection: HTTPConnection, _ token: UInt64) {
    let reads = !connection.hasPeerFinished && !connection.isWaiting && connection.pending < Self.mostOutput
    let writes = connection.pending > 0
    guard connection.interest != (reads, writes) else { return }
    connection.interest = (reads, writes)
    clinux_epoll_change(poller, connection.descriptor, token, reads ? 1 : 0, writes ? 1 : 0)
  }

  private func answer(_ connection: HTTPConnection, _ token: UInt64, _ now: UInt64) {
    if let stream = connection.stream {
      let (bytes, isLast) = stream.take()
      connection.queue(bytes)
      if isLast { connection.phase = .closing }
      return
    }
    while connection.phase == .open, connection.stream == nil, !connection.isWaiting,
      connection.pending < Self.mostOutput
    {
      switch connection.parser.next() {
      case .needsMore:
        if connection.parser.isIdle {
          connection.requestBegan = nil
          connection.parser.rest()
        } else if connection.requestBegan == nil {
          connection.requestBegan = now
        }
        return
      case .expectsContinue: connection.queue("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      case .failure(let failure):
        connection.queue(
          HTTPResponse(status: failure.status, text: failure.message + "\n"), to: nil, date: httpDate())
        connection.phase = .closing
      case .request(let request):
        connection.requestBegan = nil
        if request.method != "OPTIONS", connection.handler.mayWait(for: request),
          answerElsewhere(request, connection.handler, token)
        {
          connection.isWaiting = true
          return
        }
        send(respond(request, connection.handler), to: request, on: connection, token)
      }
    }
  }

  private func send(
    _ response: HTTPResponse, to request: HTTPRequest, on connection: HTTPConnection, _ token: UInt64
  ) {
    connection.queue(response, to: request, date: httpDate())
    guard case .stream(let start) = response.body else { return }
    if request.method == "HEAD" {
      connection.phase = .closing
    } else {
      let stream = HTTPStream { [weak self] in self?.wake(token) }
      connection.stream = stream
      start(stream)
    }
  }

  /// Answers on a thread of its own, so that the worker goes on: what the handler waits for may be a request to this
  /// very server. Says whether there was such a thread to be had.
  private func answerElsewhere(_ request: HTTPRequest, _ handler: any HTTPHandler, _ token: UInt64) -> Bool {
    HTTPThread.start { [self] in
      let response = handler.answer(request)
      mail.withLock { $0.answers.append((token, request, response)) }
      clinux_eventfd_signal(waker)
    } != nil
  }

  private func respond(_ request: HTTPRequest, _ handler: any HTTPHandler) -> HTTPResponse {
    if request.method == "OPTIONS" { return HTTPResponse() }
    return handler.answer(request)
  }

  private func wake(_ token: UInt64) {
    mail.withLock { $0.streams.append(token) }
    clinux_eventfd_signal(waker)
  }

  /// Says whether the connection is sound.
  private func send(_ connection: HTTPConnection, _ now: UInt64) -> Bool {
    while connection.pending > 0 {
      let count = connection.output.withUnsafeBytes { bytes in
        clinux_send(connection.descriptor, bytes.baseAddress?.advanced(by: connection.sent), connection.pending)
      }
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      connection.sent += count
      connection.lastProgress = now
    }
    connection.tidy()
    return true
  }

  private func drop(_ connection: HTTPConnection, _ token: UInt64) {
    connections.removeValue(forKey: token)
    close(connection.descriptor)
    connection.stream?.close()
    count.leave()
  }

  /// Ends connections on which nothing goes on.
  private func sweep(_ now: UInt64) {
    for (token, connection) in connections {
      let idle = now &- min(connection.lastProgress, now)
      let since = connection.requestBegan.map { now &- min($0, now) } ?? 0
      let isLate: Bool
      if connection.phase == .draining {
        isLate = since >= options.drainMilliseconds
      } else if connection.pending > 0 {
        isLate = idle >= options.sendMilliseconds
      } else if connection.stream != nil || connection.isWaiting {
        isLate = false
      } else if connection.requestBegan != nil {
        let limit = connection.parser.isInBody ? options.bodyMilliseconds : options.headMilliseconds
        if since >= limit, connection.phase == .open {
          connection.queue(
            HTTPResponse(status: 408, text: "The request took too long to come.\n"), to: nil, date: httpDate())
          connection.phase = .closing
          proceed(connection, token, now)
        }
        continue
      } else {
        isLate = idle >= options.idleMilliseconds
      }
      if isLate { drop(connection, token) }
    }
  }

  /// The time as HTTP writes it, made once a second.
  private func httpDate() -> String {
    var now = time(nil)
    if now == date.second { return date.text }
    var parts = tm()
    gmtime_r(&now, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = days[Int(parts.tm_wday) % 7]
    let month = months[Int(parts.tm_mon) % 12]
    let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    date = (now, "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(clock) GMT")
    return date.text
  }
}

/// How many connections all workers have together.
final class CountedConnections: Sendable {
  private let count = Atomic<Int>(0)

  /// Says whether there is room for one more.
  func enter(_ most: Int) -> Bool {
    if count.wrappingAdd(1, ordering: .relaxed).newValue <= most { return true }
    leave()
    return false
  }

  func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}

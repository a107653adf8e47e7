import CLinux

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a server treats its clients. Times in milliseconds.
public struct HTTPServerOptions: Sendable {
  public var limits = HTTPLimits()
  /// Threads; one for each core by default.
  public var workers = max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 64))
  /// Of all workers together; further ones are closed at once.
  public var mostConnections = 50_000
  /// From the first byte of a request to the end of its head, and of its body.
  public var headMilliseconds: UInt64 = 15_000
  public var bodyMilliseconds: UInt64 = 120_000
  /// How long a client may take none of what is sent to it.
  public var sendMilliseconds: UInt64 = 30_000
  /// How long a connection stays open without a request.
  public var idleMilliseconds: UInt64 = 300_000
  /// How long a client may go on sending after its last answer.
  public var drainMilliseconds: UInt64 = 2_000

  public init() {}
}

/// Why a server cannot listen.
public struct HTTPServerError: Error, Sendable {
  public let message: String
}

/// HTTP/1.1 on one or more ports: one worker for each core, each with its own poller; they take turns to accept.
public final class HTTPServer: @unchecked Sendable {
  /// In order of what is served.
  public let ports: [UInt16]
  private let listeners: [HTTPWorker.Listener]
  private let workers: [HTTPWorker]
  private var threads: [pthread_t] = []

  /// Starts to listen and to answer.
  /// - Parameters:
  ///   - address: in digits, IPv4 or IPv6.
  ///   - services: a port and what answers there; port 0 is any that is free.
  ///   - options: limits and times.
  /// - Throws: `HTTPServerError` for a port that is taken or not allowed.
  public init(
    address: String = "127.0.0.1", _ services: [(port: UInt16, handler: any HTTPHandler)],
    options: HTTPServerOptions = HTTPServerOptions()
  ) throws(HTTPServerError) {
    _ = clinux_raise_file_limit()
    var listeners: [HTTPWorker.Listener] = []
    var ports: [UInt16] = []
    for (port, handler) in services {
      let descriptor = clinux_listen(address, port, 4096)
      guard descriptor >= 0 else {
        let reason =
          switch errno {
          case EADDRINUSE: "something else listens there"
          case EACCES: "ports below 1024 are for the system"
          case EINVAL: "an address is written in digits, like 127.0.0.1 or ::1"
          default: String(cString: strerror(errno)).lowercased()
          }
        for listener in listeners { close(listener.descriptor) }
        throw HTTPServerError(message: "Cannot listen on \(address):\(port): \(reason).")
      }
      listeners.append(HTTPWorker.Listener(descriptor: descriptor, handler: handler))
      ports.append(clinux_port(descriptor))
    }
    let count = CountedConnections()
    var workers: [HTTPWorker] = []
    for _ in 0..<max(1, options.workers) {
      guard let worker = HTTPWorker(listeners, options, count) else {
        for listener in listeners { close(listener.descriptor) }
        throw HTTPServerError(message: "Cannot wait for connections: \(String(cString: strerror(errno))).")
      }
      workers.append(worker)
    }
    self.listeners = listeners
    self.ports = ports
    self.workers = workers
    for worker in workers { try start(worker) }
  }

  private func start(_ worker: HTTPWorker) throws(HTTPServerError) {
    guard let thread = HTTPThread.start(isJoined: true, { worker.run() }) else {
      throw HTTPServerError(message: "Cannot start a thread: there are too many.")
    }
    threads.append(thread)
  }

  /// Stops to listen, ends all connections, and waits for the requests that are being answered.
  public func stop() {
    for worker in workers { worker.stop() }
    for thread in threads { pthread_join(thread, nil) }
    threads = []
    for listener in listeners { close(listener.descriptor) }
  }
}

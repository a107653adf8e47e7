#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Reports
import Synchronization

/// The two streams of the program.
enum Console {
  enum Stream: Int32 {
    case output = 1
    case errors = 2

    var isTerminal: Bool { isatty(rawValue) != 0 }
  }

  /// Whether something could not be written, and not because nobody listens: a full disk, a closed stream.
  static let hasLostOutput = Atomic(false)

  /// Writes a whole text. That nobody listens any more is no error: `rules-test | head` ends quietly.
  static func write(_ text: String, to stream: Stream = .output) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { posixWrite(stream.rawValue, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          // Somebody made the stream return at once: wait until it takes more.
          var wait = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
          if poll(&wait, 1, -1) >= 0 || errno == EINTR { continue }
        }
        if errno != EPIPE { hasLostOutput.store(true, ordering: .relaxed) }
        return
      }
      rest = rest.dropFirst(count)
    }
  }

  /// What the stream can show.
  /// - Parameter color: `always`, `never` or `auto`: only on a terminal, and not with NO_COLOR or TERM=dumb.
  static func terminal(_ stream: Stream, color: String?) -> Terminal {
    let hasColor: Bool
    switch color {
    case "always": hasColor = true
    case "never": hasColor = false
    default:
      hasColor = stream.isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
    }
    return Terminal(hasColor: hasColor, width: width(stream))
  }

  /// COLUMNS, else what the terminal says, else 100.
  private static func width(_ stream: Stream) -> Int {
    if let columns = environment("COLUMNS").flatMap({ Int($0) }), columns > 0 { return min(columns, 1000) }
    var size = winsize()
    if stream.isTerminal, ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return min(Int(size.ws_col), 1000)
    }
    return 100
  }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// A closed pipe shows as an error of `write`, not as a signal that ends the program.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}

private func posixWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

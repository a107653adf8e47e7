#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// Ctrl-C and what else asks the program to end, for commands that run until then. A signal comes to any thread; a pipe
/// wakes the one that waits.
enum StopSignal {
  private static let number = Atomic<Int32>(0)
  private static let writeEnd = Atomic<Int32>(-1)
  private static let readEnd = Atomic<Int32>(-1)

  static var hasCome: Bool { number.load(ordering: .relaxed) != 0 }
  /// Can be read once a signal has come; -1 before `listen`.
  static var descriptor: Int32 { readEnd.load(ordering: .relaxed) }

  static func listen() {
    var ends: [Int32] = [-1, -1]
    guard descriptor < 0, pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    readEnd.store(ends[0], ordering: .relaxed)
    writeEnd.store(ends[1], ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Only what a signal may interrupt anywhere: atomics and one system call.
      signal(number) { number in
        let saved = errno
        StopSignal.number.store(number, ordering: .relaxed)
        var byte: UInt8 = 1
        _ = write(StopSignal.writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = saved
      }
    }
  }
}

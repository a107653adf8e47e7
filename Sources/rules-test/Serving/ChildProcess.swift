#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// Another program, which has this one's input and output while it runs.
enum ChildProcess {
  private static let child = Atomic<Int32>(0)

  /// Runs it to its end. Ctrl-C reaches it by itself; what else ends this program is passed on to it.
  /// - Returns: its exit code; 128 and the signal's number for one that a signal ended, as shells have it.
  /// - Throws: when it cannot be started.
  static func run(_ command: [String]) throws(UsageError) -> ExitCode {
    signal(SIGINT, SIG_IGN)
    for number in [SIGTERM, SIGHUP] {
      signal(number) { number in
        let pid = ChildProcess.child.load(ordering: .relaxed)
        if pid > 0 { kill(pid, number) }
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child hears signals as if nothing had been said here: not ignored, and not held back as in threads of a pool.
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGINT, SIGPIPE, SIGTERM, SIGHUP] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    let result = posix_spawnp(&pid, command[0], nil, &attributes, &arguments, environ)
    guard result == 0 else {
      throw UsageError("Cannot run \(command[0]): \(String(cString: strerror(result)).lowercased()).")
    }
    child.store(pid, ordering: .relaxed)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { break } }
    let signal = status & 0x7F
    return ExitCode(rawValue: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
  }
}

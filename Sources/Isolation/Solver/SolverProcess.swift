#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A solver as a child process that reads commands and writes answers. The only file of this room that touches raw
/// memory and file handles.
final class SolverProcess {
  enum Failure: Error { case cannotStart, ended, late, tooMuch }

  private let pid: pid_t
  /// Its standard input and output: one socket, so that writing to one that has died is an error and no signal.
  private let socket: Int32
  private var received: [UInt8] = []
  private var isRunning = true

  /// Starts a program found on PATH.
  init(_ command: [String]) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard !command.isEmpty, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw .cannotStart }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child = pid_t()
    let status = posix_spawnp(&child, command[0], &actions, nil, &arguments, environ)
    close(ends[1])
    guard status == 0 else {
      close(ends[0])
      throw .cannotStart
    }
    pid = child
    socket = ends[0]
    _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
  }

  deinit { stop() }

  /// Kills the process. Nothing can be asked of it any more.
  func stop() {
    guard isRunning else { return }
    isRunning = false
    close(socket)
    kill(pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  }

  /// Sends text, then reads lines until one is `end`, which is not among those returned. Some solvers put it in quotes.
  /// - Parameter milliseconds: after which it is late.
  func ask(_ text: String, until end: String, milliseconds: Int64) throws(Failure) -> [String] {
    let deadline = Self.now + milliseconds
    try send(Array(text.utf8), deadline)
    var lines: [String] = []
    var total = 0
    while true {
      let line = try readLine(deadline)
      if line == end || line == "\"\(end)\"" { return lines }
      total += line.utf8.count
      guard total <= 16_000_000 else { throw .tooMuch }
      lines.append(line)
    }
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  private func send(_ bytes: [UInt8], _ deadline: Int64) throws(Failure) {
    var sent = 0
    while sent < bytes.count {
      guard isRunning else { throw .ended }
      // Answers are taken in meanwhile, so that neither side waits for the other.
      try wait(for: POLLOUT | POLLIN, deadline)
      try receive()
      let count = bytes.withUnsafeBytes { raw in
        guard let start = raw.baseAddress else { return 0 }
        return systemSend(socket, start + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if count < 0, errno != EAGAIN, errno != EINTR {
        throw .ended
      }
    }
  }

  private func readLine(_ deadline: Int64) throws(Failure) -> String {
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let line = String(decoding: received[..<end], as: UTF8.self)
        received.removeSubrange(...end)
        return line
      }
      guard received.count < 16_000_000 else { throw .tooMuch }
      guard isRunning else { throw .ended }
      try wait(for: POLLIN, deadline)
      try receive()
    }
  }

  private func wait(for events: Int32, _ deadline: Int64) throws(Failure) {
    while true {
      let left = deadline - Self.now
      guard left > 0 else { throw .late }
      var watched = pollfd(fd: socket, events: Int16(events), revents: 0)
      let count = poll(&watched, 1, Int32(clamping: left))
      if count > 0 { return }
      if count < 0, errno != EINTR { throw .ended }
    }
  }

  /// Takes in what is there.
  private func receive() throws(Failure) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &chunk, chunk.count, 0)
      if count > 0 {
        received.append(contentsOf: chunk[..<count])
        if count < chunk.count { return }
      } else if count == 0 {
        throw .ended
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        throw .ended
      }
    }
  }
}

/// The system's `send`, which the method of that name hides.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ flags: Int32) -> Int {
  send(socket, bytes, count, flags)
}

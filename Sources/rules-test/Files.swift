#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import RulesSyntax

/// Files and folders, as far as the commands need them.
enum Files {
  enum Kind { case file, folder, missing }

  static func kind(_ path: String) -> Kind {
    var info = stat()
    guard stat(path, &info) == 0 else { return .missing }
    return info.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// The bytes of a file; `-` is standard input.
  /// - Throws: with the reason of the system.
  static func read(_ path: String) throws(UsageError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { posixRead(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw unreadable(path)
      }
      bytes += buffer[..<count]
      guard bytes.count <= Lexer.maximumSourceBytes else {
        throw UsageError("\(path) is larger than \(Lexer.maximumSourceBytes >> 20) MiB.")
      }
    }
  }

  static func source(_ path: String) throws(UsageError) -> SourceFile {
    let bytes = try read(path)
    return SourceFile(name: path == "-" ? "(standard input)" : path, utf8: bytes)
  }

  /// Writes a whole file, in place of one that is there. Says whether that went well.
  static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    let isWritten = writeAll(text, to: descriptor)
    return close(descriptor) == 0 && isWritten
  }

  /// Writes a whole file, and the folders around it where they are missing, so that whoever reads it meanwhile finds the old text or the new one and nothing between. Of
  /// a link the file that it leads to is replaced; a device or a pipe is written to.
  /// - Throws: with the reason of the system.
  static func replace(_ path: String, with text: String) throws(UsageError) {
    func failure() -> UsageError {
      UsageError("Cannot write \(path): \(String(cString: strerror(errno)).lowercased()).")
    }
    var info = stat()
    var target = path
    if stat(path, &info) == 0 {
      guard info.st_mode & S_IFMT == S_IFREG else {
        if info.st_mode & S_IFMT == S_IFDIR { throw UsageError("Cannot write \(path): it is a folder.") }
        guard append(text, to: path) else { throw failure() }
        return
      }
      if let real = realpath(path, nil) {
        target = String(cString: real)
        free(real)
      }
    }
    let temporary = "\(target).\(getpid()).tmp"
    func made() -> Int32 { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
    var descriptor = made()
    if descriptor < 0, errno == ENOENT, makeFolder(folder(of: target), 0o755) { descriptor = made() }
    if descriptor < 0, errno == EEXIST, unlink(temporary) == 0 {
      // Left behind by a program of the same number that was killed.
      descriptor = made()
    }
    guard descriptor >= 0 else { throw failure() }
    let isWritten = writeAll(text, to: descriptor)
    let reason = errno
    guard close(descriptor) == 0, isWritten, rename(temporary, target) == 0 else {
      if !isWritten { errno = reason }
      let error = failure()
      unlink(temporary)
      throw error
    }
  }

  /// Writes a file that is not there yet, and the folders around it.
  /// - Returns: whether it was written; a file or a link of that name stays as it is.
  /// - Throws: with the reason of the system.
  static func create(_ path: String, _ text: String) throws(UsageError) -> Bool {
    func made() -> Int32 { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
    var descriptor = made()
    if descriptor < 0, errno == ENOENT, makeFolder(folder(of: path), 0o755) { descriptor = made() }
    if descriptor < 0, errno == EEXIST { return false }
    guard descriptor >= 0 else {
      throw UsageError("Cannot write \(path): \(String(cString: strerror(errno)).lowercased()).")
    }
    let isWritten = writeAll(text, to: descriptor)
    guard close(descriptor) == 0, isWritten else { throw UsageError("Cannot write the whole of \(path).") }
    return true
  }

  /// Makes a folder and those around it, by default for nobody else to read. Says whether it is there.
  static func makeFolder(_ path: String, _ mode: mode_t = 0o700) -> Bool {
    switch kind(path) {
    case .folder: return true
    case .file: return false
    case .missing:
      let outer = folder(of: path)
      return outer != path && makeFolder(outer, mode) && (mkdir(path, mode) == 0 || errno == EEXIST)
    }
  }

  /// The folder that holds a file; `.` for a bare name.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Where the program runs, as an absolute path.
  static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  private static func append(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    return writeAll(text, to: descriptor) && close(descriptor) == 0
  }

  private static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func unreadable(_ path: String) -> UsageError {
    let reason = errno == ENOENT ? "there is no such file" : String(cString: strerror(errno)).lowercased()
    return UsageError("Cannot read \(path): \(reason).")
  }
}

private func posixRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func posixWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, buffer, count)
}

#if canImport(Glibc)
  import CLinux
  import Glibc
#elseif canImport(Musl)
  import CLinux
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Waits for changes of files in folders: told by the kernel where there is inotify, and by looking at the files from
/// time to time everywhere. Folders are watched, not files, since editors put a new file in place of the old one.
struct FolderWatch: ~Copyable {
  enum Event {
    /// Something may have changed.
    case changed
    /// The program shall end.
    case stopped
  }

  /// More folders than this are only looked at from time to time.
  private static let maximumFolders = 4_096
  /// How long to wait for more of the same change.
  private static let quietMilliseconds: Int32 = 4
  /// How often files are looked at: where the kernel tells, in case it does not (network drives).
  private var interval: Int32 { descriptor >= 0 ? 1_000 : 40 }

  private var descriptor: Int32 = -1
  private var folders: [Int32: String] = [:]
  private var stamps: [String: Stamp] = [:]
  /// Those from before the files were read: what is written meanwhile is a change.
  private var before: [String: Stamp] = [:]

  /// What a file looks like from outside.
  private struct Stamp: Equatable {
    var isThere = false
    var device = 0
    var inode = 0
    var size = 0
    var seconds = 0
    var nanos = 0
  }

  init() {
    #if os(Linux)
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    #endif
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// To be called before the files are read.
  mutating func look() {
    before = Dictionary(stamps.keys.map { ($0, Self.stamp($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Says what to watch from now on, and answers whether that is something new.
  /// - Parameter files: those whose content matters.
  mutating func watch(_ wanted: Set<String>, files: Set<String>) -> Bool {
    let isNew = Set(stamps.keys) != files
    stamps = Dictionary(files.map { ($0, before[$0] ?? Self.stamp($0)) }, uniquingKeysWith: { first, _ in first })
    #if os(Linux)
      guard descriptor >= 0 else { return isNew }
      var current: [Int32: String] = [:]
      let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
      for folder in wanted.sorted().prefix(Self.maximumFolders) {
        // One that is watched already keeps its number.
        let number = inotify_add_watch(descriptor, folder, mask)
        if number >= 0 { current[number] = folder }
      }
      for number in folders.keys where current[number] == nil { inotify_rm_watch(descriptor, number) }
      let hasChanged = isNew || current != folders
      folders = current
      return hasChanged
    #else
      return isNew
    #endif
  }

  /// Waits until something has changed and nothing more comes.
  /// - Parameters:
  ///   - needsListener: whether it is over when nobody reads the output any more.
  ///   - isStopped: asked whenever a signal has come, and from time to time.
  mutating func wait(needsListener: Bool = true, isStopped: () -> Bool) -> Event {
    while true {
      if isStopped() { return .stopped }
      // Nobody listens any more where the output has an error. What is no descriptor is passed over.
      var polled = [
        pollfd(fd: needsListener ? STDOUT_FILENO : -1, events: 0, revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: StopSignal.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), interval)
      if count < 0, errno != EINTR { return .stopped }
      if count > 0, polled[0].revents & Int16(POLLERR | POLLHUP) != 0 { return .stopped }
      if count > 0, polled[1].revents != 0, drain() {
        settle()
        return .changed
      }
      if count == 0, stamps.contains(where: { Self.stamp($0.key) != $0.value }) { return .changed }
    }
  }

  /// An editor does several things when it saves; half of them is no file to be read.
  private mutating func settle() {
    for _ in 0..<10 {
      var more = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&more, 1, Self.quietMilliseconds) > 0 else { return }
      _ = drain()
    }
  }

  /// Reads what the kernel has to tell, and says whether any of it matters.
  private mutating func drain() -> Bool {
    #if os(Linux)
      var matters = false
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return matters }
        // Each: watch, mask, cookie, length of the name, the name.
        func word(_ place: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(buffer[place + $1]) << (8 * UInt32($1)) } }
        var place = 0
        while place + 16 <= count {
          let (mask, length) = (word(place + 4), Int(word(place + 12)))
          let end = min(count, place + 16 + length)
          let name = String(decoding: buffer[(place + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
          if mask & UInt32(IN_IGNORED) == 0, Self.matters(name, mask) { matters = true }
          place = end
        }
      }
    #else
      return false
    #endif
  }

  #if os(Linux)
    /// Rules, tests, configurations, folders; not the files that editors keep beside them. A file that was just made has
    /// nothing in it yet: that it was closed is told, too.
    private static func matters(_ name: String, _ mask: UInt32) -> Bool {
      if mask & (UInt32(bitPattern: Int32(IN_ISDIR)) | UInt32(IN_Q_OVERFLOW)) != 0 || name.isEmpty { return true }
      guard name.hasSuffix(".rules") || name == "firebase.json" else { return false }
      return mask & UInt32(IN_CREATE) == 0
    }
  #endif

  private static func stamp(_ path: String) -> Stamp {
    var info = stat()
    guard stat(path, &info) == 0 else { return Stamp() }
    #if os(Linux)
      let time = info.st_mtim
    #else
      let time = info.st_mtimespec
    #endif
    return Stamp(
      isThere: true, device: Int(truncatingIfNeeded: info.st_dev), inode: Int(truncatingIfNeeded: info.st_ino),
      size: Int(info.st_size), seconds: time.tv_sec, nanos: Int(time.tv_nsec))
  }
}

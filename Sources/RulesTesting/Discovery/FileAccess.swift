#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a file or folder cannot be used.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }
}

/// The file system, as far as finding and reading tests needs it. Paths are texts with `/`.
package enum FileAccess {
  enum Kind { case file, folder }

  /// Test files and rules beyond this size are refused: nobody writes them by hand.
  static let maximumBytes = 16 << 20

  static var currentFolder: String { FileManager.default.currentDirectoryPath }

  static func kind(_ path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// A link may lead to where one came from.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  static func read(_ path: String) throws(FileError) -> [UInt8] {
    switch kind(path) {
    case nil: throw FileError(path: path, reason: "There is no such file.")
    case .folder: throw FileError(path: path, reason: "This is a folder, not a file.")
    case .file: break
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FileError(path: path, reason: "The file cannot be read.")
    }
    guard data.count <= maximumBytes else {
      throw FileError(path: path, reason: "The file has \(data.count) bytes; at most \(maximumBytes) are read.")
    }
    return Array(data)
  }

  /// The names in a folder, in the order of their bytes.
  package static func names(in folder: String) throws(FileError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      throw FileError(path: folder, reason: "The folder cannot be read.")
    }
  }

  // MARK: Paths

  static func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") }

  static func absolute(_ path: String) -> String { join(currentFolder, path) }

  static func join(_ folder: String, _ name: String) -> String {
    if isAbsolute(name) { return tidy(name) }
    return tidy(folder == "" || folder == "." ? name : folder + "/" + name)
  }

  /// Without `.`, `..` where it can be resolved, and doubled slashes.
  static func tidy(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    if isAbsolute(path) { return "/" + parts.drop { $0 == ".." }.joined(separator: "/") }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// The folder that holds a file; `.` for a bare name.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import RulesSyntax

/// A file as it was in a git commit: `main:firestore.rules`, as git itself names it.
struct Revision {
  let name: String

  /// `nil` for what names no revision, and for files that are there under such a name.
  init?(_ operand: String) {
    guard !operand.hasPrefix("-"), !operand.hasPrefix(":"), operand.contains(":"), Files.kind(operand) == .missing else {
      return nil
    }
    name = operand
  }

  /// - Throws: what git says against it.
  func source() throws(UsageError) -> SourceFile {
    // Within single quotes the shell takes everything as it is, but for these themselves.
    let pieces = name.split(separator: "'", omittingEmptySubsequences: false)
    let command = "git show '\(pieces.joined(separator: #"'\''"#))'"
    guard let bytes = Self.output(of: command + " 2>/dev/null") else {
      let complaint = Self.output(of: command + " 2>&1; true") ?? []
      let line = String(decoding: complaint.prefix { $0 != 0x0A }, as: UTF8.self)
      throw UsageError("git cannot show \(name): \(line.isEmpty ? "is git installed?" : line)")
    }
    guard bytes.count <= Lexer.maximumSourceBytes else {
      throw UsageError("\(name) is larger than \(Lexer.maximumSourceBytes >> 20) MiB.")
    }
    return SourceFile(name: name, utf8: bytes)
  }

  /// What a command of the shell writes, if it ends well; no more than is needed to see that it is too much.
  private static func output(of command: String) -> [UInt8]? {
    guard let stream = popen(command, "r") else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Lexer.maximumSourceBytes {
      let count = fread(&buffer, 1, buffer.count, stream)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    let isTooMuch = bytes.count > Lexer.maximumSourceBytes
    return pclose(stream) == 0 || isTooMuch ? bytes : nil
  }
}

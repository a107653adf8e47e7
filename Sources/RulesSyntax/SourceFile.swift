/// A place in a source text, counted as the official compiler counts: lines by LF from 1, columns from 1 and
/// offsets from 0 in Unicode scalars (a tab is one column). `byte` is the UTF-8 offset, for our own use.
public struct SourcePosition: Sendable, Hashable, Comparable {
  public var line: Int
  public var column: Int
  public var offset: Int
  public var byte: Int

  public init(line: Int, column: Int, offset: Int, byte: Int) {
    self.line = line
    self.column = column
    self.offset = offset
    self.byte = byte
  }

  public static let start = SourcePosition(line: 1, column: 1, offset: 0, byte: 0)

  public static func < (a: SourcePosition, b: SourcePosition) -> Bool { a.byte < b.byte }
}

/// From the first scalar of `start` up to but without `end`.
public struct SourceRange: Sendable, Hashable {
  public var start: SourcePosition
  public var end: SourcePosition

  public init(_ start: SourcePosition, _ end: SourcePosition) {
    self.start = start
    self.end = end
  }

  /// Whether some of it stands in a line, counted from 1.
  public func holds(line: Int) -> Bool { start.line <= line && line <= end.line }
}

/// A text with the name under which diagnostics mention it.
public struct SourceFile: Sendable {
  public let name: String
  /// The text as UTF-8 bytes. Invalid sequences are replaced by U+FFFD on construction.
  public let utf8: [UInt8]
  /// Byte offsets at which lines start; the first is 0. Lines end at LF only.
  public let lineStarts: [Int]

  public init(name: String, text: String) {
    self.init(name: name, utf8: Array(text.utf8))
  }

  public init(name: String, utf8 bytes: [UInt8]) {
    self.name = name
    // Decoding repairs what is not UTF-8, so that every later reader may rely on it.
    let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
    utf8 = repaired
    var starts = [0]
    for (i, byte) in repaired.enumerated() where byte == 0x0A { starts.append(i + 1) }
    lineStarts = starts
  }

  public var text: String { String(decoding: utf8, as: UTF8.self) }

  /// The text of line `number` (from 1) without its line end; empty when there is no such line.
  public func line(_ number: Int) -> String {
    guard number >= 1, number <= lineStarts.count else { return "" }
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] - 1 : utf8.count
    if end > start, utf8[end - 1] == 0x0D { end -= 1 }
    return String(decoding: utf8[start..<max(start, end)], as: UTF8.self)
  }

  /// The source text of a range.
  public func text(_ range: SourceRange) -> String {
    let lower = min(max(0, range.start.byte), utf8.count)
    let upper = min(max(lower, range.end.byte), utf8.count)
    return String(decoding: utf8[lower..<upper], as: UTF8.self)
  }
}

import RulesSyntax

/// What the positions of a source text are, worked out anew.
struct Places {
  private let file: SourceFile
  /// For each byte offset the scalars before it; -1 inside of a scalar.
  private var scalars: [Int] = []
  private var lines: [Int] = []
  private var columns: [Int] = []

  init(_ file: SourceFile) {
    self.file = file
    var (count, line, column) = (0, 1, 1)
    for byte in file.utf8 {
      let isStart = byte & 0xC0 != 0x80
      scalars.append(isStart ? count : -1)
      lines.append(line)
      columns.append(column)
      if isStart { (count, column) = (count + 1, column + 1) }
      if byte == 0x0A { (line, column) = (line + 1, 1) }
    }
    scalars.append(count)
    lines.append(line)
    columns.append(column)
  }

  func check(_ position: SourcePosition, _ what: @autoclosure () -> String) throws(BrokenProperty) {
    let byte = position.byte
    guard scalars.indices.contains(byte), scalars[byte] >= 0 else {
      throw BrokenProperty("\(what()) stands at byte \(byte), which begins no character of the \(file.utf8.count) bytes")
    }
    let wanted = SourcePosition(line: lines[byte], column: columns[byte], offset: scalars[byte], byte: byte)
    try require(position == wanted, "\(what()) stands at \(position), which is \(wanted)")
  }

  /// Where the official compiler places what it says of an empty file.
  private static let nowhere = SourcePosition(line: 0, column: 0, offset: 0, byte: 0)

  func check(_ range: SourceRange, _ what: @autoclosure () -> String) throws(BrokenProperty) {
    if file.utf8.isEmpty, range == SourceRange(Self.nowhere, Self.nowhere) { return }
    try check(range.start, "the start of \(what())")
    try require(range.start.byte <= range.end.byte && range.end.byte <= file.utf8.count, "\(what()) ends at \(range.end), starts at \(range.start)")
    try check(range.end, "the end of \(what())")
  }

  func check(_ diagnostics: [Diagnostic]) throws(BrokenProperty) {
    for diagnostic in diagnostics {
      if let range = diagnostic.range { try check(range, "'\(diagnostic.message)'") }
      if let fix = diagnostic.fix { try check(fix.range, "the fix of '\(diagnostic.message)'") }
      try require(!diagnostic.message.isEmpty && !diagnostic.id.isEmpty, "a finding without words")
    }
  }
}

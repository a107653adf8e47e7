import RulesSyntax

/// A piece of source with line numbers, and carets under a range:
///
///      ╭─ firestore.rules:5:28
///      │
///    5 │       allow read: if request.auth.uid = uid;
///      │                                       ^
struct SourceFrame {
  /// Of a range over more lines than this, the middle is left out.
  static let maximumLines = 8

  let file: SourceFile
  /// What is shown, in whole lines.
  let range: SourceRange
  /// What is marked.
  let marks: [SourceRange]
  let style: Style
  /// Long lines are broken, not cut.
  let wraps: Bool

  init(file: SourceFile, range: SourceRange, marks: [SourceRange]? = nil, style: Style, wraps: Bool = false) {
    self.file = file
    self.range = range
    self.marks = marks ?? [range]
    self.style = style
    self.wraps = wraps
  }

  /// The lines of the frame. Numbers stand right-aligned in `gutter` columns.
  func lines(_ terminal: Terminal, gutter: Int? = nil) -> [StyledLine] {
    let gutter = gutter ?? Self.gutter(for: range)
    var result = [Self.header(file, range.start, gutter), Self.bar(gutter)]
    // A range that ends at the very start of a line does not take that line in.
    let last = max(range.start.line, range.end.column == 1 ? range.end.line - 1 : range.end.line)
    var previous = range.start.line - 1
    for number in Self.shownLines(range.start.line...last) {
      if number != previous + 1 { result.append(Self.ellipsis(gutter)) }
      previous = number
      let line = SourceLine(file, number)
      let marked = marks.filter { $0.start.line <= number && $0.end.line >= number }.map { line.columns(of: $0) }
      let room = terminal.width - gutter - 3
      if wraps, line.width > room {
        result += wrapped(line, marked, gutter, room)
      } else {
        let (text, offset) = line.window(room, around: marked.first ?? 0..<0)
        result.append(Self.numbered(String(number), text, gutter))
        if let carets = carets(marked, first: number == range.start.line, offset, gutter, room) { result.append(carets) }
      }
    }
    return result
  }

  /// The line in pieces, each with its marks.
  private func wrapped(_ line: SourceLine, _ marked: [Range<Int>], _ gutter: Int, _ room: Int) -> [StyledLine] {
    var result: [StyledLine] = []
    for (i, piece) in line.pieces(room).enumerated() {
      // Later pieces stand a little to the right.
      let indent = i == 0 ? 0 : 4
      let text = String(repeating: " ", count: indent) + piece.text
      result.append(Self.numbered(i == 0 ? String(line.number) : "…", text, gutter))
      let inside = marked.map { $0.clamped(to: piece.columns) }.filter { !$0.isEmpty }
      let offset = piece.columns.lowerBound - indent
      if let carets = carets(inside, first: false, offset, gutter, room) { result.append(carets) }
    }
    return result
  }

  /// The line of carets; `nil` when there would be none. An empty range gets one caret on the first line.
  private func carets(
    _ marked: [Range<Int>], first: Bool, _ offset: Int, _ gutter: Int, _ room: Int
  ) -> StyledLine? {
    var line = Self.bar(gutter)
    line.add(" ")
    let origin = line.columns
    for columns in marked where first || !columns.isEmpty {
      let start = max(0, columns.lowerBound - offset)
      guard start < room else { continue }
      line.pad(to: origin + start)
      line.add(String(repeating: "^", count: min(max(1, columns.count), room - start)), style)
    }
    return line.columns > origin ? line : nil
  }

  private static func shownLines(_ lines: ClosedRange<Int>) -> [Int] {
    guard lines.count > maximumLines else { return Array(lines) }
    return Array(lines.prefix(4)) + Array(lines.suffix(2))
  }

  /// Columns that the numbers of a range need, with a space before them.
  static func gutter(for range: SourceRange) -> Int { max(4, String(range.end.line).utf8.count + 1) }

  /// `╭─ file:line:column`, which terminals make a link.
  static func header(_ file: SourceFile, _ position: SourcePosition, _ gutter: Int) -> StyledLine {
    var line = StyledLine(String(repeating: " ", count: gutter + 1))
    line.add("╭─ ", .dim)
    line.add("\(SafeText.line(file.name)):\(position.line):\(position.column)", .place)
    return line
  }

  static func bar(_ gutter: Int) -> StyledLine {
    var line = StyledLine(String(repeating: " ", count: gutter + 1))
    line.add("│", .dim)
    return line
  }

  static func ellipsis(_ gutter: Int) -> StyledLine {
    var line = StyledLine(String(repeating: " ", count: gutter + 1))
    line.add("⋮", .dim)
    return line
  }

  /// - Parameter number: `…` for a line that goes on.
  static func numbered(_ number: String, _ text: String, _ gutter: Int) -> StyledLine {
    var line = StyledLine(String(repeating: " ", count: max(0, gutter - SafeText.columns(number))))
    line.add(number + " │ ", .dim)
    line.add(text)
    return line
  }
}

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
  let range: SourceRange
  let style: Style

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
      let columns = line.columns(of: range)
      let (text, offset) = line.window(terminal.width - gutter - 3, around: columns)
      result.append(Self.numbered(number, text, gutter))
      var carets = Self.bar(gutter)
      let width = min(max(1, columns.count), max(1, terminal.width - gutter - 3 - (columns.lowerBound - offset)))
      if columns.isEmpty, number > range.start.line { continue }
      carets.add(String(repeating: " ", count: 1 + max(0, columns.lowerBound - offset)))
      carets.add(String(repeating: "^", count: width), style)
      result.append(carets)
    }
    return result
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

  static func numbered(_ number: Int, _ text: String, _ gutter: Int) -> StyledLine {
    let digits = String(number)
    var line = StyledLine(String(repeating: " ", count: max(0, gutter - digits.utf8.count)))
    line.add(digits + " │ ", .dim)
    line.add(text)
    return line
  }
}

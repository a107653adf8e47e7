import RulesEngine
import RulesSyntax

/// Draws lines of source with values hung up under their tokens.
struct AnnotatedSource {
  /// Up to this many lines of source are shown whole; of more only those that have values.
  static let maximumWholeLines = 8
  /// The narrowest a value is squeezed at the right edge before it may stand out.
  static let minimumValueWidth = 16

  let file: SourceFile
  let gutter: Int
  /// Columns by which the source is moved to the right of its bar.
  let indent: Int
  /// Columns for the source.
  let width: Int
  let cause: TracedNode

  func lines(_ section: ValueMarks.Section) -> [StyledLine] {
    let marked = Set(section.marks.map(\.position.line))
    var numbers = Set(section.ranges.flatMap { $0.start.line...max($0.start.line, $0.end.line) })
    numbers.formUnion(marked)
    if numbers.count > Self.maximumWholeLines {
      let first = Set(section.ranges.map(\.start.line))
      numbers = numbers.filter { marked.contains($0) || first.contains($0) }
    }
    var result: [StyledLine] = []
    var previous: Int?
    for number in numbers.sorted() {
      if let previous, number != previous + 1 { result.append(SourceFrame.ellipsis(gutter)) }
      previous = number
      // Blank lines and comments between two parts of a condition tell nothing.
      let line = SourceLine(file, number)
      result += lines(line, section.marks.filter { $0.position.line == number })
    }
    return result
  }

  private func lines(_ line: SourceLine, _ marks: [ValueMarks.Mark]) -> [StyledLine] {
    var result: [StyledLine] = []
    let highlighted = cause.expression.isLiteral ? 0..<0 : line.columns(of: cause.expression.range)
    var placed = marks.map { (column: line.column($0.position.column), mark: $0) }.sorted { $0.column < $1.column }
    for (i, piece) in line.pieces(width).enumerated() {
      var source = SourceFrame.numbered(i == 0 ? String(line.number) : "…", "", gutter)
      // Later pieces stand a little to the right.
      let shift = indent + (i == 0 ? 0 : 4) - piece.columns.lowerBound
      source.add(String(repeating: " ", count: max(0, piece.columns.lowerBound + shift)))
      addSource(piece.text, from: piece.columns.lowerBound, highlighted, to: &source)
      result.append(source)
      let count = placed.prefix { $0.column < piece.columns.upperBound }.count
      result += values(placed[..<count].map { ($0.column + shift, $0.mark) })
      placed.removeFirst(count)
    }
    return result
  }

  private func addSource(_ text: String, from start: Int, _ highlighted: Range<Int>, to line: inout StyledLine) {
    var column = start
    for scalar in text.unicodeScalars {
      let isCause = highlighted.contains(column)
      line.add(String(scalar), isCause ? (cause.style == .good ? .good : .badBold) : .plain)
      column += SafeText.columns(String(scalar))
    }
  }

  private var causeStyle: Style { cause.style == .good ? .good : .badBold }

  /// The rows under a line: from right to left each value goes on the first row on which it has room, and a bar leads
  /// down to it.
  private func values(_ marks: [(column: Int, mark: ValueMarks.Mark)]) -> [StyledLine] {
    var distinct: [(column: Int, mark: ValueMarks.Mark)] = []
    for mark in marks {
      // Of two values for one token the outer one was found first.
      if distinct.last?.column == mark.column {
        if mark.mark.node.isCause { distinct[distinct.count - 1] = mark }
      } else {
        distinct.append(mark)
      }
    }
    guard !distinct.isEmpty else { return [] }
    var rows: [[(column: Int, text: String, style: Style, note: String)]] = [[]]
    // Where the leftmost thing on each row begins.
    var free: [Int] = [.max]
    // A cause that has no room at the right, say a long error: it goes on a row of its own below all others.
    var long: (column: Int, mark: ValueMarks.Mark)?
    for (column, mark) in distinct.reversed() {
      let node = mark.node
      let available = max(Self.minimumValueWidth, width + indent - column)
      let note = node.isCause && node === cause ? " ◀ decides" : ""
      let text = SafeText.cut(mark.text, max(8, available - SafeText.columns(note)))
      let end = column + SafeText.columns(text) + SafeText.columns(note)
      if !note.isEmpty, column + SafeText.columns(mark.text) + SafeText.columns(note) > width + indent {
        long = (column, mark)
        for row in rows.indices {
          rows[row].append((column, "│", .dim, ""))
          free[row] = column
        }
        continue
      }
      var row = 0
      while row < rows.count, end + 1 >= free[row] {
        rows[row].append((column, "│", .dim, ""))
        free[row] = min(free[row], column)
        row += 1
      }
      if row == rows.count {
        let bar = long.flatMap { end + 1 < $0.column ? $0.column : nil }
        rows.append(bar.map { [($0, "│", .dim, "")] } ?? [])
        free.append(bar ?? .max)
      }
      rows[row].append((column, text, note.isEmpty ? node.style : causeStyle, note))
      free[row] = column
    }
    if let (column, mark) = long {
      // Alone it needs no row of bars besides the first.
      if distinct.count == 1 { rows.removeAll() }
      let text = SafeText.cut(mark.text, max(Self.minimumValueWidth, width + indent - 10))
      rows.append([(max(indent, min(column, width + indent - 10 - SafeText.columns(text))), text, causeStyle, " ◀ decides")])
    }
    let bars = distinct.map { (column: $0.column, text: "│", style: Style.dim, note: "") }
    return ([bars.reversed()] + rows).map { row in
      var line = SourceFrame.bar(gutter)
      line.add(" ")
      let origin = line.columns
      for item in row.reversed() {
        line.pad(to: origin + item.column)
        line.add(item.text, item.style)
        line.add(item.note, .bold)
      }
      return line
    }
  }
}

extension SourceLine {
  /// The line broken into pieces of at most `width` columns: at spaces, else within paths and calls, else anywhere.
  func pieces(_ width: Int) -> [(text: String, columns: Range<Int>)] {
    let scalars = Array(text.unicodeScalars)
    guard self.width > width else { return [(text, 0..<self.width + 1)] }
    var result: [(text: String, columns: Range<Int>)] = []
    var start = 0
    var startColumn = 0
    var limit = width
    while start < scalars.count {
      var end = start
      var column = startColumn
      var space: (index: Int, column: Int)?
      var seam: (index: Int, column: Int)?
      while end < scalars.count {
        let wide = SafeText.columns(String(scalars[end]))
        if column + wide - startColumn > limit { break }
        if scalars[end] == " ", end > start, startColumn > 0 || column > indentation { space = (end + 1, column + 1) }
        if scalars[end] == "/" || scalars[end] == ".", end > start { seam = (end, column) }
        end += 1
        column += wide
      }
      // A short piece before a long word would waste the line.
      let isWasteful = (space?.column ?? 0) - startColumn < limit / 3
      if end < scalars.count, let place = isWasteful ? seam ?? space : space { (end, column) = (place.index, place.column) }
      if end == start {
        column += SafeText.columns(String(scalars[end]))
        end += 1
      }
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[start..<end])
      let isLast = end == scalars.count
      result.append((String(piece), startColumn..<(isLast ? column + 1 : column)))
      (start, startColumn) = (end, column)
      // The later pieces are indented.
      limit = max(8, width - 4)
    }
    return result
  }
}

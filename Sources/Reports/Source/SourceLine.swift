import RulesSyntax
import RulesValues

/// A line of source as a terminal shows it, with the place of each of its characters.
struct SourceLine {
  let number: Int
  /// Tabs as spaces, unsafe characters escaped.
  let text: String
  /// For each scalar of the line the terminal column at which it begins, from 0; then the column after the last.
  private let starts: [Int]

  init(_ file: SourceFile, _ number: Int) {
    self.number = number
    var text = ""
    var starts: [Int] = []
    var column = 0
    for scalar in file.line(number).unicodeScalars {
      starts.append(column)
      if scalar == "\t" {
        let width = SafeText.tabWidth - column % SafeText.tabWidth
        text += String(repeating: " ", count: width)
        column += width
      } else {
        let shown = SafeText.shown(scalar)
        text += shown
        column += SafeText.columns(shown)
      }
    }
    starts.append(column)
    self.text = text
    self.starts = starts
  }

  /// Terminal columns of the line.
  var width: Int { starts[starts.count - 1] }

  /// The terminal column, from 0, of a column of the source, from 1. Beyond the end of the line: the end.
  func column(_ sourceColumn: Int) -> Int { starts[min(max(0, sourceColumn - 1), starts.count - 1)] }

  /// The column of the first character that is no space.
  var indentation: Int {
    var count = 0
    for byte in text.utf8 {
      guard byte == 0x20 else { break }
      count += 1
    }
    return count
  }

  /// The columns that a range covers on this line; empty when none.
  func columns(of range: SourceRange) -> Range<Int> {
    guard range.start.line <= number, range.end.line >= number else { return 0..<0 }
    let lower = range.start.line < number ? indentation : column(range.start.column)
    let upper = range.end.line > number ? width : column(range.end.column)
    return lower..<max(lower, upper)
  }

  /// The line cut to a width, around the columns that matter; with what was cut away at the left.
  func window(_ width: Int, around focus: Range<Int>) -> (text: String, offset: Int) {
    guard self.width > width else { return (text, 0) }
    var start = 0
    if focus.upperBound > width - 2 {
      // As much as fits of the focus, with some of what stands before it.
      start = max(0, min(focus.lowerBound - width / 4, self.width - width))
    }
    return (cut(from: start, width), start)
  }

  /// `width` columns from `start` on, `…` in place of what is cut.
  private func cut(from start: Int, _ width: Int) -> String {
    let end = start + width
    let isCutAtEnd = self.width > end
    var result = String.UnicodeScalarView()
    var column = 0
    for scalar in text.unicodeScalars {
      let wide = CharacterWidth.columns(scalar)
      defer { column += wide }
      if column < start { continue }
      if result.isEmpty, start > 0 {
        result.append("…")
        if wide > 1 { result.append(" ") }
        continue
      }
      if isCutAtEnd, column + wide > end - 1 {
        result.append("…")
        break
      }
      result.append(scalar)
    }
    return String(result)
  }
}

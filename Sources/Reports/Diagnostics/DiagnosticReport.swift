import RulesSyntax

/// The findings about a source, for people: severity, message in the official words, framed source, notes, fix.
public struct DiagnosticReport: Sendable {
  public let file: SourceFile
  public let diagnostics: [Diagnostic]

  public init(_ file: SourceFile, _ diagnostics: [Diagnostic]) {
    self.file = file
    self.diagnostics = diagnostics
  }

  /// The findings one after another, with an empty line between two.
  public func text(_ terminal: Terminal) -> String {
    var page = Page(terminal)
    for diagnostic in diagnostics {
      page.gap()
      page.add(lines(diagnostic, terminal))
    }
    return page.text
  }

  /// One finding.
  func lines(_ diagnostic: Diagnostic, _ terminal: Terminal) -> [StyledLine] {
    let style = diagnostic.severity.style
    let message = SafeText.wrapped(diagnostic.message, max(40, terminal.width - 9))
    var first = StyledLine(diagnostic.severity.rawValue + ": ", style == .bad ? .badBold : style)
    first.add(message.first ?? "", .bold)
    var result = [first]
    for more in message.dropFirst() { result.append(StyledLine("       " + more, .bold)) }
    let gutter: Int
    if let range = diagnostic.range {
      gutter = SourceFrame.gutter(for: range)
      result += SourceFrame(file: file, range: range, style: style).lines(terminal)
    } else {
      gutter = 4
      var place = StyledLine("     ")
      place.add("╭─ ", .dim)
      place.add(SafeText.line(file.name), .place)
      result.append(place)
    }
    for note in diagnostic.notes { result += Self.remark("note: ", note, gutter, terminal) }
    if let fix = diagnostic.fix {
      result += Self.remark("fix: ", fix.message, gutter, terminal)
      if let mended = mended(fix) {
        var line = StyledLine(String(repeating: " ", count: gutter + 3))
        line.add(SafeText.cut(mended, max(20, terminal.width - gutter - 3)), .good)
        result.append(line)
      }
    }
    return result
  }

  private static func remark(_ title: String, _ text: String, _ gutter: Int, _ terminal: Terminal) -> [StyledLine] {
    let indent = String(repeating: " ", count: gutter + 1)
    let hanging = 2 + SafeText.columns(title)
    var result: [StyledLine] = []
    for (i, piece) in SafeText.wrapped(text, max(30, terminal.width - gutter - 1 - hanging)).enumerated() {
      var line = StyledLine(indent)
      if i == 0 {
        line.add("= ", .dim)
        line.add(title, .bold)
      } else {
        line.add(String(repeating: " ", count: hanging))
      }
      line.add(piece)
      result.append(line)
    }
    return result
  }

  /// The line as it would be with the fix; `nil` when the fix is about several lines.
  private func mended(_ fix: Diagnostic.Fix) -> String? {
    let (start, end) = (fix.range.start, fix.range.end)
    guard start.line == end.line, !fix.replacement.utf8.contains(0x0A) else { return nil }
    let scalars = Array(file.line(start.line).unicodeScalars)
    guard start.column >= 1, start.column <= end.column, end.column - 1 <= scalars.count else { return nil }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[..<(start.column - 1)])
    text.append(contentsOf: fix.replacement.unicodeScalars)
    text.append(contentsOf: scalars[(end.column - 1)...])
    return SafeText.line(String(text)).trimmed
  }
}

extension Diagnostic.Severity {
  var style: Style {
    switch self {
    case .error: .bad
    case .warning: .warning
    }
  }
}

extension String {
  /// Without spaces at both ends.
  var trimmed: String {
    var part = self[...]
    while part.first == " " { part.removeFirst() }
    while part.last == " " { part.removeLast() }
    return String(part)
  }
}

extension [Diagnostic] {
  /// Of each severity so many are shown to people; nobody reads more of one file.
  static var maximumShown: Int { 50 }

  /// Those that are shown, in their order, and how many are left out.
  var shownToPeople: (shown: [Diagnostic], left: Int) {
    var counts: [Diagnostic.Severity: Int] = [:]
    let shown = filter { diagnostic in
      counts[diagnostic.severity, default: 0] += 1
      return counts[diagnostic.severity, default: 0] <= Self.maximumShown
    }
    return (shown, count - shown.count)
  }

  /// The line that stands in place of those left out.
  static func leftOut(_ count: Int) -> StyledLine {
    StyledLine("… and \(count) more findings: --format json lists all.", .dim)
  }
}

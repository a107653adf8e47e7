import RulesSyntax

/// Diagnostics as text for golden tests: position, message, the source line and what it marks, notes and fix.
func draw(_ diagnostics: [Diagnostic], in file: SourceFile) -> String {
  diagnostics.map { draw($0, in: file) }.joined(separator: "\n")
}

func draw(_ d: Diagnostic, in file: SourceFile) -> String {
  var lines: [String] = []
  if let range = d.range {
    lines.append("\(range.start.line):\(range.start.column) \(d.severity.rawValue): \(d.message)")
    lines.append("| " + file.line(range.start.line))
    let sameLine = range.start.line == range.end.line
    let lineEnd = file.line(range.start.line).unicodeScalars.count + 1
    let width = max(1, (sameLine ? range.end.column : lineEnd) - range.start.column)
    lines.append("| " + String(repeating: " ", count: range.start.column - 1) + String(repeating: "^", count: width))
  } else {
    lines.append("\(d.severity.rawValue): \(d.message)")
  }
  lines += d.notes.map { "note: \($0)" }
  if let fix = d.fix { lines.append("fix: \(fix.message) [\(fix.replacement)]") }
  return lines.joined(separator: "\n")
}

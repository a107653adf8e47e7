import JSON
import RulesEngine
import RulesSyntax

/// What the rules of a project came to since they were put in force: as JSON in the emulator's form, and as a page.
enum CoveragePage {
  static func json(_ file: SourceFile) -> JSONValue {
    ["content": .string(file.text), "name": .string(file.name)]
  }

  /// One report for each rules file; of one file that alone.
  static func json(_ rules: FirestoreProject.RulesState) -> JSONValue {
    guard !rules.recorders.isEmpty else { return ["rules": ["files": []]] }
    let reports = rules.recorders.map { recorder -> JSONValue in
      let report = ExpressionReports(recorder.ruleset.checked).json(recorder.coverage)
      var object: JSONObject = ["rules": ["files": [json(recorder.ruleset.file)]]]
      if !report.isEmpty { object["report"] = .array(report) }
      let (all, recorded) = recorder.counted
      if all > recorded { object["requests"] = ["all": .int(Int64(all)), "recorded": .int(Int64(recorded))] }
      return .object(object)
    }
    return reports.count == 1 ? reports[0] : .array(reports)
  }

  static func answer(_ rules: FirestoreProject.RulesState) -> HTTPResponse {
    guard !rules.recorders.isEmpty else {
      return HTTPResponse(html: page("<p>There are no rules in force, so that every request is refused.</p>"))
    }
    return HTTPResponse(html: page(rules.recorders.map(table).joined(separator: "\n")))
  }

  /// The rules line by line: behind each line of a condition how often it was true, false or an error.
  private static func table(_ recorder: CoverageRecorder) -> String {
    let ruleset = recorder.ruleset
    let coverage = recorder.coverage
    var notes: [Int: [String]] = [:]
    for root in ruleset.checked.expressionRoots {
      root.forEachNode { e in
        let counts = coverage.counts(of: e)
        guard counts.isTrue + counts.isFalse + counts.error > 0 else { return }
        let text = ruleset.file.text(e.range)
        notes[e.range.start.line, default: []].append(
          "\(text): true \(counts.isTrue), false \(counts.isFalse), error \(counts.error)")
      }
    }
    var rows = ""
    for (i, line) in ruleset.file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let lines = (notes[i + 1] ?? []).map { "<li>\(Encoded.html($0))</li>" }.joined()
      rows +=
        "<tr><th scope=\"row\">\(i + 1)</th><td><code>\(Encoded.html(String(line)))</code></td>"
        + "<td>\(lines.isEmpty ? "" : "<ul>\(lines)</ul>")</td></tr>\n"
    }
    let (all, recorded) = recorder.counted
    let note = all > recorded ? "<p>Of \(all) requests the first \(recorded) are shown.</p>\n" : ""
    return "<h2>\(Encoded.html(ruleset.file.name))</h2>\n\(note)<table><thead><tr><th scope=\"col\">Line</th>"
      + "<th scope=\"col\">Rules</th><th scope=\"col\">Values</th></tr></thead><tbody>\n\(rows)</tbody></table>"
  }

  private static func page(_ body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Coverage of the rules</title><style>
    :root { color-scheme: light dark; } body { font: 16px/1.4 system-ui, sans-serif; margin: 1.5rem; }
    code { white-space: pre-wrap; } td, th { vertical-align: top; text-align: left; padding: 0 .6rem; }
    ul { margin: 0; padding-left: 1rem; font-size: .85rem; }
    </style></head><body><h1>Coverage of the rules</h1>
    \(body)
    </body></html>
    """
  }
}

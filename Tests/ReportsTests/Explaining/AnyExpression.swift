import Foundation
import JSON
import Reports
import RulesEngine
import RulesSyntax
import RulesValues
import Testing

/// Whatever the rules say, a report can be drawn.
@Suite struct AnyExpression {
  private static let corpus = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus/official/expressions.jsonl")

  /// Recorded expressions as conditions, on terminals of several widths. Of the 1,415 every fifth: all would take long.
  @Test func recordedExpressionsCanBeShown() throws {
    var shown = 0
    for (i, line) in try Data(contentsOf: Self.corpus).split(separator: 0x0A).enumerated() where i.isMultiple(of: 5) {
      let text = try #require(JSONValue(parsing: Array(line))["expr"]?.stringValue)
      let source = """
        rules_version = '2';
        service cloud.firestore { match /databases/{database}/documents { match /t/{id} {
          allow get: if \(text)
        ; } } }
        """
      guard let ruleset = Ruleset.compile(SourceFile(name: "a.rules", text: source)).ruleset else { continue }
      let auth = Auth(uid: "u1", token: ["sub": .string("u1"), "email": .string("a\u{1B}@b.c")])
      let request = Request.get(
        ResourcePath(segments: ["t", "\u{202E}x"]), auth: auth, time: Timestamp(seconds: 1_767_225_600))
      let explanation = ruleset.evaluator().explain(request, DocumentTable())
      let report = ExplanationReport(explanation, of: ruleset)
      for width in [40, 120] {
        let condition = try #require(explanation.matches.first?.allows.first?.condition)
        let values = ValuesUnderSource(condition, in: ruleset.checked).text(Terminal(width: width))
        let tree = report.text(Terminal(width: width))
        for text in [values, tree] {
          #expect(text.contains("◀ decides"), "\(text)")
          #expect(!text.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"), "\(text)")
        }
        // A value may stand out by what it needs to be read at all.
        let widest = values.split(separator: "\n").map { CharacterWidth.columns(String($0)) }.max() ?? 0
        #expect(widest <= width + 28, "\(widest) columns of \(width)\n\(values)")
        #expect(values.split(separator: "\n").count <= 36)
      }
      _ = report.json.serialized()
      shown += 1
    }
    #expect(shown > 200)
  }
}

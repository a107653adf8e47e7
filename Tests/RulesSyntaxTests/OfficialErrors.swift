import Foundation
import JSON
import RulesSyntax
import Testing

/// What the official emulator 1.19.9 said to rulesets, against what the parser says.
@Suite struct OfficialErrors {
  /// Findings that are made on a tree, not on a text: other rooms make them.
  private static let ofMeaning = [
    "Duplicate service", "is a package", "already exists in the PathTemplate", "Invalid glob", "is already defined",
    "is already bound", "Recursive call", "call cycle", "Maximum allowed", "Invalid regular expression", "Unused ",
    "Invalid variable", "Invalid function", "Incorrect number", "Invalid type", "Ternary operator",
    "The sub-expressions", "Call to service", "Invalid method", "Invalid service",
  ]
  private static let ofGrammar = ["Unexpected '", "mismatched input", "missing "]

  private static func ofSyntax(_ errors: [String]) -> [String] {
    // A type behind `is` is judged while parsing when the rest cannot be read, else on the tree.
    let unreadable = errors.contains { error in ofGrammar.contains { error.contains($0) } }
    return errors.filter { error in
      !ofMeaning.contains { error.contains($0) } && (unreadable || !error.contains("unsupported type identifier"))
    }
  }

  private static func ours(_ source: String) -> [String] {
    Parser.parse(SourceFile(name: "security.rules", text: source)).diagnostics.map {
      "L\($0.range?.start.line ?? 0):\($0.range?.start.column ?? 0) \($0.message)"
    }
  }

  /// Shares of agreement over recorded rulesets.
  private struct Tally {
    var asked = 0, accepted = 0, refused = 0, first = 0, whole = 0
    var differences: [String] = []

    mutating func compare(_ source: String, _ recorded: [String]) {
      let official = ofSyntax(recorded)
      let mine = ours(source)
      asked += 1
      if official.isEmpty == mine.isEmpty { accepted += 1 } else { differences.append(source) }
      guard !official.isEmpty else { return }
      refused += 1
      if official.first == mine.first { first += 1 }
      if official == mine { whole += 1 }
    }
  }

  @Test func recordedRulesetsGetTheirOfficialSyntaxErrors() throws {
    var tally = Tally()
    for line in try CorpusFile.lines("official/rulesets.jsonl") {
      let source = try #require(line["src"]?.stringValue)
      let answer = try #require(line["out"]?.stringValue)
      let errors = answer.hasPrefix("ERR ") ? answer.dropFirst(4).components(separatedBy: " | ") : []
      tally.compare(source, errors)
    }
    for line in try CorpusFile.lines("official/expressions.jsonl") {
      let expression = try #require(line["expr"]?.stringValue)
      let source = """
        rules_version = '2';
        service cloud.firestore {
         match /databases/{database}/documents {
          match /t/{id} { allow get: if
        \(expression)
        ; }
         }
        }

        """
      tally.compare(source, line["compileError"]?.stringValue?.components(separatedBy: "\n") ?? [])
    }
    #expect(tally.asked == 2103)
    #expect(tally.accepted == tally.asked, "\(tally.differences)")
    #expect(tally.first == tally.refused)
    #expect(tally.whole == tally.refused)
  }

  @Test func brokenRulesetsGetTheirOfficialErrors() throws {
    var tally = Tally()
    for line in try CorpusFile.lines("syntax-errors.jsonl") {
      let source = try #require(line["src"]?.stringValue)
      tally.compare(source, line["errors"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    }
    #expect(tally.asked >= 1_700)
    #expect(tally.accepted == tally.asked, "\(tally.differences)")
    #expect(tally.first == tally.refused, "\(tally.first) of \(tally.refused)")
    #expect(Double(tally.whole) / Double(tally.refused) >= 0.996, "\(tally.whole) of \(tally.refused)")
  }
}

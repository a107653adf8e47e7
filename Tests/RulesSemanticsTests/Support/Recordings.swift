import Foundation
import JSON
import RulesSemantics
import RulesSyntax

/// Recordings under `Corpus/`, one JSON object a line.
enum Recordings {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus")

  static func lines(_ name: String) throws -> [JSONValue] {
    try Data(contentsOf: root.appending(path: name)).split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: name), encoding: .utf8)
  }
}

/// What the compiler says, as the recordings write it: `L4:23 Invalid method name: foo.`, `L0:0` without a place.
struct Outcome: Equatable, CustomStringConvertible {
  var isRefused: Bool
  var findings: [String]

  var description: String { (isRefused ? "refused " : "accepted ") + findings.joined(separator: " | ") }

  init(isRefused: Bool, findings: [String]) {
    self.isRefused = isRefused
    self.findings = findings
  }

  init(checking source: String) {
    let check = Check.check(SourceFile(name: "test.rules", text: source))
    isRefused = check.hasErrors
    findings = OfficialReport.lines(check.diagnostics)
  }

  /// Words that only findings about the syntax have; those are not ours.
  private static let syntaxWords = [
    "Unexpected", "mismatched input", "missing ", "Missing", "token recognition", "Extra closing", "Forward slash",
    "body must", "Expected at least", "content empty", "too complex", "Invalid number literal", "Invalid bytes",
    "Increment (++)",
  ]

  var concernsSyntax: Bool {
    isRefused && findings.contains { finding in Self.syntaxWords.contains { finding.contains($0) } }
  }
}

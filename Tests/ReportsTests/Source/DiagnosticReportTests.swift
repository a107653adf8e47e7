import RulesSemantics
import RulesSyntax
import Testing

@testable import Reports

@Suite struct DiagnosticReportTests {
  static let broken = SourceFile(
    name: "firestore.rules",
    text: """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          function unused() { return true; }
          match /users/{uid} {
            allow read: if request.auth.uid = uid;
            allow wriet: if true;
          }
        }
      }
      """)
  static let warned = SourceFile(
    name: "firestore.rules",
    text: """
      service cloud.firestore {
        match /databases/{database}/documents {
          function unused() { return true; }
          match /users/{uid} {
            allow wriet: if true;
          }
        }
      }
      """)

  @Test func errorsAndWarningsForPeople() throws {
    let report = CheckReport([Self.broken, Self.warned].map { ($0, Check.check($0).diagnostics) })
    try Golden.expect(report.text(Terminal(width: 80)), "check.txt")
    try Golden.expect(report.text(Terminal(hasColor: true, width: 80)), "check-color.txt")
    try Golden.expect(report.json.serialized(pretty: true) + "\n", "check.json")
  }

  @Test func notesAndFix() throws {
    let file = SourceFile(name: "a.rules", text: "allow read: if a = b;")
    let place = SourceRange(
      SourcePosition(line: 1, column: 18, offset: 17, byte: 17), SourcePosition(line: 1, column: 19, offset: 18, byte: 18))
    let diagnostic = Diagnostic(
      id: "assignment", severity: .error, range: place, message: "Unexpected '='.",
      notes: ["Two values are compared with ==. A note may be so long that it has to go on in a second line."],
      fix: Diagnostic.Fix(message: "compare", range: place, replacement: "=="))
    try Golden.expect(DiagnosticReport(file, [diagnostic]).text(Terminal(width: 60)), "diagnostic.txt")
    try Golden.expect(diagnostic.json.serialized(pretty: true) + "\n", "diagnostic.json")
  }

  @Test func ofTooManyFindingsTheFirstOfEachSeverityAreShown() {
    let file = SourceFile(name: "a.rules", text: "")
    let many = (10..<70).flatMap { i in
      [Diagnostic.Severity.warning, .error].map {
        Diagnostic(id: "x", severity: $0, range: nil, message: "\($0) number \(i)")
      }
    }
    let text = CheckReport([(file, many)]).text(Terminal())
    #expect(text.contains("error number 59") && text.contains("warning number 59"))
    #expect(!text.contains("number 60"))
    #expect(text.hasSuffix("… and 20 more findings: --format json lists all.\n\n60 errors, 60 warnings in 1 file\n"))
  }

  @Test func fineFiles() {
    let file = SourceFile(name: "a.rules", text: "")
    #expect(CheckReport([(file, [])]).text(Terminal()) == "✔ a.rules\n\n0 errors, 0 warnings in 1 file\n")
    #expect(CheckReport([(file, [])]).text(Terminal(), quiet: true) == "")
  }
}

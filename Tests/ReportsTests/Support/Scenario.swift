import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import Testing

/// Rules and tests, from which reports are made.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String
  /// The inside of the match of all documents.
  let rules: String
  /// Statements of a test file.
  var tests: String

  var testDescription: String { name }

  static let users = """
    user alice = password({ email: 'alice@example.com', email_verified: true });
    user bob = google({ claims: { admin: true }, tenant: 'north' });
    user guest = anonymous();

    """

  var rulesFile: RulesFile {
    let inside = rules.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    " + $0 }
    return RulesFile(
      SourceFile(
        name: "firestore.rules",
        text: """
          rules_version = '2';
          service cloud.firestore {
            match /databases/{database}/documents {
          \(inside.joined(separator: "\n"))
            }
          }
          """))
  }

  var testFile: TestFile { TestFile.load(SourceFile(name: "firestore_test.rules", text: Self.users + tests)) }

  func run() -> FileResult { Runner(explaining: true).run(testFile, rulesFile) }

  /// The explanation of the first step of the first test, for its first user.
  func explanation() throws -> (Explanation, Ruleset) {
    let result = run()
    #expect(result.rules.diagnostics.filter { $0.severity == .error }.isEmpty)
    #expect(result.test.diagnostics.filter { $0.severity == .error }.isEmpty)
    let step = try #require(result.tests.first?.steps.first)
    #expect(step.mistake == nil)
    return (try #require(step.verdicts.first?.explanation), try #require(result.rules.ruleset))
  }
}

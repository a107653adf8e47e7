import Foundation
import RulesEngine
import Testing

@testable import Isolation

/// Rule sets that were made to take for ever: they end within the limit, and what is left is unknown.
@Suite(.enabled(if: solverIsThere)) struct LimitTests {
  private static func rules(_ body: String) throws -> Ruleset {
    try Ruleset("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { \(body) } }")
  }

  static let hostile: [(name: String, body: String)] = [
    (
      "many blocks",
      (0..<1_500).map { "match /c\($0)/{id} { allow read, write: if request.auth.uid == resource.data.o\($0); }" }
        .joined(separator: "\n")
    ),
    (
      "many globs",
      (0..<200).map { "match /a/{x}/b\($0)/{p=**} { allow write: if request.auth.uid == x; }" }.joined(separator: "\n")
    ),
    (
      "a long or",
      "match /a/{id} { allow read, write: if "
        + (0..<90).map { "request.auth.uid == resource.data.f\($0)" }.joined(separator: " || ") + "; }"
    ),
  ]

  @Test(arguments: hostile.indices) func `what is left at the limit is unknown, and says so`(_ i: Int) throws {
    let rules = try Self.rules(Self.hostile[i].body)
    let solver = SolverSession()
    let start = ContinuousClock.now
    solver.limit = TimeLimit(seconds: 2)
    let prover = Prover(rules, solver: solver)
    var last: StatementVerdict?
    for statement in rules.inferredStatements { last = try prover.prove(statement) }
    #expect(ContinuousClock.now - start < .seconds(20))
    if case .unknown(let reasons, tries: 0)? = last, solver.limit?.isOver == true {
      #expect(reasons.map(\.text) == ["the limit of 2 s for all questions together was reached"])
    }
  }

  @Test func `a limit that is over makes every question unknown`() throws {
    let rules = try Self.rules("match /a/{id} { allow write: if request.auth.uid == id; }")
    let solver = SolverSession()
    solver.limit = TimeLimit(seconds: 0)
    let reason = UnknownReason(text: "the limit of 0 s for all questions together was reached", line: nil)
    for statement in rules.inferredStatements {
      guard case .unknown(let reasons, tries: 0) = try Prover(rules, solver: solver).prove(statement) else {
        Issue.record("\(statement.text) is not unknown")
        continue
      }
      #expect(reasons == [reason])
    }
    let comparison = Comparison.compare(old: rules, new: rules, solver: solver)
    #expect(comparison.opened.isEmpty && !comparison.opensNothing)
    #expect(comparison.doubts.allSatisfy { $0.reason == reason.text })
  }
}

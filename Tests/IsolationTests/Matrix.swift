import RulesEngine
import Testing

@testable import Isolation

/// Who can do what. What is expected follows from the conditions.
@Suite struct MatrixTests {
  @Test(.enabled(if: solverIsThere), arguments: [
    ("allow get;", ["get": ["always", "always", "always"], "list": ["never", "never", "never"]]),
    ("allow list;", ["list": ["when", "when", "when"], "get": ["never", "never", "never"]]),
    ("allow write: if request.auth != null;", ["create": ["never", "always", "always"], "get": ["never", "never", "never"]]),
    ("allow delete: if false;", ["delete": ["never", "never", "never"]]),
    ("allow get: if resource.data.open == true;", ["get": ["when", "when", "when"]]),
    (
      "allow get: if request.auth.token.firebase.sign_in_provider != 'anonymous';",
      ["get": ["never", "never", "when"]]
    ),
    // An error is no permission: a token without the claim is refused.
    ("allow get: if request.auth.token.admin == true;", ["get": ["never", "never", "never", "when"]]),
    ("allow get: if !('banned' in request.auth.token);", ["get": ["never", "always", "always", "never"]]),
    ("allow get: if id == request.auth.uid;", ["get": ["never", "never", "never", "always"]]),
    (
      "allow update: if resource.data.owner == request.auth.uid && request.resource.data.n > 0;",
      ["update": ["never", "never", "never", "when"]]
    ),
    ("allow create: if request.resource.data.by == request.auth.uid;", ["create": ["never", "never", "never", "always"]]),
    // More look-ups than a request may make.
    (
      "allow get: if \((0..<11).map { "exists(/databases/$(database)/documents/a/\($0)) || true" }.joined(separator: " && "));",
      ["get": ["when", "when", "when"]]
    ),
  ]) func `each cell is proved or shown`(_ body: String, _ expected: [String: [String]]) throws {
    let rules = try Ruleset(
      "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { match /a/{id} { \(body) } } }")
    let matrix = try #require(try Prover(rules, solver: SolverSession()).matrix())
    #expect(matrix.rows.map(\.method) == ["get", "list", "create", "update", "delete"])
    for row in matrix.rows {
      guard let words = expected[row.method] else { continue }
      // Where nobody is the owner that column is empty.
      #expect(row.cells.compactMap { $0?.word } == words, "\(row.method)")
    }
  }

  @Test(.enabled(if: solverIsThere)) func `rules that the matrix cannot read have none`() throws {
    let rules = try Ruleset(
      """
      rules_version = '2'; service cloud.firestore { match /databases/{database}/documents {
        match /{x=**}/a { match /b/{c} { allow get; } } } }
      """)
    #expect(try Prover(rules, solver: SolverSession()).matrix() == nil)
  }
}

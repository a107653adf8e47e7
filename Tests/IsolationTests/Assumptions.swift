import RulesEngine
import RulesSyntax
import RulesTesting
import Testing

@testable import Isolation

/// `assume`: checked itself, and used where every allowed write keeps it.
@Suite(.enabled(if: solverIsThere))
struct AssumptionTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow create: if request.auth.uid == uid && request.resource.data.role == 'user';
          allow update: if request.auth.uid == uid && request.resource.data.role == resource.data.role;
        }
        match /secrets/{id} {
          allow get: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role != 'user';
        }
      }
    }
    """
  private static let stranger =
    "never get /secrets/{id} unless get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';"
  private static let assumption = "assume /users/{uid} if resource.data.role in ['user', 'admin'];"

  private func verdicts(_ tests: String, _ rules: String = Self.rules) throws -> [String] {
    let test = TestFile.load(SourceFile(name: "firestore_test.rules", text: tests))
    #expect(!test.hasErrors)
    let ruleset = try Ruleset(rules)
    return try test.syntax.invariants.map { invariant in
      try Prover(ruleset, solver: SolverSession()).prove(invariant, in: test).name
    }
  }

  @Test func `What every write keeps is used`() throws {
    #expect(try verdicts(Self.stranger) == ["LEAK"])
    #expect(try verdicts(Self.assumption + Self.stranger) == ["PROVED", "PROVED"])
  }

  @Test func `What a write can break is shown, and not used`() throws {
    let open = Self.rules.replacing("&& request.resource.data.role == resource.data.role", with: "")
    #expect(try verdicts(Self.assumption + Self.stranger, open) == ["LEAK", "LEAK"])
    let create = Self.rules.replacing("&& request.resource.data.role == 'user'", with: "")
    #expect(try verdicts(Self.assumption + Self.stranger, create) == ["LEAK", "LEAK"])
    // What was true before the write helps: without it the update could keep any role.
    #expect(
      try verdicts("never update /users/{uid} unless request.resource.data.role in ['user', 'admin'];") == ["LEAK"])
    #expect(
      try verdicts(
        Self.assumption + "never update /users/{uid} unless request.resource.data.role in ['user', 'admin'];")
        == ["PROVED", "PROVED"])
  }

  @Test func `It is about the pattern alone`() throws {
    let elsewhere = Self.assumption.replacing("/users/", with: "/people/")
    #expect(try verdicts(elsewhere + Self.stranger) == ["VACUOUS", "LEAK"])
    #expect(
      try verdicts(Self.assumption + "never update /users/{uid} if resource.data.role == 'root';") == [
        "PROVED", "PROVED",
      ])
    #expect(try verdicts("never update /users/{uid} if resource.data.role == 'root';") == ["LEAK"])
  }

  /// A commit may write the other document; a function would go on looking at the old one.
  @Test(arguments: [
    "assume /users/{uid} if exists(/databases/$(database)/documents/a/b);",
    "assume /users/{uid} if request.auth != null;",
    "function f() { return resource.data.role == 'user'; } assume /users/{uid} if f();",
  ])
  func `What depends on more than the document is not taken`(assumption: String) throws {
    #expect(try verdicts(assumption + Self.stranger) == ["UNKNOWN", "LEAK"])
  }

  @Test func `A function may be given the document`() throws {
    let text = "function f(data) { return data.role in ['user', 'admin']; } assume /users/{uid} if f(resource.data);"
    #expect(try verdicts(text + Self.stranger) == ["PROVED", "PROVED"])
  }
}

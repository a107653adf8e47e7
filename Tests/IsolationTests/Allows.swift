import RulesEngine
import RulesSyntax
import RulesTesting
import Testing

@testable import Isolation

/// `allows M P as U;`: what has to stay possible.
@Suite struct AllowsTests {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents {
      match /articles/{id} {
        allow get: if resource.data.published == true || request.auth.token.admin == true;
        allow create: if request.auth.token.email_verified == true;
      }
      match /notes/{uid} {
        allow read, delete: if request.auth.uid == uid;
        allow update: if request.auth.token.firebase.sign_in_provider == 'apple.com';
      }
    } }
    """
  private static let users = """
    user admin = custom({ claims: { admin: true } });
    user guest = anonymous();
    user carol = password({ email: 'carol@example.com', email_verified: true });
    user eve = password({ email: 'eve@example.com' });
    user anna = apple();
    """

  @Test(.enabled(if: solverIsThere), arguments: [
    ("allows get /articles/{id} as nobody;", "POSSIBLE"),
    ("allows create /articles/{id} as nobody;", "IMPOSSIBLE"),
    ("allows create /articles/{id} as carol;", "POSSIBLE"),
    ("allows create /articles/{id} as eve;", "IMPOSSIBLE"),
    ("allows create /articles/{id} as admin;", "IMPOSSIBLE"),
    ("allows get, create /articles/{id} as carol;", "POSSIBLE"),
    ("allows get, create /articles/{id} as eve;", "IMPOSSIBLE"),
    ("allows read, delete /notes/{id} as guest;", "POSSIBLE"),
    ("allows read /notes/eve as eve;", "POSSIBLE"),
    ("allows read /notes/eve as carol;", "IMPOSSIBLE"),
    ("allows update /notes/eve as anna;", "POSSIBLE"),
    ("allows update /notes/eve as carol;", "IMPOSSIBLE"),
    ("allows get /elsewhere/{id} as admin;", "IMPOSSIBLE"),
  ]) func `what is asked for is found, or cannot be`(_ invariant: String, _ verdict: String) throws {
    let test = TestFile.load(SourceFile(name: "a_test.rules", text: Self.users + invariant))
    #expect(test.diagnostics.filter { $0.severity == .error }.isEmpty)
    let rules = try Ruleset(Self.rules)
    let declaration = try #require(test.syntax.invariants.first)
    let found = try Prover(rules, solver: SolverSession()).prove(declaration, in: test)
    #expect(found.name == verdict)
    if case .possible(let example) = found, declaration.user?.text != "nobody" {
      #expect(example.witness.auth?.uid == declaration.user?.text)
    }
  }
}

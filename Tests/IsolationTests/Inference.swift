import Foundation
import RulesEngine
import Testing

@testable import Isolation

/// What rules seem to promise, and whether they keep it.
@Suite struct InferenceTests {
  private static func rules(_ body: String) throws -> Ruleset {
    try Ruleset(
      "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { \(body) } }")
  }

  @Test(arguments: [
    (
      "match /notes/{id} { allow write: if request.auth.uid == resource.data.owner; }",
      [
        "never write /notes/{id} if request.auth == null",
        "never update, delete /notes/{id} unless request.auth != null && request.auth.uid == resource.data.owner",
        "never update /notes/{id} if request.resource.data.diff(resource.data).affectedKeys().hasAny(['owner'])",
        "never create /notes/{id} unless request.auth != null && request.auth.uid == request.resource.data.owner",
      ]
    ),
    (
      """
      function isOwner(id) { let me = request.auth.uid; return me == id; }
      match /homes/{who} { match /rooms/{room} { allow get: if isOwner(who); } }
      """,
      ["never read, write /homes/{who}/{anything=**} unless request.auth != null && request.auth.uid == who"]
    ),
    (
      "match /a/{id} { allow list: if request.auth.token.admin == true && request.auth.uid in resource.data['members']; }",
      [
        "never list /a/{id} if request.auth == null", "never list /a/{id} what get refuses",
        "never update, delete /a/{id} unless request.auth != null && request.auth.uid in resource.data.members || 'admin' in request.auth.token",
        "never get /a/{id} unless request.auth != null && request.auth.uid in resource.data.members || 'admin' in request.auth.token",
      ]
    ),
    (
      "match /a/{id} { allow get: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.get('role', '') == 'x'; }",
      [
        "never create /users/{caller} if request.auth.uid == caller",
        "never delete /users/{caller} if request.auth.uid == caller",
        "never update /users/{caller} if request.auth.uid == caller && request.resource.data.diff(resource.data).affectedKeys().hasAny(['role'])",
      ]
    ),
    (
      "match /a/{id} { allow get: if !exists(/databases/$(database)/documents/blocked/$(request.auth.uid)); }",
      ["never delete /blocked/{caller} if request.auth.uid == caller"]
    ),
    (
      "match /a/{id} { allow get: if request.auth.token.email == resource.data.mail; }",
      ["never get /a/{id} if request.auth != null && request.auth.token.get('email_verified', false) != true"]
    ),
    (
      "match /orgs/{org}/docs/{id} { allow get: if resource.data.org == request.auth.token.org; }",
      ["never get /orgs/{org}/docs/{id} unless request.auth.token.org == org"]
    ),
    ("match /a/{id} { allow get: if 'paid' in request.auth.token; }", ["never get /a/{id} if request.auth.token.get('paid', true) == false"]),
    (
      "match /a/{id} { allow update: if request.resource.data.diff(resource.data).affectedKeys().hasAny(['n']); }",
      [
        "never write /a/{id} if request.auth == null",
        "never update /a/{id} if !request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n'])",
      ]
    ),
    (
      "match /a/{id} { allow update: if resource.data.keys().hasOnly(['n']); }",
      [
        "never write /a/{id} if request.auth == null",
        "never update /a/{id} if !request.resource.data.keys().hasOnly(['n'])",
      ]
    ),
    (
      "match /a/{id} { allow write: if resource.data.open; }",
      ["never write /a/{id} if request.auth == null", "never delete /a/{id} if true"]
    ),
    (
      """
      function me() { return request.auth.uid; }
      function isMember(list) { return get(/databases/$(database)/documents/lists/$(list)).data.members[me()] != null; }
      match /a/{id} { allow write: if isMember(id); }
      """, ["never write /a/{id} if request.auth == null"]
    ),
    (
      "match /a/{id} { allow write: if request.auth.uid != null; }",
      ["never write /a/{id} if request.auth == null", "never delete /a/{id} if true"]
    ),
    (
      "match /accounts/{account} { allow write: if request.auth.token.admin == true; }",
      ["never write /accounts/{account} if request.auth == null"]
    ),
    ("match /a/{id} { allow get: if id == 'x'; }", []),
  ]) func `conditions promise`(_ body: String, _ statements: [String]) throws {
    #expect(try Self.rules(body).inferredStatements.map(\.text) == statements)
  }

  @Test(.enabled(if: solverIsThere), arguments: [
    ("allow list: if true; allow get: if false;", "LEAK"),
    ("allow list: if request.auth != null; allow get: if request.auth.uid == resource.data.owner;", "LEAK"),
    ("allow list: if resource.data.open == true; allow get: if resource.data.open == true;", "PROVED"),
    ("allow list: if resource.data.open == true; allow get: if resource.data.keys().hasAny(['open']);", "PROVED"),
    ("allow list: if request.auth.uid == resource.data.owner; allow get: if id != 'secret';", "LEAK"),
    ("allow read: if request.auth != null;", "PROVED"),
    // What a get and a list see differently.
    ("allow list: if true; allow get: if request.method == 'list';", "LEAK"),
    ("allow list: if true; allow get: if request.method in ['get', 'list'];", "PROVED"),
    ("allow list: if true; allow get: if request.query.limit > 0;", "LEAK"),
    ("allow list: if request.query.limit <= 10; allow get: if true;", "PROVED"),
    ("allow list: if true; allow get: if request.path != /databases/$(database)/documents/a/x;", "LEAK"),
    ("allow list: if true; allow get: if request.path[3] == 'a';", "PROVED"),
    // The whole request is another one, and names may be made.
    ("allow list: if request != null; allow get: if request != null;", "PROVED"),
    ("allow read: if request[['me', 'thod'].join('')] == 'list';", "LEAK"),
    ("allow read: if request[request.auth.uid] == 'list';", "UNKNOWN"),
    ("allow read: if string(request.path) == 'x';", "UNKNOWN"),
  ]) func `a list returns no more than get allows`(_ body: String, _ verdict: String) throws {
    let rules = try Self.rules("match /a/{id} { \(body) }")
    let statement = try #require(rules.inferredStatements.first { $0.kind == .listWiderThanGet })
    #expect(try Prover(rules, solver: SolverSession()).prove(statement).name == verdict)
  }

  @Test(.enabled(if: solverIsThere)) func `a leak is found in a session that has proved something before`() throws {
    let rules = try Self.rules(
      """
      match /users/{uid}/lists/{id} {
        allow read: if resource.data.owner == request.auth.uid;
        allow update: if request.auth != null
          && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n']);
      }
      """)
    let prover = Prover(rules, solver: SolverSession())
    let verdicts = try rules.inferredStatements.map { "\(try prover.prove($0).name) \($0.kind.rawValue) \($0.methods)" }
    #expect(
      verdicts == [
        "PROVED unauthenticated-write [\"write\"]", "PROVED unauthenticated-list [\"list\"]",
        "PROVED list-wider-than-get [\"list\"]", "LEAK owner-path [\"write\"]",
        "LEAK owner-field [\"update\", \"delete\"]", "PROVED owner-field [\"update\"]",
        "VACUOUS owner-field [\"create\"]", "PROVED owner-field [\"get\"]",
      ])
  }

  @Test(.enabled(if: solverIsThere)) func `with nothing said, leaky rules differ from safe ones`() throws {
    func leaks(_ text: String) throws -> Set<String> {
      let rules = try Ruleset(text)
      let prover = Prover(rules, solver: SolverSession())
      return Set(
        try rules.inferredStatements.filter { try prover.prove($0).name == "LEAK" }.map(\.text))
    }
    let pairs = LeakPairTests.pairs
    let told = try pairs.count { try !leaks($0.leaky).subtracting(leaks($0.safe)).isEmpty }
    #expect(told * 100 >= pairs.count * 45, "\(told) of \(pairs.count)")
  }
}

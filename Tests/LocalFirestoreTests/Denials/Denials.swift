import LocalFirestore
import RulesEngine
import RulesValues
import Testing

/// What is told of a refusal beyond the official message.
@Suite struct DenialTests {
  private func firestore(_ clock: any TimeSource = SystemClock()) throws -> LocalFirestore {
    try LocalFirestore(
      rules: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{uid} {
              allow get: if request.auth != null && request.auth.uid == uid;
              allow update: if isMine(uid) && request.resource.data.visits == resource.data.visits + 1;
              allow create: if false;
            }
            match /notes/{note} {
              allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 50;
            }
            function isMine(uid) { return request.auth.uid == uid; }
          }
        }
        """)
  }

  static let told: [(Action, uid: String?, String)] = [
    (
      .get("/users/alice"), "bob",
      """
      get /users/alice is denied to 'bob':
        firestore.rules:5, allow get: `request.auth.uid == uid` is false, `request.auth.uid` being 'bob', `uid` 'alice'.
      """
    ),
    (
      .get("/users/alice"), nil,
      """
      get /users/alice is denied to somebody who is signed out:
        firestore.rules:5, allow get: `request.auth != null` is false, `request.auth` being null.
      """
    ),
    (
      .update("/users/alice", ["visits": 5]), "bob",
      """
      update /users/alice is denied to 'bob':
        firestore.rules:12, allow update: `request.auth.uid == uid` is false, `request.auth.uid` being 'bob', \
      `uid` 'alice'.
      """
    ),
    (
      .update("/users/alice", ["visits": "many"]), "alice",
      """
      update /users/alice is denied to 'alice':
        firestore.rules:6, allow update: `request.resource.data.visits == resource.data.visits + 1` is false, \
      `request.resource.data.visits` being 'many', `resource.data.visits + 1` 2.
      """
    ),
    (
      .create("/users/carol"), "carol",
      """
      create /users/carol is denied to 'carol':
        firestore.rules:7, allow create: allows nobody.
      """
    ),
    (
      .delete("/users/alice"), "alice",
      """
      delete /users/alice is denied to 'alice':
        The matches that cover the path have no allow for delete.
      """
    ),
    (
      .get("/nowhere/x"), "alice",
      """
      get /nowhere/x is denied to 'alice':
        No match covers the path.
      """
    ),
    (
      .list(StructuredQuery(collection: "notes")), "alice",
      """
      list /notes is denied to 'alice':
        Line 10 asks for `owner`, which the query does not filter on.
        Allowed would be, with these filters added: where owner == 'alice' limit 50
      """
    ),
    (
      .list(StructuredQuery(collection: "notes", allDescendants: true)), "alice",
      """
      list /{any=**}/notes is denied to 'alice':
        No `allow list` or `allow read` covers every collection `notes`: that takes a match like \
      /{path=**}/notes/{document}.
      """
    ),
    (
      .batch { $0.update("/users/alice", ["visits": 3]); $0.set("/users/bob", ["visits": 1]) }, "alice",
      """
      update /users/alice is denied to 'alice':
        firestore.rules:6, allow update: `request.resource.data.visits == resource.data.visits + 1` is false, \
      `request.resource.data.visits` being 3, `resource.data.visits + 1` 2.
      create /users/bob is denied to 'alice':
        firestore.rules:7, allow create: allows nobody.
      """
    ),
  ]

  @Test(arguments: told.indices)
  func `an explanation names the part that decided, with its values`(_ index: Int) throws {
    let (action, uid, text) = Self.told[index]
    let firestore = try firestore()
    try firestore.admin().set("/users/alice", ["visits": 1])
    let client = uid.map { firestore.client(as: $0) } ?? firestore.client(as: nil)
    let denial = try #require(try client.denial(of: action))
    #expect(denial.explanation == text)
    #expect(denial.description == text)
    #expect(!denial.message.isEmpty)
  }

  @Test func `a query that is refused says how it would be allowed, and is`() throws {
    let firestore = try firestore()
    try firestore.admin().set("/notes/a", ["owner": "alice"])
    try firestore.admin().set("/notes/b", ["owner": "bob"])
    let alice = firestore.client(as: "alice")
    let denial = try #require(try alice.denial(of: .list(try alice.collection("notes"))))
    #expect(denial.suggestion == "where owner == 'alice' limit 50")
    let query = try #require(denial.suggestedQuery)
    #expect(query == (try alice.collection("notes").where("owner", .equal, "alice").limit(50)))
    #expect(try alice.query(query).map(\.path.lastID) == ["a"])
    #expect(denial.queryExplanation?.branches.count == 1)
    // Nothing helps somebody who is signed out.
    let nobody = firestore.client(as: nil)
    let hopeless = try #require(try nobody.denial(of: .list(try nobody.collection("notes"))))
    #expect(hopeless.suggestion == nil && hopeless.suggestedQuery == nil)
  }

  @Test func `an error that is thrown explains itself, by asking the rules again`() throws {
    let firestore = try firestore()
    try firestore.admin().set("/users/alice", ["visits": 1])
    let bob = firestore.client(as: "bob")
    func error(_ call: () throws(FirestoreError) -> Void) -> FirestoreError? {
      do throws(FirestoreError) {
        try call()
        return nil
      } catch {
        return error
      }
    }
    let get = try #require(error { () throws(FirestoreError) in _ = try bob.get("/users/alice") })
    #expect(get.message == "false for 'get' @ L5")
    #expect(
      get.description.hasPrefix("PERMISSION_DENIED: false for 'get' @ L5\nget /users/alice is denied to 'bob':\n"))
    let list = try #require(error { () throws(FirestoreError) in _ = try bob.query(bob.collection("notes")) })
    #expect(list.denial?.suggestion == "where owner == 'bob' limit 50")
    let write = try #require(error { () throws(FirestoreError) in try bob.update("/users/alice", ["visits": 2]) })
    #expect(write.denial?.explanations.map(\.request.method) == [.update])
    #expect { try bob.runTransaction { try $0.get("/users/alice") } } throws: {
      ($0 as? FirestoreError)?.denial?.explanations.count == 1
    }
    firestore.setRules(try Ruleset("service cloud.firestore { match /{x=**} { allow read, write; } }"))
    #expect(get.denial?.explanation == "By now the rules allow it: what they look at has changed since.")
    firestore.setRules(nil)
    #expect(get.denial?.explanation == "There are no rules for this database, so that everything is denied.")
  }

  @Test func `what is allowed has no denial, and an admin is never refused`() throws {
    let firestore = try firestore()
    #expect(try firestore.client(as: "alice").denial(of: .get("/users/alice")) == nil)
    #expect(try firestore.admin().denial(of: .create("/users/alice")) == nil)
    #expect(try firestore.admin().budget(of: .get("/users/alice")) == nil)
  }

  @Test func `a call is measured against the official limits`() throws {
    let firestore = try LocalFirestore(
      rules: """
        rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {
          match /a/{id} {
            allow write: if exists(/databases/$(d)/documents/u/$(id)) && existsAfter(/databases/$(d)/documents/v/x);
          }
          match /v/{id} { allow list: if resource.data.n == 1; allow write; }
        } }
        """)
    try firestore.admin().set("/u/x", [:])
    let client = firestore.client(as: "u")
    let budget = try #require(try client.budget(of: .set("/a/x")))
    #expect(budget.lookups == .init(used: 2, limit: 10))
    #expect(budget.documents.map(\.function) == ["exists", "existsAfter"])
    #expect(budget.expressions == .init(used: 16, limit: 1000))
    let list = try #require(try client.budget(of: .list(client.collection("v"))))
    #expect(list.expressions.used == 5 && list.lookups.limit == 20)
    let writes = try ["x", "y", "z"].map { try Write.set(client.path("/a/\($0)"), [:]) }
    let commit = try client.judge(writes, measuring: true)
    #expect(commit.lookups?.before == .init(used: 3, limit: 20))
    #expect(commit.lookups?.after == .init(used: 1, limit: 20))
    #expect(commit.judgements.map(\.budget?.lookups.used) == [2, 1, 1])
  }

  /// As the official emulator 1.19.9 has it, asked over REST.
  @Test func `a read knows whether its transaction may write`() throws {
    let firestore = try LocalFirestore(
      rules: """
        rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {
          match /a/{id} { allow read: if request.inTransaction; } } }
        """)
    let client = firestore.client(as: "u")
    #expect(try !client.allows(.get("/a/x")))
    #expect(try client.runTransaction { try $0.get("/a/x") } == nil)
    #expect(throws: FirestoreError.self) { try client.runTransaction(readOnly: true) { try $0.get("/a/x") } }
    // A query does not know.
    let list = try client.collection("a")
    for readOnly in [false, true] {
      #expect(throws: FirestoreError.self) { try client.runTransaction(readOnly: readOnly) { try $0.query(list) } }
    }
  }
}

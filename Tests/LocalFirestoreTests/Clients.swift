import LocalFirestore
import RulesEngine
import RulesValues
import Testing

private func ruleset(_ body: String) throws -> Ruleset {
  try Ruleset(
    "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { \(body) } }")
}

/// The code of the error a call ends with.
private func code(_ call: () throws(FirestoreError) -> Void) -> FirestoreError.Code? {
  do {
    try call()
    return nil
  } catch {
    return error.code
  }
}

@Suite struct ClientTests {
  let alice = Auth(uid: "alice")

  @Test func `every call of a client is judged by the rules`() throws {
    let firestore = LocalFirestore(
      rules: try ruleset("match /users/{uid} { allow read, write: if request.auth.uid == uid; }"))
    let client = firestore.client(as: alice)
    try client.create("/users/alice", ["name": "Alice", "n": 1])
    try client.update("/users/alice", ["n": .increment(1)])
    #expect(try client.get("/users/alice") == ["name": .string("Alice"), "n": .int(2)])
    let stranger = firestore.client(as: Auth(uid: "bob"))
    #expect(code { () throws(FirestoreError) in _ = try stranger.get("/users/alice") } == .permissionDenied)
    #expect(code { () throws(FirestoreError) in try stranger.set("/users/alice", [:]) } == .permissionDenied)
    #expect(code { () throws(FirestoreError) in try stranger.delete("/users/alice") } == .permissionDenied)
    #expect(try firestore.admin().get("/users/alice") == ["name": .string("Alice"), "n": .int(2)])
    try client.delete("/users/alice")
    #expect(try firestore.admin().get("/users/alice") == nil)
  }

  @Test func `a database without rules refuses everything`() throws {
    let firestore = LocalFirestore(rules: try ruleset("match /{x=**} { allow read, write; }"))
    try firestore.client(as: alice).create("/t/x", [:])
    let other = firestore.client(as: alice, database: "archive")
    #expect(code { () throws(FirestoreError) in _ = try other.get("/t/x") } == .permissionDenied)
    #expect(code { () throws(FirestoreError) in try other.create("/t/x", [:]) } == .permissionDenied)
    firestore.setRules(nil)
    #expect(code { () throws(FirestoreError) in _ = try firestore.client(as: alice).get("/t/x") } == .permissionDenied)
  }

  @Test func `databases have rules and documents of their own`() throws {
    let firestore = LocalFirestore(rules: try ruleset("match /a/{x} { allow read, write; }"))
    firestore.setRules(try ruleset("match /b/{x} { allow read, write; }"), database: "archive")
    let main = firestore.client(as: nil)
    let archive = firestore.client(as: nil, database: "archive")
    try main.create("/a/x", [:])
    try archive.create("/b/x", [:])
    #expect(code { () throws(FirestoreError) in _ = try archive.get("/a/x") } == .permissionDenied)
    #expect(code { () throws(FirestoreError) in _ = try main.get("/b/x") } == .permissionDenied)
    try firestore.clear(database: "archive")
    #expect(try main.get("/a/x") != nil)
    #expect(try archive.get("/b/x") == nil)
    let path = try #require(ResourcePath(database: "archive", relative: "a/x"))
    #expect(code { () throws(FirestoreError) in try main.perform(.get(path)) } == .invalidArgument)
  }

  @Test func `the rules are asked before the store`() throws {
    let firestore = LocalFirestore(rules: try ruleset("match /t/{x} { allow update: if x == 'mine'; }"))
    let client = firestore.client(as: nil)
    #expect(code { () throws(FirestoreError) in try client.update("/t/mine", ["a": 1]) } == .notFound)
    #expect(code { () throws(FirestoreError) in try client.update("/t/other", ["a": 1]) } == .permissionDenied)
    let admin = firestore.admin()
    try admin.create("/t/mine", [:])
    #expect(code { () throws(FirestoreError) in try admin.create("/t/mine", [:]) } == .alreadyExists)
  }

  @Test func `rules see the document as it will be stored`() throws {
    let clock = ManualClock(Timestamp(seconds: 9, nanos: 123_456_789))
    let firestore = LocalFirestore(
      rules: try ruleset(
        """
        match /t/{x} {
          allow create: if request.resource.data.at == request.time && request.resource.data.n == 1;
          allow update: if request.resource.data.n == resource.data.n + 1 && request.resource.data.keep == 'k'
            && request.writeFields == ['n'] && request.transforms == ['n'];
        }
        """), clock: clock)
    let client = firestore.client(as: nil)
    try client.create("/t/x", ["at": .serverTimestamp, "n": .increment(1), "keep": "k"])
    try client.update("/t/x", ["n": .increment(1)])
    #expect(
      try firestore.admin().get("/t/x") == [
        "at": .timestamp(Timestamp(seconds: 9, nanos: 123_000_000)), "n": .int(2), "keep": .string("k"),
      ])
  }

  @Test func `what is judged only is not done`() throws {
    let firestore = LocalFirestore(
      rules: try ruleset("match /t/{x} { allow write: if exists(/databases/$(database)/documents/u/v); }"))
    let path = try #require(ResourcePath(relative: "t/x"))
    try firestore.seed(try #require(ResourcePath(relative: "u/v")), [:])
    let judgement = try firestore.client(as: alice).judge(.write(.set(path, ["a": 1])), explaining: true)
    #expect(judgement.isAllowed)
    #expect(judgement.explanation != nil)
    #expect(judgement.after == ["a": .int(1)])
    #expect(judgement.documentsRead.contains { $0.relative == "/u/v" })
    #expect(try firestore.admin().get("/t/x") == nil)
  }

  @Test func `what would be allowed is looked for only where that is asked, and is not what the rules read`() throws {
    let firestore = LocalFirestore(
      rules: try ruleset(
        "match /t/{x} { allow get: if exists(/databases/$(database)/documents/u/$(request.auth.uid)); }"))
    let path = try #require(ResourcePath(relative: "t/x"))
    let client = firestore.client(as: alice)
    #expect(try client.judge(.get(path), explaining: true).explanation?.fixes == [])
    let judgement = try client.judge(.get(path), explaining: true, fixing: true)
    #expect(judgement.explanation?.fixes.map(\.text) == ["have the document /u/alice {}"])
    #expect(judgement.documentsRead.map(\.relative) == ["/u/alice"])
    #expect(try firestore.admin().get("/u/alice") == nil)
  }
}

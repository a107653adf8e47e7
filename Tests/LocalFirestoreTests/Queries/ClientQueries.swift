import LocalFirestore
import RulesEngine
import RulesValues
import Testing

private let rules = """
  rules_version = '2';
  service cloud.firestore { match /databases/{database}/documents {
    match /posts/{post} { allow list: if resource.data.owner == request.auth.uid && request.query.limit <= 10; }
    match /{path=**}/notes/{note} { allow list: if resource.data.public == true; }
  } }
  """

@Suite struct QueryClientTests {
  private func firestore() throws -> LocalFirestore {
    let firestore = try LocalFirestore(rules: rules)
    let admin = firestore.admin()
    for (id, owner, n) in [("a", "alice", 3), ("b", "bob", 2), ("c", "alice", 1)] {
      try admin.set("posts/\(id)", ["owner": .value(.string(owner)), "n": .value(.int(Int64(n)))])
      try admin.set("posts/\(id)/notes/x", ["public": .value(.bool(n > 1))])
    }
    return firestore
  }

  @Test func `a query runs if its filters satisfy the rule, whatever is stored`() throws {
    let firestore = try firestore()
    let alice = firestore.client(as: "alice")
    let posts = try alice.collection("posts")
    let mine = posts.where("owner", .equal, "alice").limit(10)
    #expect(try alice.query(mine.order(by: "n")).map(\.path.lastID) == ["c", "a"])
    #expect(try alice.count(mine) == 2)
    for refused in [
      posts.limit(10), posts.where("owner", .equal, "bob").limit(10), posts.where("owner", .equal, "alice"),
      mine.limit(11),
    ] {
      #expect(throws: FirestoreError.self) { try alice.query(refused) }
      #expect(throws: FirestoreError.self) { try alice.count(refused) }
      #expect(throws: FirestoreError.self) { try alice.listen(to: refused) }
    }
    try firestore.clear()
    #expect(throws: FirestoreError.self) { try alice.query(posts.limit(10)) }
    #expect(try alice.query(mine) == [])
    firestore.setRules(nil)
    #expect(throws: FirestoreError.self) { try alice.query(mine) }
  }

  @Test func `the last results are asked for from the other end`() throws {
    let firestore = try firestore()
    let alice = firestore.client(as: "alice")
    let mine = try alice.collection("posts").where("owner", .equal, "alice").order(by: "n")
    #expect(try alice.query(mine.limitToLast(1)).map(\.path.lastID) == ["a"])
    #expect(try alice.query(mine.limitToLast(2)).map(\.path.lastID) == ["c", "a"])
    #expect(try firestore.admin().query(mine.start(after: 1).limitToLast(5)).map(\.path.lastID) == ["a"])
    #expect(throws: FirestoreError.self) {
      try firestore.admin().query(firestore.admin().collection("posts").limitToLast(1))
    }
  }

  @Test func `a collection group has the documents of all collections of a name`() throws {
    let firestore = try firestore()
    let group = firestore.admin().collectionGroup("notes")
    #expect(
      try firestore.client(as: nil).query(group.where("public", .equal, true)).map(\.path.relative)
        == ["/posts/a/notes/x", "/posts/b/notes/x"])
    #expect(throws: FirestoreError.self) { try firestore.client(as: nil).query(group) }
    #expect(try firestore.admin().query(group).count == 3)
  }

  @Test func `documents that do not exist still hold collections`() throws {
    let firestore = LocalFirestore()
    let admin = firestore.admin()
    for path in ["a/ghost/b/x", "a/ghost/c/x", "z/1", "a/ghost/b/x/d/y"] { try admin.set(path, [:]) }
    #expect(try admin.collectionIDs() == ["a", "z"])
    #expect(try admin.collectionIDs(under: "a/ghost") == ["b", "c"])
    #expect(try admin.collectionIDs(under: "z/1") == [])
    #expect(try admin.query(admin.collection("a")) == [])
    #expect(throws: FirestoreError.self) { try firestore.client(as: "u").collectionIDs() }
  }

  @Test func `a listener hears of each change of its results`() async throws {
    let firestore = try firestore()
    let admin = firestore.admin()
    let alice = firestore.client(as: "alice")
    let mine = try alice.collection("posts").where("owner", .equal, "alice").order(by: "n").limit(10)
    var snapshots = try alice.listen(to: mine).makeAsyncIterator()
    #expect(await snapshots.next()?.documents.map(\.path.lastID) == ["c", "a"])
    // The first and the third change do not concern the listener.
    try await admin.set("posts/d", ["owner": "bob", "n": 0])
    try await admin.set("posts/e", ["owner": "alice", "n": 2])
    try await admin.set("posts/e", ["owner": "alice", "n": 2])
    try await admin.delete("posts/a")
    #expect(await snapshots.next()?.documents.map(\.path.lastID) == ["c", "e", "a"])
    #expect(await snapshots.next()?.documents.map(\.path.lastID) == ["c", "e"])
    try firestore.clear()
    #expect(await snapshots.next()?.documents == [])
  }

  @Test func `a client of one database cannot ask another`() throws {
    let firestore = try firestore()
    let query = try firestore.admin(database: "archive").collection("posts")
    #expect(throws: FirestoreError.self) { try firestore.admin().query(query) }
    #expect(throws: FirestoreError.self) { try firestore.admin().collection("posts/a") }
  }
}

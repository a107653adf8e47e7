import LocalFirestore
import RulesEngine
import RulesValues
import Testing

@Suite struct AskingTests {
  private func firestore() throws -> LocalFirestore {
    try LocalFirestore(
      rules: """
        rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {
          match /users/{uid} {
            allow get, update, delete: if request.auth.uid == uid;
            allow create: if request.resource.data.n == 1;
            allow list: if request.query.limit == 1;
          } } }
        """)
  }

  @Test func `asking does nothing, and says what the rules would`() throws {
    let firestore = try firestore()
    try firestore.admin().set("/users/alice", ["n": 2])
    let alice = firestore.client(as: "alice")
    let bob = firestore.client(as: "bob")
    for action: Action in [.get("/users/alice"), .update("/users/alice", ["n": 3]), .delete("/users/alice")] {
      #expect(try alice.allows(action))
      #expect(try !bob.allows(action))
      #expect(try firestore.admin().allows(action))
      #expect(try bob.denial(of: action) != nil)
      #expect(try bob.explanation(of: action) != nil)
    }
    #expect(try bob.allows(.create("/users/bob", ["n": 1])))
    #expect(try !bob.allows(.create("/users/bob", ["n": 2])))
    #expect(try bob.allows(.set("/users/carol", ["n": 1])))
    let users = try bob.collection("users")
    #expect(try bob.allows(.list(users.limit(1))))
    #expect(try !bob.allows(.list(users)))
    #expect(try firestore.admin().query(firestore.admin().collection("users")).map(\.fields) == [["n": 2]])
  }

  @Test(arguments: [Action.get("users"), .get("users//x"), .update("/users/bob", ["a..b": 1]), .delete("")])
  func `a slip of the pen is no refusal`(_ action: Action) throws {
    let bob = try firestore().client(as: "bob")
    #expect(throws: FirestoreError.self) { try bob.allows(action) }
  }

  @Test func `an export put back is the same documents`() throws {
    let firestore = try firestore()
    try firestore.seed(
      ResourcePath(segments: ["a", "b"]),
      ["x": [1, 1.5, ["k": .bytes([1])]], "p": .geoPoint(latitude: 0, longitude: 1)])
    try firestore.seed(ResourcePath(database: "other", segments: ["a", "b", "c", "__id7__"]), [:])
    let export = try firestore.export()
    let copy = LocalFirestore(project: "another")
    try copy.importDocuments(export)
    #expect(try copy.admin().get("a/b") == firestore.admin().get("a/b"))
    #expect(try copy.admin(database: "other").get("a/b/c/__id7__") == [:])
    #expect(throws: FirestoreError.self) { try copy.importDocuments(["documents": [["name": "a/b"]]]) }
    #expect(throws: FirestoreError.self) { try copy.importDocuments([:]) }
  }
}

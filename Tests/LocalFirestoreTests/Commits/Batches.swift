import LocalFirestore
import RulesEngine
import RulesValues
import Testing

private func firestore(_ body: String, dialect: Dialect = .live) throws -> LocalFirestore {
  LocalFirestore(
    rules: try Ruleset(
      "rules_version = '2'; service cloud.firestore { match /databases/{database}/documents { \(body) } }"),
    clock: ManualClock(Timestamp(seconds: 9)), dialect: dialect)
}

/// Two writes to one document and what becomes of them: nothing, or an error. Answers of the official emulator 1.19.9.
struct CollapseCase: Sendable, CustomTestStringConvertible {
  enum Step: String, Sendable { case set, create, update, merge, delete, deleteExisting, deleteMissing }

  var steps: [Step]
  /// On a document that is missing, and on one that is there.
  var outcomes: [String?]

  init(_ steps: Step..., missing: String?, there: String?) {
    self.steps = steps
    outcomes = [missing, there]
  }

  var testDescription: String { steps.map(\.rawValue).joined(separator: ", ") }

  func writes(_ path: ResourcePath) throws -> [Write] {
    try steps.map { step in
      switch step {
      case .set: try .set(path, [:])
      case .create: try .create(path, [:])
      case .update: try .update(path, ["a": 1])
      case .merge: try .set(path, ["a": 1], merge: true)
      case .delete: .delete(path)
      case .deleteExisting: Write.delete(path).requiring(.exists(true))
      case .deleteMissing: Write.delete(path).requiring(.exists(false))
      }
    }
  }
}

private let exists = "ALREADY_EXISTS"
private let missing = "NOT_FOUND"
private func cannot(_ a: String, _ b: String) -> String {
  "INVALID_ARGUMENT: Cannot \(a) then \(b) an entity in the same request."
}

private let collapses: [CollapseCase] = [
  .init(.set, .create, missing: cannot("upsert", "insert"), there: cannot("upsert", "insert")),
  .init(.create, .set, missing: nil, there: exists),
  .init(.merge, .create, missing: cannot("upsert", "insert"), there: cannot("upsert", "insert")),
  .init(.set, .delete, .update, missing: cannot("delete", "update"), there: cannot("delete", "update")),
  .init(.set, .deleteExisting, missing: nil, there: nil),
  .init(.delete, .deleteExisting, missing: cannot("delete", "delete"), there: cannot("delete", "delete")),
  .init(.create, .delete, .create, missing: nil, there: exists),
  .init(.update, .create, missing: cannot("update", "insert"), there: cannot("update", "insert")),
  .init(.create, .deleteExisting, missing: nil, there: exists),
  .init(.create, .deleteMissing, missing: cannot("insert", "delete"), there: cannot("insert", "delete")),
  .init(.deleteExisting, .create, missing: missing, there: nil),
  .init(.deleteExisting, .set, missing: missing, there: nil),
  .init(.deleteMissing, .create, missing: nil, there: exists),
  .init(.deleteMissing, .update, missing: cannot("delete", "update"), there: cannot("delete", "update")),
  .init(.set, .update, missing: nil, there: nil), .init(.delete, .merge, missing: nil, there: nil),
]

/// Rules and a batch of two documents with what becomes of it. Verdicts of the official emulator 1.19.9.
@Suite struct BatchTests {
  let path = ResourcePath(segments: ["t", "a"])

  @Test(arguments: collapses) func `several writes to one document must go together`(_ c: CollapseCase) throws {
    for (i, outcome) in c.outcomes.enumerated() {
      let firestore = LocalFirestore()
      if i == 1 { try firestore.seed(path, ["x": 1]) }
      let writes = try c.writes(path)
      do throws(FirestoreError) {
        try firestore.admin().commit(writes)
        #expect(outcome == nil)
      } catch {
        #expect(outcome.map { error.description.hasPrefix($0) } == true, "\(error)")
      }
    }
  }

  @Test(arguments: [
    ("request.resource.data.x == 2", true), ("request.resource.data.x == 1", false), ("resource == null", true),
    ("getAfter(request.path).data.x == 2", true),
  ])
  func `several writes to one document are judged once, by what they come to`(_ rule: String, _ isAllowed: Bool) throws
  {
    let client = try firestore("match /t/{id} { allow create: if \(rule); }").client(as: nil)
    let writes: [Write] = [try .set(path, ["x": 1]), try .set(path, ["x": 2])]
    #expect(try client.judge(writes).isAllowed == isAllowed)
  }

  @Test(arguments: [
    ("getAfter(/databases/$(database)/documents/t/b).data.x == 2", true),
    ("get(/databases/$(database)/documents/t/b).data.x == 1", true),
    ("get(/databases/$(database)/documents/t/b).data.x == 2", false),
    ("existsAfter(/databases/$(database)/documents/t/gone)", false),
    ("exists(/databases/$(database)/documents/t/gone)", true),
  ])
  func `get sees what was before the batch, getAfter what is after it`(_ rule: String, _ isAllowed: Bool) throws {
    let firestore = try firestore(
      "match /t/a { allow write: if \(rule); } match /t/{id} { allow write: if id != 'a'; }")
    for id in ["b", "gone"] as [Text] { try firestore.seed(ResourcePath(segments: ["t", id]), ["x": 1]) }
    let client = firestore.client(as: nil)
    func commit() throws(FirestoreError) {
      try client.batch { batch in
        batch.set("t/a", ["x": 1])
        batch.set("t/b", ["x": 2])
        batch.delete("t/gone")
      }
    }
    if isAllowed { try commit() } else { #expect(throws: FirestoreError.self) { try commit() } }
    let admin = firestore.admin()
    #expect(try admin.get("t/b") == ["x": .int(isAllowed ? 2 : 1)])
    #expect(try admin.get("t/gone") == (isAllowed ? nil : ["x": 1]))
    #expect(try admin.get("t/a") == (isAllowed ? ["x": 1] : nil))
  }

  @Test(arguments: [(19, true), (20, true), (21, false)])
  func `the rules look up at most 20 documents in a batch`(_ count: Int, _ isAllowed: Bool) throws {
    for function in ["get(P).data.x == 1", "existsAfter(P)"] {
      let place = "/databases/$(database)/documents/t/$('x' + string(request.resource.data.n))"
      let firestore = try firestore(
        "match /u/{id} { allow create: if \(function.replacing("P", with: place)); }")
      var writes: [Write] = []
      for n in 0..<count {
        try firestore.seed(ResourcePath(segments: ["t", Text("x\(n)")]), ["x": 1])
        writes.append(try .set(ResourcePath(segments: ["u", Text("\(n)")]), ["n": .value(.int(Int64(n)))]))
      }
      #expect(try firestore.client(as: nil).judge(writes).isAllowed == isAllowed)
      // The same document again and again is one.
      let same = try writes.map { try Write.set($0.path, ["n": 0]) }
      #expect(try firestore.client(as: nil).judge(same).isAllowed)
    }
  }

  @Test func `a document keeps its update time when nothing changes, its creation time unless it was gone`() throws {
    let clock = ManualClock(Timestamp(seconds: 1))
    let admin = LocalFirestore(clock: clock).admin()
    try admin.set("t/a", ["x": 1])
    clock.now = Timestamp(seconds: 2)
    try admin.set("t/a", ["x": 1])
    #expect(try admin.document("t/a")?.updateTime == Timestamp(seconds: 1))
    try admin.set("t/a", ["x": 1.0])
    // Commits of one moment are told apart by microseconds.
    #expect(try admin.document("t/a")?.updateTime == Timestamp(seconds: 2, nanos: 1000))
    #expect(try admin.document("t/a")?.createTime == Timestamp(seconds: 1))
    try admin.set("t/b", [:])
    #expect(try admin.document("t/b")?.createTime == Timestamp(seconds: 2, nanos: 2000))
    clock.now = Timestamp(seconds: 3)
    try admin.commit([.delete(path), .set(path, ["x": 1])])
    #expect(try admin.document("t/a")?.createTime == Timestamp(seconds: 3))
  }

  @Test func `a precondition on the update time holds for that version only`() throws {
    let admin = LocalFirestore(dialect: .emulator1_19).admin()
    let time = try admin.commit([.set(path, ["x": 1])]).time
    try admin.commit([try Write.set(path, ["x": 2]).requiring(.updateTime(time))])
    #expect { try admin.commit([try Write.set(path, ["x": 3]).requiring(.updateTime(time))]) } throws: {
      ($0 as? FirestoreError)?.code == .failedPrecondition
    }
    let other = ResourcePath(segments: ["t", "never"])
    #expect {
      try admin.commit([try Write.set(other, [:]).requiring(.updateTime(Timestamp(seconds: 1_577_836_800)))])
    } throws: {
      ($0 as? FirestoreError)?.message
        == "the stored version (0) does not match the required base version (1577836800000000)"
    }
  }

  @Test func `the dialect of the emulator has its words`() throws {
    let admin = LocalFirestore(project: "p", dialect: .emulator1_19).admin()
    #expect { try admin.update("t/zz", ["a": 1]) } throws: {
      ($0 as? FirestoreError)?.message
        == "no entity to update: app: \"dev~p\"\npath <\n  Element {\n    type: \"t\"\n    name: \"zz\"\n  }\n>\n"
    }
    try admin.set("t/a", [:])
    #expect { try admin.create("t/a", [:]) } throws: {
      ($0 as? FirestoreError)?.message == "entity already exists: EntityRef{partitionRef=dev~p, path=/t/a}"
    }
  }

  @Test func `a write has 500 transforms at most`() throws {
    let admin = LocalFirestore().admin()
    let data = { (count: Int) in
      Dictionary(uniqueKeysWithValues: (0..<count).map { (Text("f\($0)"), FieldValue.increment(1)) })
    }
    try admin.set("t/a", data(500))
    #expect(throws: FirestoreError.self) { try admin.set("t/a", data(501)) }
  }

  @Test func `times are kept to the microsecond, and of the zeros one`() throws {
    let admin = LocalFirestore().admin()
    try admin.set(
      "t/a", ["t": .value(.timestamp(Timestamp(seconds: 5, nanos: 123_456_789))), "z": ["l": .value([-0.0])]])
    let stored = try #require(try admin.get("t/a"))
    #expect(stored["t"] == .timestamp(Timestamp(seconds: 5, nanos: 123_456_000)))
    guard case .map(let map) = stored["z"], case .array(let items) = map["l"], case .double(let zero) = items[0] else {
      Issue.record("not kept")
      return
    }
    #expect(zero.sign == .plus)
  }
}

import JSON
import RulesValues
import Testing

@testable import RulesEngine

/// Requests from JSON text, and requests that stay loaded.
@Suite struct RequestTextTests {
  private func ruleset(_ condition: String, methods: String = "get, create, update, delete") throws -> Ruleset {
    try Ruleset(
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{userId} { allow \(methods): if \(condition); }
        }
      }
      """)
  }

  private func text(
    method: String = "create", auth: String = #"{"uid": "alice", "token": {"email": "a@b.c"}}"#, data: String? = "{}"
  ) -> [UInt8] {
    let data = data.map { #", "data": \#($0)"# } ?? ""
    return Array(
      #"{"method": "\#(method)", "path": "/users/alice", "auth": \#(auth), "time": "2026-01-01T00:00:00.123456Z"\#(data)}"#
        .utf8)
  }

  private static let data = #"{"b": 1, "a": 1.0, "nested": {"z": [null, true, "é\u0000"], "y": {}}, "long": "0123456789abcdef"}"#

  @Test(arguments: [
    "request.auth.uid == userId", "request.auth.token.email == 'a@b.c'", "request.auth.token.keys() == ['email']",
    "request.method == 'create'", "database == '(default)'", "request.path[4] == 'alice'",
    "request.time == timestamp.value(1767225600123)", "request.resource.id == 'alice'",
    "request.resource.data.b is int && request.resource.data.a is float",
    "request.resource.data.keys() == ['a', 'b', 'long', 'nested']", "request.resource.data.nested.y.size() == 0",
    "request.resource.data.nested.z == [null, true, 'é\\u0000']", "request.resource.data.long.size() == 16",
    "request.autoId == false", "resource == null", "request.resource.__name__ == request.path",
  ])
  func theRulesSeeWhatTheTextSays(_ condition: String) throws {
    let evaluator = try ruleset(condition).evaluator()
    try evaluator.load(json: text(data: Self.data), DocumentTable())
    #expect(evaluator.decideLoaded().isAllowed)
    let fields = try DataValue.fields(plain: JSONValue(parsing: Self.data))
    let request = Request.create(
      ResourcePath(segments: ["users", "alice"]), fields, ifAbsent: true,
      auth: Auth(uid: "alice", token: ["email": .string("a@b.c")]),
      time: Timestamp(seconds: 1_767_225_600, nanos: 123_456_000))
    #expect(evaluator.decide(request, DocumentTable()).isAllowed)
  }

  @Test(arguments: ["get", "delete"])
  func readsAndDeletesHaveNoData(_ method: String) throws {
    let evaluator = try ruleset("request.auth == null && request.method == '\(method)'").evaluator()
    try evaluator.load(json: text(method: method, auth: "null", data: nil), DocumentTable())
    #expect(evaluator.allowsLoaded())
    #expect(throws: JSONError.self) { try evaluator.load(json: text(method: method), DocumentTable()) }
  }

  @Test(arguments: [
    "[]", "{}", #"{"method": "list"}"#, #"{"method": "get", "method": "get"}"#, #"{"verb": "get"}"#,
    #"{"method": "get", "path": "users", "time": "2026-01-01T00:00:00Z"}"#,
    #"{"method": "get", "path": "users//a", "time": "2026-01-01T00:00:00Z"}"#,
    #"{"method": "get", "path": "", "time": "2026-01-01T00:00:00Z"}"#,
    #"{"method": "get", "path": "/users/a", "time": "2026-02-30T00:00:00Z"}"#,
    #"{"method": "get", "path": "/users/a", "time": "2026-01-01T00:00:00Z", "auth": {"token": {}}}"#,
    #"{"method": "get", "path": "/users/a", "time": "2026-01-01T00:00:00Z"} x"#,
    #"{"method": "create", "path": "/users/a", "time": "2026-01-01T00:00:00Z"}"#,
    #"{"method": "create", "path": "/users/a", "time": "2026-01-01T00:00:00Z", "data": {"a": 1, "b": 2, "a": 3}}"#,
  ])
  func aWrongTextLoadsNothing(_ text: String) throws {
    let evaluator = try ruleset("true").evaluator()
    evaluator.load(.get(ResourcePath(segments: ["users", "a"]), auth: nil, time: Timestamp(seconds: 0)), DocumentTable())
    #expect(evaluator.allowsLoaded())
    #expect(throws: JSONError.self) { try evaluator.load(json: Array(text.utf8), DocumentTable()) }
    #expect(!evaluator.allowsLoaded())
    #expect(!evaluator.decideLoaded().isAllowed)
  }

  @Test func nestingIsBounded() throws {
    let evaluator = try ruleset("true").evaluator()
    let deep = { (n: Int) in "{\"a\": " + String(repeating: "[", count: n) + String(repeating: "]", count: n) + "}" }
    try evaluator.load(json: text(data: deep(99)), DocumentTable())
    #expect(evaluator.allowsLoaded())
    #expect(throws: JSONError.self) { try evaluator.load(json: text(data: deep(150)), DocumentTable()) }
  }

  @Test func withoutARequestEverythingIsRefusedEvenByAGlob() throws {
    let evaluator = try Ruleset(
      "rules_version = '2'; service cloud.firestore { match /{all=**} { allow read, write: if true; } }").evaluator()
    #expect(!evaluator.allowsLoaded())
    #expect(!evaluator.decideLoaded().isAllowed)
    evaluator.load(.get(ResourcePath(segments: ["a", "b"]), auth: nil, time: Timestamp(seconds: 0)), DocumentTable())
    #expect(evaluator.allowsLoaded())
    evaluator.unload()
    #expect(!evaluator.allowsLoaded())
  }

  @Test func aLoadedRequestIsDecidedAgainAndAgainWithoutMemory() throws {
    let evaluator = try ruleset(
      "resource.data.owner == request.auth.uid && exists(/databases/$(database)/documents/users/bob) && 'x' + userId == 'xalice'"
    ).evaluator()
    let documents: DocumentTable = [
      ResourcePath(segments: ["users", "alice"]): ["owner": .string("alice")],
      ResourcePath(segments: ["users", "bob"]): [:],
    ]
    for _ in 0..<2 {
      evaluator.load(
        .get(ResourcePath(segments: ["users", "alice"]), auth: Auth(uid: "alice"), time: Timestamp(seconds: 0)), documents)
      // The first decision reads the document, which then stays.
      for _ in 0..<2 { #expect(evaluator.decideLoaded().isAllowed) }
      let used = evaluator.machine.arena.usedBytes
      for _ in 0..<100 { #expect(evaluator.decideLoaded().isAllowed) }
      #expect(evaluator.machine.arena.usedBytes <= used)
    }
    evaluator.load(
      .get(ResourcePath(segments: ["users", "alice"]), auth: Auth(uid: "bob"), time: Timestamp(seconds: 0)), documents)
    let denial = evaluator.decideLoaded().denial
    #expect(denial != nil)
    for _ in 0..<10 { #expect(evaluator.decideLoaded().denial == denial) }
  }
}

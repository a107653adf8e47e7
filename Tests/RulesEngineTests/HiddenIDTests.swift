import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

/// Documents that are made under ids which the server chooses, and rules do not see. Each answer is that of the official
/// emulator 1.19.9 to a `POST` without `documentId`; many more are in `Corpus/rest.jsonl`.
@Suite struct HiddenIDTests {
  private static let name = "/databases/$(database)/documents/c/$(request.resource.id)"

  private static func ruleset(_ match: String, _ condition: String, version: String = "2") throws -> Ruleset {
    try Ruleset(
      """
      rules_version = '\(version)';
      service cloud.firestore {
        match /databases/{database}/documents {
          function taken(a) { return true; }
          match \(match) { allow create: if \(condition); }
        }
      }
      """)
  }

  private static let request = Request.createUnderHiddenID(
    ResourcePath(segments: ["c", "Xb8skQ1dS2pTq0aYwZ3k"]), ["a": .int(1)], auth: Auth(uid: "u1"),
    time: Timestamp(seconds: 1_767_225_600))

  /// What refuses the create in each pass; `nil` when it is allowed.
  static let conditions: [(match: String, condition: String, first: String?)] = [
    ("/c/{id}", "true || id == 'x'", nil), ("/c/{id}", "id == 'x'", "Null value error."),
    ("/c/{id}", "id != 'x'", "Null value error."), ("/c/{id}", "!(request.auth.uid == id)", "Null value error."),
    ("/c/{id}", "taken(id)", nil), ("/{c}/{id}", "c == 'c'", nil), ("/c/Xb8skQ1dS2pTq0aYwZ3k", "true", ""),
    ("/c", "true", ""), ("/{x}", "true", ""), ("/c/{id}", "request.autoId", nil),
    ("/c/{id}", "string(request.path) == '/databases/(default)/documents/c'", nil),
    ("/c/{id}", "request.path[4] == 'x'", "Index out of bound error. Index: [4] , size: [4]."),
    ("/c/{id}", "request.resource.size() == 1", nil), ("/c/{id}", "'id' in request.resource", "false"),
    ("/c/{id}", "request.resource.id == null", "Property id is undefined on object."),
    ("/c/{id}", "request.resource.id.size() == 20", nil), ("/c/{id}", "request.resource.data.a == 1", nil),
    ("/c/{id}", "request.resource.id is string && request.resource.keys().size() == 3", "false"),
    ("/c/{id}", "getAfter(\(name)).data.a == 1", nil), ("/c/{id}", "!exists(\(name))", nil),
    ("/c/{id}", "get(\(name)) == null", nil), ("/c/{id}", "resource == null", nil),
    ("/{rest=**}", "string(rest) == '/c/'", nil), ("/{rest=**}", "rest == rest", "false"),
    ("/{rest=**}", "rest[0] == 'c'", "Variable  is not bound in path template."), ("/{rest=**}", "rest != /c/x", nil),
    ("/{rest=**}", "rest.bind({'': 'x'})[1] == 'x'", nil), ("/{rest=**}/{id}", "rest[0] == 'c'", nil),
    ("/{rest=**}/{id}", "id == 'c'", "Null value error."), ("/c/{id}/{rest=**}", "true", nil),
  ]

  @Test(arguments: conditions.indices) func rulesDecideAsTheyOfficiallyDo(index: Int) throws {
    let (match, condition, first) = Self.conditions[index]
    let evaluator = try Self.ruleset(match, condition).evaluator()
    let decision = evaluator.decide(Self.request, DocumentTable())
    #expect(decision.isAllowed == (first == nil))
    #expect(decision.isAllowed == evaluator.allows(Self.request, DocumentTable()))
    #expect(decision.denial?.entries.first?.text ?? "" == first ?? "")
    // Whoever asks why sees the values that decided.
    let explanation = evaluator.explain(Self.request, DocumentTable())
    #expect(explanation.decision.denial == decision.denial)
    #expect((explanation.deciding != nil) == decision.isAllowed)
  }

  @Test(arguments: [
    ("/{rest=**}", "rest != /c/x"), ("/c/{rest=**}", "string(rest) == '/'"), ("/{c}/{rest=**}", "rest is path"),
  ])
  func aGlobOfVersionOneIsAnError(match: String, condition: String) throws {
    let decision = try Self.ruleset(match, condition, version: "1").evaluator().decide(Self.request, DocumentTable())
    #expect(decision.denial?.entries.map(\.text) == ["Null value error.", "Null value error."])
  }
}

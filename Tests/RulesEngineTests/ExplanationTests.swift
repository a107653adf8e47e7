import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

@Suite struct ExplanationTests {
  private func explain(_ body: String, uid: String?, _ documents: DocumentTable = [:]) throws -> Explanation {
    let ruleset = try Ruleset(
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
      \(body)
        }
      }
      """)
    let request = Request.get(
      ResourcePath(segments: ["users", "alice"]), auth: uid.map { Auth(uid: $0) },
      time: Timestamp(seconds: 1_767_225_600))
    return ruleset.evaluator().explain(request, documents)
  }

  private func text(_ explanation: Explanation, _ node: Explanation.Node?) -> String? {
    guard let node else { return nil }
    // Node positions are the official report's: `foo()` ends at `foo`.
    return "\(node.expression.range.start.column)-\(node.expression.range.end.column - 1)"
  }

  @Test func everyMatchHasItsBindingsAndEveryAllowItsVerdict() throws {
    let explanation = try explain(
      """
      match /users/{uid} {
        allow get: if request.auth.uid == uid;
        allow list: if true;
        allow get: if 1 / 0 == 1;
      }
      match /{rest=**} { allow get: if true; }
      match /users/alice { allow get: if true; }
      """, uid: "bob")
    #expect(explanation.decision.isAllowed)
    #expect(explanation.matches.map(\.pattern) == [
      "/databases/{database}/documents/users/{uid}", "/databases/{database}/documents/{rest=**}",
      "/databases/{database}/documents/users/alice",
    ])
    #expect(explanation.matches[0].bindings.map(\.name) == ["database", "uid"])
    #expect(explanation.matches[0].bindings.map(\.value) == ["'(default)'", "'alice'"])
    #expect(explanation.matches[1].bindings.last?.value == "/users/alice")
    #expect(explanation.matches[0].allows.map(\.verdict) == [.refused, .otherMethod, .error("Divide by zero error.")])
    #expect(explanation.matches[1].allows.map(\.verdict) == [.allowed])
    #expect(explanation.matches[2].allows.map(\.verdict) == [.notReached])
    #expect(explanation.deciding?.statement === explanation.matches[1].allows[0].statement)
  }

  @Test(arguments: [
    // condition, place of the cause, its outcome
    ("request.auth != null && request.auth.uid == uid", "42-64", "false"),
    ("request.auth == null || request.auth.uid == uid || 1 / 0 == 1", "69-71", "Divide by zero error."),
    ("!(request.auth.uid == 'bob')", "20-44", "true"),
    ("resource.data.x == 1", "18-30", "Null value error."),
    ("(true ? request.auth.uid == uid : true)", "26-48", "false"),
    ("owner(uid)", "", "false"),
  ])
  func theCauseIsTheSmallestPartThatDecided(_ condition: String, _ place: String, _ outcome: String) throws {
    let explanation = try explain(
      """
      function owner(name) { return request.auth.uid == name; }
      match /users/{uid} {
        allow get: if \(condition);
      }
      """, uid: "bob")
    let node = try #require(explanation.matches.first?.allows.first?.condition)
    let cause = node.cause
    switch cause.outcome {
    case .value(let text, _): #expect(text == outcome)
    case .error(let text): #expect(text == outcome)
    }
    if condition == "owner(uid)" {
      #expect(cause.expression.range.start.line == 4)
    } else if condition.hasPrefix("request.auth != ") {
      #expect(cause.expression.range.start.column == 17 + 24)
    }
  }

  @Test func skippedOperandsDoNotAppear() throws {
    let explanation = try explain("match /users/{uid} { allow get: if true || request.auth.uid == uid; }", uid: nil)
    let node = try #require(explanation.matches.first?.allows.first?.condition)
    #expect(node.children.count == 1)
  }
}

import Foundation
import RulesEngine
import RulesSyntax
import RulesValues
import Testing

@testable import Isolation

/// Rules made weaker in one place.
@Suite struct MutantTests {
  private static func file(_ allow: String, functions: String = "") -> String {
    """
    rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents { match /a/{id} {
    \(functions)
    \(allow)
    } } }
    """
  }

  @Test(arguments: [
    ("allow read: if a.b;", ["allow read: if true;"]),
    ("allow read: if true;", []),
    ("allow read;", []),
    ("allow get, create: if true;", ["allow read, create: if true;", "allow get, write: if true;"]),
    (
      "allow read: if id > 'a' && id < 'b';",
      [
        "allow read: if true;", "allow read: if id > 'a' || false && id < 'b';",
        "allow read: if false && id > 'a' || id < 'b';", "allow read: if id > 'a' || id < 'b';",
        "allow read: if id >= 'a' && id < 'b';", "allow read: if id > 'a' && id <= 'b';",
      ]
    ),
    (
      "allow read: if a.b && (c.d) && e();",
      [
        "allow read: if true;", "allow read: if a.b && (c.d) || false && e();",
        "allow read: if false && a.b && (c.d) || e();", "allow read: if a.b && (c.d) || e();",
        "allow read: if (a.b || false && (c.d) ) && e();", "allow read: if (false && a.b || (c.d) ) && e();",
        "allow read: if (a.b || (c.d) ) && e();",
      ]
    ),
    (
      "allow read: if !(a.b && c.d) == true;",
      [
        "allow read: if true;", "allow read: if !(a.b || false && c.d) == true;",
        "allow read: if !(false && a.b || c.d) == true;", "allow read: if !(a.b || c.d) == true;",
      ]
    ),
  ]) func `each is one change`(_ allow: String, _ weaker: [String]) throws {
    let rules = try Ruleset(Self.file(allow, functions: "function e() { return true; }"))
    let mutants = rules.mutants
    #expect(Set(mutants.map(\.file.text)) == Set(weaker.map { Self.file($0, functions: "function e() { return true; }") }))
    for mutant in mutants {
      #expect(Ruleset.compile(mutant.file).ruleset != nil)
      #expect(mutant.line == 4)
    }
  }

  @Test func `a function is changed where it stands, and named in one line`() throws {
    let function = "function f() { let x = id == 'a' &&\n  (id != 'b'); return x && id.size() < 3; }"
    let rules = try Ruleset(Self.file("allow read: if f();", functions: function))
    let details = rules.mutants.filter { $0.kind == .withoutOperand }.map(\.detail)
    #expect(Set(details) == ["(id != 'b')", "id == 'a'", "id.size() < 3", "x"])
  }

  /// `a && b` without one of the two decides as the other.
  @Test(arguments: [("true", "false"), ("false", "true"), ("true", "true"), ("false", "false"), ("true", "1 / 0 == 1")])
  func `an operand that is switched off does not count`(_ left: String, _ right: String) throws {
    let rules = try Ruleset(Self.file("allow get: if (\(left)) && (\(right));"))
    func allows(_ rules: Ruleset) -> Bool {
      let path = ResourcePath(segments: ["a", "x"])
      return rules.evaluator().allows(
        .get(path, auth: nil, time: Timestamp(seconds: 1_767_225_600)), DocumentTable([:]))
    }
    for mutant in rules.mutants where mutant.kind == .withoutOperand {
      let weaker = try #require(Ruleset.compile(mutant.file).ruleset)
      let kept = mutant.detail == "(\(right))" ? left : right
      #expect(allows(weaker) == (kept == "true"), "\(mutant.detail): \(mutant.file.text)")
    }
  }
}

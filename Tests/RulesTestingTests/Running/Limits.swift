import RulesSyntax
import Testing

@testable import RulesTesting

/// Steps that come near the official limits are warned about: from 80 % on.
@Suite struct LimitWarningTests {
  private func warnings(_ condition: String, functions: String = "", _ step: String) -> [String] {
    let rules = """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents {
        \(functions)
        match /a/{x} { allow read, write: if \(condition); }
      } }
      """
    let result = Runner().run(
      TestFile.load(SourceFile(name: "a_test.rules", text: "user alice = anonymous();\ntest 't' { \(step) }")),
      RulesFile(SourceFile(name: "a.rules", text: rules)))
    #expect(result.canRun && result.diagnostics.isEmpty, "\(result.diagnostics)")
    return result.tests.flatMap(\.steps).flatMap(\.warnings).filter { $0.id == "near-limit" }.map(\.message)
  }

  /// A condition that takes this many expressions.
  private func taking(_ cost: Int) -> String {
    "[\(Array(repeating: "1", count: cost - 4).joined(separator: ", "))].size() > 0"
  }

  private func lookups(_ count: Int, _ function: String = "exists") -> String {
    let calls = (0..<count).map { "\(function)(/databases/$(d)/documents/d/$(x + '\($0)'))" }
    return "[\(calls.joined(separator: ", "))].size() > 0"
  }

  @Test func `expressions`() {
    let allow = "allow get /a/x as alice;"
    #expect(warnings(taking(799), allow) == [])
    #expect(warnings(taking(800), allow) == ["This takes 800 of the 1000 expressions that one request may evaluate."])
    #expect(warnings(taking(1000), allow) == ["This takes 1000 of the 1000 expressions that one request may evaluate."])
    #expect(
      warnings(taking(1001), "deny get /a/x as alice because 'maximum';")
        == ["This takes more than the 1000 expressions that one request may evaluate."])
  }

  @Test func `documents that are looked up`() {
    #expect(warnings(lookups(7), "allow get /a/x as alice;") == [])
    #expect(
      warnings(lookups(8), "allow get /a/x as alice;")
        == ["This takes 8 of the 10 documents that one request may look up."])
    #expect(
      warnings(lookups(11), "deny get /a/x as alice;")
        == ["This takes more than the 10 documents that one request may look up."])
  }

  @Test func `documents that several writes look up together`() {
    let batch = "allow batch { set /a/x { }; set /a/y { }; set /a/z { }; } as alice;"
    #expect(warnings(lookups(5), batch) == [])
    #expect(
      warnings(lookups(6), batch) == ["This takes 18 of the 20 documents that several writes together may look up."])
    #expect(
      warnings(lookups(6, "existsAfter"), batch)
        == [
          """
          This takes 18 of the 20 documents that several writes together may look up with getAfter and existsAfter.
          """
        ])
  }

  @Test func `calls inside calls`() {
    func chain(_ count: Int) -> String {
      (1...count).map { i in
        "function f\(i)() { return \(i == count ? "true" : "f\(i + 1)()"); }"
      }.joined(separator: "\n")
    }
    #expect(warnings("f1()", functions: chain(16), "allow get /a/x as alice;") == [])
    #expect(
      warnings("f1()", functions: chain(17), "allow get /a/x as alice;")
        == ["This takes 16 of the 20 calls that may lie within one another."])
  }
}

import RulesSemantics
import RulesSyntax
import Testing

@Suite struct OfficialReportTests {
  @Test func theWholeReportOfARefusedRuleset() {
    let source = """
      rules_version = '2';
      service cloud.firestore {
       function f(a) { return f(1); }
       function f(a, b) { return a; }
       match /a/{id} { allow get, foo: if id && nope('a' == 1); }
      }
      """
    let check = Check.check(SourceFile(name: "test.rules", text: source))
    #expect(check.ruleset == nil)
    #expect(
      OfficialReport.text(check.diagnostics) == """
        Error compiling rules:
        L3:11 Recursive call is not allowed.
        L3:13 Unused variable: a.
        L4:11 Function f is already defined.
        L4:16 Unused variable: b.
        L5:29 Invalid method name: foo.
        L5:37 Invalid type. Received one of [string]. Expected one of [bool].
        L5:37 Invalid type. There is no type for variable 'id' that satisfies all clauses.
        L5:43 Invalid function name: nope.
        L5:52 The sub-expressions are not comparable, so this comparison will always return false.
        """)
  }

  @Test func warningsAloneDoNotRefuse() {
    let check = Check.check(
      SourceFile(name: "test.rules", text: "service cloud.firestore { match /{x=**} { allow get: if 1; } }"))
    #expect(check.ruleset?.version == .one)
    #expect(
      check.diagnostics.map(\.message) == [
        "Ruleset uses old version (version [1]). Please update to the latest version (version [2]).",
        "Invalid type. Permission statements expect a boolean value. Received one of [int].",
      ])
    #expect(check.diagnostics.allSatisfy { $0.severity == .warning })
  }
}

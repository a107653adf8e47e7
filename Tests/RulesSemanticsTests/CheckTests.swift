import RulesSyntax
import Testing

@testable import RulesSemantics

@Suite struct CheckTests {
  @Test func aFileWithoutErrorsYieldsARuleset() {
    let check = Check.check(
      SourceFile(
        name: "a.rules", text: "rules_version = '2'; service cloud.firestore { match /{d=**} { allow read; } }"))
    #expect(check.ruleset != nil)
    #expect(check.diagnostics.isEmpty)
  }
}

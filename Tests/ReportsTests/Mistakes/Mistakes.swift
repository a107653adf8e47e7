import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import Testing

@Suite struct Mistakes {
  static let all = Mistake.requests + Mistake.worlds + Mistake.parts

  @Test func `there are at least thirty mistakes, and fixes for at least twenty`() {
    #expect(Self.all.count >= 30)
    #expect(Self.all.count { $0.fix != nil } >= 20)
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
  }

  private func run(_ test: String, _ rules: String) -> SuiteResult {
    Runner().run([
      (
        TestFile.load(SourceFile(name: "firestore_test.rules", text: test)),
        RulesFile(SourceFile(name: "firestore.rules", text: rules))
      )
    ])
  }

  @Test(arguments: all) func `the explanation names the cause and proposes the fix`(_ mistake: Mistake) throws {
    let result = run(mistake.testText, mistake.rulesText)
    let step = try #require(result.files.first?.tests.first?.steps.last)
    let verdict = try #require(step.verdicts.first, "\(String(describing: step.mistake))")
    #expect(!verdict.decision.isAllowed)
    let text = SuiteReport(result).text(Terminal(width: 200))
    #expect(text.contains(mistake.cause), "\(text)")
    if let fix = mistake.fix {
      #expect(text.contains(fix), "\(text)")
    } else {
      #expect(!text.contains("Nearest fix"), "\(text)")
    }
  }

  /// What a person who follows the advice would then see, without the machinery that found it.
  @Test(arguments: all.filter { $0.fix != nil }) func `with the fix made by hand the step is allowed`(
    _ mistake: Mistake
  ) throws {
    let mended = try #require(mistake.mended)
    let rules = Mistake.rulesText(mended.rules ?? mistake.rules, mended.version ?? mistake.version)
    let result = run(Mistake.testText(mended.head ?? mistake.head, mended.step ?? mistake.step), rules)
    #expect(result.totals.passed == 1 && result.totals.failed == 0, "\(SuiteReport(result).text(Terminal(width: 200)))")
  }
}

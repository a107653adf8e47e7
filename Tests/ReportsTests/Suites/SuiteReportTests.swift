import JSON
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import Testing

@Suite struct SuiteReportTests {
  static let mixed = Scenario(
    name: "mixed", rules: Scenarios.owner,
    tests: """
      given /users/alice/lists/a { title: 'A' };
      given /nowhere/b { title: 'B' };

      test 'the owner reads' {
        allow get /users/alice/lists/a as alice;
        deny get /users/alice/lists/a as bob, guest;
      }
      test 'what others read' {
        allow get /users/alice/lists/a as bob, alice, guest, nobody;
        deny get /users/alice/lists/a as alice;
      }
      test 'the reason counts' {
        deny delete /users/alice/lists/a as bob because "false for 'delete' @ L99";
      }
      test 'a mistake' {
        allow update /users/alice/lists/missing { title: 'B' } as alice;
      }
      never write /{document=**} if true;
      """)
  static let passing = Scenario(
    name: "passing", rules: Scenarios.owner,
    tests: "test 'the owner reads' { allow get /users/alice/lists/a as alice; deny get /a/b as bob, guest; }")
  static let brokenRules = Scenario(
    name: "broken-rules", rules: "match /a/{b} { allow get: if request.auth.uid = b; }",
    tests: "test 't' { allow get /a/b as alice, bob, guest; }")
  static let brokenTest = Scenario(
    name: "broken-test", rules: Scenarios.owner, tests: "test 't' { allow get /a/b as alise, bob, guest; }")
  static let all = [mixed, passing, brokenRules, brokenTest]

  @Test(arguments: all) func forPeople(_ scenario: Scenario) throws {
    let result = SuiteResult(files: [Runner().run(scenario.testFile, scenario.rulesFile)])
    let report = SuiteReport(result)
    let terminal = Terminal(width: 90)
    try Golden.expect(report.text(terminal), "suite-\(scenario.name).txt")
    try Golden.expect(report.text(terminal, .quiet), "suite-\(scenario.name)-quiet.txt")
    try Golden.expect(report.text(terminal, .verbose), "suite-\(scenario.name)-verbose.txt")
    try Golden.expect(report.text(Terminal(hasColor: true, width: 90)), "suite-\(scenario.name)-color.txt")
    try Golden.expect(report.json.serialized(pretty: true) + "\n", "suite-\(scenario.name).json")
  }

  @Test(arguments: all) func theLastLineTellsTheTotals(_ scenario: Scenario) {
    let result = SuiteResult(files: [Runner().run(scenario.testFile, scenario.rulesFile)])
    for detail in [SuiteReport.Detail.quiet, .normal, .verbose] {
      let last = SuiteReport(result).text(Terminal(), detail).split(separator: "\n").last
      #expect(last == "\(result.totals.passed) passed, \(result.totals.failed + result.totals.notRun) failed")
    }
  }

  @Test func severalFilesAndAnotherDialect() throws {
    let files = [Self.passing, Self.mixed].map { Runner(dialect: .emulator1_19).run($0.testFile, $0.rulesFile) }
    let report = SuiteReport(SuiteResult(files: files), dialect: .emulator1_19)
    try Golden.expect(report.text(Terminal(width: 80), .quiet), "suite-several.txt")
  }
}

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
    if scenario.name == "mixed" {
      try Golden.expect(report.text(terminal, .quiet, explaining: .full), "suite-mixed-full.txt")
    }
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

  /// Steps of which there is much to tell.
  static let wide = Scenario(
    name: "wide",
    rules: """
      match /a/{id} {
        allow get: if request.auth.uid == id;
        allow get: if resource.data.owner == request.auth.uid;
        allow read: if request.auth.token.admin == true;
        allow get: if 'members' in resource.data && request.auth.uid in resource.data.members;
      }
      match /b/{id} {
        \((0..<9).map { "allow get: if resource.data.n == \($0) && request.auth != null;" }.joined(separator: "\n  "))
      }
      """,
    tests: """
      user u1 = google(); user u2 = google(); user u3 = google(); user u4 = google();
      user u5 = google(); user u6 = google(); user u7 = google(); user u8 = google();
      given /a/x { owner: 'carl' };
      given /b/x { n: 10 };
      test 'four statements' { allow get /a/x as alice; }
      test 'nine statements' { allow get /b/x as alice; }
      test 'many users with a story each' { allow get /a/x as u1, u2, u3, u4, u5, u6, u7, u8, alice, guest; }
      test 'many users with one story' { allow get /b/x as u1, u2, u3, u4, u5, u6, u7, u8, alice, guest; }
      test 'a query' { allow list /a as alice; }
      """)

  @Test func `of a step at most a screen is shown`() throws {
    let result = SuiteResult(files: [Runner().run(Self.wide.testFile, Self.wide.rulesFile)])
    #expect(result.totals.failed == 5)
    let text = SuiteReport(result).text(Terminal(width: 90), .quiet)
    try Golden.expect(text, "suite-wide.txt")
    for test in text.split(separator: "\n✘ ", omittingEmptySubsequences: false) {
      #expect(test.split(separator: "\n", omittingEmptySubsequences: false).count <= 53, "\(test)")
    }
  }

  @Test func severalFilesAndAnotherDialect() throws {
    let files = [Self.passing, Self.mixed].map { Runner(dialect: .emulator1_19).run($0.testFile, $0.rulesFile) }
    let report = SuiteReport(SuiteResult(files: files), dialect: .emulator1_19)
    try Golden.expect(report.text(Terminal(width: 80), .quiet), "suite-several.txt")
  }
}

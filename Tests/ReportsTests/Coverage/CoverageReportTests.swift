import JSON
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import Testing

/// What is told of coverage, in each form, and that it adds up.
@Suite struct CoverageReportTests {
  static let scenario = Scenario(
    name: "coverage",
    rules: """
      function isAdmin() {
        return request.auth.token.admin == true && request.auth.token.email_verified;
      }
      match /users/{uid}/lists/{id} {
        allow read: if request.auth != null && (request.auth.uid == uid || isAdmin());
        allow create: if request.auth.uid == uid ? request.resource.data.n is int : false;
      }
      match /open/{id} {
        allow get;
        allow delete: if !(resource == null);
      }
      match /{document=**} {
        allow read, write: if false;
      }
      """,
    tests: """
      given /users/alice/lists/a { title: 'A' };
      test 'lists' {
        allow get /users/alice/lists/a as alice;
        deny get /users/alice/lists/a as guest, nobody;
        allow get /users/alice/lists/a as bob;
        deny list /users/alice/lists as nobody;
      }
      """)

  private static func report(_ scenario: Scenario = scenario) throws -> CoverageReport {
    let rules = scenario.rulesFile
    let ruleset = try #require(rules.ruleset)
    let recorder = CoverageRecorder(ruleset, keepsValues: true)
    let result = Runner().run(scenario.testFile, rules, recorder: recorder)
    #expect(result.tests.allSatisfy(\.hasPassed) && !result.tests.isEmpty)
    return CoverageReport([CoverageReport.Entry(ruleset, recorder.coverage)])
  }

  @Test(arguments: ReportKind.allCases.filter(\.isCoverage)) func inEachForm(_ kind: ReportKind) throws {
    let text = try Self.report().text(kind, paths: ReportPaths(root: "/repo", folder: "/repo/back end"))
    try Golden.expect(text, "coverage.\(kind.rawValue).txt")
  }

  @Test func forPeople() throws {
    let report = try Self.report()
    try Golden.expect(report.text(Terminal(width: 100)), "coverage.txt")
    try Golden.expect(report.text(Terminal(width: 100), verbose: true), "coverage-verbose.txt")
    try Golden.expect(report.text(Terminal(hasColor: true, width: 100), limit: 2), "coverage-color.txt")
  }

  @Test func runsAddUp() throws {
    let paths = ReportPaths()
    var twice = try Self.report()
    let once = twice
    try twice.merge(once.json(paths), paths: paths)
    #expect(twice.met == once.met && twice.total == once.total)
    for (id, counts) in once.entries[0].coverage.expressions {
      let sum = try #require(twice.entries[0].coverage.expressions[id])
      #expect(sum.isTrue == counts.isTrue * 2 && sum.isFalse == counts.isFalse * 2 && sum.error == counts.error * 2)
    }
    #expect(
      twice.entries[0].coverage.allows.mapValues(\.total) == once.entries[0].coverage.allows.mapValues { $0.total * 2 })
    #expect(twice.entries[0].coverage.matches == once.entries[0].coverage.matches.mapValues { $0 * 2 })
    // What one run did not see another did.
    let other = Scenario(
      name: "other", rules: Self.scenario.rules,
      tests: "test 't' { allow get /open/a as nobody; deny get /x/y as alice, bob, guest; }")
    var both = try Self.report(other)
    #expect(both.met < both.total)
    let alone = both.met
    try both.merge(once.json(paths), paths: paths)
    // Both came to `if false`.
    #expect(both.met == alone + once.met - 1)
  }

  @Test func otherRulesAreNotAdded() throws {
    let paths = ReportPaths()
    var report = try Self.report()
    let changed = Scenario(name: "changed", rules: Self.scenario.rules + "\n", tests: Self.scenario.tests)
    let json = try Self.report(changed).json(paths)
    #expect(throws: CoverageReport.MergeError.self) { try report.merge(json, paths: paths) }
    #expect(throws: CoverageReport.MergeError.self) { try report.merge(["version": 1], paths: paths) }
  }

  /// A file from elsewhere cannot break a run.
  @Test(arguments: [
    #""byte": -1, "id": -1, "requests": -5, "allowed": -1, "true": -9223372036854775808"#,
    #""byte": 9223372036854775807, "id": 9223372036854775807, "requests": 9223372036854775807, "true": 9223372036854775807"#,
    #""byte": 1.5, "id": "x", "requests": [], "allowed": {}, "true": null"#,
  ]) func strangeCountsAreHarmless(_ members: String) throws {
    let paths = ReportPaths()
    var report = try Self.report()
    let before = report.met
    let fingerprint = try #require(report.json(paths)["files"]?[0]?["fingerprint"]?.stringValue)
    let strange = #"""
      {"kind": "rules-test-coverage", "version": 1, "files": [{"file": "firestore.rules", "fingerprint": "\#(fingerprint)",
        "matches": [{\#(members)}, 1], "allows": [{\#(members), "error": 9223372036854775807}], "expressions": [{\#(members)}, []]}]}
      """#
    let json = try JSONValue(parsing: strange)
    for _ in 1...3 { try report.merge(json, paths: paths) }
    #expect(report.met == before)
    _ = report.text(Terminal(), verbose: true)
    for kind in ReportKind.allCases where kind.isCoverage { _ = report.text(kind, paths: paths) }
  }

  @Test func thresholdsAreExact() throws {
    let report = try Self.report()
    let percent = Double(report.met) * 100 / Double(report.total)
    #expect(report.reaches(percent) && !report.reaches(percent + 0.001) && report.reaches(0) && !report.reaches(100))
    #expect(CoverageReport([]).reaches(100))
  }

  /// Every half is met by exactly the requests that make it happen: arithmetic on a condition of two operands.
  @Test(arguments: [
    ("deny get /a/x as nobody;", ["false", "false"]),
    ("deny get /a/x as guest;", ["false", "false", "true"]),
    ("allow get /a/x as alice;", ["true", "true", "true"]),
    ("allow get /a/x as alice; deny get /a/x as guest, nobody;", ["false", "false", "false", "true", "true", "true"]),
  ]) func halvesAreSeen(_ step: String, _ halves: [String]) throws {
    let scenario = Scenario(
      name: "halves", rules: "match /a/{x} { allow get: if request.auth != null && request.auth.uid == 'alice'; }",
      tests: "test 't' { \(step) }")
    let entry = try Self.report(scenario).entries[0]
    let met = entry.ruleset.coverageGoals.filter { $0.isMet(by: entry.coverage) }
    #expect(met.map(\.half.rawValue).sorted() == halves)
  }
}

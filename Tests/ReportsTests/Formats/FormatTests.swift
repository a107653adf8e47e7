import Foundation
import JSON
import Reports
import RulesSyntax
import RulesTesting
import Testing

/// A golden for each form in which a run is written, and what its standard says about foreign text.
@Suite struct FormatTests {
  /// Names that would break each of the formats.
  static let hostile = Scenario(
    name: "hostile", rules: Scenarios.owner,
    tests: #"""
      test '::error::100% # \\ ]]> <a b="c">&amp; \u0007\ufffe\u202e, ü' {
        allow get /users/alice/lists/a as bob;
      }
      test 'holds # TODO really' { deny get /users/alice/lists/a as bob; }
      never get /users/{u}/lists/{l} unless request.auth != null;
      """#)
  static let machineKinds = ReportKind.allCases.filter { $0 != .human && $0 != .json && !$0.isCoverage }

  static func report(_ scenarios: [Scenario], errors: [FileError] = []) -> SuiteReport {
    SuiteReport(SuiteResult(files: scenarios.map { Runner().run($0.testFile, $0.rulesFile) }), errors: errors)
  }

  static func text(_ kind: ReportKind, _ report: SuiteReport, _ paths: ReportPaths = ReportPaths()) -> String {
    report.text(kind, report.record.withoutDurations, paths: paths, version: "0.1.0")
  }

  static let everything = report(
    [
      SuiteReportTests.mixed, SuiteReportTests.passing, SuiteReportTests.brokenRules, SuiteReportTests.brokenTest,
      hostile,
    ], errors: [FileError(path: "no%where", reason: "There is no such file.")])

  @Test(arguments: machineKinds) func everythingInEachForm(_ kind: ReportKind) throws {
    let paths = ReportPaths(root: "/repo", folder: "/repo/back end")
    try Golden.expect(Self.text(kind, Self.everything, paths), "run-everything.\(kind.rawValue).txt")
  }

  @Test(arguments: machineKinds) func aRunThatPassed(_ kind: ReportKind) throws {
    try Golden.expect(Self.text(kind, Self.report([SuiteReportTests.passing])), "run-passing.\(kind.rawValue).txt")
  }

  @Test(arguments: [ReportKind.gitlab, .sarif]) func theJSONCanBeRead(_ kind: ReportKind) throws {
    let text = Self.text(kind, Self.everything)
    _ = try JSONValue(parsing: text)
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  @Test func fingerprintsAreUniqueAndOutliveLines() throws {
    func fingerprints(_ tests: String) throws -> [String] {
      let scenario = Scenario(name: "moved", rules: Scenarios.owner, tests: tests)
      let issues = try JSONValue(parsing: Self.text(.gitlab, Self.report([scenario]))).arrayValue ?? []
      return issues.filter { $0["check_name"]?.stringValue == "unexpected-deny" }.compactMap {
        $0["fingerprint"]?.stringValue
      }
    }
    let test = "test 't' { allow get /users/alice/lists/a as bob; allow get /users/alice/lists/a as bob; }"
    let there = try fingerprints(test)
    #expect(there.count == 2 && Set(there).count == 2)
    #expect(try fingerprints("\n\n" + test) == there)
  }

  @Test func noLineButOursIsACommand() {
    let lines = Self.text(.github, Self.everything).split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(line.hasPrefix("::error file=") || line.hasPrefix("::warning file="))
      // GitHub splits at the first `::` behind the properties; they must hold none.
      #expect(line.dropFirst(2).split(separator: "::", maxSplits: 1).count == 2)
    }
  }

  @Test(arguments: [
    ("a/b.rules", "/repo", "/repo/x", "x/a/b.rules"), ("../b.rules", "/repo", "/repo/x", "b.rules"),
    ("/repo/b.rules", "/repo", "/elsewhere", "b.rules"), ("../../b.rules", "/repo", "/repo/x", "../../b.rules"),
    ("/repository/b.rules", "/repo", "/repo", "/repository/b.rules"), ("./b.rules", "/", "/", "b.rules"),
  ]) func pathsCountFromTheRoot(_ name: String, _ root: String, _ folder: String, _ expected: String) {
    #expect(ReportPaths(root: root, folder: folder).path(name) == expected)
  }

  @Test func xmlHoldsOnlyWhatXMLMayHold() throws {
    let text = Self.text(.junit, Self.everything)
    #expect(!text.contains("]]>"))
    for scalar in text.unicodeScalars {
      // XML 1.0, production 2.
      switch scalar.value {
      case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: break
      default: Issue.record("U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test func nothingUndecidedPasses() {
    let report = Self.report([Self.hostile])
    #expect(report.record.cases.map(\.outcome) == [.failed, .passed, .undecided("not proved yet")])
    #expect(Self.text(.tap, report).contains("not ok 3 - firestore_test.rules: never get"))
    #expect(Self.text(.junit, report).contains("<skipped message=\"not proved yet\"/>"))
  }
}

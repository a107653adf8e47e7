import JSON
import LocalFirestore
import Reports
import RulesSyntax
import RulesTesting
import RulesValues

enum TestSuiteCommand: Command {
  static let name = "testsuite"
  static let summary = "Run TestSuites of the Firebase Rules API, offline"
  static let usage = ["testsuite FILE.json… [--rules FILE]"]
  static let details = """
    FILE holds what the Rules API's projects.test takes: {source, testSuite}, or the suite alone, of which the rules are
    those of --rules, else firestore.rules beside the suite. With --format json the answer is that of the API, field by
    field. Cases are judged as the API judges them: what a case does not give is undefined, and get() and exists() are
    there as far as they are mocked. With --as-database each is also put to a database in which an absent user is null
    and mocks are documents, and every case that it would judge otherwise is named.
    --report writes the run in other forms beside, as for tests: compact, junit, sarif, tap, …
    The last line is 'N passed, N failed'. Exit code 1 when a case failed or the rules do not compile.

      rules-test testsuite suite.json --as-database
      rules-test testsuite suite.json --rules firestore.rules --format json
    """
  static let options = [
    OptionSpec(name: "--rules", value: "FILE", help: "the rules, in place of those in the suite"),
    OptionSpec(name: "--as-database", help: "say too what a live database would judge otherwise"),
    OptionSpec(
      name: "--format", value: "KIND", choices: ReportKind.allCases.filter { !$0.isCoverage }.map(\.rawValue),
      help: "what is printed: human (default), json (the API's answer) or another kind of report"),
    .report, .color,
    OptionSpec(name: "--verbose", short: "-v", help: "show every case in full"), .quiet, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard !options.operands.isEmpty else {
      throw UsageError("testsuite needs a file.", "rules-test testsuite suite.json")
    }
    let outputs = try ReportOutputs(options)
    if outputs.wantsCoverage {
      throw UsageError("A TestSuite has no coverage.", "Tests have: rules-test convert makes them of it.")
    }
    let now = SystemClock().now
    var reports: [TestSuiteReport] = []
    var files: [RunRecord.File] = []
    for path in options.operands {
      let (suite, rules, json) = try load(path, options["--rules"])
      let result = try judge(suite, rules, path, now)
      let report = TestSuiteReport(
        result, name: path, live: options.has("--as-database") ? result.asDatabase(now: now) : nil)
      files.append(report.record(json))
      reports.append(report)
    }
    let run = RunRecord(files)
    func human(_ terminal: Terminal, _ detail: SuiteReport.Detail) -> String {
      reports.map { $0.text(terminal, detail) }.joined(separator: "\n")
    }
    try outputs.write(human: human(options.terminal, options.detail)) { kind in
      switch kind {
      case .human: human(Terminal(), .normal)
      case .json: (reports.count == 1 ? reports[0].json : .array(reports.map(\.json))).serialized(pretty: true) + "\n"
      default: run.text(kind, paths: ReportOutputs.paths, version: Program.version)
      }
    }
    return run.hasPassed ? .fine : .failed
  }

  /// Reads a suite with its rules.
  static func load(_ path: String, _ rules: String?) throws(UsageError) -> (
    suite: TestSuite, rules: SourceFile?, json: SourceFile
  ) {
    let file = try Files.source(path)
    let json: JSONValue
    do {
      json = try JSONValue(parsing: file.utf8)
    } catch {
      throw UsageError("\(path) is no JSON: \(error.description).")
    }
    let suite: TestSuite
    do {
      suite = try TestSuite(json)
    } catch {
      throw UsageError("\(path): \(error.description)")
    }
    if let rules { return (suite, try Files.source(rules), file) }
    guard suite.source == nil else { return (suite, nil, file) }
    let slash = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let beside = slash + "firestore.rules"
    guard Files.kind(beside) == .file else {
      throw UsageError(
        "\(path) has no source, and there is no \(beside).", "rules-test testsuite \(path) --rules FILE")
    }
    return (suite, try Files.source(beside), file)
  }

  private static func judge(
    _ suite: TestSuite, _ rules: SourceFile?, _ path: String, _ now: Timestamp
  ) throws(UsageError) -> TestSuiteResult {
    do {
      return try RulesTestAPI.run(suite, rules: rules, now: now)
    } catch {
      throw UsageError("\(path): \(error.description)")
    }
  }
}

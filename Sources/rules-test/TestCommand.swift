import Reports
import RulesTesting

enum TestCommand: Command {
  static let name = "test"
  static let summary = "Run the tests of security rules"
  static let usage = ["[test] [FILE or FOLDER…]"]
  static let details = """
    Tests are in files named *_test.rules; firestore_test.rules tests firestore.rules. Of a folder all are run, those in
    folders within it too. Without a path, those of the project of the nearest firebase.json, or of this folder.
    Invariants are proved, where the solver z3 is installed. The last line is 'N passed, N failed'. Exit code 1 when a
    test failed, an invariant is broken, or a file could not be run.
    --report writes the run in other forms beside: compact (a line for each problem), json, tap, tap13 (for older
    consumers), junit, github (annotations; by themselves in GitHub Actions), gitlab (code quality), sarif; and coverage
    as lcov, cobertura, coverage (JSON that other runs add to) and rule-coverage (as the emulator has it). See docs/ci.md.

      rules-test
      rules-test rules/lists
      rules-test firestore_test.rules --verbose
      rules-test --filter 'a list' --fail-fast
      rules-test --report junit=junit.xml --report sarif=rules.sarif
    """
  static let options =
    [
      OptionSpec.watch, .verbose, .quiet, .explaining, .dialect, .queries, .solver,
      OptionSpec(name: "--no-proofs", help: "run the tests alone; invariants stay not proved"),
    ] + OptionSpec.selection + OptionSpec.coverage + [
      OptionSpec(
        name: "--format", value: "KIND", choices: ReportKind.allCases.map(\.rawValue),
        help: "what is printed: human (default) or one of the kinds below"),
      .report, .color, .help,
    ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    // TestSuites of the Rules API, which have options of their own.
    if !options.operands.isEmpty, options.operands.allSatisfy({ $0.hasSuffix(".json") }) {
      // Left out in silence, a choice of tests would be missed by whoever asked for it.
      for option in [OptionSpec.watch, .explaining] + OptionSpec.selection + OptionSpec.coverage
      where options.has(option.name) {
        throw UsageError("\(option.name) is for test files (*_test.rules), not for TestSuites.")
      }
      return try TestSuiteCommand.run(options)
    }
    let outputs = try ReportOutputs(options)
    if options.has("--watch") {
      var loop = try WatchLoop(options, outputs)
      return try loop.run()
    }
    let project = Project.find(options.operands)
    let failures = FailedTests(root: ReportOutputs.root ?? Files.currentFolder)
    let chosen = try TestSelection(options, project, failures)
    let runner = Runner(dialect: options.dialect, queryMode: options.queryMode)
    let (proofs, noProofs) = try proofs(of: project, options)
    var progress = Progress(total: chosen.parts.count)
    var results: [FileResult] = []
    let coverage = try TestCoverage(options, outputs, project)
    let stops = chosen.selection.stopsAtFailure
    for (index, part) in chosen.parts {
      let pair = project.pairs[index]
      results.append(
        runner.run(
          pair.test, pair.rules, prover: proofs, part: part, stopsAtFailure: stops,
          recorder: coverage?.recorder(for: pair.rules)))
      progress.step(results.count)
      if stops, results.last?.hasFailure == true { break }
    }
    failures.note(results)
    progress.end()
    let result = SuiteResult(files: results)
    let solver = noProofs == nil && !options.has("--no-proofs") ? options.solverSession : nil
    let covered = try coverage?.report(solver: solver)
    let report = SuiteReport(
      result, dialect: options.dialect, errors: project.errors, proofs: proofs?.entries ?? [], noProofs: noProofs,
      selection: chosen.summary(results), coverage: coverage?.isShown == true ? covered : nil)
    // Without a single file there are no totals to tell.
    let isEmpty = project.pairs.isEmpty && !project.errors.isEmpty
    let human = isEmpty ? nil : report.text(options.terminal, options.detail, explaining: options.explaining)
    try outputs.write(report, human: human, coverage: covered)
    let isCovered = coverage?.reachesThreshold(covered) ?? true
    let isUntestedFine = mention(project.untested)
    return complain(project.errors) ?? (result.hasPassed && isUntestedFine && isCovered ? .fine : .failed)
  }

  /// Who proves invariants, if there are any; or why nobody does.
  private static func proofs(
    of project: Project, _ options: Options
  ) throws(UsageError) -> (InvariantProofs?, noProofs: String?) {
    guard !options.has("--no-proofs"), project.pairs.contains(where: { !$0.test.syntax.invariants.isEmpty }) else {
      return (nil, nil)
    }
    guard options["--solver"] == nil else { return (InvariantProofs(try options.solver()), nil) }
    let solver = options.solverSession
    guard let trouble = solver.check() else { return (InvariantProofs(solver), nil) }
    return (nil, "Invariants are proved with a solver: \(trouble). Install it: sudo apt-get install z3")
  }

  /// Names the rules that no test is about, and says whether all of them at least compile.
  private static func mention(_ untested: [Project.Untested]) -> Bool {
    for item in untested {
      let path = SafeText.line(item.rules.file.name)
      let trouble =
        item.rules.ruleset == nil
        ? "do not compile, and no test is about them: rules-test check \(SafeText.shellWord(item.rules.file.name))"
        : "have no test."
      Console.write("rules-test: \(path): The rules of '\(SafeText.line(item.name))' \(trouble)\n", to: .errors)
    }
    return untested.allSatisfy { $0.rules.ruleset != nil }
  }

  /// What kept files from being used: then the run as a whole is no success, whatever the tests say.
  private static func complain(_ errors: [FileError]) -> ExitCode? {
    guard !errors.isEmpty else { return nil }
    let names = Program.commands.map { $0.name }
    for error in errors {
      // Somebody may have meant a command.
      let question = error.path.contains { "./".contains($0) } ? "" : Suggestion.question(error.path, names)
      Console.write("rules-test: \(SafeText.line(error.description + question))\n", to: .errors)
    }
    return .usage
  }
}

extension OptionSpec {
  static let explaining = OptionSpec(
    name: "--explain", value: "HOW", choices: SuiteReport.Explaining.allCases.map(\.rawValue),
    help: "of a failure: screen (default), what decided; full, everything evaluated")
}

extension Options {
  var detail: SuiteReport.Detail { has("--quiet") ? .quiet : has("--verbose") ? .verbose : .normal }
  var explaining: SuiteReport.Explaining {
    self["--explain"].flatMap { SuiteReport.Explaining(rawValue: $0) } ?? .screen
  }
}

/// Says on the terminal how far a long run is; silent when it is short, or when nobody looks.
struct Progress {
  private let total: Int
  private let what: String
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant
  private var hasWritten = false

  init(total: Int, of what: String = "files") {
    self.total = total
    self.what = what
    isShown = Console.Stream.errors.isTerminal
    last = start
  }

  mutating func step(_ done: Int) {
    guard isShown, done < total else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), now - last > .milliseconds(100) else { return }
    last = now
    hasWritten = true
    Console.write("\r\u{1B}[K\(done) of \(total) \(what)", to: .errors)
  }

  func end() {
    if hasWritten { Console.write("\r\u{1B}[K", to: .errors) }
  }
}

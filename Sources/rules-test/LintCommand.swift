import Isolation
import JSON
import LocalFirestore
import Reports
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesTesting

enum LintCommand: Command {
  static let name = "lint"
  static let summary = "Find what rules do that is seldom meant"
  static let usage = ["lint [FILE or FOLDER…]"]
  static let details = """
    Looks for what needs no question: test mode, conditions that are always true or never, statements that add nothing,
    patterns with a bare dot, claims that count when they are false, and so on: docs/lint.md has all of them. What is said
    to be never or always so is proved, with the solver z3 where it is installed; without one those findings are left out.
    Exit code 1 when something was found, and when a file does not compile.

      rules-test lint firestore.rules
    """
  static let options = [
    OptionSpec.solver,
    OptionSpec(name: "--no-solver", help: "leave out what has to be proved"),
    .timeLimit,
    .format, .color, .quiet, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    let named = options.operands.filter { Files.kind($0) == .file }
    let others = options.operands.filter { Files.kind($0) != .file }
    var files = try named.filter { !$0.hasSuffix("_test.rules") }.map { (path) throws(UsageError) in
      try Files.source(path)
    }
    if named.isEmpty || !others.isEmpty {
      let project = Project.find(others)
      for error in project.errors { Console.write("rules-test: \(SafeText.line(error.description))\n", to: .errors) }
      guard project.errors.isEmpty else { return .usage }
      for file in project.pairs.map(\.rules.file) + project.untested.map(\.rules.file)
      where !files.contains(where: { $0.name == file.name }) { files.append(file) }
    }
    let solver = options.solverSession
    let limit = try options.timeLimit()
    solver.limit = limit
    let hasSolver = !options.has("--no-solver") && solver.check() == nil
    var entries: [CheckReport.Entry] = []
    for file in files {
      let rules = RulesFile(file)
      guard let ruleset = rules.ruleset else {
        entries.append((file, Check.check(file, Parser.parse(file)).diagnostics.filter { $0.severity == .error }))
        continue
      }
      let prover = hasSolver ? Prover(ruleset, solver: solver) : nil
      entries.append((file, Lint.findings(ruleset, prover: prover, now: SystemClock().now)))
    }
    let report = CheckReport(entries)
    if options.isJSON {
      report.json.printed()
    } else {
      var text = report.text(options.terminal, quiet: options.has("--quiet"))
      if limit.isOver, !options.has("--quiet") { text += "Not all was proved: \(limit.text).\n" }
      if !hasSolver, !options.has("--quiet") {
        text += "Without a solver nothing was proved: sudo apt-get install z3 for more findings.\n"
      }
      Console.write(text)
    }
    return report.errors + report.warnings > 0 ? .failed : .fine
  }
}

import Isolation
import Reports
import RulesEngine
import RulesTesting

enum MutateCommand: Command {
  static let name = "mutate"
  static let summary = "Weaken rules in one place after the other: do the tests notice?"
  static let usage = ["mutate [FILE or FOLDER…]"]
  static let details = """
    Takes away a condition, puts || for &&, allows more methods, one change at a time, and runs the tests and invariants
    on each weaker version. One that nothing fails on is shown with a request that it lets through, and with a test that
    would notice; that it lets nothing new through is proved, and then it does not count. Needs the solver z3
    (apt-get install z3). Exit code 1 when one survives.

      rules-test mutate
      rules-test mutate rules/lists
    """
  static let options = [
    OptionSpec.solver,
    OptionSpec(
      name: "--verbose", short: "-v", help: "show what was noticed too, and the values under which a request is allowed"
    ),
    .findingsOnly, .format, .color, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    let project = Project.find(options.operands)
    for error in project.errors { Console.write("rules-test: \(SafeText.line(error.description))\n", to: .errors) }
    guard project.errors.isEmpty else { return .usage }
    let solver = try options.solver()
    var byRules: [(rules: RulesFile, tests: [TestFile])] = []
    for pair in project.pairs {
      if let place = byRules.firstIndex(where: { $0.rules.file.name == pair.rules.file.name }) {
        byRules[place].tests.append(pair.test)
      } else {
        byRules.append((pair.rules, [pair.test]))
      }
    }
    var entries: [MutationReport.Entry] = []
    for (rules, tests) in byRules { entries += try mutate(rules, tests, solver) }
    let report = MutationReport(entries)
    if options.isJSON { report.json.printed() } else { Console.write(report.text(options.terminal, options.detail)) }
    return report.survived == 0 ? .fine : .failed
  }

  private static func mutate(
    _ rules: RulesFile, _ tests: [TestFile], _ solver: SolverSession
  ) throws(UsageError) -> [MutationReport.Entry] {
    guard let ruleset = rules.ruleset, !notice(tests, rules, solver) else {
      throw UsageError(
        "The tests of \(rules.file.name) have to pass before anything is changed.",
        "rules-test \(tests.map { SafeText.shellWord($0.file.name) }.joined(separator: " "))")
    }
    let mutants = ruleset.mutants
    var progress = Progress(total: mutants.count, of: "weaker versions of \(SafeText.line(rules.file.name))")
    var entries: [MutationReport.Entry] = []
    for mutant in mutants {
      entries.append(
        MutationReport.Entry(rules: rules.file, mutant: mutant, outcome: outcome(mutant, ruleset, tests, solver)))
      progress.step(entries.count)
    }
    progress.end()
    return entries
  }

  private static func outcome(
    _ mutant: Mutant, _ ruleset: Ruleset, _ tests: [TestFile], _ solver: SolverSession
  ) -> MutationReport.Outcome {
    let weaker = RulesFile(mutant.file)
    guard let new = weaker.ruleset else { return .unknown("it does not compile") }
    if notice(tests, weaker, solver) { return .noticed }
    let comparison = Comparison.compare(
      old: ruleset, new: new, solver: solver, database: tests.first?.database.string ?? "(default)", closed: false)
    if let change = comparison.opened.first { return .survived(change.leak) }
    return comparison.doubts.first.map { .unknown($0.reason) } ?? .equivalent
  }

  /// Whether a test fails or an invariant is broken. Invariants are asked when no test has failed.
  private static func notice(_ tests: [TestFile], _ rules: RulesFile, _ solver: SolverSession) -> Bool {
    for test in tests where !SuiteResult(files: [Runner().run(test, rules)]).hasPassed { return true }
    for test in tests where !test.syntax.invariants.isEmpty {
      let proofs = InvariantProofs(solver)
      for invariant in test.syntax.invariants where proofs.status(of: invariant, in: test, rules) == .leak {
        return true
      }
    }
    return false
  }
}

import Isolation
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting

enum DiffCommand: Command {
  static let name = "diff"
  static let summary = "Show what one version of rules allows and another does not"
  static let usage = ["diff OLD NEW"]
  static let details = """
    Compares what two rules files allow, not how they are written. Every allow through which requests pass that the older
    file refuses is shown with such a request; or that there is none is proved. Needs the solver z3
    (apt-get install z3). A file can be one of a git commit, as git names it, or '-' for standard input:

      rules-test diff main:firestore.rules firestore.rules

    Exit code 1 when there is new access, or when that there is none could not be proved.
    """
  static let options = [
    OptionSpec.solver, .timeLimit, .values, .findingsOnly, .format, .color, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard options.operands.count == 2 else {
      throw UsageError("diff compares two rules files.", "rules-test diff old.rules firestore.rules")
    }
    var files: [RulesFile] = []
    for operand in options.operands {
      let source = if let revision = Revision(operand) { try revision.source() } else { try Files.source(operand) }
      files.append(RulesFile(source))
    }
    guard let old = files[0].ruleset, let new = files[1].ruleset else {
      let broken = files.first { $0.ruleset == nil }?.file.name ?? ""
      throw UsageError("\(broken) does not compile.", "rules-test check \(SafeText.shellWord(broken))")
    }
    let solver = try options.solver()
    solver.limit = try options.timeLimit()
    let report = ComparisonReport(
      Comparison.compare(old: old, new: new, solver: solver), old: files[0].file, new: files[1].file)
    if options.isJSON { report.json.printed() } else { Console.write(report.text(options.terminal, options.detail)) }
    return report.comparison.opensNothing ? .fine : .failed
  }
}

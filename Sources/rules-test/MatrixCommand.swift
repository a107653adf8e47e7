import Isolation
import Reports
import RulesEngine
import RulesTesting

enum MatrixCommand: Command {
  static let name = "matrix"
  static let summary = "Show who can do what: never, always, or when"
  static let usage = ["matrix RULES", "matrix RULES --lock FILE [--accept]"]
  static let details = """
    For each path of the rules and each method: whether somebody who is signed out, an anonymous user, a stranger, the
    owner and the holder of each claim that the rules ask for can do it never, always or under some condition. Each
    answer is proved or shown by a request. Needs the solver z3 (apt-get install z3).

    With --lock the answers are compared with those of a file, which is written if it is not there: exit code 1 when
    anything has changed.

      rules-test matrix firestore.rules
      rules-test matrix firestore.rules --lock firestore.matrix
    """
  static let options = [
    OptionSpec(name: "--lock", value: "FILE", help: "compare with what this file says, or write it"),
    OptionSpec(name: "--accept", help: "write the lock file as it is now"),
    .verbose, .solver, .format, .color, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    guard options.operands.count == 1, let path = options.operands.first else {
      throw UsageError("matrix is about one rules file.", "rules-test matrix firestore.rules")
    }
    if options.has("--accept"), options["--lock"] == nil {
      throw UsageError(
        "--accept needs a lock file.", "rules-test matrix \(SafeText.shellWord(path)) --lock FILE --accept")
    }
    let rules = RulesFile(try Files.source(path))
    guard let ruleset = rules.ruleset else {
      throw UsageError(
        "\(rules.file.name) does not compile.", "rules-test check \(SafeText.shellWord(rules.file.name))")
    }
    let solver = try options.solver()
    let matrix: AccessMatrix?
    do throws(RulesError) {
      matrix = try Prover(ruleset, solver: solver).matrix()
    } catch {
      throw UsageError("\(rules.file.name): a question does not compile: \(error.diagnostics.first?.message ?? "")")
    }
    guard let matrix else {
      throw UsageError("\(rules.file.name): a match stands inside one whose glob is not its last segment.")
    }
    let report = MatrixReport(matrix, of: rules.file)
    if let lock = options["--lock"] { return try compare(report, lock, options) }
    if options.isJSON {
      report.json.printed()
    } else {
      Console.write(report.text(options.terminal, isDetailed: options.has("--verbose")))
    }
    return .fine
  }

  private static func compare(_ report: MatrixReport, _ lock: String, _ options: Options) throws(UsageError) -> ExitCode
  {
    guard Files.kind(lock) != .missing, !options.has("--accept") else {
      guard Files.write(report.lock, to: lock) else { throw UsageError("Cannot write \(lock).") }
      Console.write("\(SafeText.line(lock)) is written.\n")
      return .fine
    }
    let changes = report.changes(from: try Files.source(lock).text)
    guard !changes.isEmpty else {
      Console.write("All as \(SafeText.line(lock)) has it.\n")
      return .fine
    }
    Console.write(report.text(changes, options.terminal))
    let command =
      "rules-test matrix \(SafeText.shellWord(options.operands[0])) --lock \(SafeText.shellWord(lock)) --accept"
    Console.write("\nNot as \(SafeText.line(lock)) has it. If that is meant: \(command)\n")
    return .failed
  }
}

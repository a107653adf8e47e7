import Isolation
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting

enum ProveCommand: Command {
  static let name = "prove"
  static let summary = "Prove the invariants of test files, or show requests that break them"
  static let usage = ["prove [FILE or FOLDER…]", "prove RULES --statement 'never get /users/{uid} unless …;'"]
  static let details = """
    PROVED: no user, document or query can break it. LEAK: a request breaks it, shown and replayed. UNKNOWN: neither was
    found. VACUOUS: no allow covers the path. What an 'allows' asks for is POSSIBLE or IMPOSSIBLE. Of rules without
    invariants, those are taken that their conditions seem to mean. Proofs need the solver z3 (apt-get install z3).
    Exit code 1 for a leak and for what is impossible; with --strict also when something is unknown.

      rules-test prove
      rules-test prove firestore.rules --statement 'never read /notes/{id} unless request.auth != null;'
    """
  static let options = [
    .statement,
    .solver,
    OptionSpec(name: "--attacks", help: "look for attacks in several steps although there are invariants"),
    OptionSpec(
      name: "--prove", value: "BY", choices: ["one", "both"],
      help: "one solver (default), or both: where they disagree nothing is proved"),
    OptionSpec(name: "--second-solver", value: "COMMAND", help: "the other of both; default: cvc5 --incremental"),
    OptionSpec(
      name: "--dump-smt", value: "FOLDER", help: "write every question there in SMT-LIB 2, for another solver"),
    .timeLimit,
    OptionSpec(name: "--timings", help: "say on standard error what took how long"),
    OptionSpec(name: "--strict", help: "exit code 1 also when something is unknown"),
    .values, .findingsOnly, .format, .color, .help,
  ]

  static func run(_ options: Options) async throws(UsageError) -> ExitCode {
    let solver = try options.solver()
    if let folder = options["--dump-smt"] {
      guard Files.kind(folder) == .folder else { throw UsageError("\(folder) is no folder.", "mkdir -p \(folder)") }
      solver.dump = { number, text in
        if !Files.write(text, to: "\(folder)/question\(number).smt2") {
          Console.write("rules-test: \(folder)/question\(number).smt2 cannot be written\n", to: .errors)
        }
      }
    }
    let (promises, errors) = try Promise.collect(options)
    let limit = try options.timeLimit()
    solver.limit = limit
    // One solver for each core; what is written down for others to check is numbered by one.
    let command = solver.command
    let second = try secondSolver(options)
    solver.second = second.map { SolverSession(command: $0) }
    solver.second?.limit = limit
    let workers = options.has("--dump-smt") ? 1 : Machine.cores
    let start = ContinuousClock.now
    let (entries, durations) =
      workers == 1
      ? (try promises.map { (promise) throws(UsageError) in try promise.proved(by: solver) }, solver.durations)
      : try await Promise.proved(promises, workers: workers) {
        let session = SolverSession(command: command)
        session.second = second.map { SolverSession(command: $0) }
        session.limit = limit
        session.second?.limit = limit
        return session
      }
    let proved = ContinuousClock.now
    let attacks = await Promise.attacks(
      promises, isAsked: options.has("--attacks"), workers: Machine.cores, limit: limit)
    if options.has("--timings") {
      let text = timings(durations, proofs: proved - start, attacks: ContinuousClock.now - proved)
      Console.write(text, to: .errors)
    }
    let report = ProofReport(entries.filter(\.isWorthSaying), attacks: attacks)
    if options.isJSON { report.json.printed() } else { Console.write(report.text(options.terminal, options.detail)) }
    for error in errors { Console.write("rules-test: \(SafeText.line(error.description))\n", to: .errors) }
    if !errors.isEmpty { return .usage }
    return report.leaks + report.impossible + report.attacks.count > 0 || options.has("--strict") && report.unknown > 0
      ? .failed : .fine
  }
}

extension ProveCommand {
  private static func timings(_ questions: [Duration], proofs: Duration, attacks: Duration) -> String {
    func milliseconds(_ time: Duration) -> String {
      let tenths = time.components.seconds * 10_000 + time.components.attoseconds / 100_000_000_000_000
      return "\(tenths / 10).\(tenths % 10) ms"
    }
    let sorted = questions.sorted()
    let (median, slowest) = (sorted.isEmpty ? .zero : sorted[sorted.count / 2], sorted.last ?? .zero)
    return "solver: \(sorted.count) questions, median \(milliseconds(median)), slowest \(milliseconds(slowest)); "
      + "proofs \(milliseconds(proofs)), attacks \(milliseconds(attacks))\n"
  }

  /// The command line of the second solver, if two are to be asked.
  private static func secondSolver(_ options: Options) throws(UsageError) -> [String]? {
    guard options["--prove"] == "both" else {
      guard options["--second-solver"] == nil else { throw UsageError("--second-solver goes with --prove both.") }
      return nil
    }
    let command = (options["--second-solver"] ?? "cvc5 --incremental").split(separator: " ").map(String.init)
    if let trouble = SolverSession(command: command).check() {
      throw UsageError("No second solver: \(trouble).", "Install one: sudo apt-get install cvc5")
    }
    return command
  }
}

extension OptionSpec {
  static let statement = OptionSpec(
    name: "--statement", value: "TEXT",
    help: "take this about the rules files named, instead of their tests' invariants")
  static let solver = OptionSpec(
    name: "--solver", value: "COMMAND", help: "another solver that reads SMT-LIB 2; default: z3 -in")
}

extension OptionSpec {
  static let timeLimit = OptionSpec(
    name: "--limit", value: "SECONDS", help: "what is left after so long is unknown; default: 300")
}

extension Options {
  /// How long proofs may take altogether, from now on.
  func timeLimit() throws(UsageError) -> TimeLimit {
    guard let seconds = Double(self["--limit"] ?? "300"), seconds > 0, seconds <= 1_000_000 else {
      throw UsageError("--limit takes a number of seconds, not '\(self["--limit"] ?? "")'.", "--limit 60")
    }
    return TimeLimit(seconds: seconds)
  }

  /// The solver that was asked for, or the usual one.
  var solverSession: SolverSession {
    SolverSession(command: self["--solver"]?.split(separator: " ").map(String.init) ?? SolverSession.defaultCommand)
  }

  /// The same, started.
  /// - Throws: when it cannot be used.
  func solver() throws(UsageError) -> SolverSession {
    let solver = solverSession
    if let trouble = solver.check() {
      throw UsageError("No proof without a solver: \(trouble).", "Install one: sudo apt-get install z3")
    }
    return solver
  }
}

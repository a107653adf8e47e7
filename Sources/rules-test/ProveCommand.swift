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
    OptionSpec(
      name: "--statement", value: "TEXT",
      help: "prove this about the rules files named, instead of their tests' invariants"),
    .solver,
    OptionSpec(
      name: "--dump-smt", value: "FOLDER", help: "write every question there in SMT-LIB 2, for another solver"),
    OptionSpec(name: "--strict", help: "exit code 1 also when something is unknown"),
    .format, .color, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    let solver = try options.solver()
    if let folder = options["--dump-smt"] {
      guard Files.kind(folder) == .folder else { throw UsageError("\(folder) is no folder.", "mkdir -p \(folder)") }
      solver.dump = { number, text in
        if !Files.write(text, to: "\(folder)/question\(number).smt2") {
          Console.write("rules-test: \(folder)/question\(number).smt2 cannot be written\n", to: .errors)
        }
      }
    }
    let proofs = InvariantProofs(solver)
    var errors: [FileError] = []
    if let statement = options["--statement"] {
      guard !options.operands.isEmpty else { throw UsageError("--statement needs a rules file.") }
      for path in options.operands {
        let rules = RulesFile(try Files.source(path))
        try prove(TestFile.load(SourceFile(name: "--statement", text: statement)), rules, proofs)
      }
    } else {
      let named = options.operands.filter { Files.kind($0) == .file && Project.find([$0]).pairs.isEmpty }
      let others = options.operands.filter { !named.contains($0) }
      let project = named.isEmpty || !others.isEmpty ? Project.find(others) : nil
      errors = project?.errors ?? []
      for pair in project?.pairs ?? [] where !pair.test.syntax.invariants.isEmpty {
        try prove(pair.test, pair.rules, proofs)
      }
      // Rules of which nobody said what they promise.
      var done = Set((project?.pairs ?? []).filter { !$0.test.syntax.invariants.isEmpty }.map(\.rules.file.name))
      for pair in project?.pairs ?? [] where done.insert(pair.rules.file.name).inserted {
        try infer(pair.rules, proofs, database: pair.test.database.string)
      }
      for path in named { try infer(RulesFile(Files.source(path)), proofs) }
      for untested in project?.untested ?? [] where done.insert(untested.rules.file.name).inserted {
        try infer(untested.rules, proofs)
      }
    }
    let report = ProofReport(proofs.entries)
    if options.isJSON { report.json.printed() } else { Console.write(report.text(options.terminal)) }
    for error in errors { Console.write("rules-test: \(SafeText.line(error.description))\n", to: .errors) }
    if !errors.isEmpty { return .usage }
    return report.leaks + report.impossible > 0 || options.has("--strict") && report.unknown > 0 ? .failed : .fine
  }

  private static func infer(
    _ rules: RulesFile, _ proofs: InvariantProofs, database: String = "(default)"
  ) throws(UsageError) {
    guard let ruleset = rules.ruleset else {
      throw UsageError("\(rules.file.name) does not compile.", "rules-test check \(rules.file.name)")
    }
    proofs.infer(rules, ruleset, database: database)
  }

  private static func prove(
    _ test: TestFile, _ rules: RulesFile, _ proofs: InvariantProofs
  ) throws(UsageError) {
    guard !test.hasErrors else {
      let first = test.diagnostics.first { $0.severity == .error }
      throw UsageError("\(test.file.name) has errors: \(first?.message ?? "")", "rules-test \(test.file.name)")
    }
    guard let ruleset = rules.ruleset else {
      throw UsageError("\(rules.file.name) does not compile.", "rules-test check \(rules.file.name)")
    }
    for invariant in test.syntax.invariants {
      do throws(RulesError) {
        _ = try proofs.prove(invariant, in: test, rules, ruleset)
      } catch {
        throw UsageError(
          "\(test.file.name):\(invariant.range.start.line): the condition does not compile: \(error.diagnostics.first?.message ?? "")"
        )
      }
    }
  }
}

extension OptionSpec {
  static let solver = OptionSpec(
    name: "--solver", value: "COMMAND", help: "another solver that reads SMT-LIB 2; default: z3 -in")
}

extension Options {
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

import Isolation
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import RulesValues
import Synchronization

/// Something that rules are held to: an invariant of a test file, one given on the command line, or one that the rules
/// seem to make.
struct Promise: Sendable {
  let rules: RulesFile
  let ruleset: Ruleset
  let database: String
  /// Of an invariant: the file in which it stands.
  let test: TestFile?
  let origin: ProofReport.Entry.Origin

  /// What the files and folders of a command line promise. Of rules without invariants that is what is inferred.
  /// - Throws: for files that cannot be read or do not compile.
  static func collect(_ options: Options) throws(UsageError) -> (promises: [Promise], errors: [FileError]) {
    if let statement = options["--statement"] {
      guard !options.operands.isEmpty else { throw UsageError("--statement needs a rules file.") }
      var promises: [Promise] = []
      for path in options.operands {
        let rules = RulesFile(try Files.source(path))
        promises += try written(TestFile.load(SourceFile(name: "--statement", text: statement)), rules)
      }
      return (promises, [])
    }
    var promises: [Promise] = []
    let named = options.operands.filter { Files.kind($0) == .file && Project.find([$0]).pairs.isEmpty }
    let others = options.operands.filter { !named.contains($0) }
    let project = named.isEmpty || !others.isEmpty ? Project.find(others) : nil
    let pairs = project?.pairs ?? []
    for pair in pairs where !pair.test.syntax.invariants.isEmpty { promises += try written(pair.test, pair.rules) }
    var done = Set(pairs.filter { !$0.test.syntax.invariants.isEmpty }.map(\.rules.file.name))
    for pair in pairs where done.insert(pair.rules.file.name).inserted {
      promises += try inferred(pair.rules, database: pair.test.database.string)
    }
    for path in named { promises += try inferred(RulesFile(Files.source(path))) }
    for untested in project?.untested ?? [] where done.insert(untested.rules.file.name).inserted {
      promises += try inferred(untested.rules)
    }
    return (promises, project?.errors ?? [])
  }

  private static func written(_ test: TestFile, _ rules: RulesFile) throws(UsageError) -> [Promise] {
    guard !test.hasErrors else {
      let first = test.diagnostics.first { $0.severity == .error }
      throw UsageError("\(test.file.name) has errors: \(first?.message ?? "")", "rules-test \(test.file.name)")
    }
    let ruleset = try compiled(rules)
    return test.syntax.invariants.map {
      Promise(
        rules: rules, ruleset: ruleset, database: test.database.string, test: test, origin: .written($0, in: test.file))
    }
  }

  private static func inferred(_ rules: RulesFile, database: String = "(default)") throws(UsageError) -> [Promise] {
    let ruleset = try compiled(rules)
    return ruleset.inferredStatements.map {
      Promise(rules: rules, ruleset: ruleset, database: database, test: nil, origin: .inferred($0))
    }
  }

  private static func compiled(_ rules: RulesFile) throws(UsageError) -> Ruleset {
    guard let ruleset = rules.ruleset else {
      throw UsageError(
        "\(rules.file.name) does not compile.", "rules-test check \(SafeText.shellWord(rules.file.name))")
    }
    return ruleset
  }

  // MARK: Proving

  /// - Throws: when the condition of an invariant does not compile.
  func proved(by solver: SolverSession) throws(UsageError) -> ProofReport.Entry {
    let prover = Prover(ruleset, solver: solver, database: database)
    let verdict: StatementVerdict
    switch origin {
    case .written(let invariant, let file):
      do throws(RulesError) {
        guard let test else { return ProofReport.Entry(rules: rules.file, origin: origin, verdict: .vacuous) }
        verdict = try prover.prove(invariant, in: test)
      } catch {
        throw UsageError(
          "\(file.name):\(invariant.range.start.line): the condition does not compile: \(error.diagnostics.first?.message ?? "")"
        )
      }
    case .inferred(let statement):
      do throws(RulesError) {
        verdict = try prover.prove(statement)
      } catch {
        let message = error.diagnostics.first?.message ?? ""
        let reason = UnknownReason(text: "what was inferred does not compile: \(message)", line: statement.line)
        verdict = .unknown([reason], tries: 0)
      }
    }
    return ProofReport.Entry(rules: rules.file, origin: origin, verdict: verdict)
  }

  /// The same of several, each worker with a solver of its own; in order.
  static func proved(
    _ promises: [Promise], workers: Int, solver: @Sendable @escaping () -> SolverSession
  ) async throws(UsageError) -> (entries: [ProofReport.Entry], durations: [Duration]) {
    typealias Outcome = (number: Int, result: Swift.Result<ProofReport.Entry, UsageError>)
    let total = promises.count
    let next = Turn()
    let (outcomes, durations) = await withTaskGroup(of: ([Outcome], [Duration]).self) { group in
      for _ in 0..<min(workers, total) {
        group.addTask {
          let solver = solver()
          var mine: [Outcome] = []
          while true {
            let number = next.take()
            guard number < total else { return (mine, solver.durations) }
            mine.append((number, Swift.Result { () throws(UsageError) in try promises[number].proved(by: solver) }))
          }
        }
      }
      return await group.reduce(into: ([Outcome](), [Duration]())) {
        $0.0 += $1.0
        $0.1 += $1.1
      }
    }
    var entries: [ProofReport.Entry] = []
    for outcome in outcomes.sorted(by: { $0.number < $1.number }) { entries.append(try outcome.result.get()) }
    return (entries, durations)
  }
}

/// Numbers that several workers take, each once.
private final class Turn: Sendable {
  private let next = Atomic(0)
  func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
}

extension Promise {
  /// Attacks in several steps: on rules of which nobody said what they promise, or on all when it is asked for.
  static func attacks(
    _ promises: [Promise], isAsked: Bool, workers: Int, limit: TimeLimit
  ) async -> [(rules: SourceFile, attack: Attack)] {
    var attacks: [(rules: SourceFile, attack: Attack)] = []
    var done: Set<String> = []
    for promise in promises {
      if case .written = promise.origin, !isAsked { continue }
      guard done.insert(promise.rules.file.name).inserted else { continue }
      let found = await withTaskGroup(of: [Attack].self) { group in
        for part in 0..<workers {
          group.addTask {
            var search = AttackSearch(promise.ruleset, database: promise.database)
            return search.run(part: part, of: workers, limit: limit)
          }
        }
        var found: [Attack] = []
        for await attacks in group { found += attacks }
        return found
      }
      let ordered = found.sorted { ($0.target.line ?? 0, $0.steps.count) < ($1.target.line ?? 0, $1.steps.count) }
      attacks += ordered.map { (promise.rules.file, $0) }
    }
    return attacks
  }
}

extension ProofReport.Entry {
  /// Whether there is anything to say: of what rules seem to promise nothing is said where nobody can do anything.
  var isWorthSaying: Bool {
    if case .inferred = origin, case .vacuous = verdict { false } else { true }
  }
}

import Isolation
import Reports
import RulesEngine
import RulesTesting

/// Proves the invariants of test files with one solver, and keeps what it found for the report.
final class InvariantProofs: InvariantProver {
  private let solver: SolverSession
  private(set) var entries: [ProofReport.Entry] = []

  init(_ solver: SolverSession) { self.solver = solver }

  /// - Throws: what the compiler has to say of the invariant's condition.
  func prove(
    _ invariant: InvariantDeclaration, in test: TestFile, _ rules: RulesFile, _ ruleset: Ruleset
  ) throws(RulesError) -> StatementVerdict {
    let prover = Prover(ruleset, solver: solver, database: test.database.string)
    let verdict = try prover.prove(invariant, in: test)
    add(verdict, invariant, test, rules)
    return verdict
  }

  func status(of invariant: InvariantDeclaration, in test: TestFile, _ rules: RulesFile) -> InvariantResult.Status {
    guard let ruleset = rules.ruleset else { return .notProved }
    do throws(RulesError) {
      return try prove(invariant, in: test, rules, ruleset).status
    } catch {
      let message = error.diagnostics.first?.message ?? ""
      let reason = UnknownReason(text: "the condition does not compile: \(message)", line: nil)
      add(.unknown([reason], tries: 0), invariant, test, rules)
      return .unknown
    }
  }

  private func add(
    _ verdict: StatementVerdict, _ invariant: InvariantDeclaration, _ test: TestFile, _ rules: RulesFile
  ) {
    entries.append(ProofReport.Entry(rules: rules.file, origin: .written(invariant, in: test.file), verdict: verdict))
  }
}

extension StatementVerdict {
  fileprivate var status: InvariantResult.Status {
    switch self {
    case .proved, .possible: .proved
    case .vacuous: .vacuous
    case .leak, .impossible: .leak
    case .unknown: .unknown
    }
  }
}

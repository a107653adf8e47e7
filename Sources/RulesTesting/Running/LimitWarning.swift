import LocalFirestore
import RulesEngine
import RulesSyntax

/// Tells of requests that come near the official limits, or beyond them: from 80 % on a small change of the rules or
/// of the data may be too much.
struct LimitWarning {
  private enum Kind: Int, CaseIterable {
    case expressions, lookups, before, after, callDepth

    var words: String {
      switch self {
      case .expressions: "expressions that one request may evaluate"
      case .lookups: "documents that one request may look up"
      case .before: "documents that several writes together may look up"
      case .after: "documents that several writes together may look up with getAfter and existsAfter"
      case .callDepth: "calls that may lie within one another"
      }
    }
  }

  /// The most that anyone took.
  private var uses: [Kind: RequestBudget.Use] = [:]

  mutating func note(_ judged: JudgedRequest) {
    for budget in judged.budgets {
      note(.expressions, budget.expressions)
      note(.lookups, budget.lookups)
      note(.callDepth, budget.callDepth)
    }
    guard let lookups = judged.lookups else { return }
    note(.before, lookups.before)
    note(.after, lookups.after)
  }

  private mutating func note(_ kind: Kind, _ use: RequestBudget.Use) {
    guard use.isNearLimit, use.used > uses[kind]?.used ?? -1 else { return }
    uses[kind] = use
  }

  func warnings(_ step: StepDeclaration) -> [Diagnostic] {
    Kind.allCases.compactMap { kind in
      guard let use = uses[kind] else { return nil }
      return Diagnostic(
        id: "near-limit", severity: .warning, range: step.range,
        message: use.isExceeded
          ? "This takes more than the \(use.limit) \(kind.words)."
          : "This takes \(use.used) of the \(use.limit) \(kind.words).")
    }
  }
}

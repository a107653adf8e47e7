import RulesEngine
import Synchronization

/// The rules of one database, and what decides by them. Evaluators keep memory and serve one request at a time, so
/// that those not in use are kept for the next.
final class RulesInForce: Sendable {
  let ruleset: Ruleset
  private let dialect: Dialect
  private let idle = Mutex<[Lent]>([])

  /// An evaluator that one thread has at a time: it is taken from the shelf, used, and put back.
  private struct Lent: @unchecked Sendable {
    let evaluator: Evaluator
  }

  private static let kept = 8

  /// Who watches what is decided, if anybody does.
  let recorder: CoverageRecorder?

  init(_ ruleset: Ruleset, dialect: Dialect, recorder: CoverageRecorder? = nil) {
    self.ruleset = ruleset
    self.recorder = recorder
    self.dialect = dialect
  }

  /// Lends an evaluator.
  func with<Result>(_ body: (Evaluator) -> Result) -> Result {
    let lent = idle.withLock { $0.popLast() } ?? Lent(evaluator: ruleset.evaluator(dialect: dialect))
    defer { idle.withLock { if $0.count < Self.kept { $0.append(lent) } } }
    return body(lent.evaluator)
  }
}

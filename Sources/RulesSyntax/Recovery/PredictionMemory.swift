import Synchronization

/// What predictions without calls found out. It depends on the grammar only, so that it serves all files.
struct PredictionMemory: Sendable {
  /// What follows from a set of configurations, kept for the next time the same decision comes.
  struct Step: Sendable {
    enum Verdict: Sendable { case undecided, alternative(Int), conflict }
    var configs: Prediction.Configs
    var verdict: Verdict
    var next: [Token.Kind: Int] = [:]
  }

  struct Start: Hashable, Sendable {
    var decision: Int
    var precedence: Int
  }

  var steps: [Step] = []
  var starts: [Start: Int] = [:]
  static let deadEnd = -1

  // Stacks of calls are shared: a number stands for the state to return to and the rest of the stack; 0 is empty.
  var callParents: [Int] = [0]
  var callReturns: [Int] = [-1]
  var callNumbers: [Call: Int] = [:]

  struct Call: Hashable, Sendable {
    var rest: Int
    var returnState: Int
  }

  /// Deeply nested texts could fill it without end.
  private static let largest = 5_000
  private static let kept = Mutex(PredictionMemory())

  /// The memory of earlier files. A copy, so that threads do not wait for each other.
  static func take() -> PredictionMemory { kept.withLock { $0 } }

  func giveBack() {
    guard steps.count <= PredictionMemory.largest, callParents.count <= PredictionMemory.largest else { return }
    PredictionMemory.kept.withLock { if $0.steps.count < steps.count { $0 = self } }
  }
}

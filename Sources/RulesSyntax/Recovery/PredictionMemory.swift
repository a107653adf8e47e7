import Synchronization

/// What predictions found out: sets of configurations, and which set follows from which at a token. It depends on the
/// grammar only, so that it can serve all files.
struct PredictionMemory: Sendable {
  /// A set of configurations.
  struct Step: Sendable {
    enum Verdict: Sendable { case undecided, alternative(Int), conflict }
    var configs: [Prediction.Config]
    var verdict: Verdict
  }

  /// What follows at a token, and the work it took to find out.
  struct Edge: Sendable {
    var target: Int32
    var cost: Int32
  }

  /// Where a decision starts.
  struct Start: Hashable, Sendable {
    var decision: Int
    var precedence: Int
    /// The calls to return to; 0 when they are not looked at.
    var calls: Int
  }

  private(set) var steps: [Step] = []
  private var edges: [Edge] = []
  /// By step and token.
  private var edgeNumbers = NumberTable()
  private var stepNumbers: [[Prediction.Config]: Int] = [:]

  var startNumbers: [Start: Int] = [:]
  var starts: [Edge] = []

  static let deadEnd: Int32 = -1

  var stacks = CallStacks()

  func edge(_ step: Int, _ kind: Token.Kind) -> Edge? {
    edgeNumbers.value(of: PredictionMemory.key(step, kind)).map { edges[$0] }
  }

  mutating func addEdge(_ step: Int, _ kind: Token.Kind, _ edge: Edge) {
    if edgeNumbers.value(of: PredictionMemory.key(step, kind), orInsert: edges.count) == edges.count { edges.append(edge) }
  }

  private static func key(_ step: Int, _ kind: Token.Kind) -> UInt64 {
    UInt64(truncatingIfNeeded: step) << 8 | UInt64(kind.rawValue)
  }

  /// The step with these configurations.
  mutating func step(_ configs: [Prediction.Config], verdict: () -> Step.Verdict) -> Int {
    if let known = stepNumbers[configs] { return known }
    stepNumbers[configs] = steps.count
    steps.append(Step(configs: configs, verdict: verdict()))
    return steps.count - 1
  }

  /// Hostile texts could fill it without end: what has grown beyond this, about ten megabytes, is dropped.
  private static let largest = 5_000
  private static let kept = Mutex(PredictionMemory())

  /// The memory of earlier files. It is moved, since copies take longer than most files: who comes while another
  /// thread has it begins anew.
  static func take() -> PredictionMemory {
    kept.withLock { kept in
      let memory = kept
      kept = PredictionMemory()
      return memory
    }
  }

  func giveBack() {
    guard steps.count <= PredictionMemory.largest, stacks.count <= 4 * PredictionMemory.largest else { return }
    PredictionMemory.kept.withLock { if $0.steps.count < steps.count { $0 = self } }
  }
}

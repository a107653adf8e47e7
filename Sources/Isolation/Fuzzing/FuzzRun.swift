import RulesEngine
import RulesValues

/// Fuzzes several statements at once, on several cores.
public struct FuzzRun: Sendable {
  /// One statement, and what is known of it.
  public struct Goal: Sendable {
    public let statement: String
    public let rules: Ruleset
    public let target: FuzzTarget
    public let database: Text
    /// Requests of earlier runs.
    public var corpus: [Witness]

    public init(statement: String, rules: Ruleset, target: FuzzTarget, database: Text, corpus: [Witness] = []) {
      self.statement = statement
      self.rules = rules
      self.target = target
      self.database = database
      self.corpus = corpus
    }
  }

  public struct Result: Sendable {
    public internal(set) var finding: Fuzzer.Finding?
    public internal(set) var tries = 0
    public internal(set) var allowed = 0
    /// Outcomes of sub-expressions that were seen: true, false or error of each counts by itself.
    public internal(set) var reached = 0
    /// The requests that reached them.
    public internal(set) var corpus: [Witness] = []
    /// Whether there is any `allow` for what the statement speaks of.
    public internal(set) var hasAllows = true
    /// Whether the finding, or requests that led to it, came from the solver.
    public internal(set) var askedSolver = false
  }

  /// How long each goal may take.
  public enum Limit: Sendable {
    /// The same requests each time.
    case tries(Int)
    /// Altogether, spread over the goals.
    case seconds(Double)
  }

  public let seed: UInt64
  public let limit: Limit
  /// Whose command line; `nil`: no questions to a solver.
  public let solver: [String]?
  public let workers: Int

  public init(seed: UInt64, limit: Limit, solver: [String]?, workers: Int) {
    self.seed = seed
    self.limit = limit
    self.solver = solver
    self.workers = max(1, workers)
  }

  /// - Parameters:
  ///   - goals: what may not happen.
  ///   - progress: is told how many goals are done.
  public func run(_ goals: [Goal], progress: (Int) -> Void = { _ in }) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      var results = [Result](repeating: Result(), count: goals.count)
      var next = 0
      var done = 0
      func start() {
        guard next < goals.count else { return }
        let (number, goal) = (next, goals[next])
        next += 1
        group.addTask { (number, search(goal, number, count: goals.count)) }
      }
      for _ in 0..<workers { start() }
      for await (number, result) in group {
        results[number] = result
        done += 1
        progress(done)
        start()
      }
      return results
    }
  }

  private static let slice = 500

  private func search(_ goal: Goal, _ number: Int, count: Int) -> Result {
    var fuzzer = Fuzzer(
      goal.rules, goal.target, seed: seed &+ UInt64(number) &* 0x9E37_79B9, database: goal.database.string)
    var result = Result()
    result.hasAllows = fuzzer.hasAllows
    result.finding = fuzzer.replay(goal.corpus)
    let start = ContinuousClock.now
    func isOver() -> Bool {
      switch limit {
      case .tries(let tries): fuzzer.tries >= tries
      case .seconds(let seconds):
        ContinuousClock.now - start >= .seconds(seconds * Double(min(workers, count)) / Double(max(1, count)))
      }
    }
    var known = -1
    while result.finding == nil, fuzzer.hasAllows, !isOver() {
      if case .tries(let tries) = limit {
        result.finding = fuzzer.run(tries: min(Self.slice, tries - fuzzer.tries))
      } else {
        result.finding = fuzzer.run(tries: Self.slice)
      }
      // Where chance gets no further, a solver may know the way.
      if result.finding == nil, fuzzer.reached.count == known, !result.askedSolver, let solver {
        result.askedSolver = true
        let session = SolverSession(command: solver, milliseconds: 2_000)
        let prover = Prover(goal.rules, solver: session, database: goal.database.string)
        result.finding = fuzzer.replay(prover.hints(goal.target, unreached: fuzzer.reached))
      }
      known = fuzzer.reached.count
    }
    result.tries = fuzzer.tries
    result.allowed = fuzzer.allowed
    result.reached = fuzzer.reached.count
    result.corpus = fuzzer.corpus
    return result
  }
}

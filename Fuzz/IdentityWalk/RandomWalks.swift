import Identity

/// Walks with random choices, the same for the same seed.
public enum RandomWalks {
  /// How many kinds of walk there are: seeds from 0 on, each with other settings.
  public static let seeds = 0..<8

  public struct Outcome: Sendable {
    public internal(set) var steps = 0
    /// How many of them were done, and how many refused.
    public internal(set) var done = 0
    public internal(set) var refused = 0
  }

  /// A linear congruential generator: no secret, only spread.
  private final class Source {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }

  /// Walks so many steps, with a new server after each 10,000 of them.
  public static func run(seed: Int, steps: Int) throws(FlowWalk.Finding) -> Outcome {
    var outcome = Outcome()
    var round: UInt64 = 0
    while outcome.steps < steps {
      var settings: AuthSettings = [.articles, .emulator, .production, .articles][seed % 4]
      if seed == 3 || seed == 7 { settings.oneAccountPerEmail = false }
      let source = Source(UInt64(seed) * 1_000_003 + round)
      var walk = FlowWalk(settings: settings, seed: UInt64(seed) + round) { source.next() }
      try walk.run(steps: min(steps - outcome.steps, 10_000))
      outcome.steps += walk.steps
      outcome.done += walk.outcomes.done
      outcome.refused += walk.outcomes.refused
      round += 1
    }
    return outcome
  }
}

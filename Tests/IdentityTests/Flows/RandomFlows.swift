import Foundation
import Identity
import IdentityWalk
import Testing

/// Random sequences of flows keep what must hold. `FLOW_STEPS=1000000` makes the walks longer (`make identity-flows`).
@Suite("Random flows")
struct RandomFlows {
  static let steps = ProcessInfo.processInfo.environment["FLOW_STEPS"].flatMap { Int($0) } ?? 4000

  /// A linear congruential generator: no secret, only spread.
  final class Source {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }

  @Test("accounts, index and sessions agree after any sequence of flows", arguments: 0..<8)
  func walk(seed: Int) throws {
    var left = max(Self.steps / 8, 1)
    var round: UInt64 = 0
    while left > 0 {
      var settings: AuthSettings = [.articles, .emulator, .production, .articles][seed % 4]
      if seed == 3 || seed == 7 { settings.oneAccountPerEmail = false }
      let source = Source(UInt64(seed) * 1_000_003 + round)
      var walk = FlowWalk(settings: settings, seed: UInt64(seed) + round) { source.next() }
      let count = min(left, 10_000)
      try walk.run(steps: count)
      #expect(walk.steps == count)
      // Walks in which everything is refused show nothing.
      if count >= 400 { #expect(walk.outcomes.done > count / 5, "\(walk.outcomes)") }
      left -= count
      round += 1
    }
  }
}

import Identity
import IdentityWalk
import Testing

/// Random sequences of flows keep what must hold. `make identity-flows` walks a million steps.
@Suite("Random flows")
struct RandomFlows {
  @Test("accounts, index and sessions agree after any sequence of flows", arguments: RandomWalks.seeds)
  func walk(seed: Int) throws {
    let outcome = try RandomWalks.run(seed: seed, steps: 500)
    #expect(outcome.steps == 500)
    // Walks in which everything is refused show nothing.
    #expect(outcome.done > 100, "\(outcome)")
  }
}

import Foundation
import RulesEngine
import Testing

@testable import Isolation

/// The fuzzer on the given leaks, without a solver. FUZZ_TRIES=100000 for a longer look at the safe ones.
struct FuzzingTests {
  static let tries = ProcessInfo.processInfo.environment["FUZZ_TRIES"].flatMap { Int($0) } ?? 300

  @Test func `Most of the given leaks are found without a solver`() throws {
    var missed: [String] = []
    var report = ""
    for pair in LeakPairTests.pairs {
      let target = try #require(try FuzzTarget(pair.statement))
      var fuzzer = Fuzzer(try Ruleset(pair.leaky), target, seed: 1)
      let found = fuzzer.run(tries: 20_000)
      report +=
        "\(pair.name): \(found?.tries ?? -1) of \(fuzzer.tries), \(fuzzer.allowed) allowed, \(fuzzer.corpus.count) kept\n"
      if found == nil { missed.append(pair.name) }
    }
    print(report)
    #expect(missed == [])
  }

  @Test func `What older rules refused is found in newer ones`() throws {
    var missed: [String] = []
    for name in LeakPairTests.names {
      let (leaky, safe) = try LeakPairTests.rules(name)
      let target = try #require(FuzzTarget(atMost: Ruleset(safe)))
      var fuzzer = Fuzzer(try Ruleset(leaky), target, seed: 1)
      if fuzzer.run(tries: 3_000) == nil { missed.append(name) }
    }
    #expect(missed == [])
  }

  @Test func `Nothing is found in the safe ones`() throws {
    for pair in LeakPairTests.pairs where !pair.name.hasPrefix("55-") {
      let target = try #require(try FuzzTarget(pair.statement))
      var fuzzer = Fuzzer(try Ruleset(pair.safe), target, seed: 1)
      let found = fuzzer.run(tries: Self.tries)
      #expect(found == nil, "\(pair.name): \(String(describing: found))")
    }
  }
}

import Foundation
import RulesEngine
import Testing

@testable import Isolation

/// Leaky and safe rule sets with what must never happen, from `Corpus/leaks`.
struct LeakPairTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let name: String
    let statement: Statement
    let leaky: String
    let safe: String

    var testDescription: String { name }
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Corpus/leaks")

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { FileManager.default.fileExists(atPath: folder.appending(path: "\($0)/leaky.rules").path) }.sorted()

  static func rules(_ name: String) throws -> (leaky: String, safe: String) {
    let place = folder.appending(path: name)
    return (
      try String(contentsOf: place.appending(path: "leaky.rules"), encoding: .utf8),
      try String(contentsOf: place.appending(path: "safe.rules"), encoding: .utf8)
    )
  }

  static let pairs: [Pair] = {
    names.compactMap { name in
      let place = folder.appending(path: name)
      guard let data = try? Data(contentsOf: place.appending(path: "attack.json")),
        let attack = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
        let property = attack["property"] as? [String: String], let method = property["method"],
        let path = property["path"], let condition = property["never allowed when"],
        let leaky = try? String(contentsOf: place.appending(path: "leaky.rules"), encoding: .utf8),
        let safe = try? String(contentsOf: place.appending(path: "safe.rules"), encoding: .utf8)
      else { return nil }
      return Pair(name: name, statement: Statement(never: [method], path, .if(condition)), leaky: leaky, safe: safe)
    }
  }()

  @Test func `There are pairs`() { #expect(Self.pairs.count >= 36) }

  @Test(.enabled(if: solverIsThere), arguments: pairs)
  func `The leaky one leaks, the safe one is proved`(pair: Pair) throws {
    let solver = SolverSession()
    let leaky = try Prover(Ruleset(pair.leaky), solver: solver).prove(pair.statement)
    #expect(leaky.name == "LEAK")
    let safe = try Prover(Ruleset(pair.safe), solver: solver).prove(pair.statement)
    if pair.name.hasPrefix("55-") {
      // Not safe to the letter: an update of [1] to [1.0] changes no key for `diff`, but is another value for `!=`.
      #expect(safe.name == "LEAK")
    } else {
      #expect(["PROVED", "VACUOUS"].contains(safe.name))
    }
  }
}

/// Proofs need z3, which the project's setup installs.
let solverIsThere = SolverSession().check() == nil

import RulesEngine
import Testing

@testable import Isolation

/// Attacks of several steps, as Corpus/leaks has them.
struct AttackTests {
  /// Leaky rules whose attack takes writes of the attacker's, and how many.
  @Test(arguments: [("25", 1), ("27", 1), ("29", 2), ("31", 1), ("33", 1)])
  func `The steps are found in the leaky one, and none in the safe one`(number: String, count: Int) throws {
    let name = try #require(LeakPairTests.names.first { $0.hasPrefix(number + "-") })
    let (leaky, safe) = try LeakPairTests.rules(name)
    var search = AttackSearch(try Ruleset(leaky))
    let attacks = search.run()
    #expect(attacks.contains { $0.steps.count == count })
    var none = AttackSearch(try Ruleset(safe))
    let found = none.run()
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `No steps are found where single requests leak, or nothing`() throws {
    for name in LeakPairTests.names where !["25", "27", "29", "31", "33"].contains(name.prefix(2)) {
      let (leaky, safe) = try LeakPairTests.rules(name)
      for text in [leaky, safe] {
        var search = AttackSearch(try Ruleset(text))
        let attacks = search.run()
        #expect(attacks.isEmpty, "\(name) \(attacks)")
      }
    }
  }

  /// Somebody else may let the attacker in.
  @Test func `Two accounts can do what one cannot`() throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /rooms/{room} {
            allow get: if request.auth.uid in resource.data.members;
            allow update: if request.auth != null && !(request.auth.uid in request.resource.data.members);
          }
        }
      }
      """
    var search = AttackSearch(try Ruleset(rules))
    let attacks = search.run()
    #expect(attacks.count == 1 && attacks[0].takesTwo)
    #expect(attacks.first?.happens(under: try Ruleset(rules)) == true)
    // Guests who invite nobody.
    var closed = AttackSearch(
      try Ruleset(rules.replacing("request.auth != null &&", with: "request.auth.uid in resource.data.members &&")))
    #expect(closed.run().isEmpty)
  }
}

import RulesSyntax
import Testing

@testable import RulesEngine

/// Rules with a place in other words, as a search for fixes tries them.
@Suite struct EditedRulesetTests {
  private static let text = "service cloud.firestore { match /a/{b} { allow get: if true; } }"

  @Test func `what several steps ask for is compiled once`() throws {
    let ruleset = try Ruleset(Self.text)
    let first = try #require(ruleset.edited(0..<0, "rules_version = '2';\n"))
    #expect(first.file.text == "rules_version = '2';\n" + Self.text)
    #expect(ruleset.edited(0..<0, "rules_version = '2';\n") === first)
    #expect(ruleset.edited(0..<7, "service") !== first)
    #expect(ruleset.edited(0..<7, "srvice") == nil)
  }

  @Test func `no more are kept than there is room for`() throws {
    let ruleset = try Ruleset(Self.text)
    weak var first = ruleset.edited(0..<0, " ")
    #expect(first != nil)
    for count in 2...EditedRulesets.maximum + 1 { _ = ruleset.edited(0..<0, String(repeating: " ", count: count)) }
    #expect(first == nil)
  }
}

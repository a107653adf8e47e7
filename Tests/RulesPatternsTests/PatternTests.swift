import Testing

@testable import RulesPatterns

@Suite struct PatternTests {
  @Test func matchesIsAnchored() throws {
    #expect(try Pattern("a.c").matches(Array("abc".utf8)))
    #expect(try !Pattern("b").matches(Array("abc".utf8)))
    #expect(try Pattern("(?i)k").matches(Array("\u{212a}".utf8)))
    #expect(throws: PatternError.self) { try Pattern("[") }
    #expect(try Pattern("").replace(Array("abc".utf8), with: Array("-".utf8)) == Array("-a-b-c-".utf8))
    #expect(try Pattern(",").split(Array(",a,,b,".utf8)) == ["", "a", "", "b"].map { Array($0.utf8) })
  }
}

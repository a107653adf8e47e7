import Testing

@testable import RulesPatterns

struct JointAutomatonTests {
  private static let sources = [
    "[^/]+", "[a-c]{2,4}", ".*admin.*", "(?i)admin", "a|bc|", "[^@]+@acme[.]com", "\\d{3}-\\d{4}", ".{0,3}", "(a|b)*c?", "^a$|\\bb\\b",
    "😀+", "[\\x00-\\x{10FFFF}]{2}", "(?m)^a$\\n^b$", "\\Ba\\B|x",
  ]

  /// Deterministic numbers.
  private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test(arguments: 0..<12)
  func `Every text is of a class that its patterns and length fit`(seed: Int) throws {
    var random = Random(state: UInt64(seed) &+ 77)
    let sources = (0..<3).map { _ in Self.sources[random.next(Self.sources.count)] }
    let patterns = try sources.map { try Pattern($0) }
    let automaton = try #require(JointAutomaton(patterns.map(\.tree)))
    let alphabet = ["a", "b", "c", "A", "d", "m", "i", "n", "@", "/", ".", "com", "admin", "acme", "1", "-", "\n", "😀", "é", " "]
    for _ in 0..<400 {
      let text = (0..<random.next(7)).map { _ in alphabet[random.next(alphabet.count)] }.joined()
      let accepted = try patterns.map { try $0.matches(Array(text.utf8)) }
      let one = try #require(automaton.classes.first { $0.accepted == accepted }, "\(text.debugDescription) \(sources)")
      #expect(one.shortest <= text.utf16.count)
      #expect(one.longest.map { text.utf16.count <= $0 } ?? true)
      if let words = one.words { #expect(words.contains(Array(text.utf8))) }
    }
  }

  @Test(arguments: 0..<12)
  func `A text that is made for a class belongs to it`(seed: Int) throws {
    var random = Random(state: UInt64(seed) &+ 7_700)
    let sources = (0..<3).map { _ in Self.sources[random.next(Self.sources.count)] }
    let patterns = try sources.map { try Pattern($0) }
    let automaton = try #require(JointAutomaton(patterns.map(\.tree)))
    for one in automaton.classes {
      for length in [one.shortest, one.longest ?? one.shortest + 5] {
        guard let text = automaton.text(accepted: one.accepted, length: length) else { continue }
        #expect(try patterns.map { try $0.matches(text) } == one.accepted)
        #expect(String(decoding: text, as: UTF8.self).utf16.count == length)
      }
      if let words = one.words { for word in words { #expect(try patterns.map { try $0.matches(word) } == one.accepted) } }
    }
  }

  @Test func `Finite classes are listed, a character beyond 16 bits counts two`() throws {
    let automaton = try #require(JointAutomaton([Pattern("admin|root").tree, Pattern(".").tree]))
    let finite = try #require(automaton.classes.first { $0.accepted == [true, false] })
    #expect(Set(finite.words ?? []) == [Array("admin".utf8), Array("root".utf8)])
    let one = try #require(automaton.classes.first { $0.accepted == [false, true] })
    #expect(one.shortest == 1)
    #expect(one.longest == 2)
  }

  @Test func `What is too large is refused`() throws {
    #expect(JointAutomaton([try Pattern("(a|b)*a(a|b){12}").tree], limit: 100) == nil)
  }
}

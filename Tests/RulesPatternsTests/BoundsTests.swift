import Testing

@testable import RulesPatterns

@Suite("Patterns stay within their bounds")
struct BoundsTests {
  /// Patterns that take exponential time when backtracked, with the answer arithmetic gives.
  static let catastrophes: [(pattern: String, text: String, matches: Bool)] = [
    ("(a+)+", repeated("a", 40) + "!", false),
    ("(a|aa)+", repeated("a", 60) + "!", false),
    ("(a|a)*b", repeated("a", 5000), false),
    ("(?:a?){30}a{30}", repeated("a", 30), true),
    ("(?:.*){20}x", repeated("y", 2000), false),
    ("(x+x+)+y", repeated("x", 3000), false),
    ("(([a-z])+.)+[A-Z]([a-z])+", repeated("a", 3000), false),
    ("(.*)*", repeated("z", 20000), true),
  ]

  static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test("catastrophic patterns are answered by the automaton", arguments: catastrophes)
  func answersCatastrophic(pattern: String, text: String, expected: Bool) throws {
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try Pattern(pattern).matches(Array(text.utf8)) == expected)
    #expect(try Pattern(wtf8: Array(pattern.utf8), engine: .automatonOnly).matches(Array(text.utf8)) == expected)
    #expect(clock.now - start < .seconds(30))
  }

  @Test("catastrophic searches are answered by the automaton")
  func searchesCatastrophic() throws {
    let text = Array(String(repeating: "a", count: 3000).utf8)
    #expect(try Pattern("(a|aa)+$b").replace(text, with: [0x78]) == text)
    #expect(try Pattern("(x+x+)+y").split(text) == [text])
  }

  @Test("too many states are an error, not a crash")
  func refusesHugePrograms() throws {
    let pattern = try Pattern("(?:(?:(?:a|bc){1000}){1000}){1000}")
    #expect(throws: PatternFailure.tooComplex) { try pattern.matches(Array("ab".utf8)) }
    #expect(throws: PatternFailure.tooComplex) { try pattern.split(Array("ab".utf8)) }
    #expect(throws: PatternFailure.tooComplex) { try pattern.replace(Array("ab".utf8), with: []) }
  }

  @Test("too many steps are an error")
  func refusesTooManySteps() throws {
    let automaton = try #require(Automaton(try Pattern("(?:a?){100}b").tree))
    let units = Array(repeating: UInt16(0x61), count: 100)
    var patient = PikeMachine(automaton, units: units)
    #expect(try !patient.matchesWhole())
    var hasty = PikeMachine(automaton, units: units, steps: 1000)
    #expect(throws: PatternFailure.tooComplex) { try hasty.matchesWhole() }
  }

  /// A pattern, and the sentence of emulator 1.19.9 about it, if any.
  static let limits: [(pattern: String, sentence: String?)] = [
    (repeated("a", 4096), nil),
    (repeated("a", 4097), "Regular expression too long. Maximum allowed length: 4096"),
    (repeated("😀", 2048), nil),
    (repeated("😀", 2048) + "a", "Regular expression too long. Maximum allowed length: 4096"),
    (repeated("(", 20) + repeated(")", 20), nil),
    (
      repeated("(", 21) + repeated(")", 21),
      "Regular expression too many nested groupings. Maximum allowed nested groupings: 20"
    ),
    (repeated("()", 100), nil),
    (repeated("()", 101), "Regular expression too many groupings. Maximum allowed groupings: 100"),
    // Really nested fifty deep, since the check takes the parentheses in classes for real ones.
    (repeated("([)]", 50) + repeated("[(])", 50), nil),
    (repeated("([)]", 50) + repeated(")", 50), "Invalid regular expression pattern."),
    ("a{1000}", nil),
    ("a{1001}", "Invalid regular expression pattern."),
  ]

  @Test("the official limits hold to the unit", arguments: limits)
  func officialLimits(pattern: String, sentence: String?) {
    do throws(PatternError) {
      _ = try Pattern(pattern)
      #expect(sentence == nil)
    } catch {
      #expect(error.officialMessage == sentence)
    }
  }

  @Test("random bytes and broken patterns never crash", arguments: [UInt64.random(in: 0...999_999), 11, 12])
  func survivesGarbage(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let pieces = ["(", ")", "[", "]", "{", "}", "?", "*", "+", "|", "\\", "^", "$", ".", "-", ",", "1", "9", "a", "z", ":", "P", "<", ">", "i", "&&",
      "\\p{", "\\x{", "\\Q", "\\E", "[:", ":]", "(?", "(?P<", "é", "😀", "\u{0}", "{1,", "{1000}", "\\1", "[^", "$1", "${a}"].map { Array($0.utf8) }
      + [[0xED, 0xA0, 0xBD], [0xED, 0xB8, 0x80], [0xFF], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]]
    for _ in 0..<3000 {
      var source: [UInt8] = []
      if Bool.random(using: &random) {
        for _ in 0..<Int.random(in: 0...12, using: &random) { source += random.pick(pieces) }
      } else {
        for _ in 0..<Int.random(in: 0...12, using: &random) { source.append(UInt8.random(in: 0...255, using: &random)) }
      }
      do throws(PatternError) {
        let pattern = try Pattern(wtf8: source)
        for text in [[], source, random.pick(pieces) + random.pick(pieces)] {
          _ = try? pattern.matches(text)
          _ = try? pattern.replace(text, with: source)
          _ = try? pattern.split(text)
        }
      } catch {
        #expect((0...source.count).contains(error.offset), "\(source), seed \(seed)")
      }
    }
  }
}

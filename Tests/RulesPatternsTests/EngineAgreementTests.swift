import Testing

@testable import RulesPatterns

@Suite("PCRE2 and the automaton agree")
struct EngineAgreementTests {
  /// Random patterns, joined from pieces that make valid ones likely, on random texts.
  @Test("on random patterns and texts", arguments: [UInt64.random(in: 0...999_999), 1, 2, 3])
  func agree(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    var tried = 0
    for _ in 0..<500 {
      let source = Array(Self.pattern(depth: 3, &random).utf8)
      guard let both = try? Pattern(wtf8: source), let alone = try? Pattern(wtf8: source, engine: .automatonOnly) else { continue }
      for _ in 0..<6 {
        let text = Array((0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(Self.letters) }.joined().utf8)
        tried += 1
        let question = "/\(String(decoding: source, as: UTF8.self))/ on \(String(decoding: text, as: UTF8.self).debugDescription), seed \(seed)"
        #expect(try both.matches(text) == alone.matches(text), "matches \(question)")
        let replacement = Array(random.pick(["<$0>", "-", "[$1]"]).utf8)
        #expect(Self.outcome { try both.replace(text, with: replacement) } == Self.outcome { try alone.replace(text, with: replacement) }, "replace \(question)")
        #expect(try both.split(text) == alone.split(text), "split \(question)")
      }
    }
    #expect(tried > 1000, "seed \(seed) made too few valid patterns")
  }

  private static func outcome(_ question: () throws -> [UInt8]) -> Result<[UInt8], PatternFailure> {
    do { return .success(try question()) } catch { return .failure(error as? PatternFailure ?? .tooComplex) }
  }

  private static let letters = ["a", "b", "k", "K", "\u{212A}", "é", "😀", "\n", " ", "1", "_"]
  private static let atoms = [
    "a", "b", "k", "é", "😀", ".", "\\d", "\\w", "\\W", "\\s", "[ab]", "[^a]", "[^\\W]", "\\pL", "\\PL", "(?i:k)", "(?s:.)", "\\n",
    "[[:alpha:]]", "^", "$", "\\b", "\\B", "(?m:^)", "(?m:$)", "\\z",
  ]

  private static func pattern(depth: Int, _ random: inout RandomSource) -> String {
    let branches = random.pick([1, 1, 2, 3])
    return (0..<branches).map { _ in
      (0..<random.pick([0, 1, 2, 3])).map { _ in item(depth: depth, &random) }.joined()
    }.joined(separator: "|")
  }

  private static func item(depth: Int, _ random: inout RandomSource) -> String {
    let isGroup = depth > 0 && random.pick([true, false, false])
    let atom = isGroup ? random.pick(["(", "(?:"]) + pattern(depth: depth - 1, &random) + ")" : random.pick(atoms)
    return atom + random.pick(["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}"])
  }
}

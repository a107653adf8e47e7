/// Patterns in RE2 syntax, made by choices; most are valid.
enum PatternGrammar {
  private static let atoms = [
    "a", "b", "k", "K", "é", "😀", ".", "\\d", "\\w", "\\W", "\\s", "\\S", "\\D", "[ab]", "[^a]", "[a-z]", "[^\\W]", "[[:alpha:]]",
    "[[:^digit:]]", "\\pL", "\\PL", "\\p{Greek}", "\\p{Lu}", "(?i:k)", "(?s:.)", "\\n", "^", "$", "\\b", "\\B", "\\A", "\\z", "(?m:^)", "(?m:$)",
    "\\x{1F600}", "\\x41", "\\Qa.b\\E", "ſ", "\\.", "[\\]x-]", "-", "{", "1", "_", "\\C", "\\1", "(?i)", "(?U)", "(?P<n>a)", "[", ")", "\\",
  ]
  private static let quantifiers = ["", "", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}", "{0}", "{3,1}", "{1000}", "{,2}"]
  private static let letters = ["a", "b", "k", "K", "\u{212A}", "é", "😀", "\n", " ", "1", "_", "ſ", "A", ".", "-", "\u{0}", "α"]

  static func pattern(_ choices: inout Choices, depth: Int) -> String {
    (0...choices.below(3)).map { _ in
      (0..<choices.below(4)).map { _ in item(&choices, depth: depth) }.joined()
    }.joined(separator: "|")
  }

  private static func item(_ choices: inout Choices, depth: Int) -> String {
    var atom = choices.pick(atoms)
    if depth > 0, choices.chance(100) {
      atom = choices.pick(["(", "(?:", "(?i:", "(?s:", "(?m:", "(?U:", "(?P<m>"]) + pattern(&choices, depth: depth - 1) + ")"
    }
    return atom + choices.pick(quantifiers)
  }

  /// WTF-8: halves of surrogate pairs may stand alone.
  static func text(_ choices: inout Choices) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<choices.below(12) {
      // A half next to its other half would have to be written as one character.
      if choices.chance(8) { bytes += [0xED, 0xA0, 0xBD, 0x61] } else { bytes += Array(choices.pick(letters).utf8) }
    }
    return bytes
  }
}

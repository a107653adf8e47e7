import Testing

@testable import Reports

@Suite struct SafeTextTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("a\tb\nc\rd", "a b c d"),
    ("\u{1B}[31mred\u{1B}]0;title\u{07}", "\\u{1b}[31mred\\u{1b}]0;title\\u{7}"),
    ("admin\u{202E}nimda", "admin\\u{202e}nimda"),
    ("zero\u{200B}width\u{FEFF}", "zero\\u{200b}width\\u{feff}"),
    ("\u{7F}\u{9B}\u{2028}", "\\u{7f}\\u{9b}\\u{2028}"),
    ("café 日本 🙂", "café 日本 🙂"),
  ]) func nothingThatSteersATerminalPasses(_ text: String, _ shown: String) {
    #expect(SafeText.line(text) == shown)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
    ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"), ("", 3, ""),
  ]) func cutTextFitsItsColumns(_ text: String, _ width: Int, _ cut: String) {
    #expect(SafeText.cut(text, width).unicodeScalars.elementsEqual(cut.unicodeScalars))
    #expect(SafeText.columns(SafeText.cut(text, width)) <= width)
  }

  @Test func textIsBrokenAtSpaces() {
    #expect(SafeText.wrapped("one two three", 7) == ["one two", "three"])
    #expect(SafeText.wrapped("unbreakable word", 4) == ["unbreakable", "word"])
    #expect(SafeText.wrapped("a\nb", 40) == ["a", "b"])
    #expect(SafeText.wrapped("", 40) == [""])
  }

  @Test(arguments: [
    ("alice", "alice"), ("rules/lists/a_test.rules:12", "rules/lists/a_test.rules:12"), ("", "''"), ("a b", "'a b'"),
    ("it's", "'it'\\''s'"), ("$(rm)", "'$(rm)'"), ("a\u{1B}'b", "$'a\\x1b\\'b'"),
  ]) func wordsForTheShellAreQuotedWhereNeeded(_ text: String, _ word: String) {
    #expect(SafeText.shellWord(text) == word)
  }
}

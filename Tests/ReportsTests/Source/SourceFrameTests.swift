import RulesSyntax
import Testing

@testable import Reports

@Suite struct SourceFrameTests {
  /// `«` and `»` mark the range in the source.
  private func frame(_ marked: String, width: Int = 60, wraps: Bool = false) throws -> String {
    let text = marked.filter { $0 != "«" && $0 != "»" }
    let start = try #require(marked.firstIndex(of: "«"))
    let end = try #require(marked.firstIndex(of: "»"))
    func position(_ index: String.Index) -> SourcePosition {
      let before = marked[..<index].filter { $0 != "«" && $0 != "»" }
      let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
      return SourcePosition(
        line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1, offset: before.unicodeScalars.count,
        byte: before.utf8.count)
    }
    let file = SourceFile(name: "a.rules", text: text)
    let frame = SourceFrame(file: file, range: SourceRange(position(start), position(end)), style: .bad, wraps: wraps)
    return frame.lines(Terminal(width: width)).map { $0.text(Terminal()) }.joined(separator: "\n")
  }

  @Test func oneLine() throws {
    #expect(
      try frame("one\nallow «read»;\n") == """
             ╭─ a.rules:2:7
             │
           2 │ allow read;
             │       ^^^^
        """)
  }

  @Test func anEmptyRangeAndTheEndOfTheFile() throws {
    #expect(
      try frame("allow «»") == """
             ╭─ a.rules:1:7
             │
           1 │ allow
             │       ^
        """)
  }

  @Test func tabsWideAndCombiningCharacters() throws {
    #expect(
      try frame("\t'日本🙂e\u{301}' «==» x") == """
             ╭─ a.rules:1:10
             │
           1 │     '日本🙂e\u{301}' == x
             │               ^^
        """)
  }

  @Test func whatWouldSteerTheTerminalIsShown() throws {
    #expect(
      try frame("'\u{202E}\u{1B}[2J' «==» x") == """
             ╭─ a.rules:1:9
             │
           1 │ '\\u{202e}\\u{1b}[2J' == x
             │                     ^^
        """)
  }

  @Test func severalLines() throws {
    #expect(
      try frame("a «b\n    c\n\nd» e") == """
             ╭─ a.rules:1:3
             │
           1 │ a b
             │   ^
           2 │     c
             │     ^
           3 │
           4 │ d e
             │ ^
        """)
  }

  @Test func theMiddleOfManyLinesIsLeftOut() throws {
    let lines = (1...12).map { "line\($0)" }.joined(separator: "\n")
    #expect(
      try frame("«\(lines)»") == """
             ╭─ a.rules:1:1
             │
           1 │ line1
             │ ^^^^^
           2 │ line2
             │ ^^^^^
           3 │ line3
             │ ^^^^^
           4 │ line4
             │ ^^^^^
             ⋮
          11 │ line11
             │ ^^^^^^
          12 │ line12
             │ ^^^^^^
        """)
  }

  @Test func aLongLineIsCutAroundTheRange() throws {
    let long = String(repeating: "abcde ", count: 20)
    #expect(
      try frame(long + "«here» " + long, width: 46) == """
             ╭─ a.rules:1:121
             │
           1 │ …e abcde here abcde abcde abcde abcde …
             │          ^^^^
        """)
    #expect(
      try frame("«abc» " + long, width: 40) == """
             ╭─ a.rules:1:1
             │
           1 │ abc abcde abcde abcde abcde abcd…
             │ ^^^
        """)
  }

  @Test func orItIsBroken() throws {
    #expect(
      try frame("allow get /a/b as alice, bob, «carl»;", width: 40, wraps: true) == """
             ╭─ a.rules:1:31
             │
           1 │ allow get /a/b as alice, bob,
           … │     carl;
             │     ^^^^
        """)
  }
}

import Foundation
import RulesSyntax
import Testing

/// Texts that are made to hurt: each gets an answer in bounded time on a small stack.
@Suite struct HostileTexts {
  private static func ruleset(_ condition: String) -> String {
    "rules_version = '2';\nservice cloud.firestore { match /a/{b} { allow get: if \(condition); } }\n"
  }

  private static let many = 100_000

  // Five megabytes; a tenth of that in a debug build, which is slow.
  #if DEBUG
    private static let scale = 1
  #else
    private static let scale = 10
  #endif

  /// Named in the log of a test run, which does not want the megabytes.
  struct Text: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    var testDescription: String { name }

    init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
  }

  static let texts: [Text] = [
    Text("parentheses", ruleset(String(repeating: "(", count: many) + "1" + String(repeating: ")", count: many))),
    Text("open parentheses", ruleset(String(repeating: "(", count: many))),
    Text("closing parentheses", ruleset(String(repeating: ")", count: many))),
    Text("brackets", ruleset(String(repeating: "[", count: many) + String(repeating: "]", count: many))),
    Text("braces", ruleset(String(repeating: "{'a':", count: many) + "1" + String(repeating: "}", count: many))),
    Text("not", ruleset(String(repeating: "!", count: many) + "true")),
    Text("minus", ruleset(String(repeating: "-", count: many) + "1")),
    Text("negated parentheses", ruleset(String(repeating: "-(", count: many) + "1" + String(repeating: ")", count: many))),
    Text("ternaries", ruleset(String(repeating: "a ? b : ", count: many) + "c")),
    Text("conditions", ruleset(String(repeating: "a ? ", count: many) + "b" + String(repeating: " : c", count: many))),
    Text("and", ruleset("a" + String(repeating: " && a", count: many))),
    Text("members", ruleset("a" + String(repeating: ".b", count: many))),
    Text("calls", ruleset(String(repeating: "f(", count: many) + "1" + String(repeating: ")", count: many))),
    Text("indexes", ruleset("a" + String(repeating: "[0]", count: many))),
    Text("types", ruleset("a" + String(repeating: " is int", count: many))),
    Text("mixed operators", ruleset(String(repeating: "1 || 1 && 1 in 1 is int == 1 < 1 + 1 * (", count: 20_000))),
    Text("paths", ruleset(String(repeating: "/a/$(", count: many) + "1" + String(repeating: ")", count: many))),
    Text("long path", ruleset(String(repeating: "/a", count: many))),
    Text("slashes", ruleset(String(repeating: "/ ", count: many))),
    Text("matches", "service a {" + String(repeating: "match /a {", count: many)),
    Text("quotes", ruleset(String(repeating: "'\n", count: many))),
    // Officially `/*` that nothing closes is a path segment.
    Text("unclosed comments", ruleset(String(repeating: "/* ", count: many))),
    Text("functions", "service a { " + String(repeating: "function f() ", count: many)),
    Text("zero bytes", String(repeating: "\0", count: many)),
    Text("unknown characters", String(repeating: "\u{2028}é#", count: 50_000)),
    Text("surrogates", ruleset("'" + String(repeating: "\\ud800", count: many) + "'")),
    Text("carriage returns", ruleset("1 ==\r\n\r\r\n 1")),
    Text("digits", ruleset(String(repeating: "9", count: many) + " == 1." + String(repeating: "0", count: many))),
    Text("megabytes", ruleset("[" + String(repeating: "'abcdefgh', ", count: 42_000 * scale) + "]")),
    Text("broken megabytes", ruleset("[" + String(repeating: "'abcdefgh' ", count: 45_000 * scale) + "]")),
    Text("a broken ruleset with many lines", String(repeating: "match /a/{b} { allow read, : if x; }\n", count: 4_000)),
  ]

  @Test(arguments: texts)
  func everyTextIsAnsweredOnASmallStack(_ hostile: Text) async {
    let (name, text) = (hostile.name, hostile.text)
    let result = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Parser.parse(SourceFile(name: name, text: text))) }
      thread.stackSize = 512 << 10
      thread.start()
    }
    let isFine = ["surrogates", "carriage returns", "megabytes", "long path", "unclosed comments"].contains(name)
    #expect(result.diagnostics.isEmpty == isFine, "\(result.diagnostics.first?.message ?? "no error")")
  }

  @Test func aFileThatIsBrokenAllOverIsNotReadToItsEnd() throws {
    let text = "service cloud.firestore {\n" + String(repeating: "match /a/{b} { allow read, : if x; }\n", count: 4_000) + "}"
    let found = Parser.parse(SourceFile(name: "a.rules", text: text)).diagnostics
    #expect(found.count == 1_000)
    #expect(found.last?.notes.last == "After 1000 errors the rest of the file is not read.")
  }

  @Test func ofCharactersThatBeginNoTokenTenThousandAreListed() {
    let found = Lexer.tokenize(SourceFile(name: "a.rules", text: String(repeating: "#", count: 20_000))).errors
    #expect(found.count == 10_000)
    #expect(found.last?.notes == ["There are more such characters in the file than are listed here."])
  }

  @Test func randomBytesAreAnswered() {
    var state: UInt64 = 42
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let pieces = Array(
      "service a match /a / { } ( ) [ ] allow read : if ; , . .. 'x' \" ' == && ! - 1 2.5 null $ function f return let".utf8)
    for _ in 0..<150 {
      let bytes = (0..<next(400)).map { _ in
        next(5) == 0 ? UInt8(truncatingIfNeeded: next(256)) : pieces[Int(next(UInt64(pieces.count)))]
      }
      let result = Parser.parse(SourceFile(name: "random", utf8: bytes))
      #expect(result.syntax != nil || result.syntaxErrors)
    }
  }
}

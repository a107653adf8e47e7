import Foundation
import RulesSyntax
import Testing

/// Texts that are made to hurt: each gets an answer in bounded time on a small stack.
@Suite struct HostileTexts {
  private static func ruleset(_ condition: String) -> String {
    "rules_version = '2';\nservice cloud.firestore { match /a/{b} { allow get: if \(condition); } }\n"
  }

  private static let many = 100_000

  static let texts: [(String, String)] = [
    ("parentheses", ruleset(String(repeating: "(", count: many) + "1" + String(repeating: ")", count: many))),
    ("open parentheses", ruleset(String(repeating: "(", count: many))),
    ("closing parentheses", ruleset(String(repeating: ")", count: many))),
    ("brackets", ruleset(String(repeating: "[", count: many) + String(repeating: "]", count: many))),
    ("braces", ruleset(String(repeating: "{'a':", count: many) + "1" + String(repeating: "}", count: many))),
    ("not", ruleset(String(repeating: "!", count: many) + "true")),
    ("minus", ruleset(String(repeating: "-", count: many) + "1")),
    ("negated parentheses", ruleset(String(repeating: "-(", count: many) + "1" + String(repeating: ")", count: many))),
    ("ternaries", ruleset(String(repeating: "a ? b : ", count: many) + "c")),
    ("conditions", ruleset(String(repeating: "a ? ", count: many) + "b" + String(repeating: " : c", count: many))),
    ("and", ruleset("a" + String(repeating: " && a", count: many))),
    ("members", ruleset("a" + String(repeating: ".b", count: many))),
    ("calls", ruleset(String(repeating: "f(", count: many) + "1" + String(repeating: ")", count: many))),
    ("indexes", ruleset("a" + String(repeating: "[0]", count: many))),
    ("types", ruleset("a" + String(repeating: " is int", count: many))),
    ("mixed operators", ruleset(String(repeating: "1 || 1 && 1 in 1 is int == 1 < 1 + 1 * (", count: 20_000))),
    ("paths", ruleset(String(repeating: "/a/$(", count: many) + "1" + String(repeating: ")", count: many))),
    ("long path", ruleset(String(repeating: "/a", count: many))),
    ("slashes", ruleset(String(repeating: "/ ", count: many))),
    ("matches", "service a {" + String(repeating: "match /a {", count: many)),
    ("quotes", ruleset(String(repeating: "'\n", count: many))),
    // Officially `/*` that nothing closes is a path segment.
    ("unclosed comments", ruleset(String(repeating: "/* ", count: many))),
    ("functions", "service a { " + String(repeating: "function f() ", count: many)),
    ("zero bytes", String(repeating: "\0", count: many)),
    ("unknown characters", String(repeating: "\u{2028}é#", count: 50_000)),
    ("surrogates", ruleset("'" + String(repeating: "\\ud800", count: many) + "'")),
    ("carriage returns", ruleset("1 ==\r\n\r\r\n 1")),
    ("digits", ruleset(String(repeating: "9", count: many) + " == 1." + String(repeating: "0", count: many))),
    ("five megabytes", ruleset("[" + String(repeating: "'abcdefgh', ", count: 420_000) + "]")),
    ("five broken megabytes", ruleset("[" + String(repeating: "'abcdefgh' ", count: 450_000) + "]")),
    ("a broken ruleset with many lines", String(repeating: "match /a/{b} { allow read, : if x; }\n", count: 4_000)),
  ]

  @Test(arguments: texts)
  func everyTextIsAnsweredOnASmallStack(_ name: String, _ text: String) async {
    let result = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: Parser.parse(SourceFile(name: name, text: text))) }
      thread.stackSize = 512 << 10
      thread.start()
    }
    let isFine = ["surrogates", "carriage returns", "five megabytes", "long path", "unclosed comments"].contains(name)
    #expect(result.diagnostics.isEmpty == isFine, "\(result.diagnostics.first?.message ?? "no error")")
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

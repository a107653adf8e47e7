import RulesSyntax
import RulesValues
import Testing

@testable import RulesTesting

private func load(_ text: String) -> TestFile { TestFile.load(SourceFile(name: "a_test.rules", text: text)) }

@Suite struct TestCheckerTests {
  @Test(arguments: checkerMistakes) func `a mistake is marked, with what would be right`(_ mistake: Mistake) {
    let file = load(mistake.source)
    let diagnostics = draw(file.diagnostics, in: file.file)
    #expect(diagnostics == mistake.expected)
  }

  @Test func `users and fixtures are worked out`() {
    let file = load(
      """
      now timestamp.date(2030, 1, 1);
      user alice = password({ email: 'Alice@example.com' });
      user bob = custom({ uid: 'b1', claims: { friend: alice.uid, n: 1.5, list: [1, null, { x: true }] } });
      function half(n) { return n / 2; }
      given /users/$(bob.uid) { at: request.time, 'n.m': half(3), r: /users/alice, v: vector([1, 0.5]), f: bob.token.friend };
      test 't' { deny get /users/b1 as alice, bob; }
      """)
    #expect(draw(file.diagnostics, in: file.file).hasPrefix("5:45 warning: The dot is part of the field's name here"))
    #expect(file.now == Timestamp(seconds: 1_893_456_000))
    #expect(file.users.map(\.name) == ["alice", "bob"])
    #expect(file.users.map(\.auth.uid) == ["alice", "b1"])
    #expect(file.users[0].auth.token["email"] == .string("alice@example.com"))
    #expect(file.users[0].auth.token["iat"] == .int(1_893_456_000))
    #expect(file.users[1].auth.token["friend"] == .string("alice"))
    #expect(file.users[1].auth.token["n"] == .double(1.5))
    #expect(file.users[1].auth.token["list"] == .array([.int(1), .null, .map(["x": .bool(true)])]))
    #expect(file.fixtures.map(\.path) == [ResourcePath(relative: "users/b1")])
    #expect(
      file.fixtures[0].fields == [
        "at": .timestamp(Timestamp(seconds: 1_893_456_000)), "n.m": .int(1),
        "r": .reference(ResourcePath(segments: ["users", "alice"])), "v": .vector([1, 0.5]), "f": .string("alice"),
      ])
  }

  @Test func `a text of keywords and braces is checked without a crash`() {
    let source = """
      user a = oidc('oidc.x', { uid: 'y' }); given /a/$(a.uid) { (a.uid): [1] }; test 't' { at now; deny get /a/b as a; }
      function f(x) { let y = x; return f2(y); } function f2(z) { return z.size() > 1 ? [z] : {'k': z}; }
      never get /a/{b=**} unless f(b); immutable /a/{b} fields c, 'd';
      """
    let bytes = Array(source.utf8)
    for i in bytes.indices {
      for cut in [1, 3, 9] where i + cut <= bytes.count {
        _ = TestFile.load(SourceFile(name: "x", utf8: Array(bytes[..<i] + bytes[(i + cut)...])))
      }
    }
  }

  /// Each function calls the one before it twice: 2^60 calls, if they were all made.
  @Test func `functions that multiply end in an error, not in a hang`() {
    var text = "function f0() { return 1; }\n"
    for i in 1...60 { text += "function f\(i)() { return f\(i - 1)() + f\(i - 1)(); }\n" }
    let file = load(text + "given /a/b { x: f60() };")
    #expect(file.diagnostics.count == 1)
    #expect(file.hasErrors)
  }
}

struct Misspelling: Sendable {
  var word: String
  var meant: String?
}

@Suite struct SuggestionTests {
  @Test(arguments: [
    Misspelling(word: "alic", meant: "alice"), Misspelling(word: "Alice", meant: "alice"),
    Misspelling(word: "ailce", meant: "alice"), Misspelling(word: "allice", meant: "alice"),
    Misspelling(word: "bo", meant: "bob"), Misspelling(word: "bxy", meant: nil), Misspelling(word: "", meant: nil),
    Misspelling(word: "completely", meant: nil), Misspelling(word: "emial_verfied", meant: "email_verified"),
  ]) func `the nearest word is proposed, if it is near`(_ m: Misspelling) {
    #expect(Suggestion.nearest(to: m.word, among: ["bob", "alice", "email_verified"]) == m.meant)
  }
}

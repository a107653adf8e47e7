import FuzzProperties
import Testing

/// Bytes that texts seldom have. The findings about rules are those of the official emulator 1.19.9.
@Suite struct OddBytes {
  struct Text: Sendable, CustomTestStringConvertible {
    let name: String
    let reader: Reader
    let bytes: [UInt8]
    let first: String
    var testDescription: String { "\(reader): \(name)" }

    init(_ name: String, _ reader: Reader, _ text: String, _ first: String) {
      self.init(name, reader, Array(text.utf8), first)
    }

    init(_ name: String, _ reader: Reader, _ bytes: [UInt8], _ first: String) {
      (self.name, self.reader, self.bytes, self.first) = (name, reader, bytes, first)
    }
  }

  private static let fine = rulesFile(condition: "true")
  private static let suite = "given /a/b { x: 'y' };\ntest 'one' {\n  deny get /a/b as nobody;\n}\n"

  /// A lone surrogate, in the three bytes that are no UTF-8.
  private static func withSurrogate(_ text: String) -> [UInt8] {
    text.utf8.flatMap { $0 == UInt8(ascii: "@") ? [0xED, 0xA0, 0xBD] : [$0] }
  }

  static let texts: [Text] = [
    Text("NUL in a condition", .rules, rulesFile(condition: "tr\0ue"), "L4:4 Unexpected 'ue'."),
    Text("NUL behind a condition", .rules, rulesFile(condition: "true \0"), "L4:6 token recognition error at: '\0'"),
    Text("NUL in a string", .rules, rulesFile(condition: "'a\0b' == 'a'"), "fine"),
    Text("NUL in a comment", .rules, rulesFile(condition: "true // a\0b"), "fine"),
    Text("NUL at the start", .rules, "\0" + fine, "L1:1 token recognition error at: '\0'"),
    Text("NUL at the end", .rules, fine + "\0", "L6:1 token recognition error at: '\0'"),
    Text("NUL in a path", .rules, fine.replacing("/t/", with: "/t\0/"), "L3:9 token recognition error at: '\0'"),
    Text("nothing but NUL", .rules, "\0", "L1:2 mismatched input '<EOF>' expecting {'function', 'import', 'service', 'rules_version'}"),
    Text("nothing", .rules, "", "L0:0 Rules content empty. Compilation aborted."),
    Text("CRLF", .rules, rulesFile(condition: "true &&\ntrue").replacing("\n", with: "\r\n"), "fine"),
    Text("a mistake behind CRLF", .rules, rulesFile(condition: "true &&\n&& true").replacing("\n", with: "\r\n"), "L5:1 Unexpected '&&'."),
    Text("CR alone", .rules, fine.replacing("\n", with: "\r"), "fine"),
    Text("CR in a string", .rules, rulesFile(condition: "'a\rb' == 'a'"), "L4:4 Missing a closing '"),
    Text("LF in a string", .rules, rulesFile(condition: "'a\nb' == 'a'"), "L5:1 Missing a closing '"),
    Text("byte order mark", .rules, "\u{FEFF}" + fine, "L1:1 token recognition error at: '\u{FEFF}'"),
    Text("no-break space", .rules, rulesFile(condition: "true\u{A0}"), "L4:5 token recognition error at: '\u{A0}'"),
    Text("line separator", .rules, rulesFile(condition: "true\u{2028}"), "L4:5 token recognition error at: '\u{2028}'"),
    Text("lone surrogate by escape", .rules, rulesFile(condition: "'\\ud83d' == 'a'"), "fine"),
    Text("lone surrogate in a pattern", .rules, rulesFile(condition: "'a'.matches('\\ud83d')"), "fine"),
    Text("lone surrogate in a string", .rules, withSurrogate(rulesFile(condition: "'@' == 'a'")), "fine"),
    // The surrogate is three bytes that are not UTF-8, each read as U+FFFD.
    Text("lone surrogate in a condition", .rules, withSurrogate(rulesFile(condition: "@true")), "L4:1 token recognition error at: '\u{FFFD}'"),
    Text("NUL", .tests, suite.replacing("deny", with: "de\0ny"), "L3:3 Unknown statement 'de'."),
    Text("NUL in a string", .tests, suite.replacing("'y'", with: "'\0'"), "fine"),
    Text("CRLF", .tests, suite.replacing("\n", with: "\r\n"), "fine"),
    Text("a mistake behind CRLF", .tests, suite.replacing("deny", with: "den").replacing("\n", with: "\r\n"), "L3:3 Unknown statement 'den'. Did you mean 'deny'?"),
    Text("byte order mark", .tests, "\u{FEFF}" + suite, "L1:1 token recognition error at: '\u{FEFF}'"),
    Text("lone surrogate by escape", .tests, suite.replacing("'y'", with: "'\\ud83d'"), "fine"),
    Text("lone surrogate", .tests, withSurrogate(suite.replacing("given", with: "@given")), "L1:1 token recognition error at: '\u{FFFD}'"),
    Text("NUL", .json, "{\"a\":\0 1}", "line 1, column 6: expected a value, found U+0000"),
    Text("NUL in a string", .json, "\"a\0\"", "line 1, column 3: control character U+0000 in a string must be written \\u0000"),
    Text("escaped NUL", .json, "\"a\\u0000\"", "fine"),
    Text("CRLF", .json, "{\r\n\"a\":\r\n1\r\n}", "fine"),
    Text("a mistake behind CRLF", .json, "{\r\n\"a\":\r\n,}", "line 3, column 1: expected a value, found \",\""),
    Text("byte order mark", .json, "\u{FEFF}{}", "fine"),
    Text("lone surrogate by escape", .json, "\"\\ud83d\"", "fine"),
    Text("lone surrogate", .json, withSurrogate("\"@\""), "line 1, column 2: byte 0xED is not valid UTF-8 here; JSON must be saved as UTF-8"),
    Text("NUL", .pattern, "a\0b", "fine"),
    Text("lone surrogate", .pattern, withSurrogate("a@"), "fine"),
    Text("no UTF-8", .pattern, [0x61, 0xFF, 0x28], "Invalid regular expression pattern. At byte 1."),
  ]

  @Test(arguments: texts)
  func `a text with odd bytes is read, or says where they are`(_ text: Text) {
    #expect(onSmallStack { text.reader.firstFinding(text.bytes) } == text.first)
  }
}

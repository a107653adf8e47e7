import RulesPatterns
import Testing

/// Five megabytes of anything, on a small stack: an answer in time that grows with the text.
@Suite(.serialized) struct LargeTexts {
  struct Large: Sendable, CustomTestStringConvertible {
    let name: String
    let reader: Reader
    let start: String
    let unit: String
    let end: String
    let first: String
    var testDescription: String { "\(reader): \(name)" }

    init(_ name: String, _ reader: Reader, _ start: String, _ unit: String, _ end: String, _ first: String) {
      (self.name, self.reader, self.start, self.unit, self.end, self.first) = (name, reader, start, unit, end, first)
    }

    var text: String { start + String(repeating: unit, count: 5_000_000 / unit.utf8.count) + end }
  }

  private static let head = "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n"
  private static let condition = head + "match /t/{id} { allow get: if "

  static let texts: [Large] = [
    Large("one comment", .rules, head + "match /t/{id} { allow get; } /* ", "a b\n", "*/ } }", "fine"),
    Large("one string", .rules, condition + "'", "abcdefgh", "' == id; } } }", "fine"),
    Large("one list", .rules, condition + "id in [", "'abcdefgh', ", "'']; } } }", "fine"),
    Large("one sum", .rules, condition, "1 + ", "1; } } }", "L3:31 Expression is too complex to evaluate safely."),
    Large("NUL", .rules, "", "\0", "", "L1:5000001 mismatched input '<EOF>' expecting {'function', 'import', 'service', 'rules_version'}"),
    Large("quotes", .rules, condition, "'\n", "", "L4:1 Missing a closing '"),
    Large("numbers", .json, "[", "-12.5e3, ", "0]", "fine"),
    Large("one string", .json, "\"", "a\\u00e9", "\"", "fine"),
    Large("members", .json, "{", "\"a\": 1, ", "\"b\": 2}", "line 1, column 10: the object has a second member \"a\"; names must differ"),
    Large("one pattern", .pattern, "", "(a|b)*", "", "Regular expression too long. Maximum allowed length: 4096 At byte 4096."),
  ]

  @Test(arguments: texts)
  func `five megabytes are read in one go`(_ large: Large) {
    let (finding, time) = measure { onSmallStack { large.reader.firstFinding(large.text) } }
    #expect(finding == large.first)
    #expect(time < .seconds(120))
  }

  /// Patterns that take backtracking engines for ever, on a long text.
  @Test(arguments: ["(a+)+", "(a|aa)+b", "(a|a)*b", "(.*)*x", "(?:a?){40}a{40}", "(a*)*(b*)*c", "([a-z]+)*[0-9]", "(x+x+)+y", "^(a+)*$", "(?:(?:a{1,30}){1,30}){1,30}b"])
  func `pathological patterns are answered, or given up on`(_ source: String) {
    let text = Array(repeating: UInt8(ascii: "a"), count: 200_000)
    let (answer, time) = measure {
      onSmallStack { () -> String in
        do {
          return "\(try Pattern(source).matches(text))"
        } catch {
          return "\(error)"
        }
      }
    }
    #expect(["true", "false", "tooComplex"].contains(answer))
    #expect(time < .seconds(120))
  }
}

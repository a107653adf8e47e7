import JSON
import Testing

/// What RFC 8259 accepts and refuses, in the categories of the public JSONTestSuite. The texts are ours.
@Suite("Grammar")
struct Grammar {
  @Test("what RFC 8259 allows is read", arguments: accepted)
  func accepts(_ example: Accepted) throws {
    #expect(try JSONValue(parsing: example.text) == example.value)
  }

  struct Accepted: Sendable {
    let text: String
    let value: JSONValue
    init(_ text: String, _ value: JSONValue) { (self.text, self.value) = (text, value) }
  }

  static let accepted: [Accepted] = [
    // structures
    Accepted("null", nil),
    Accepted(" true ", true),
    Accepted("\t\r\n false\n", false),
    Accepted("[]", []),
    Accepted("{}", [:]),
    Accepted("[ ]", []),
    Accepted("{ }", [:]),
    Accepted("[[],[[]],{}]", [[], [[]], [:]]),
    Accepted("[1 ,2, 3\n,4]", [1, 2, 3, 4]),
    Accepted("{\"a\":1,\"b\":{\"c\":[null]}}", ["a": 1, "b": ["c": [nil]]]),
    Accepted("{\"\":0}", ["": 0]),
    Accepted("{\"a\" : \"b\" }", ["a": "b"]),
    Accepted("\u{FEFF}[1]", [1]),
    // numbers
    Accepted("0", 0),
    Accepted("-0", 0),
    Accepted("1", 1),
    Accepted("1.0", 1.0),
    Accepted("1e0", 1.0),
    Accepted("1E2", 100.0),
    Accepted("1e+2", 100.0),
    Accepted("1.5e-1", 0.15),
    Accepted("0e0", 0.0),
    Accepted("0.1", 0.1),
    Accepted("-12.5e3", -12500.0),
    Accepted("9223372036854775807", 9_223_372_036_854_775_807),
    Accepted("-9223372036854775808", .int(.min)),
    Accepted("9223372036854775808", 9_223_372_036_854_775_808.0),
    Accepted("-9223372036854775809", -9_223_372_036_854_775_808.0),
    Accepted("18446744073709551616", 18_446_744_073_709_551_616.0),
    Accepted("123456789012345678901234567890", 1.2345678901234568e29),
    Accepted("1e308", 1e308),
    Accepted("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    Accepted("5e-324", .double(.leastNonzeroMagnitude)),
    Accepted("1e-400", 0.0),
    Accepted("0.000000000000000000000000000000000000000000001", 1e-45),
    Accepted("9007199254740993", 9_007_199_254_740_993),
    Accepted("9007199254740993.0", 9_007_199_254_740_992.0),
    Accepted("0.30000000000000004", 0.30000000000000004),
    Accepted("2.2250738585072011e-308", .double(Double.leastNormalMagnitude.nextDown)),
    Accepted("1" + String(repeating: "0", count: 300), 1e300),
    Accepted("0." + String(repeating: "0", count: 5000) + "1e5001", 1.0),
    // strings
    Accepted("\"\"", ""),
    Accepted("\"abc\"", "abc"),
    Accepted("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
    Accepted("\"\\u0041\\u00e9\\u20AC\"", "Aé€"),
    Accepted("\"a\\u0000b\"", "a\u{0}b"),
    Accepted("\"\\ud83d\\ude00!\"", "😀!"),
    Accepted("\"\\uDBFF\\uDFFF\"", "\u{10FFFF}"),
    Accepted("\"é€😀\u{7F}\u{2028}\u{FFFF}\"", "é€😀\u{7F}\u{2028}\u{FFFF}"),
    Accepted("\"plain \\u00fc after plain\"", "plain ü after plain"),
    Accepted("\"\\\\u0041\"", "\\u0041"),
  ]

  @Test("what RFC 8259 does not allow is refused, with its place and what would be right", arguments: refused)
  func refuses(_ example: Refused) throws {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: example.bytes) }
    #expect(error?.description == example.error)
  }

  struct Refused: Sendable {
    let bytes: [UInt8]
    let error: String
    init(_ text: String, _ error: String) { (bytes, self.error) = (Array(text.utf8), error) }
    init(bytes: [UInt8], _ error: String) { (self.bytes, self.error) = (bytes, error) }
  }

  static let refused: [Refused] = structures + objects + words + numbers + strings + encodings

  static let structures = [
    Refused("", "line 1, column 1: the text is empty; expected a value"),
    Refused(" \n ", "line 2, column 2: the text ends; expected a value"),
    Refused("[", "line 1, column 2: the text ends inside an array; expected a value or \"]\""),
    Refused("[1", "line 1, column 3: the text ends inside an array; expected \",\" or \"]\""),
    Refused("[1,", "line 1, column 4: the text ends inside an array; expected a value"),
    Refused("[1,]", "line 1, column 3: a comma may not stand before the closing ]; remove it"),
    Refused("[,1]", "line 1, column 2: expected a value or \"]\", found \",\""),
    Refused("[1,,2]", "line 1, column 4: expected a value, found \",\""),
    Refused("[1 2]", "line 1, column 4: expected \",\" or \"]\", found \"2\""),
    Refused("[1}", "line 1, column 3: expected \",\" or \"]\", found \"}\""),
    Refused("]", "line 1, column 1: expected a value, found \"]\""),
    Refused("[]]", "line 1, column 3: expected the end of the text, found \"]\""),
    Refused("1 2", "line 1, column 3: expected the end of the text, found \"2\""),
    Refused("{} // done", "line 1, column 4: expected the end of the text, found \"/\"; JSON has no comments"),
    Refused("[\n  1,\n  # two\n]", "line 3, column 3: expected a value, found \"#\"; JSON has no comments"),
    Refused("*", "line 1, column 1: expected a value, found \"*\""),
    Refused("\u{A0}1", "line 1, column 1: expected a value, found U+00A0"),
    Refused("[\u{C}]", "line 1, column 2: expected a value or \"]\", found U+000C"),
    Refused("é", "line 1, column 1: expected a value, found \"é\""),
  ]

  static let objects = [
    Refused("{", "line 1, column 2: the text ends inside an object; expected a member name in double quotes or \"}\""),
    Refused("{\"a\"", "line 1, column 5: the text ends inside an object; expected \":\" after the member name"),
    Refused("{\"a\":", "line 1, column 6: the text ends inside an object; expected a value"),
    Refused("{\"a\":1", "line 1, column 7: the text ends inside an object; expected \",\" or \"}\""),
    Refused("{\"a\":1,}", "line 1, column 7: a comma may not stand before the closing }; remove it"),
    Refused("{\"a\" 1}", "line 1, column 6: expected \":\" after the member name, found \"1\""),
    Refused("{\"a\"=1}", "line 1, column 5: expected \":\" after the member name, found \"=\"; members are written \"name\": value and parted by commas"),
    Refused("{\"a\":}", "line 1, column 6: expected a value, found \"}\""),
    Refused("{a:1}", "line 1, column 2: expected a member name in double quotes or \"}\", found a; names and strings stand in double quotes"),
    Refused("{'a':1}", "line 1, column 2: expected a member name in double quotes or \"}\", found \"'\"; strings and names stand in double quotes"),
    Refused("{1:1}", "line 1, column 2: expected a member name in double quotes or \"}\", found \"1\""),
    Refused("{,}", "line 1, column 2: expected a member name in double quotes or \"}\", found \",\""),
    Refused("{\"a\":1,,\"b\":2}", "line 1, column 8: expected a member name in double quotes, found \",\""),
    Refused("{\"a\":1;\"b\":2}", "line 1, column 7: expected \",\" or \"}\", found \";\"; members are written \"name\": value and parted by commas"),
    Refused("{\"a\":1]", "line 1, column 7: expected \",\" or \"}\", found \"]\""),
    Refused("{\"a\":1 \"b\":2}", "line 1, column 8: expected \",\" or \"}\", found '\"'"),
    Refused("{\"a\":1,\n \"b\":2,\n \"a\":3}", "line 3, column 2: the object has a second member \"a\"; names must differ"),
    Refused("[{\"a\":{\"b\":1,\"b\":1}}]", "line 1, column 14: the object has a second member \"b\"; names must differ"),
    Refused("{\"a\":1,\"\\u0061\":1}", "line 1, column 8: the object has a second member \"a\"; names must differ"),
  ]

  static let words = [
    Refused("True", "line 1, column 1: expected a value, found True; write true"),
    Refused("[FALSE]", "line 1, column 2: expected a value or \"]\", found FALSE; write false"),
    Refused("nul", "line 1, column 1: expected a value, found nul; names and strings stand in double quotes"),
    Refused("nulls", "line 1, column 1: expected a value, found nulls; names and strings stand in double quotes"),
    Refused("true1", "line 1, column 1: expected a value, found true1; names and strings stand in double quotes"),
    Refused("None", "line 1, column 1: expected a value, found None; write null"),
    Refused("undefined", "line 1, column 1: expected a value, found undefined; write null"),
    Refused("NaN", "line 1, column 1: expected a value, found NaN; JSON has no such number; write the string or null"),
    Refused("[Infinity]", "line 1, column 2: expected a value or \"]\", found Infinity; JSON has no such number; write the string or null"),
  ]

  static let numbers = [
    Refused("-", "line 1, column 2: expected a digit after \"-\", found the end of the text"),
    Refused("-a", "line 1, column 2: expected a digit after \"-\", found \"a\""),
    Refused("--1", "line 1, column 2: expected a digit after \"-\", found \"-\""),
    Refused("-Infinity", "line 1, column 2: expected a digit after \"-\", found \"I\""),
    Refused("+1", "line 1, column 1: expected a value, found \"+\"; a number may not start with +"),
    Refused(".5", "line 1, column 1: expected a value, found \".\"; a number starts with a digit: write 0 before the point"),
    Refused("[-.5]", "line 1, column 3: expected a digit after \"-\", found \".\""),
    Refused("01", "line 1, column 1: a number may not start with 0; remove the leading zeros"),
    Refused("-012", "line 1, column 2: a number may not start with 0; remove the leading zeros"),
    Refused("00", "line 1, column 1: a number may not start with 0; remove the leading zeros"),
    Refused("1.", "line 1, column 3: expected a digit after the decimal point, found the end of the text"),
    Refused("[1.]", "line 1, column 4: expected a digit after the decimal point, found \"]\""),
    Refused("1.e1", "line 1, column 3: expected a digit after the decimal point, found \"e\""),
    Refused("1e", "line 1, column 3: expected a digit in the exponent, found the end of the text"),
    Refused("1e+", "line 1, column 4: expected a digit in the exponent, found the end of the text"),
    Refused("1e1.5", "line 1, column 4: \".\" cannot stand in a number, which is written like -12.5e3"),
    Refused("1.2.3", "line 1, column 4: \".\" cannot stand in a number, which is written like -12.5e3"),
    Refused("0x1F", "line 1, column 2: \"x\" cannot stand in a number, which is written like -12.5e3"),
    Refused("1_000", "line 1, column 2: \"_\" cannot stand in a number, which is written like -12.5e3"),
    Refused("1a", "line 1, column 2: \"a\" cannot stand in a number, which is written like -12.5e3"),
    Refused("１", "line 1, column 1: expected a value, found \"１\""),
    Refused("1e309", "line 1, column 1: the number is beyond the range of a double, about ±1.8e308"),
    Refused("[-1e99999999999999999999]", "line 1, column 2: the number is beyond the range of a double, about ±1.8e308"),
    Refused("1" + String(repeating: "0", count: 400), "line 1, column 1: the number is beyond the range of a double, about ±1.8e308"),
  ]

  static let strings = [
    Refused("\"", "line 1, column 1: this string is not closed; expected a \""),
    Refused("[\"abc", "line 1, column 2: this string is not closed; expected a \""),
    Refused("\"abc\\", "line 1, column 1: this string is not closed; expected a \""),
    Refused("\"abc\\\"", "line 1, column 1: this string is not closed; expected a \""),
    Refused("'a'", "line 1, column 1: expected a value, found \"'\"; strings and names stand in double quotes"),
    Refused("abc", "line 1, column 1: expected a value, found abc; names and strings stand in double quotes"),
    Refused("\"a\nb\"", "line 1, column 3: a string may not go over a line's end; close it with \" or write \\n"),
    Refused("\"a\tb\"", "line 1, column 3: a tab in a string must be written \\t"),
    Refused("\"a\u{0}\"", "line 1, column 3: control character U+0000 in a string must be written \\u0000"),
    Refused("\"a\u{1F}\"", "line 1, column 3: control character U+001F in a string must be written \\u001F"),
    Refused("\"\\x41\"", "line 1, column 2: unknown escape \\\"x\"; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits"),
    Refused("\"\\'\"", "line 1, column 2: unknown escape \\\"'\"; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits"),
    Refused("\"\\é\"", "line 1, column 2: unknown escape \\\"é\"; allowed are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits"),
    Refused("\"\\u12\"", "line 1, column 2: \\u needs four hexadecimal digits"),
    Refused("\"\\u00G0\"", "line 1, column 2: \\u needs four hexadecimal digits"),
    Refused("\"\\ud83d\\u\"", "line 1, column 8: \\u needs four hexadecimal digits"),
    Refused("\"\\u", "line 1, column 2: \\u needs four hexadecimal digits"),
    Refused("[\"a\" \"b\"]", "line 1, column 6: expected \",\" or \"]\", found '\"'"),
  ]

  /// Raw bytes that are no UTF-8: stray and missing continuation bytes, overlong forms, surrogates, beyond U+10FFFF.
  static let encodings =
    [[0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0xBD],
     [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ].map { (bad: [UInt8]) in
      let name = String(bad[0], radix: 16, uppercase: true)
      return Refused(
        bytes: [0x22, 0xC3, 0xA9] + bad + [0x22],
        "line 1, column 3: byte 0x\(name) is not valid UTF-8 here; JSON must be saved as UTF-8")
    } + [
      Refused(bytes: [0x22, 0xE2, 0x82], "line 1, column 2: byte 0xE2 is not valid UTF-8 here; JSON must be saved as UTF-8"),
      Refused(bytes: [0xFF], "line 1, column 1: expected a value, found byte 0xFF"),
      Refused(bytes: [0xFF, 0xFE, 0x31, 0x00], "line 1, column 1: the text is in UTF-16; JSON must be saved as UTF-8"),
      Refused(bytes: [0xFE, 0xFF, 0x00, 0x31], "line 1, column 1: the text is in UTF-16; JSON must be saved as UTF-8"),
      Refused(bytes: [0xEF, 0xBB, 0xBF], "line 1, column 1: the text is empty; expected a value"),
      Refused(bytes: [0xEF, 0xBB, 0xBF, 0x78], "line 1, column 1: expected a value, found x; names and strings stand in double quotes"),
    ]
}

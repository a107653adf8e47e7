extension Edge {
  public static let all = large + nested + patterns

  private static let head = "rules_version = '2';\nservice cloud.firestore { match /databases/{database}/documents {\n"
  private static let condition = head + "match /t/{id} { allow get: if "
  private static let tooComplex = "Expression is too complex to evaluate safely."
  private static let tooLong = "Regular expression too long. Maximum allowed length: 4096 At byte 4096."
  private static let tooManyGroups =
    "Regular expression too many nested groupings. Maximum allowed nested groupings: 20 At byte 20."
  private static let tooDeep = "arrays and objects are nested more than 200 deep"

  private static let large: [Edge] = [
    Edge("one comment", .rules, head + "match /t/{id} { allow get; } /* ", "a b\n", "*/ } }", "fine"),
    Edge("one string", .rules, condition + "'", "abcdefgh", "' == id; } } }", "fine"),
    Edge("one list", .rules, condition + "id in [", "'abcdefgh', ", "'']; } } }", "fine"),
    Edge("one broken list", .rules, condition + "id in [", "'abcdefgh' ", "'']; } } }", "L3:49 Unexpected ''abcdefgh''."),
    Edge("one sum", .rules, condition, "1 + ", "1; } } }", "L3:31 \(tooComplex)"),
    Edge("broken match blocks", .rules, head, "match /a/{b} { allow read, : if true; }\n", "} }", "L3:26 Unexpected ','."),
    Edge("broken conditions", .rules, head, "match /a/{b} { allow read: if a b; }\n", "} }", "L3:33 Unexpected 'b'."),
    Edge("good match blocks", .rules, head, "match /a/{b} { allow read: if true; }\n", "} }", "fine"),
    Edge("functions", .rules, head, "function f() { return f(; }\n", "} }", "L3:25 Unexpected ';'."),
    Edge("NUL", .rules, "", "\0", "") { "L1:\($0 + 1) mismatched input '<EOF>' expecting {'function', 'import', 'service', 'rules_version'}" },
    Edge("quotes", .rules, condition, "'\n", "", "L4:1 Missing a closing '"),
    Edge("byte order marks", .rules, "", "\u{FEFF}", "") { "L1:\($0 + 1) mismatched input '<EOF>' expecting {'function', 'import', 'service', 'rules_version'}" },
    Edge("lines that end in CRLF", .rules, head, "match /a/{b} { allow read: if true; }\r\n", "} }", "fine"),
    Edge("unknown characters in lines", .rules, head, "#\r\n", "} }", "L3:1 token recognition error at: '#'"),
    Edge("one line of unknown characters", .tests, "", "#", "", "L1:1 token recognition error at: '#'"),
    Edge("broken tests", .tests, "", "test 'a' { allow get /a/b as ; }\n", "", "L1:30 Expected the name of a user, found ';'."),
    Edge("good tests", .tests, "", "test 'a' { deny get /a/b as nobody; }\n", "", "L2:6 Another test has the same name."),
    Edge("broken fixtures", .tests, "", "given /a/b { x: , };\n", "", "L1:17 Unexpected ','."),
    Edge("numbers", .json, "[", "-12.5e3, ", "0]", "fine"),
    Edge("one string", .json, "\"", "a\\u00e9", "\"", "fine"),
    Edge("lone surrogates", .json, "\"", "\\ud83d", "\"", "fine"),
    Edge("members", .json, "{", "\"a\": 1, ", "\"b\": 2}", "line 1, column 10: the object has a second member \"a\"; names must differ"),
    Edge("one pattern", .pattern, "", "(a|b)*", "", tooLong),
  ]

  private static let nested: [Edge] = [
    Edge(nested: "parentheses", .rules, condition, "(", "true", ")", "; } } }", "L3:130 \(tooComplex)"),
    Edge(nested: "open parentheses", .rules, condition, "(", "", "", "; } } }") { "L3:\($0 + 31) Unexpected ';'." },
    Edge(nested: "lists", .rules, condition, "[", "", "]", "; } } }", "L3:130 \(tooComplex)"),
    Edge(nested: "negations", .rules, condition, "!", "true", "", "; } } }", "L3:130 \(tooComplex)"),
    Edge(nested: "broken lists", .rules, condition, "[", "a b", "]", "; } } }", "L3:130 \(tooComplex)"),
    Edge(nested: "match blocks", .rules, head, "match /a/{b} {", "allow get;", "}", "} }", "L3:869 Rule hierarchy is too complex to evaluate safely."),
    Edge(nested: "arrays", .json, "", "[", "", "]", "", "line 1, column 201: \(tooDeep)"),
    Edge(nested: "objects", .json, "", "{\"a\":", "1", "}", "", "line 1, column 1001: \(tooDeep)"),
    Edge(nested: "groups", .pattern, "", "(", "a", ")", "") { $0 < 2_048 ? tooManyGroups : tooLong },
    Edge(nested: "tests", .tests, "", "test 'a' { ", "", "}", "", "L1:12 'test' cannot stand inside a test."),
    Edge(nested: "maps", .tests, "given /a/b { x: ", "{ a: ", "1", "}", " };", "L1:562 \(tooComplex)"),
  ]

  private static let patterns = [
    "(a+)+", "(a|aa)+b", "(a|a)*b", "(.*)*x", "(?:a?){40}a{40}", "(a*)*(b*)*c", "([a-z]+)*[0-9]", "(x+x+)+y", "^(a+)*$",
    "(?:(?:a{1,30}){1,30}){1,30}b",
  ].map { Edge(pattern: $0) }
}

import JSON
import RulesSyntax
import RulesTesting
import RulesValues
import Testing

/// The answer field by field, with values as production wrote them in September 2026 (github.com/sanjevirau/fireside,
/// `production-language-contract.json` and `production-parse-errors.json`). Places follow from the recorded law:
/// Unicode scalars, the end inclusive, closing brackets left out.
@Suite struct AnswerShape {
  static let head = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"

  /// Rules of one `allow get` for each condition, at `/t0/d`, `/t1/d`, …
  struct Rules {
    let text: String

    init(_ conditions: [String], functions: String = "") {
      var text = head + functions
      for (i, condition) in conditions.enumerated() {
        text += "    match /t\(i)/{id} {\n      allow get: if \(condition);\n    }\n"
      }
      self.text = text + "  }\n}\n"
    }

    /// The place of a piece of the text: its first occurrence from the start of another.
    func place(_ piece: String, from start: String = "", file: String? = nil) throws -> JSONValue {
      let scalars = Array(text.unicodeScalars)
      func find(_ piece: String, from: Int) throws -> Int {
        let wanted = Array(piece.unicodeScalars)
        return try #require(
          (from...scalars.count - wanted.count).first { scalars[$0..<$0 + wanted.count].elementsEqual(wanted) })
      }
      let at = try find(piece, from: start.isEmpty ? 0 : try find(start, from: 0))
      let lines = scalars[..<at].split(separator: "\n", omittingEmptySubsequences: false)
      var place = JSONObject()
      if let file { place["fileName"] = .string(file) }
      place["line"] = .int(Int64(lines.count))
      place["column"] = .int(Int64((lines.last?.count ?? 0) + 1))
      place["currentOffset"] = .int(Int64(at))
      place["endOffset"] = .int(Int64(at + piece.unicodeScalars.count - 1))
      return .object(place)
    }

    func ask(_ i: Int, level: String = "FULL", expectation: String = "ALLOW") throws -> JSONValue {
      let answer = try RulesTestAPI.answer(
        [
          "source": ["files": [["name": "firestore.rules", "content": .string(text)]]],
          "testSuite": [
            "testCases": [
              [
                "expectation": .string(expectation), "pathEncoding": "PLAIN", "expressionReportLevel": .string(level),
                "request": [
                  "auth": ["uid": "me", "token": ["role": "editor", "score": 7]], "method": "get",
                  "path": .string("/databases/(default)/documents/t\(i)/d"), "time": "2026-01-15T12:34:56.123456789Z",
                ],
                "resource": ["__name__": .string("/databases/(default)/documents/t\(i)/d"), "data": ["marker": true]],
              ]
            ]
          ],
        ], now: Timestamp(seconds: 0))
      return try #require(answer["testResults"]?.arrayValue?.first, "\(answer.serialized())")
    }

    static func node(_ place: JSONValue, _ value: JSONValue?, _ children: [JSONValue] = []) -> JSONValue {
      var node: JSONObject = ["sourcePosition": place]
      if let value { node["values"] = [["value": value, "count": 1]] }
      if !children.isEmpty { node["children"] = .array(children) }
      return .object(node)
    }
  }

  @Test func `an error is told with its place, its call and what was not evaluated`() throws {
    let rules = Rules(["debug(request.auth.uid) == 'me'", "'  x  '.trim() == 'x'"])
    let auth: JSONValue = ["uid": "me", "token": ["role": "editor", "score": 7]]
    let request: JSONValue = [
      "auth": auth, "method": "get", "path": "/databases/%28default%29/documents/t0/d",
      "time": "2026-01-15T12:34:56.123456789Z",
    ]
    let place = try rules.place("debug", file: "firestore.rules")
    let line = try #require(place["line"]?.intValue)
    let expected: JSONValue = [
      "state": "FAILURE",
      "debugMessages": [
        .string("Error: firestore.rules line [\(line)], column [21]. Function not found error: Name: [debug].")
      ],
      "errorPosition": place,
      "functionCalls": [["function": "debug", "args": ["me"]]],
      "expressionReports": [
        Rules.node(
          try rules.place("debug(request.auth.uid) == 'me'"), "||invalid_argument||",
          [
            Rules.node(
              try rules.place("debug(request.auth.uid"), "||invalid_argument||",
              [
                Rules.node(
                  try rules.place("request.auth.uid"), "me",
                  [Rules.node(try rules.place("request.auth"), auth, [Rules.node(try rules.place("request"), request)])]
                )
              ])
          ]),
        Rules.node(try rules.place("'  x  '.trim() == 'x'"), nil, [Rules.node(try rules.place("'  x  '.trim"), nil)]),
      ],
    ]
    #expect(try rules.ask(0).serialized(pretty: true) == expected.serialized(pretty: true))
  }

  @Test func `a let is a node with what follows it, and functions come first`() throws {
    let function = "    function f(n) {\n      let a = n * 2;\n      let b = a + 1;\n      return b == 7;\n    }\n"
    let rules = Rules(["f(3)"], functions: function)
    let expected: JSONValue = [
      "state": "SUCCESS",
      "visitedExpressions": [["sourcePosition": try rules.place("f", from: "f(3)"), "value": true]],
      "expressionReports": [
        Rules.node(
          try rules.place("let a = n * 2;\n      let b = a + 1;\n      return b == 7"), true,
          [
            Rules.node(try rules.place("n * 2"), 6, [Rules.node(try rules.place("n", from: "n * 2"), 3)]),
            Rules.node(
              try rules.place("let b = a + 1;\n      return b == 7"), true,
              [
                Rules.node(try rules.place("a + 1"), 7, [Rules.node(try rules.place("a", from: "a + 1"), 6)]),
                Rules.node(try rules.place("b == 7"), true, [Rules.node(try rules.place("b", from: "b == 7"), 7)]),
              ]),
          ]),
        Rules.node(try rules.place("f(3"), true),
      ],
    ]
    #expect(try rules.ask(0).serialized(pretty: true) == expected.serialized(pretty: true))
  }

  /// What an expression's value is written as.
  @Test(arguments: [
    ("duration.value(90, 's').seconds() == 90", "duration.value(90, 's'", "90s"),
    (
      "latlng.value(1.25, 2.5).latitude() == 1.25", "latlng.value(1.25, 2.5",
      ["latitude": 1.25, "longitude": 2.5] as JSONValue
    ),
    (
      "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3, 'c': 4}).affectedKeys().hasOnly(['b', 'c'])",
      "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3, 'c': 4", ["a": "UNCHANGED", "b": "CHANGED", "c": "REMOVED"] as JSONValue
    ),
    (
      "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3, 'c': 4}).affectedKeys().hasOnly(['b', 'c'])",
      "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3, 'c': 4}).affectedKeys", ["b", "c"] as JSONValue
    ),
    ("request.time.year() == 2026", "request.time", "2026-01-15T12:34:56.123456789Z"),
    ("resource.__name__ == request.path", "resource.__name__", "/databases/%28default%29/documents/t0/d"),
    ("/a/$(database)/c == /a/b/c", "database", "(default)"),
  ]) func `a value`(_ condition: String, _ piece: String, _ value: JSONValue) throws {
    let rules = Rules([condition])
    let place = try rules.place(piece, from: condition)
    let report = try rules.ask(0)["expressionReports"]
    var pending = report?.arrayValue ?? []
    while let node = pending.popLast() {
      if node["sourcePosition"] == place {
        #expect(node["values"] == [["value": value, "count": 1]])
        return
      }
      pending += node["children"]?.arrayValue ?? []
    }
    Issue.record("no node at \(place.serialized()) in \(report?.serialized(pretty: true) ?? "")")
  }

  @Test func `conditions that were tried are visited, true or false`() throws {
    let rules = Rules(["false;\n      allow read: if true"])
    let result = try rules.ask(0, level: "NONE")
    let expected: JSONValue = [
      "state": "SUCCESS",
      "visitedExpressions": [
        ["sourcePosition": try rules.place("false"), "value": false],
        ["sourcePosition": try rules.place("true", from: "read"), "value": true],
      ],
    ]
    #expect(result.serialized(pretty: true) == expected.serialized(pretty: true))
  }

  @Test func `only what was visited is reported when that is asked for`() throws {
    let rules = Rules(["request.auth.uid == 'me'", "resource.data.n == 1"])
    #expect(try rules.ask(0, level: "VISITED")["expressionReports"]?.arrayValue?.count == 1)
    #expect(try rules.ask(0, level: "NONE")["expressionReports"] == nil)
  }

  /// Mistakes in rules, the words of production and what they stand at.
  @Test(arguments: [
    ("      allow get: if ;", ";", "Missing conditional expression after 'if'.", "ERROR"),
    ("      allow get: if missingName == 1;", "missingName", "Invalid variable name: missingName.", "WARNING"),
    (
      "      allow get: if math.abs() == 1;", "abs", "Incorrect number of arguments supplied to function: math.abs.",
      "WARNING"
    ),
    (
      "      function again() { return again(); }\n      allow get: if again();", "again",
      "Recursive call is not allowed.", "ERROR"
    ),
  ]) func `an issue`(_ body: String, _ piece: String, _ message: String, _ severity: String) throws {
    let text = Self.head + "    match /a/{document} {\n" + body + "\n    }\n  }\n}\n"
    let rules = Rules(text: text)
    let answer = try RulesTestAPI.answer(
      ["source": ["files": [["name": "firestore.rules", "content": .string(text)]]], "testSuite": ["testCases": []]],
      now: Timestamp(seconds: 0))
    let expected: JSONValue = [
      "issues": [
        [
          "sourcePosition": try rules.place(piece, from: body, file: "firestore.rules"),
          "description": .string(message),
          "severity": .string(severity),
        ]
      ]
    ]
    #expect(answer.serialized(pretty: true) == expected.serialized(pretty: true))
  }

  @Test func `rules without a finding and without cases have an empty answer`() throws {
    let answer = try RulesTestAPI.answer(
      ["testCases": []], rules: SourceFile(name: "r", text: Rules(["request.time != null"]).text),
      now: Timestamp(seconds: 0))
    #expect(answer == [:])
  }

  @Test(arguments: [
    ("[1]", "testCases[0]: Expected an object, found an integer."),
    ("{\"testSuite\": {\"testCasse\": []}}", "testSuite: Unknown member \"testCasse\". Did you mean 'testCases'?"),
    (#"{"testCases": [{"expectation": "ALOW"}]}"#, "testCases[0].expectation: Expected \"ALLOW\" or \"DENY\"."),
    (
      #"{"testCases": [{"expectation": "DENY", "request": {"method": "gte", "path": "/a"}}]}"#,
      "testCases[0].request.method: Expected one of get, list, create, update, delete, read, write. Did you mean 'get'?"
    ),
    (
      #"{"testCases": [{"expectation": "DENY", "request": {"method": "get", "path": "a"}}]}"#,
      "testCases[0].request.path: Expected a whole path such as /databases/(default)/documents/users/alice."
    ),
    (#"{"testCases": []}"#, "source: The rules are missing."),
    (
      #"{"testCases": [{"expectation": "DENY", "request": {"method": "get", "path": "/a"}, "function_mocks": [{"function": "get", "args": [{}], "result": {"value": 1}}]}]}"#,
      "testCases[0].functionMocks[0].args[0]: Expected {\"exactValue\": …} or {\"anyValue\": {}}."
    ),
  ]) func `a wrong request is told`(_ text: String, _ message: String) throws {
    let json = try JSONValue(parsing: text)
    #expect(throws: TestSuiteMistake.self) { try RulesTestAPI.answer(json, now: Timestamp(seconds: 0)) }
    do { _ = try RulesTestAPI.answer(json, now: Timestamp(seconds: 0)) } catch { #expect("\(error)" == message) }
  }
}

extension AnswerShape.Rules {
  fileprivate init(text: String) { self.text = text }
}

import Foundation
import JSON
import RulesSyntax
import RulesValues
import Testing

@testable import RulesTesting

/// TestSuites as tests and back: the verdicts are those of the originals, and whatever is missing is told.
@Suite struct Conversions {
  private static func suite(_ index: Int) throws -> TestSuite {
    let scenario = ProductionVerdicts.scenarios[index]
    return try TestSuite(["source": scenario["source"] ?? .null, "testSuite": scenario["testSuite"] ?? .null])
  }

  private static func run(_ conversion: SuiteToTests, _ rules: SourceFile) -> FileResult {
    let file = TestFile.load(SourceFile(name: "firestore_test.rules", text: conversion.text))
    return Runner().run(file, RulesFile(rules))
  }

  @Test(arguments: ProductionVerdicts.scenarios.indices)
  func `what became a test comes to the verdict of production`(_ index: Int) throws {
    let suite = try Self.suite(index)
    let rules = try #require(suite.source)
    let conversion = try SuiteToTests(suite)
    let leftOut = conversion.losses.filter(\.isLeftOut)
    #expect(conversion.converted.count + leftOut.count == suite.cases.count)
    let run = Self.run(conversion, rules)
    #expect(run.diagnostics.filter { $0.severity == .error } == [], "\(conversion.text)")
    try #require(run.tests.count == conversion.converted.count, "\(conversion.text)")
    for (test, place) in zip(run.tests, conversion.converted) {
      // Production's verdict is the expectation of each recorded case.
      #expect(test.hasPassed, "\(conversion.text)")
      #expect(test.steps.first?.step.expectation == suite.cases[place].expectation)
    }
  }

  @Test func `all become tests but those that a database decides otherwise`() throws {
    var (converted, cases, reasons) = (0, 0, Set<String>())
    for index in ProductionVerdicts.scenarios.indices {
      let suite = try Self.suite(index)
      let conversion = try SuiteToTests(suite)
      cases += suite.cases.count
      converted += conversion.converted.count
      reasons.formUnion(conversion.losses.filter(\.isLeftOut).map(\.reason))
    }
    #expect(cases == 272)
    #expect(converted == 250)
    #expect(
      reasons.allSatisfy { $0.hasPrefix("The Rules API says") || $0.hasPrefix("The path is that of a collection") },
      "\(reasons)")
  }

  @Test(arguments: ProductionVerdicts.scenarios.indices)
  func `tests that came from cases become cases of the same verdicts`(_ index: Int) throws {
    let suite = try Self.suite(index)
    let rules = try #require(suite.source)
    let conversion = try SuiteToTests(suite)
    let file = TestFile.load(SourceFile(name: "firestore_test.rules", text: conversion.text))
    let back = TestsToSuite(file, RulesFile(rules))
    #expect(back.converted + back.losses.count(where: \.isLeftOut) == conversion.converted.count)
    let result = try RulesTestAPI.run(TestSuite(back.json), now: TestFile.defaultNow)
    #expect(result.hasPassed, "\(result.json.serialized(pretty: true))")
  }

  @Test func `a case that went there and back asks the same`() throws {
    var (compared, converted) = (0, 0)
    for index in ProductionVerdicts.scenarios.indices {
      let suite = try Self.suite(index)
      let rules = try #require(suite.source)
      let conversion = try SuiteToTests(suite)
      converted += conversion.converted.count
      let file = TestFile.load(SourceFile(name: "firestore_test.rules", text: conversion.text))
      for item in try TestSuite(TestsToSuite(file, RulesFile(rules)).json).cases {
        let number = try #require(
          item.name?.split(whereSeparator: { " ,".contains($0) }).dropFirst().first.flatMap { Int($0) })
        let original = suite.cases[number - 1]
        let (a, b) = (original.question, item.question)
        #expect(item.method == original.method && item.expectation == original.expectation)
        if item.method != "list" { #expect(a.path == b.path) }
        let isWritten = item.method == "create" || item.method == "update"
        #expect(!isWritten || (a.request["resource"]?["data"] ?? [:]) == b.request["resource"]?["data"])
        if let stored = a.resource, item.method != "list" { #expect(stored["data"] == b.resource?["data"]) }
        #expect(a.request["auth"]?["uid"] == b.request["auth"]?["uid"])
        for claim in a.request["auth"]?["token"]?.objectValue?.members ?? [] {
          #expect(b.request["auth"]?["token"]?[claim.key] == claim.value)
        }
        // To the millisecond.
        if let time = a.request["time"]?.stringValue {
          #expect(b.request["time"]?.stringValue?.prefix(23) == time.prefix(23))
        }
        #expect(a.request["query"] == b.request["query"])
        compared += 1
      }
    }
    #expect(converted - compared <= 4, "\(converted), \(compared)")
  }

  // MARK: What cannot be said

  private static let rules = SourceFile(
    name: "firestore.rules",
    text: """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /a/{id} { allow read, write: if true; }
          match /b/{id} { allow get: if exists(/databases/$(database)/documents/c/$(id)); }
          match /d/{id} { allow get: if resource == null; }
        }
      }
      """)

  private static func losses(_ members: String) throws -> [String] {
    let suite = try TestSuite(JSONValue(parsing: "[{\"expectation\": \"ALLOW\", \(members)}]"))
    return try SuiteToTests(suite, rules: rules).losses.map { loss in
      guard case .json(let place) = loss.place else { return "" }
      return "\(place.dropFirst("testSuite.testCases[0]".count)) \(loss)"
    }
  }

  private static let path = "/databases/(default)/documents/"

  @Test(arguments: [
    (
      #""request": {"method": "read", "path": "P/a/x"}"#,
      [".request left out: A request is one of get, list, create, update and delete, not read or write."]
    ),
    (
      #""request": {"method": "get", "path": "P/a/x", "headers": {}}"#,
      [".request.headers left out: A test has no words for it."]
    ),
    (
      #""request": {"method": "list", "path": "P/a/x", "query": {"limit": 1, "orderBy": "n"}}"#,
      [".request.query.orderBy left out: Of a query only the limit and the offset can be told."]
    ),
    (
      #""request": {"method": "create", "path": "P/a/x", "resource": {"data": {}}}, "resource": {"data": {}}"#,
      [".resource left out: A document that is there already cannot be created."]
    ),
    (
      #""request": {"method": "update", "path": "P/a/x", "resource": {"data": {}}}"#,
      [".resource changed: An update needs a document: an empty one is there."]
    ),
    (
      #""request": {"method": "get", "path": "P/a/x", "resource": {"data": {}}}, "expressionReportLevel": "FULL""#,
      [
        ".request.resource changed: A get writes no document: left out.",
        ".expressionReportLevel changed: What is reported of tests is chosen on the command line.",
      ]
    ),
    (
      #""request": {"method": "get", "path": "P/b/x"}, "functionMocks": [{"function": "exists", "args": [{"anyValue": {}}], "result": {"value": true}}]"#,
      [".functionMocks left out: A mock of any argument would be every document there is."]
    ),
    (
      #""request": {"method": "get", "path": "P/a/x", "auth": {"uid": "u", "token": {"iss": "me", "role": "r"}}}"#,
      [".request.auth.token.iss changed: A user's token has 'https://securetoken.google.com/demo-project'."]
    ),
    (
      #""request": {"method": "get", "path": "P/a/x", "auth": {"uid": "u", "extra": 1}}"#,
      [".request.auth.extra left out: A user of a test has a uid and a token alone."]
    ),
    (
      #""request": {"method": "get", "path": "P/d/x"}"#,
      [" left out: The Rules API says DENY (Null value error.); a database allows it"]
    ),
    (
      #""request": {"method": "get", "path": "P/b/x"}, "functionMocks": [{"function": "exists", "args": [{"exactValue": "P/c/x"}], "result": {"value": true}}]"#,
      []
    ),
  ]) func `what a test cannot say is told`(_ members: String, _ expected: [String]) throws {
    #expect(try Self.losses(members.replacingOccurrences(of: "P/", with: Self.path)) == expected)
  }

  @Test func `what a case cannot say is told`() throws {
    let file = TestFile.load(
      SourceFile(
        name: "firestore_test.rules",
        text: """
          user u = google();
          given /c/x { n: 1 };
          given /a/time { at: timestamp.date(2026, 1, 1) };
          test 't' {
            allow get /a/time as u;
            allow create /a/f { n: 1.0 } as u;
            allow create /a/g { n: 1.5 } as u, nobody;
            allow batch { create /a/h { n: 1 }; create /a/i { n: 1 }; } as u;
            allow list /a where n == 1 as u;
            allow list /a limit 3 as u;
            allow get /b/x as u;
            deny get /b/y as u because 'false';
            allow get /d/x as u;
            deny get /other/x as u because 'No matching allow statements';
            allow update /a/missing { n: 1 } as u;
          }
          never read /c/{id} if true;
          """))
    #expect(file.diagnostics.filter { $0.severity == .error } == [])
    let conversion = TestsToSuite(file, RulesFile(Self.rules))
    let told = conversion.losses.map { loss in
      guard case .source(let place) = loss.place else { return "" }
      return "\(place.line) \(loss)"
    }
    let noWords = "holds what JSON has no words for, such as a time or the float 1.0."
    #expect(
      told == [
        "5 left out: As u: The stored document \(noWords)",
        "6 left out: As u: The document that is written \(noWords)",
        "8 left out: As u: A case is one request, not several together.",
        "9 left out: As u: Of a query a case tells its collection, limit and offset alone.",
        "12 changed: A case has no reason: because 'false'.",
        "13 left out: As u: A database allows it, the Rules API says DENY (Null value error.)",
        "14 changed: A case has no reason: because 'No matching allow statements'.",
        "15 left out: There is no document /a/missing to update.",
        "17 left out: A TestSuite asks for single requests, not for all there are.",
      ])
    let result = try RulesTestAPI.run(TestSuite(conversion.json), now: TestFile.defaultNow)
    #expect(result.hasPassed && result.results.count == 6)
    #expect(
      conversion.json["testSuite"]?["testCases"]?.arrayValue?.compactMap { $0["functionMocks"]?.serialized() } == [
        #"[{"function":"exists","args":[{"exactValue":"/databases/(default)/documents/c/x"}],"result":{"value":true}}]"#,
        #"[{"function":"exists","args":[{"exactValue":"/databases/(default)/documents/c/y"}],"result":{"value":false}}]"#,
      ])
  }

  @Test func `values and names that are hard to write are read as they were`() throws {
    let data =
      #"{"it's": "a\\b'c\"\n\t\u0001ü😀", "n": [-9223372036854775808, 1e-7, 2.5, null, true], "m": {"x.y": {}, "a b": 1}}"#
    let suite = try TestSuite(
      JSONValue(
        parsing: """
          [{"expectation": "ALLOW", "name": "it's; a \\\\ name", "request": {"method": "create",
            "path": "\(Self.path)a/b%20'c%25d;{e}$", "resource": {"data": \(data)},
            "auth": {"uid": "x'y", "token": {"role's": {"deep": [1]}, "email": "e@example.com"}}}},
           {"expectation": "ALLOW", "name": "twice", "request": {"method": "get", "path": "\(Self.path)a/1"}},
           {"expectation": "ALLOW", "name": "twice", "request": {"method": "get", "path": "\(Self.path)a/2"}}]
          """))
    let conversion = try SuiteToTests(suite, rules: Self.rules, rulesName: "firestore.rules")
    #expect(conversion.losses == [], "\(conversion.text)")
    let file = TestFile.load(SourceFile(name: "t", text: conversion.text))
    let back = try TestSuite(TestsToSuite(file, RulesFile(Self.rules)).json)
    #expect(back.cases.count == conversion.converted.count)
    #expect(back.cases.first?.question.request["resource"]?["data"] == (try JSONValue(parsing: data)))
    #expect(back.cases.first?.question.request["auth"]?["token"]?["role's"] == ["deep": [1]])
    #expect(back.cases.first?.question.path == suite.cases.first?.question.path)
  }
}

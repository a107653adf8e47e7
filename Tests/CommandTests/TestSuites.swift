import Foundation
import Testing

/// `rules-test testsuite`: what a person sees, and the answer of the Rules API.
@Suite struct TestSuiteCommands {
  static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow get: if request.auth.uid == uid;
          allow create: if request.auth.token.admin == true && !('id' in request.resource.data);
          allow delete: if get(/databases/$(database)/documents/settings/site).data.open;
          allow update: if resource.id == uid || request.auth == null;
        }
      }
    }
    """

  private static func path(_ uid: String) -> String { "\"/databases/(default)/documents/users/\(uid)\"" }

  static let cases = """
    {"testCases": [
      {"name": "her own", "expectation": "ALLOW", "expressionReportLevel": "VISITED", "resource": {"data": {"n": 1}},
       "request": {"method": "get", "path": \(path("alice")), "auth": {"uid": "alice", "token": {}}, "time": "2026-01-01T00:00:00Z"}},
      {"expectation": "ALLOW",
       "request": {"method": "get", "path": \(path("alice")), "auth": {"uid": "bob", "token": {}}}},
      {"expectation": "DENY", "request": {"method": "get", "path": \(path("alice"))}},
      {"expectation": "ALLOW", "request": {"method": "list", "path": \(path("alice"))}},
      {"expectation": "DENY", "request": {"method": "delete", "path": \(path("alice"))}},
      {"expectation": "ALLOW", "request": {"method": "delete", "path": \(path("alice"))},
       "function_mocks": [{"function": "get", "args": [{"any_value": {}}], "result": {"value": {"data": {"open": true}}}}]},
      {"expectation": "DENY", "resource": {"data": {}},
       "request": {"method": "update", "path": \(path("alice")), "resource": {"data": {}}}},
      {"expectation": "ALLOW", "request": {"method": "write", "path": \(path("alice"))}}
    ]}
    """

  @Test func `a suite`() throws {
    let broken = Self.rules.replacingOccurrences(of: "== uid;", with: "= uid;")
    let folder = try Folder([
      "firestore.rules": Self.rules, "broken.rules": broken, "suite.json": Self.cases,
      "elsewhere/suite.json": Self.cases,
      "wrong.json": #"{"testCases": [{"expectation": "ALOW"}]}"#, "no.json": "{\n  \"testCases\": [}",
    ])
    for (name, arguments, code) in [
      ("testsuite", ["testsuite", "suite.json"], 1),
      ("testsuite-database", ["testsuite", "suite.json", "-q", "--as-database"], 1),
      ("testsuite-verbose", ["testsuite", "suite.json", "-v"], 1),
      ("testsuite-json", ["testsuite", "suite.json", "--format", "json", "--as-database"], 1),
      ("testsuite-by-test", ["test", "suite.json", "-q"], 1),
      ("testsuite-broken", ["testsuite", "suite.json", "--rules", "broken.rules"], 1),
      ("testsuite-no-rules", ["testsuite", "elsewhere/suite.json"], 2),
      ("testsuite-wrong", ["testsuite", "wrong.json"], 2),
      ("testsuite-no-json", ["testsuite", "no.json"], 2), ("testsuite-nothing", ["testsuite"], 2),
      ("help-testsuite", ["help", "testsuite"], 0),
    ] as [(String, [String], Int32)] {
      let run = try Run(arguments, in: folder.url)
      try Golden.expect(run.transcript(arguments), name + ".txt")
      #expect(run.exitCode == code, "\(name)")
    }
  }

  @Test func `a suite is reported to machines`() throws {
    let folder = try Folder([
      "firestore.rules": Self.rules, "suite.json": Self.cases, "two.json": Self.cases,
      "broken.rules": Self.rules.replacingOccurrences(of: "== uid;", with: "= uid;"),
      "nested.json":
        #"{"source": {"files": [{"name": "x", "content": \#(Self.quoted(Self.rules))}]}, "test_suite": \#(Self.cases)}"#,
    ])
    for kind in ["compact", "tap", "junit", "github", "gitlab", "sarif"] {
      let arguments = ["testsuite", "suite.json", "nested.json", "--as-database", "--format", kind]
      let run = try Run(arguments, in: folder.url)
      try Golden.expect(run.transcript(arguments), "testsuite-report.\(kind).txt")
      #expect(run.exitCode == 1)
    }
    for (name, arguments) in [
      ("testsuite-report-broken", ["testsuite", "suite.json", "--rules", "broken.rules", "--format", "compact"]),
      ("testsuite-report-coverage", ["testsuite", "suite.json", "--report", "lcov=a.info"]),
    ] {
      try Golden.expect(try Run(arguments, in: folder.url).transcript(arguments), "\(name).txt")
    }
    let both = try Run(
      ["test", "suite.json", "two.json", "--report", "json=out/a.json", "--report", "human=out/a.txt", "-q"],
      in: folder.url)
    let answers = try Run(["testsuite", "suite.json", "two.json", "--format", "json"], in: folder.url)
    #expect(both.exitCode == 1 && both.errors.isEmpty)
    #expect(try String(contentsOf: folder.url.appending(path: "out/a.json"), encoding: .utf8) == answers.output)
    #expect(try String(contentsOf: folder.url.appending(path: "out/a.txt"), encoding: .utf8).contains("\n\ntwo.json\n"))
  }

  @Test func `a suite is converted, and tests are`() throws {
    let suite =
      #"{"source": {"files": [{"name": "firestore.rules", "content": \#(Self.quoted(Self.rules))}]}, "testSuite": \#(Self.cases)}"#
    let folder = try Folder([
      "firestore.rules": Self.rules, "suite.json": Self.cases, "whole.json": suite,
      "other/firestore.rules": "// Mine.\n",
      "firestore_test.rules": """
      user alice = google();
      test 't' {
        allow get /users/alice as alice;
        deny get /users/alice as nobody because 'null';
        deny batch { delete /users/a; delete /users/b; } as alice;
      }
      """,
    ])
    for (name, arguments, code) in [
      ("convert-suite", ["convert", "suite.json"], 1),
      ("convert-suite-out", ["convert", "whole.json", "-o", "new/firestore_test.rules"], 1),
      ("convert-suite-run", ["new", "-q"], 1),
      ("convert-suite-taken", ["convert", "whole.json", "-o", "other/firestore_test.rules"], 2),
      ("convert-suite-elsewhere", ["convert", "suite.json", "-o", "tests.rules"], 2),
      (
        "convert-suite-other-rules", ["convert", "suite.json", "--rules", "firestore.rules", "-o", "a/b/c_test.rules"],
        1
      ),
      ("convert-suite-other-run", ["a/b", "-q", "--filter", "her own"], 0),
      ("convert-tests", ["convert", "firestore_test.rules"], 1),
      ("convert-nothing", ["convert"], 2),
      ("help-convert", ["help", "convert"], 0),
    ] as [(String, [String], Int32)] {
      let run = try Run(arguments, in: folder.url)
      try Golden.expect(run.transcript(arguments), "\(name).txt")
      #expect(run.exitCode == code)
    }
    #expect(try String(contentsOf: folder.url.appending(path: "new/firestore.rules"), encoding: .utf8) == Self.rules)
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n") + "\""
  }
}

import Foundation
import JSON
import Testing

/// Every way to call the program, with what a person sees and the exit code.
@Suite struct CommandTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var folder = ""
    var input = ""

    init(_ name: String, _ arguments: [String], in folder: String = "", input: String = "") {
      self.name = name
      self.arguments = arguments
      self.folder = folder
      self.input = input
    }

    var testDescription: String { name }
  }

  static let get = ["get", "/users/alice/lists/a"]
  static let astSource = "service cloud.firestore { match /a/{b} { allow get: if b == 'x'; } }"
  static let evalRules = """
    rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /lists/{x} { \
    allow read: if resource.data.owner == request.auth.uid; allow create: if request.resource.data.n == 1; \
    allow delete: if resource == null || !('kept' in resource.data); } } }
    """
  private static let asked = [
    #""auth": {"uid": "alice"}, "get": "lists/a""#, #""get": "projects/p/databases/(default)/documents/lists/a""#,
    #""auth": {"uid": "alice"}, "structuredQuery": {"from": [{"collectionId": "lists"}]}"#,
    #""auth": {"uid": "alice"}, "structuredQuery": {"from": [{"collectionId": "lists"}], "where": {"fieldFilter": {"field": {"fieldPath": "owner"}, "op": "EQUAL", "value": {"stringValue": "alice"}}}}"#,
    #""writes": [{"update": {"name": "lists/b", "fields": {"n": {"integerValue": "1"}}}}, {"delete": "lists/a"}], "documentsAfter": true"#,
    #""writes": [{"update": {"name": "lists/b", "fields": {"n": {"doubleValue": 2}}}}], "documentsAfter": true"#,
    #""writes": [{"delete": "lists/c", "currentDocument": {"exists": true}}]"#, #""get": "lists""#, #""gte": "lists/a""#,
    #""structuredQuery": {"from": [{"collectionId": "lists"}], "where": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "IN", "value": {"integerValue": "1"}}}}"#,
    #""auth": {"uid": "alice"}, "structuredQuery": {"from": [{"collectionId": "lists"}]}, "explain": true"#,
    #""writes": [{"update": {"name": "lists/b", "fields": {"n": {"integerValue": "1"}}}}, {"delete": "lists/a"}], "budget": true"#,
    #""writes": [{"update": {"name": "lists/b", "fields": {"n": {"integerValue": "2"}}}}], "fixes": true"#,
  ]
  private static func question(_ i: Int, _ rules: String, _ asked: String) -> String {
    #"{"id": \#(i), "rules": "\#(rules)", "documents": [{"name": "lists/a", "fields": {"owner": {"stringValue": "alice"}}}], \#(asked)}"#
  }
  static let evalQuestions =
    asked.enumerated().map { question($0.offset, evalRules, $0.element) }.joined(separator: "\n")
    + "\n\n{\"id\": \n" + question(99, "service", #""get": "lists/a""#) + "\n"
  static let evalAbsence = question(
    0, "rules_version = '2'; service cloud.firestore { match /{p=**} { allow list: if !('x' in resource.data); } }",
    #""structuredQuery": {"from": [{"collectionId": "lists"}]}"#)
  static let cases: [Case] = [
    Case("help", ["help"]),
    Case("help-option", ["--help"]),
    Case("help-test", ["test", "--help"]),
    Case("help-check", ["help", "check"]),
    Case("help-explain", ["explain", "-h"]),
    Case("help-id", ["help", "deny-by-error"]),
    Case("help-id-twice", ["help", "unknown-function"]),
    Case("help-help", ["help", "help"]),
    Case("help-prove", ["help", "prove"]),
    Case("help-diff", ["help", "diff"]),
    Case("help-matrix", ["help", "matrix"]),
    Case("help-mutate", ["help", "mutate"]),
    Case("help-fuzz", ["help", "fuzz"]),
    Case("help-lint", ["help", "lint"]),
    Case("lint-good", ["lint", "good/firestore.rules"]),
    Case("lint-warned", ["lint", "warned/firestore.rules", "--no-solver"]),
    Case("lint-json", ["lint", "warned/firestore.rules", "--no-solver", "--format", "json"]),
    Case("lint-missing", ["lint", "nowhere.rules"]),
    Case("help-unknown", ["help", "chekc"]),
    Case("help-init", ["help", "init"]),
    Case("help-completion", ["help", "completion"]),
    Case("completion-nothing", ["completion"]),
    Case("completion-unknown", ["completion", "fsh"]),

    Case("check-good", ["check", "good/firestore.rules"]),
    Case("check-quiet", ["check", "-q", "good/firestore.rules"]),
    Case("check-warned", ["check", "warned/firestore.rules"]),
    Case("check-broken", ["check", "broken/firestore.rules", "good/firestore.rules", "good/firestore_test.rules"]),
    Case("check-color", ["check", "--color", "always", "broken/firestore.rules"]),
    Case("check-json", ["check", "--format=json", "broken/firestore.rules"]),
    Case("check-ast", ["check", "--ast", "json", "-"], input: astSource),
    Case("check-ast-broken", ["check", "--ast=json", "-"], input: "service a { match /b { allow get: if 1 +; } }"),
    Case("check-input", ["check", "-"], input: "rules_version = '2';"),
    Case("check-test-file", ["check", "good/firestore_test.rules"]),
    Case("check-missing-test", ["check", "good/nowhere_test.rules"]),
    Case("explain-two-users", ["explain", "good/firestore.rules", "--as", "alice", "--as", "bob"] + get),
    Case("check-nothing", ["check"]),
    Case("check-missing", ["check", "nowhere.rules"]),
    Case("check-folder", ["check", "good"]),

    Case("test-good", ["good"]),
    Case("test-rules-named", ["test", "good/firestore.rules"]),
    Case("test-verbose", ["good/firestore_test.rules", "-v"]),
    Case("test-failing", ["test", "failing", "good"]),
    Case("test-failing-quiet", ["-q", "failing"]),
    Case("test-broken-rules", ["broken"]),
    Case("test-mistaken", ["mistaken"]),
    Case("test-orphan", ["orphan"]),
    Case("test-missing", ["nowhere"]),
    Case("test-misspelt-command", ["explian"]),
    Case("test-no-test-file", ["empty/readme.txt"]),
    Case("test-empty-folder", ["empty"]),
    Case("test-several-databases", [], in: "several"),
    Case("test-missing-json", ["nowhere", "--format", "json"]),
    Case("test-untested", [], in: "untested"),
    Case("test-without-path", [], in: "good"),
    Case("test-empty-file", ["good", "bare"]),
    Case("test-explain-full", ["failing", "-q", "--explain", "full"]),
    Case("test-explain-what", ["failing", "--explain", "ful"]),

    Case("explain-allowed", ["explain", "good/firestore.rules", "--as", "alice"] + get),
    Case("explain-denied", ["explain", "good/firestore.rules", "--as", "bob=google({ tenant: 'x' })"] + get),
    Case("explain-signed-out", ["explain", "good/firestore.rules"] + get),
    Case("explain-quiet", ["explain", "-q", "good/firestore.rules"] + get),
    Case(
      "explain-create", [
        "explain", "good/firestore.rules", "--as", "custom({ claims: { admin: true } })", "create",
        "/users/alice/lists/b", "--data", "{ title: 5, at: request.time }",
      ]),
    Case(
      "explain-auth", [
        "explain", "good/firestore.rules", "--auth", #"{"uid": "x", "token": {"admin": true}}"#, "create",
        "/users/alice/lists/b", "--data", "@data.json",
      ]),
    Case(
      "explain-given", [
        "explain", "good/firestore.rules", "--given", "given.json", "--now", "2030-05-06T07:08:09Z", "update",
        "/users/alice/lists/a", "--data", #"{"items": 4, "price": 2.0}"#,
      ]),
    Case(
      "explain-given-tests", ["explain", "good/firestore.rules", "--given", "good/firestore_test.rules", "--as", "bob"] + get),
    Case(
      "explain-given-misspelt",
      ["explain", "good/firestore.rules", "--given", "good/firestore_test.rules", "--as", "alcie"] + get),
    Case("explain-step", ["explain", "failing/firestore_test.rules:9"]),
    Case("explain-step-user", ["explain", "failing/firestore_test.rules:9", "--as", "bob", "--dialect", "emulator-1.19"]),
    Case("explain-step-missing", ["explain", "failing/firestore_test.rules:1"]),
    Case("explain-step-stranger", ["explain", "failing/firestore_test.rules:9", "--as", "bop"]),
    Case("explain-database", ["explain", "good/firestore.rules", "get", "/databases/archive/documents/users/alice/lists/a"]),
    Case("explain-strange-id", ["explain", "good/firestore.rules", "get", "/users/it's \u{202E}me/lists/a"]),
    Case("explain-broken", ["explain", "broken/firestore.rules"] + get),
    Case("explain-collection", ["explain", "good/firestore.rules", "get", "/users"]),
    Case("explain-method", ["explain", "good/firestore.rules", "craete", "/users/a"]),
    Case("explain-query", ["explain", "good/firestore.rules", "list", "/users"]),
    Case("explain-query-lacking", ["explain", "notes/firestore.rules", "--as", "alice", "list", "/notes"]),
    Case(
      "explain-query-allowed", [
        "explain", "notes/firestore.rules", "--as", "alice", "count", "notes", "where", "owner == 'alice'", "limit", "10",
      ]),
    Case(
      "explain-query-alternatives", [
        "explain", "notes/firestore.rules", "--as", "alice", "list",
        "/{any=**}/notes where (owner == 'alice' || open == true) order by title desc offset 2", "-q",
      ]),
    Case("explain-query-step", ["explain", "notes/firestore_test.rules:4"]),
    Case("explain-query-mistaken", ["explain", "notes/firestore.rules", "list", "/notes", "were", "a == 1"]),
    Case("explain-other-query", ["explain", "notes/firestore.rules", "sum(n)", "/notes"]),
    Case("explain-query-data", ["explain", "notes/firestore.rules", "list", "/notes", "--data", "{}"]),
    Case("test-query", ["notes"]),
    Case("explain-limits", ["explain", "-q", "limits/firestore.rules", "get", "/a/x"]),
    Case("explain-no-data", ["explain", "good/firestore.rules", "create", "/users/a"]),
    Case("explain-wrong-data", ["explain", "good/firestore.rules", "set", "/users/a", "--data", "{ a: nope }"]),
    Case("explain-wrong-user", ["explain", "good/firestore.rules", "--as", "a=gogle()"] + get),
    Case("explain-wrong-given", ["explain", "good/firestore.rules", "--given", "wrong.json"] + get),
    Case("explain-update-missing", ["explain", "good/firestore.rules", "update", "/users/a/lists/b", "--data", "{}"]),
    Case("explain-nothing", ["explain"]),

    Case("eval-questions", ["eval"], input: evalQuestions),
    Case("eval-strict", ["eval", "--queries", "production-strict", "-"], input: evalAbsence),
    Case("eval-missing", ["eval", "nowhere.jsonl"]),
    Case("help-eval", ["help", "eval"]),

    Case("unknown-option", ["--formt", "json"]),
    Case("unknown-choice", ["good", "--format", "jsn"]),
    Case("missing-value", ["check", "--format"]),
    Case("value-not-taken", ["good", "--quiet=yes"]),
  ]

  /// Proofs need z3, which the project's setup installs.
  static let solverIsThere = ["/usr/bin/z3", "/usr/local/bin/z3", "/opt/homebrew/bin/z3"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let provable = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} {
          allow get: if request.auth.uid == uid;
          allow list: if request.auth != null;
        }
        match /users/{uid}/lists/{id} {
          allow read: if resource.data.owner == request.auth.uid;
          allow update: if request.auth != null && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n']);
        }
      }
    }
    """
  static let invariants = """
    never get /users/{uid} unless request.auth != null && request.auth.uid == uid;
    isolate /users/{uid} by uid;
    never read /users/{uid}/lists/{id} unless resource.data.owner == request.auth.uid;
    immutable /users/{uid}/lists/{id} fields owner;
    private /secrets/{rest=**};
    """
  static let possibilities = """
    user alice = password();
    allows get, list /users/alice as alice;
    allows create /users/{uid} as alice;
    """

  @Test(.enabled(if: solverIsThere), arguments: [
    ("prove", ["prove"]), ("prove-quiet", ["prove", "-q"]),
    ("prove-verbose", ["prove", "-v"]), ("prove-json", ["prove", "--format", "json"]),
    ("prove-statement", ["prove", "firestore.rules", "--statement", "never update /users/{u}/lists/{l} if true;"]),
    ("prove-broken-statement", ["prove", "firestore.rules", "--statement", "never read /users if true;"]),
    ("prove-strange-solver", ["prove", "--solver", "no-such-solver"]),
    ("test-proofs", ["test"]), ("test-proofs-json", ["test", "--format", "json"]),
    ("test-no-proofs", ["test", "--no-proofs"]), ("test-strange-solver", ["test", "--solver", "no-such-solver"]),
  ]) func proofsSay(_ name: String, _ arguments: [String]) throws {
    let folder = try Folder(["firestore.rules": Self.provable, "firestore_test.rules": Self.invariants])
    let run = try Run(arguments, in: folder.url)
    try Golden.expect(run.transcript(arguments), name + ".txt")
  }

  @Test(.enabled(if: solverIsThere), arguments: [
    ("diff", ["diff", "firestore.rules", "new.rules"]),
    ("diff-quiet", ["diff", "firestore.rules", "new.rules", "-q"]),
    ("diff-verbose", ["diff", "firestore.rules", "new.rules", "-v"]),
    ("diff-same", ["diff", "firestore.rules", "rewritten.rules"]),
    ("diff-json", ["diff", "firestore.rules", "new.rules", "--format", "json"]), ("diff-one", ["diff", "firestore.rules"]),
  ]) func comparisonsSay(_ name: String, _ arguments: [String]) throws {
    let new = Self.provable.replacingOccurrences(of: "hasOnly(['n'])", with: "hasOnly(['n', 'owner'])")
    let rewritten = Self.provable.replacingOccurrences(
      of: "request.auth.uid == uid;", with: "!(uid != request.auth.uid) && request.auth != null;")
    let folder = try Folder(["firestore.rules": Self.provable, "new.rules": new, "rewritten.rules": rewritten])
    let run = try Run(arguments, in: folder.url)
    try Golden.expect(run.transcript(arguments), name + ".txt")
  }

  @Test(.enabled(if: solverIsThere), arguments: ["prove", "test"]) func whatMustStayPossibleIsLookedFor(_ command: String) throws {
    let folder = try Folder(["firestore.rules": Self.provable, "firestore_test.rules": Self.possibilities])
    try Golden.expect(try Run([command], in: folder.url).transcript([command]), command + "-possibilities.txt")
  }

  @Test(.enabled(if: solverIsThere)) func promisesAreInferred() throws {
    let folder = try Folder(["firestore.rules": Self.provable])
    for (name, arguments) in [
      ("prove-inferred", ["prove", "firestore.rules"]),
      ("prove-inferred-json", ["prove", "firestore.rules", "--format", "json"]),
    ] {
      try Golden.expect(try Run(arguments, in: folder.url).transcript(arguments), name + ".txt")
    }
  }

  @Test(.enabled(if: solverIsThere)) func whoCanDoWhatIsLocked() throws {
    let folder = try Folder(["firestore.rules": Self.provable])
    let lock = ["matrix", "firestore.rules", "--lock", "firestore.matrix"]
    func expect(_ name: String, _ arguments: [String]) throws {
      try Golden.expect(try Run(arguments, in: folder.url).transcript(arguments), name + ".txt")
    }
    try expect("matrix", ["matrix", "firestore.rules"])
    try expect("matrix-verbose", ["matrix", "firestore.rules", "-v"])
    try expect("matrix-json", ["matrix", "firestore.rules", "--format", "json"])
    try expect("matrix-lock", lock)
    try Golden.expect(String(contentsOf: folder.url.appending(path: "firestore.matrix"), encoding: .utf8), "matrix-file.txt")
    try expect("matrix-same", lock)
    let changed = Self.provable.replacingOccurrences(of: "allow list: if request.auth != null;", with: "allow list;")
      .replacingOccurrences(of: "match /users/{uid}/lists/{id} {", with: "match /users/{uid}/items/{id} {")
    try Data(changed.utf8).write(to: folder.url.appending(path: "firestore.rules"))
    try expect("matrix-changed", lock)
    try expect("matrix-accept", lock + ["--accept"])
    #expect(try Run(lock, in: folder.url).exitCode == 0)
    try expect("matrix-nothing", ["matrix"])
    try expect("matrix-accept-nothing", ["matrix", "firestore.rules", "--accept"])
    let none = "rules_version = '2'; service firebase.storage { match /b/{b}/o { match /{f=**} { allow read; } } }"
    try Data(none.utf8).write(to: folder.url.appending(path: "firestore.rules"))
    try expect("matrix-empty", ["matrix", "firestore.rules"])
  }

  @Test(.enabled(if: solverIsThere)) func weakerRulesSurviveWeakTests() throws {
    let rules = """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /users/{uid} {
            allow get: if request.auth != null && request.auth.uid == uid;
            allow create: if request.auth.uid == uid && request.resource.data.age < 150;
          }
        }
      }

      """
    let tests = """
      user alice = apple();
      user bob = apple();
      test 'her own' {
        allow get /users/alice as alice;
        deny get /users/alice as bob, nobody;
        deny list /users as alice;
        allow create /users/alice { age: 30 } as alice;
        deny create /users/bob { age: 150 } as bob;
        deny delete /users/alice as alice;
      }
      """
    let folder = try Folder(["firestore.rules": rules, "firestore_test.rules": tests])
    func expect(_ name: String, _ arguments: [String]) throws -> Int32 {
      let run = try Run(arguments, in: folder.url)
      try Golden.expect(run.transcript(arguments), name + ".txt")
      return run.exitCode
    }
    #expect(try expect("mutate", ["mutate"]) == 1)
    #expect(try expect("mutate-quiet", ["mutate", "-q"]) == 1)
    #expect(try expect("mutate-verbose", ["mutate", "-v"]) == 1)
    _ = try expect("mutate-json", ["mutate", "--format", "json"])
    // What the report proposes is what was missing.
    let more =
      tests + """

        test 'more' {
          deny create /users/alice { age: 1 } as bob;
          given /users/alice { age: 2 };
          deny set /users/alice { age: 3 } as alice;
          deny list /users where __name__ == /users/alice as alice;
        }
        """
    try Data(more.utf8).write(to: folder.url.appending(path: "firestore_test.rules"))
    #expect(try expect("mutate-better", ["mutate"]) == 0)
    let failing = tests + "\ntest 'wrong' { allow get /users/alice as bob; }"
    try Data(failing.utf8).write(to: folder.url.appending(path: "firestore_test.rules"))
    #expect(try expect("mutate-failing", ["mutate"]) == 2)
    #expect(try expect("mutate-missing", ["mutate", "nowhere"]) == 2)
  }

  @Test func testsGoOnWithoutASolver() throws {
    let folder = try Folder(["firestore.rules": Self.provable, "firestore_test.rules": Self.invariants])
    let run = try Run(["test"], in: folder.url, environment: ["PATH": "/nowhere"])
    try Golden.expect(run.transcript(["test"]), "test-without-solver.txt")
  }

  @Test(.enabled(if: solverIsThere)) func revisionsAreCompared() throws {
    let folder = try Folder(["firestore.rules": Self.provable])
    func git(_ arguments: [String]) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com"] + arguments
      process.currentDirectoryURL = folder.url
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    for arguments in [["init", "-q"], ["add", "."], ["commit", "-qm", "first"], ["tag", "v1"]] { try git(arguments) }
    let new = Self.provable.replacingOccurrences(of: "hasOnly(['n'])", with: "hasOnly(['n', 'owner'])")
    try Data(new.utf8).write(to: folder.url.appending(path: "firestore.rules"))
    for (name, old) in [("diff-revision", "v1:firestore.rules"), ("diff-no-revision", "v2:it's.rules")] {
      let arguments = ["diff", old, "firestore.rules"]
      let run = try Run(arguments, in: folder.url, environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
      try Golden.expect(run.transcript(arguments), name + ".txt")
    }
  }

  @Test(.enabled(if: solverIsThere)) func questionsAreWritten() throws {
    let folder = try Folder(["firestore.rules": Self.provable, "firestore_test.rules": Self.invariants, "smt/.keep": ""])
    let run = try Run(["prove", "--dump-smt", "smt"], in: folder.url)
    #expect(run.exitCode == 1)
    let first = try String(contentsOf: folder.url.appending(path: "smt/question1.smt2"), encoding: .utf8)
    #expect(first.contains("(check-sat)") && first.contains("declare-datatypes"))
  }

  @Test(arguments: cases) func theProgramSays(_ example: Case) throws {
    let folder = try Folder(SampleFiles.all)
    let run = try Run(example.arguments, in: folder.url.appending(path: example.folder), input: example.input)
    try Golden.expect(run.transcript(example.arguments), example.name + ".txt")
  }

  @Test(arguments: [
    ["--format", "json", "good", "failing"], ["check", "--format", "json", "broken/firestore.rules"],
    ["explain", "--format", "json", "good/firestore.rules"] + get,
    ["explain", "--format", "json", "failing/firestore_test.rules:9"],
    ["explain", "--format", "json", "notes/firestore.rules", "list", "/notes"],
    ["explain", "--format", "json", "notes/firestore_test.rules:4"],
  ]) func theJSONCanBeRead(_ arguments: [String]) throws {
    let folder = try Folder(SampleFiles.all)
    let run = try Run(arguments, in: folder.url)
    #expect(run.errors.isEmpty)
    _ = try JSONValue(parsing: run.output)
    _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
  }

  @Test func colourFollowsTheEnvironment() throws {
    let folder = try Folder(SampleFiles.all)
    func isColoured(_ arguments: [String], _ environment: [String: String]) throws -> Bool {
      try Run(["check", "broken/firestore.rules"] + arguments, in: folder.url, environment: environment)
        .output.contains("\u{1B}[")
    }
    // The output is a pipe here.
    #expect(try !isColoured([], ["TERM": "xterm"]))
    #expect(try !isColoured(["--color=never"], [:]))
    #expect(try isColoured(["--color=always"], ["NO_COLOR": "1", "TERM": "dumb"]))
  }

  @Test func columnsSetTheWidth() throws {
    let folder = try Folder(SampleFiles.all)
    let run = try Run(["explain", "good/firestore.rules"] + Self.get, in: folder.url, environment: ["COLUMNS": "60"])
    try Golden.expect(run.output, "explain-narrow.txt")
  }

  @Test func aReportThatIsLostIsNoSuccess() throws {
    let folder = try Folder(SampleFiles.all)
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    // Nothing can be written to a stream that is closed.
    shell.arguments = ["-c", "'\(try Run.program.path)' good >&- 2>lost; echo $? >code"]
    shell.currentDirectoryURL = folder.url
    try shell.run()
    shell.waitUntilExit()
    #expect(try String(contentsOf: folder.url.appending(path: "code"), encoding: .utf8) == "2\n")
    let said = try String(contentsOf: folder.url.appending(path: "lost"), encoding: .utf8)
    #expect(said == "rules-test: The output could not be written.\n")
  }

  @Test func aWholeNumberInATokenIsAnInt() throws {
    let folder = try Folder(["a.rules": """
      rules_version = '2';
      service cloud.firestore { match /databases/{d}/documents { match /a/{b} { allow get: if request.auth.token.n is int; } } }
      """])
    let run = try Run(
      ["explain", "a.rules", "--auth", #"{"uid": "x", "token": {"n": 1.0}}"#, "get", "/a/b", "-q"], in: folder.url)
    #expect(run.output.contains("✔ allowed"))
  }

  @Test func aClosedPipeIsNoCrash() throws {
    let folder = try Folder(SampleFiles.all)
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "{ '\(try Run.program.path)' --format json failing; echo $? >code; } | true"]
    shell.currentDirectoryURL = folder.url
    try shell.run()
    shell.waitUntilExit()
    #expect(try String(contentsOf: folder.url.appending(path: "code"), encoding: .utf8) == "1\n")
  }
}

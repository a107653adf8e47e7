import Foundation
import Testing

@testable import RulesTesting

/// A folder of files that is gone after the test.
private struct Folder: ~Copyable {
  let path: String

  init(_ files: [String: String]) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "rules-test-\(UUID().uuidString)").path()
    for (name, text) in files {
      let file = URL(filePath: path + "/" + name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

private let rules = """
  rules_version = '2';
  service cloud.firestore { match /databases/{d}/documents { match /a/{b} { allow get; } } }
  """
private let test = "test 't' { allow get /a/b as nobody; }"
private let archive = "database 'archive'; " + test

struct Layout: Sendable, CustomTestStringConvertible {
  var name: String
  var files: [String: String]
  /// Relative to the folder; it is searched from there when empty.
  var paths: [String] = []
  var from = ""
  /// Test file and rules file of each pair, and errors, without the folder's path.
  var expected: [String]

  var testDescription: String { name }
}

private func config(_ text: String) -> String { #"{"firestore": \#(text)}"# }

private let layouts: [Layout] = [
  Layout(
    name: "a test beside its rules, no firebase.json", files: ["x.rules": rules, "x_test.rules": test],
    expected: ["/x_test.rules: /x.rules"]),
  Layout(
    name: "firebase.json names the rules", files: [
      "firebase.json": config(#"{"rules": "conf/main.rules"}"#), "conf/main.rules": rules, "tests/lists_test.rules": test,
    ], expected: ["/tests/lists_test.rules: /conf/main.rules"]),
  Layout(
    name: "from a folder below firebase.json", files: [
      "firebase.json": config(#"{"rules": "conf/main.rules"}"#), "conf/main.rules": rules, "tests/a_test.rules": test,
      "conf/b_test.rules": test,
    ], from: "tests", expected: ["/conf/b_test.rules: /conf/main.rules", "/tests/a_test.rules: /conf/main.rules"]),
  Layout(
    name: "databases have their own rules", files: [
      "firebase.json": config(
        #"[{"database": "(default)", "rules": "main.rules"}, {"database": "archive", "rules": "old.rules"}, {"target": "x", "rules": "t.rules"}]"#),
      "main.rules": rules, "old.rules": rules, "t.rules": rules, "t/a_test.rules": test, "t/b_test.rules": archive,
    ], expected: ["/t/a_test.rules: /main.rules", "/t/b_test.rules: /old.rules"]),
  Layout(
    name: "a database without rules gets none of another", files: [
      "firebase.json": config(#"{"rules": "firestore.rules"}"#), "firestore.rules": rules, "t_test.rules": archive,
    ],
    expected: [
      "/t_test.rules: No rules found for it: neither t.rules beside it nor an entry for the database 'archive' in /firebase.json. Name them: rules 'firestore.rules';"
    ]),
  Layout(
    name: "rules of one database are not taken for another because of their name", files: [
      "firebase.json": config(#"[{"database": "main", "rules": "firestore.rules"}, {"database": "archive", "rules": "old.rules"}]"#),
      "firestore.rules": rules, "old.rules": rules, "firestore_test.rules": archive,
    ],
    expected: [
      "/firestore_test.rules: It tests the database 'archive', but /firestore.rules beside it belongs to 'main' by /firebase.json. Name the rules that are meant, rules '…'; or another database."
    ]),
  Layout(
    name: "the file says which rules", files: ["r/x.rules": rules, "t/y_test.rules": "rules '../r/x.rules'; " + test],
    expected: ["/t/y_test.rules: /r/x.rules"]),
  Layout(
    name: "the rules it names are not there", files: ["y_test.rules": "rules 'x.rules'; " + test],
    expected: ["/x.rules: There is no such rules file, which /y_test.rules tests."]),
  Layout(
    name: "firestore.rules in the folder", files: ["firestore.rules": rules, "lists_test.rules": test],
    expected: ["/lists_test.rules: /firestore.rules"]),
  Layout(
    name: "nothing to test with", files: ["lists_test.rules": test],
    expected: [
      "/lists_test.rules: No rules found for it: neither lists.rules beside it nor a firebase.json. Name them: rules 'firestore.rules';"
    ]),
  Layout(
    name: "hidden folders and packages are passed over", files: [
      "a/x.rules": rules, "a/x_test.rules": test, ".build/x_test.rules": test, "node_modules/m/x_test.rules": test,
    ], expected: ["/a/x_test.rules: /a/x.rules"]),
  Layout(
    name: "files and folders by name, each once", files: [
      "a/x.rules": rules, "a/x_test.rules": test, "b/y.rules": rules, "b/y_test.rules": test,
    ], paths: ["b/y.rules", "b", "a/x_test.rules"], expected: ["/b/y_test.rules: /b/y.rules", "/a/x_test.rules: /a/x.rules"]),
  Layout(
    name: "what is no test", files: ["a/x.rules": rules, "a/readme.md": "", "b/y": ""],
    paths: ["a/x.rules", "a/readme.md", "b", "c"],
    expected: [
      "/a/x.rules: There are no tests beside it: expected x_test.rules",
      "/a/readme.md: This is no test file: the name of one ends in _test.rules",
      "/b: There are no test files here: their names end in _test.rules", "/c: There is no such file or folder.",
    ]),
  Layout(
    name: "no JSON", files: ["firebase.json": "{ // comment\n}", "x.rules": rules, "x_test.rules": test],
    expected: [
      "/x_test.rules: /x.rules",
      "/firebase.json: This is no JSON: line 1, column 3: expected a member name in double quotes or \"}\", found \"/\"; JSON has no comments",
    ]),
  Layout(
    name: "firestore is no object", files: ["firebase.json": config("5"), "x_test.rules": test, "x.rules": rules],
    expected: [
      "/x_test.rules: /x.rules",
      "/firebase.json: 'firestore' must be an object or an array of objects, not an integer.",
    ]),
  Layout(
    name: "rules are no text",
    files: ["firebase.json": config(#"[{"rules": ["x"]}]"#), "x_test.rules": test, "x.rules": rules],
    expected: [
      "/x_test.rules: /x.rules", "/firebase.json: 'firestore[0].rules' must be a text, not [\"x\"].",
    ]),
  Layout(
    name: "one database twice",
    files: ["firebase.json": config(#"[{"rules": "x"}, {"rules": "y"}]"#), "x_test.rules": test, "x.rules": rules],
    expected: [
      "/x_test.rules: /x.rules", "/firebase.json: The database '(default)' has two entries.",
    ]),
  Layout(
    name: "a firebase.json without Firestore",
    files: ["firebase.json": "{}", "x_test.rules": test, "x.rules": rules], expected: ["/x_test.rules: /x.rules"]),
]

@Suite struct ProjectTests {
  @Test(arguments: layouts) func `test files are found and get their rules`(_ layout: Layout) throws {
    let folder = try Folder(layout.files)
    let project = Project.find(
      layout.paths.map { folder.path + "/" + $0 }, from: layout.from.isEmpty ? folder.path : folder.path + "/" + layout.from)
    let found =
      project.pairs.map { "\($0.test.file.name): \($0.rules.file.name)" } + project.errors.map(\.description)
    #expect(found.map { $0.replacingOccurrences(of: folder.path, with: "") } == layout.expected)
    for pair in project.pairs { #expect(Runner().run(pair.test, pair.rules).totals.passed == 1) }
  }

  @Test func `a file that cannot be read is an error value`() throws {
    let folder = try Folder(["x.rules": rules, "x_test.rules": test])
    #expect(throws: FileError.self) { try Project.load(folder.path + "/y_test.rules") }
    #expect(throws: FileError.self) { try Project.load(folder.path) }
    #expect(try Project.load(folder.path + "/x_test.rules").test.syntax.tests.count == 1)
  }

  @Test func `a test file that is a link to nowhere is no test that passed`() throws {
    let folder = try Folder(["x.rules": rules, "x_test.rules": test])
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/y_test.rules", withDestinationPath: "/nowhere/y")
    let project = Project.find([folder.path])
    #expect(project.pairs.count == 1)
    #expect(project.errors.map(\.reason) == ["The file that this link leads to is not there."])
  }

  @Test func `folders too deep to search are reported`() throws {
    let deep = (0...64).map { _ in "d" }.joined(separator: "/")
    let folder = try Folder(["x.rules": rules, "x_test.rules": test, deep + "/y_test.rules": test])
    #expect(Project.find([folder.path]).errors.count == 1)
  }

  @Test func `a database that firebase.json does not know is doubted, and so are the rules of another`() throws {
    let folder = try Folder([
      "firebase.json": config(#"[{"rules": "main.rules"}, {"database": "archive", "rules": "old.rules"}]"#),
      "main.rules": rules, "old.rules": rules, "a_test.rules": "rules 'main.rules'; database 'archve'; " + test,
      "b_test.rules": "rules 'main.rules'; " + archive, "c_test.rules": "rules 'old.rules'; " + archive,
    ])
    let project = Project.find([], from: folder.path)
    let found = project.pairs.map { $0.test.diagnostics.map(\.message).joined() }
    #expect(found.map { $0.replacingOccurrences(of: folder.path + "/", with: "") } == [
      "firebase.json has no database 'archve'. Did you mean 'archive'?",
      "firebase.json gives these rules to the database '(default)'; the test is about 'archive'.", "",
    ])
    #expect(project.untested.isEmpty && project.errors.isEmpty)
  }

  @Test func `rules of the project without any test are named, and missing ones are errors`() throws {
    let folder = try Folder([
      "firebase.json": config(
        #"[{"rules": "x.rules"}, {"database": "b", "rules": "b.rules"}, {"database": "c", "rules": "c.rules"}, {"target": "t", "rules": "t.rules"}]"#),
      "x.rules": rules, "x_test.rules": test, "b.rules": "service cloud.firestore {", "t.rules": rules,
    ])
    let project = Project.find([], from: folder.path)
    #expect(project.untested.map(\.name) == ["b", "t"])
    #expect(project.untested.map { $0.rules.ruleset == nil } == [true, false])
    #expect(project.errors.map(\.reason).map { $0.hasPrefix("There is no such rules file") } == [true])
    #expect(Project.find([folder.path]).untested.isEmpty)
  }

  @Test func `a link to a folder is not followed`() throws {
    let folder = try Folder(["a/x.rules": rules, "a/x_test.rules": test])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/a/loop", withDestinationPath: folder.path)
    #expect(Project.find([folder.path]).pairs.count == 1)
  }
}

struct PathCase: Sendable {
  var path: String
  var tidy: String
}

@Suite struct FileAccessTests {
  @Test(arguments: [
    PathCase(path: ".", tidy: "."), PathCase(path: "", tidy: "."), PathCase(path: "./a", tidy: "a"),
    PathCase(path: "a//b/", tidy: "a/b"), PathCase(path: "a/../b", tidy: "b"), PathCase(path: "../a", tidy: "../a"),
    PathCase(path: "a/..", tidy: "."), PathCase(path: "/", tidy: "/"), PathCase(path: "/a/./b/..", tidy: "/a"),
    PathCase(path: "/../a", tidy: "/a"), PathCase(path: "../../a", tidy: "../../a"),
  ]) func `a path is tidied`(_ c: PathCase) {
    #expect(FileAccess.tidy(c.path) == c.tidy)
  }

  @Test func `a file is in a folder`() {
    #expect(FileAccess.folder(of: "a/b.rules") == "a")
    #expect(FileAccess.folder(of: "b.rules") == ".")
    #expect(FileAccess.folder(of: "/b.rules") == "/")
    #expect(FileAccess.join("a", "../b") == "b")
    #expect(FileAccess.join("a", "/b") == "/b")
  }
}

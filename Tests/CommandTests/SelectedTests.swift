import Foundation
import JSON
import Testing

/// Which tests are run: `--filter`, `--shard`, `--seed`, `--fail-fast`, `--rerun-failed`.
@Suite struct SelectedTests {
  static let tests = """
    user alice = password();
    given /users/alice/lists/a { title: 'A' };

    test 'one' { allow get /users/alice/lists/a as alice; }
    test 'two' { allow get /users/alice/lists/a as nobody; }
    test 'three' { deny get /users/alice/lists/a as nobody; }
    test 'four' { allow delete /users/alice/lists/a as alice; }
    never create, delete /{document=**} unless request.auth != null;
    """
  static let files = [
    "a/firestore.rules": SampleFiles.good, "a/firestore_test.rules": tests, "b/firestore.rules": SampleFiles.good,
    "b/firestore_test.rules": tests.replacingOccurrences(of: "test '", with: "test 'other "),
    "broken/firestore.rules": "service",
    "broken/firestore_test.rules": "test 'never run' { allow get /a/b as nobody; }",
  ]

  /// Names of the tests that ran, in order.
  private func ran(_ arguments: [String], in folder: Folder, _ environment: [String: String] = [:]) throws -> [String] {
    let run = try Run(
      ["test", "--format", "json", "--no-proofs"] + arguments, in: folder.url, environment: environment)
    let json = try JSONValue(parsing: run.output)
    return (json["files"]?.arrayValue ?? []).flatMap { file -> [String] in
      if file["ran"]?.boolValue == false { return ["not run"] }
      let tests = (file["tests"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
      return tests + (file["invariants"]?.arrayValue ?? []).map { _ in "invariant" }
    }
  }

  static let all = ["one", "two", "three", "four", "invariant"]

  @Test func namesAreFiltered() throws {
    let folder = try Folder(Self.files)
    #expect(try ran(["a", "--filter", "TWO", "--filter", "four"], in: folder) == ["two", "four"])
    #expect(
      try ran(["a", "b", "--filter", "other"], in: folder) == ["other one", "other two", "other three", "other four"])
    #expect(try ran(["--filter", "a/firestore"], in: folder) == Self.all)
    #expect(try ran(["--filter", "never run"], in: folder) == ["not run"])
    #expect(try ran(["a", "--filter", "never"], in: folder) == ["invariant"])
  }

  @Test(arguments: [1, 2, 3, 7, 12, 40]) func shardsTogetherAreEverything(_ count: Int) throws {
    let folder = try Folder(Self.files)
    let whole = try ran([], in: folder)
    #expect(whole.count == 11)
    var parts: [[String]] = []
    for i in 1...count { parts.append(try ran(["--shard", "\(i)/\(count)"], in: folder)) }
    #expect(parts.flatMap(\.self).sorted() == whole.sorted())
    // None has two more than another.
    #expect((parts.map(\.count).max() ?? 0) - (parts.map(\.count).min() ?? 0) <= 1)
  }

  @Test func theSeedIsTheOrder() throws {
    let folder = try Folder(Self.files)
    let whole = try ran(["a", "b"], in: folder)
    let orders = try (1...6).map { try ran(["a", "b", "--seed", "\($0)"], in: folder) }
    for order in orders { #expect(order.sorted() == whole.sorted()) }
    #expect(Set(orders).count > 1)
    #expect(try ran(["a", "b", "--seed", "3"], in: folder) == orders[2])
    // A drawn seed can be used again.
    let run = try Run(["a", "b", "--no-proofs", "--format", "json", "--seed", "random"], in: folder.url)
    let json = try JSONValue(parsing: run.output)
    let seed = try #require(json["selection"]?["seed"]?.stringValue)
    let names = (json["files"]?.arrayValue ?? []).compactMap { $0["file"]?.stringValue }
    let again = try JSONValue(
      parsing: Run(["a", "b", "--no-proofs", "--format", "json", "--seed", seed], in: folder.url).output)
    #expect((again["files"]?.arrayValue ?? []).compactMap { $0["file"]?.stringValue } == names)
    #expect(json == again)
  }

  @Test func theFirstFailureEndsTheRun() throws {
    let folder = try Folder(Self.files)
    #expect(try ran(["a", "b", "--fail-fast"], in: folder) == ["one", "two"])
    #expect(try ran(["a", "--filter", "one", "--filter", "three", "--fail-fast"], in: folder) == ["one", "three"])
  }

  @Test func whatFailedIsRunAgain() throws {
    let folder = try Folder(Self.files)
    let state = ["RULES_TEST_STATE": folder.url.appending(path: "state/deep").path]
    let rerun = ["a", "b", "--rerun-failed"]
    #expect(try ran(rerun, in: folder, state).count == 10)
    #expect(try ran(rerun, in: folder, state) == ["two", "four", "other two", "other four"])
    // What was not run again is still known to have failed.
    #expect(try ran(["a", "--filter", "two"], in: folder, state) == ["two"])
    let mended = Self.tests.replacingOccurrences(of: "'two' { allow", with: "'two' { deny")
    try Data(mended.utf8).write(to: folder.url.appending(path: "a/firestore_test.rules"))
    #expect(try ran(rerun, in: folder, state) == ["two", "four", "other two", "other four"])
    #expect(try ran(rerun, in: folder, state) == ["four", "other two", "other four"])
    // Rules that do not compile hide which tests are meant; when they do again, their failures are the known ones.
    try Data("service".utf8).write(to: folder.url.appending(path: "a/firestore.rules"))
    #expect(try ran(rerun, in: folder, state) == ["not run", "other two", "other four"])
    try Data(SampleFiles.good.utf8).write(to: folder.url.appending(path: "a/firestore.rules"))
    #expect(try ran(["a", "--rerun-failed"], in: folder, state) == ["one", "two", "three", "four", "invariant"])
    #expect(try ran(["a", "--rerun-failed"], in: folder, state) == ["four"])
    // Without a memory everything is run: less could pass for a success.
    #expect(try ran(rerun, in: folder, ["RULES_TEST_STATE": folder.url.appending(path: "empty").path]).count == 10)
    try Data("{".utf8).write(to: folder.url.appending(path: "file"))
    #expect(try Run(rerun, in: folder.url, environment: [:]).exitCode == 2)
  }

  @Test(arguments: [
    ("select-filter", ["a", "--no-proofs", "--filter", "three"]), ("select-nothing", ["a", "--filter", "thre e"]),
    ("select-shard", ["a", "b", "--no-proofs", "-q", "--shard", "5/5"]),
    ("select-wrong-shard", ["a", "--shard", "6/5"]),
    ("select-seed", ["a", "--no-proofs", "--seed", "42", "--fail-fast", "-q"]),
    ("select-wrong-seed", ["a", "--seed", "-1"]),
    ("select-no-memory", ["a", "--rerun-failed"]), ("select-empty-shard", ["a", "--no-proofs", "--shard", "9/9"]),
  ]) func theProgramSays(_ name: String, _ arguments: [String]) throws {
    let folder = try Folder(Self.files)
    try Golden.expect(try Run(arguments, in: folder.url).transcript(arguments), name + ".txt")
  }
}

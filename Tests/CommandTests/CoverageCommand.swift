import Foundation
import JSON
import Testing

/// `--coverage` and what belongs to it, as a person calls it.
@Suite struct CoverageCommand {
  static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        function isAdmin() { return request.auth.token.admin == true; }
        match /notes/{id} {
          allow get: if resource.data.owner == request.auth.uid || isAdmin();
          allow delete: if isAdmin();
        }
      }
    }

    """
  static let tests = """
    user alice = password();
    user root = password({ claims: { admin: true } });
    given /notes/a { owner: 'alice' };
    test 'reading' { allow get /notes/a as alice; }
    test 'admins' { allow delete /notes/a as root; }
    """
  private static let plain = ["--no-proofs", "-q"]

  private func folder() throws -> Folder {
    try Folder(["firestore.rules": Self.rules, "firestore_test.rules": Self.tests])
  }

  @Test(.enabled(if: CommandTests.solverIsThere)) func requestsAreFound() throws {
    let folder = try folder()
    try Golden.expect(try Run(["--coverage", "-q"], in: folder.url).transcript(["--coverage", "-q"]), "coverage.txt")
  }

  @Test(arguments: [
    ("coverage-plain", ["--coverage"] + plain), ("coverage-low", ["--coverage-threshold", "80"] + plain),
    ("coverage-wrong", ["--coverage-threshold", "101"]),
    ("coverage-merge-missing", ["--coverage-merge", "nowhere.json"]),
    ("coverage-merge-wrong", ["--coverage-merge", "firebase.json"] + plain),
  ]) func theProgramSays(_ name: String, _ arguments: [String]) throws {
    let folder = try folder()
    try Data("{}".utf8).write(to: folder.url.appending(path: "firebase.json"))
    try Golden.expect(try Run(arguments, in: folder.url).transcript(arguments), name + ".txt")
  }

  @Test func thresholdsDecide() throws {
    let folder = try folder()
    // Of four conditions and operands three were true once: the whole of get, the owner, the call of delete.
    let run = try Run(["--coverage", "--no-proofs"], in: folder.url)
    #expect(run.exitCode == 0 && run.output.contains("3 of 8 halves seen"))
    #expect(try Run(["--coverage-threshold", "37.5"] + Self.plain, in: folder.url).exitCode == 0)
    #expect(try Run(["--coverage-threshold", "37.6"] + Self.plain, in: folder.url).exitCode == 1)
    #expect(try Run(["--coverage-threshold", "100"] + Self.plain, in: folder.url).exitCode == 1)
    #expect(try Run(["--coverage-threshold", "0"] + Self.plain, in: folder.url).exitCode == 0)
  }

  @Test func whoeverAsksIsTold() throws {
    let folder = try folder()
    let json = try JSONValue(parsing: Run(["--coverage", "--no-proofs", "--format", "json"], in: folder.url).output)
    #expect(json["coverage"]?["met"]?.intValue == 3 && json["coverage"]?["goals"]?.intValue == 8)
    #expect(json["coverage"]?["files"]?[0]?["file"]?.stringValue == "firestore.rules")
    let compact = try Run(["--coverage", "--no-proofs", "--format", "compact"], in: folder.url).output
    #expect(compact == "2 passed, 0 failed\n37.5 % covered\n")
    // A file is for machines; people who did not ask are told nothing.
    let file = try Run(["--no-proofs", "--report", "lcov=cov.info"], in: folder.url)
    #expect(file.exitCode == 0 && !file.output.contains("Coverage"))
    #expect(try String(contentsOf: folder.url.appending(path: "cov.info"), encoding: .utf8).contains("BRF:8\nBRH:3\n"))
    // What was not asked for is not there.
    #expect(try JSONValue(parsing: Run(["--no-proofs", "--format", "json"], in: folder.url).output)["coverage"] == nil)
  }

  @Test func shardsAddUpToTheWhole() throws {
    let folder = try folder()
    func covered(_ arguments: [String]) throws -> (Int64?, Int64?) {
      let run = try Run(["--no-proofs", "--report", "coverage=-"] + arguments, in: folder.url)
      let json = try JSONValue(parsing: run.output)
      return (json["met"]?.intValue, json["goals"]?.intValue)
    }
    let whole = try covered([])
    _ = try Run(["--no-proofs", "--shard", "1/2", "--report", "coverage=one.json"], in: folder.url)
    #expect(try covered(["--shard", "2/2"]) != whole)
    #expect(try covered(["--shard", "2/2", "--coverage-merge", "one.json"]) == whole)
    // Other rules are other halves.
    try Data((Self.rules + "// changed\n").utf8).write(to: folder.url.appending(path: "firestore.rules"))
    let run = try Run(["--coverage-merge", "one.json"], in: folder.url)
    #expect(run.exitCode == 2 && run.errors.contains("another version of firestore.rules"))
  }
}

import Foundation
import Testing

/// `rules-test init`: what it writes passes every check of the program, and what was there stays.
@Suite struct Init {
  private static let config = """
    {
      "firestore": [
        { "database": "(default)", "rules": "rules/main.rules" },
        { "database": "archive", "rules": "rules/archive.rules" },
        { "database": "old", "rules": "rules/old.txt" },
        { "target": "shared", "rules": "rules/main.rules" }
      ]
    }
    """
  private static let archive = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /years/{year} { allow get: if request.auth != null; }
        match /users/{uid}/{rest=**} { allow read: if request.auth.uid == uid; }
        match /posts/{post} { allow read: if resource.data.open == true; }
      }
    }
    """

  private func expect(_ name: String, _ arguments: [String], in folder: URL, _ code: Int32) throws {
    let run = try Run(arguments, in: folder)
    #expect(run.exitCode == code, "\(arguments): \(run.output)\(run.errors)")
    try Golden.expect(run.transcript(arguments), name + ".txt")
  }

  private func text(_ name: String, in folder: Folder) throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  /// What a folder holds, by path.
  private func files(in folder: Folder) throws -> [String: String] {
    var result: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.url.appending(path: name).path, isDirectory: &isFolder)
      if !isFolder.boolValue { result[name] = try text(name, in: folder) }
    }
    return result
  }

  @Test func `an empty folder`() throws {
    let folder = try Folder([".git/HEAD": ""])
    try expect("init-empty", ["init"], in: folder.url, 0)
    for name in ["firestore.rules", "firestore_test.rules", ".github/workflows/rules.yml"] {
      try Golden.expect(try text(name, in: folder), "init-empty." + name.replacingOccurrences(of: "/", with: "."))
    }
    let before = try files(in: folder)
    try expect("init-again", ["init"], in: folder.url, 0)
    #expect(try files(in: folder) == before)
  }

  @Test(.enabled(if: CommandTests.solverIsThere)) func `the starter passes everything`() throws {
    let folder = try Folder([:])
    #expect(try Run(["init", "--no-workflow"], in: folder.url).exitCode == 0)
    #expect(try Run(["check", "firestore.rules"], in: folder.url).output.contains("0 errors, 0 warnings"))
    #expect(try Run(["lint"], in: folder.url).exitCode == 0)
    let tests = try Run([], in: folder.url)
    #expect(tests.exitCode == 0 && tests.errors.isEmpty && !tests.output.contains("warning"), "\(tests.output)")
    #expect(try Run(["prove", "--strict"], in: folder.url).output.contains("2 proved, 0 leaks, 0 unknown"))
    // Whoever weakens the rules is told so.
    let mutants = try Run(["mutate"], in: folder.url)
    #expect(mutants.exitCode == 0 && mutants.output.contains(", 0 survived"), "\(mutants.output)")
    #expect(try Run(["--coverage-threshold", "95"], in: folder.url).exitCode == 0)
  }

  @Test func `a firebase-json with several databases`() throws {
    let folder = try Folder([
      ".git/HEAD": "", "app/firebase.json": Self.config, "app/rules/archive.rules": Self.archive, "app/lib/x": "",
    ])
    let inside = folder.url.appending(path: "app/lib")
    try expect("init-several", ["init"], in: inside, 0)
    for name in ["rules/archive_test.rules", "rules/old.txt_test.rules"] {
      let golden = "init-several." + name.replacingOccurrences(of: "/", with: ".")
      try Golden.expect(try text("app/" + name, in: folder), golden)
    }
    #expect(try text("app/rules/archive.rules", in: folder) == Self.archive)
    #expect(try text(".github/workflows/rules.yml", in: folder).contains("working-directory: 'app'"))
    let run = try Run(["--no-proofs"], in: inside)
    #expect(run.exitCode == 0 && !run.output.contains("warning"), "\(run.output)\(run.errors)")
    let before = try files(in: folder)
    #expect(try Run(["init"], in: inside).exitCode == 0)
    #expect(try files(in: folder) == before)
  }

  @Test func `what cannot be begun with is said`() throws {
    let broken = try Folder(["firestore.rules": "service cloud.firestore {"])
    try expect("init-broken", ["init", "--no-workflow"], in: broken.url, 1)
    #expect(try files(in: broken).count == 1)
    for (name, config) in [
      ("init-no-json", "{"), ("init-outside", #"{"firestore": {"rules": "../other.rules"}}"#),
      ("init-no-firestore", #"{"hosting": {}}"#), ("init-folder", #"{"firestore": {"rules": "rules"}}"#),
    ] {
      let folder = try Folder(["firebase.json": config, "rules/x": ""])
      let isFine = name == "init-no-firestore"
      try expect(name, ["init", "--no-workflow"], in: folder.url, isFine ? 0 : 2)
      #expect(try files(in: folder).count == (isFine ? 4 : 2), "\(name)")
    }
    let empty = try Folder([:])
    try expect("init-nowhere", ["init", "nowhere"], in: empty.url, 2)
    try expect("init-wrong-url", ["init", "--url", "https://example.com/$(id)"], in: empty.url, 2)
    #expect(try files(in: empty).isEmpty)
  }

  @Test func `a link of the name is not written through`() throws {
    let folder = try Folder([:])
    let link = folder.url.appending(path: "firestore.rules")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "elsewhere")
    #expect(try Run(["init"], in: folder.url).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "elsewhere").path))
  }

  /// Rules of all kinds: whatever tests are written for them pass, and no line of them draws a warning.
  @Test func `tests of rules that are there pass`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    var count = 0
    for place in ["rules", "Corpus/rulesets", "Corpus/guides"] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: place).path)
      for name in names.sorted() where name.hasSuffix(".rules") && !name.hasSuffix("_test.rules") {
        let rules = try String(contentsOf: root.appending(path: "\(place)/\(name)"), encoding: .utf8)
        let folder = try Folder(["firestore.rules": rules])
        let begun = try Run(["init", "--no-workflow"], in: folder.url)
        #expect(begun.exitCode == 0, "\(name): \(begun.output)")
        let run = try Run(["--no-proofs"], in: folder.url)
        #expect(run.exitCode == 0 && !run.output.contains("─ firestore_test.rules:"), "\(name): \(run.output)")
        count += 1
      }
    }
    #expect(count > 20)
  }
}

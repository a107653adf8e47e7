import Foundation
import JSON
import Testing

/// `--report`: what is written where, and what is said when it cannot be.
@Suite struct ReportFiles {
  private func run(_ arguments: [String], in folder: Folder, _ environment: [String: String] = [:]) throws -> Run {
    try Run(arguments, in: folder.url, environment: environment)
  }

  private func text(_ name: String, in folder: Folder) throws -> String {
    try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
  }

  @Test func severalAtOnce() throws {
    let folder = try Folder(SampleFiles.all)
    let kinds = ["compact", "json", "tap", "tap13", "junit", "github", "gitlab", "sarif", "human"]
    let result = try run(["failing"] + kinds.flatMap { ["--report", "\($0)=out.\($0)"] }, in: folder)
    #expect(result.exitCode == 1 && result.errors.isEmpty)
    #expect(try text("out.human", in: folder) == result.output)
    for kind in kinds {
      #expect(try !text("out.\(kind)", in: folder).isEmpty)
      // The same as on standard output, but for the times.
      let printed = try run(["failing", "--report", "\(kind)=-"], in: folder)
      if kind != "junit" { #expect(try text("out.\(kind)", in: folder) == printed.output) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy { !$0.hasSuffix(".tmp") })
  }

  @Test(arguments: [
    ("report-kind", ["good", "--report", "junt=a.xml"]), ("report-no-file", ["good", "--report=junit"]),
    ("report-twice-out", ["good", "--report", "junit=-", "--report", "tap=-"]),
    ("report-twice", ["good", "--report", "junit=a", "--report", "tap=a"]),
    (
      "report-no-folder",
      ["good", "-q", "--report", "junit=given.json/where.xml", "--report", "tap=new/folder/out.tap"]
    ),
    ("report-folder", ["good", "-q", "--report", "junit=good"]),
    ("report-compact", ["failing", "mistaken", "--format", "compact"]),
  ]) func theProgramSays(_ name: String, _ arguments: [String]) throws {
    let folder = try Folder(SampleFiles.all)
    try Golden.expect(try run(arguments, in: folder).transcript(arguments), name + ".txt")
    if name == "report-no-folder" {
      #expect(try text("new/folder/out.tap", in: folder).hasPrefix("TAP version 14\n1.."))
    }
  }

  @Test func whatIsThereIsReplacedAsAWhole() throws {
    let folder = try Folder(SampleFiles.all.merging(["real/old.tap": String(repeating: "old\n", count: 10_000)]) { $1 })
    let link = folder.url.appending(path: "link.tap")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url.appending(path: "real/old.tap"))
    _ = try run(["good", "--report", "tap=link.tap"], in: folder)
    #expect(
      try text("real/old.tap", in: folder).hasPrefix("TAP version 14")
        && !text("real/old.tap", in: folder).contains("old\n"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path).hasSuffix("old.tap"))
    // A device is no file to be replaced.
    #expect(try run(["good", "--report", "tap=/dev/null"], in: folder).exitCode == 0)
  }

  @Test func annotationsComeByThemselvesInGitHub() throws {
    let folder = try Folder(SampleFiles.all)
    let environment = ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder.url.path]
    let result = try Run(["-q", "failing"], in: folder.url, environment: environment)
    let lines = result.output.split(separator: "\n").map(String.init)
    let token = try #require(lines.first?.split(separator: ":").last)
    // Names of tests cannot be commands: GitHub looks for none between these two.
    #expect(lines.first == "::stop-commands::\(token)" && lines.contains("::\(token)::"))
    let other = try Run(["-q", "failing"], in: folder.url, environment: environment)
    #expect(!other.output.contains(token))
    try Golden.expect(result.output.replacingOccurrences(of: token, with: "TOKEN"), "report-in-github.txt")
    // What a machine reads stays as it is.
    let json = try Run(["failing", "--format", "json"], in: folder.url, environment: environment)
    _ = try JSONValue(parsing: json.output)
    #expect(json.errors.hasPrefix("::error file=failing/firestore_test.rules,line="))
    let below = try Run([], in: folder.url.appending(path: "failing"), environment: environment)
    #expect(below.output.contains("::error file=failing/firestore_test.rules,line="))
  }

  /// What `docs/ci.md` tells people to call, they can call: its commands run on a project, in the shell.
  @Test func theDocumentedCommandsRun() throws {
    let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/ci.md")
    let lines = try String(contentsOf: docs, encoding: .utf8).split(separator: "\n").map(String.init)
    var commands: [String] = []
    var isCode = false
    for line in lines {
      if line.hasPrefix("```") { isCode.toggle() }
      guard isCode, let start = line.range(of: "rules-test "), !line.hasPrefix("prove ") else { continue }
      commands.append(String(line[start.lowerBound...]))
    }
    #expect(commands.count >= 8)
    let folder = try Folder(["firestore.rules": SampleFiles.good, "firestore_test.rules": SampleFiles.goodTests])
    for command in commands {
      // What other programs do is tried where they are: scripts/check-formats.
      let own = String(command.split(separator: "|")[0].split(separator: "&&")[0].split(separator: " # ")[0])
        .replacing("${{ matrix.part }}", with: "1").replacing("--coverage-threshold 80", with: "--coverage-threshold 5")
      for part in 2...3 {
        let one = folder.url.appending(path: "coverage-1.json")
        guard FileManager.default.fileExists(atPath: one.path) else { break }
        try? FileManager.default.copyItem(at: one, to: folder.url.appending(path: "coverage-\(part).json"))
      }
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = [
        "-c", own.replacing("rules-test ", with: "'\(try Run.program.path)' --no-proofs ", maxReplacements: 1),
      ]
      shell.currentDirectoryURL = folder.url
      shell.standardOutput = FileHandle.nullDevice
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0, "\(own)")
    }
  }
}

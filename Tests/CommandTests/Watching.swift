import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `--watch` through many saves of many kinds: no stale result, no growth.
@Suite(.serialized) struct Watching {
  /// A running program whose rounds are read one by one.
  private final class Watched {
    let process = Process()
    private let pipe = Pipe()
    private var text = ""

    init(_ folder: Folder, _ arguments: [String] = []) throws {
      process.executableURL = try Run.program
      process.arguments = ["test", "--watch"] + arguments
      process.currentDirectoryURL = folder.url
      process.environment = [:]
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// What was printed up to the end of the next round; `nil`: nothing came in time.
    func round(within seconds: Double = 10) -> String? {
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      let end = Date().addingTimeInterval(seconds)
      while true {
        if let mark = text.range(of: "Ctrl-C ends.\n") {
          defer { text = String(text[mark.upperBound...]) }
          return String(text[..<mark.upperBound])
        }
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let left = end.timeIntervalSinceNow
        guard left > 0, poll(&wait, 1, Int32(left * 1000)) > 0 else { return nil }
        let data = pipe.fileHandleForReading.availableData
        guard !data.isEmpty else { return nil }
        text += String(decoding: data, as: UTF8.self)
      }
    }

    /// Ends the program as Ctrl-C does.
    func interrupt() -> Int32 {
      process.interrupt()
      process.waitUntilExit()
      return process.terminationStatus
    }

    var handles: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count) ?? 0
    }

    /// Kilobytes.
    var memory: Int {
      let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
      return status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
  }

  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid} { allow get: if CONDITION; }
      }
    }

    """
  private static func rules(_ condition: String) -> String {
    rules.replacingOccurrences(of: "CONDITION", with: condition)
  }
  private static func tests(_ verdict: String, _ count: Int = 1) -> String {
    (1...count).map { "test 't\($0)' { \(verdict) get /users/u\($0) as nobody; }\n" }.joined()
  }

  private static func write(_ text: String, _ file: URL, way: Int) throws {
    switch way % 3 {
    case 0:
      // In place, as a shell does.
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    case 1:
      // A new file in place of the old one.
      try Data(text.utf8).write(to: file, options: .atomic)
    default:
      // The old one is put aside first.
      let backup = file.appendingPathExtension("old~")
      try? FileManager.default.removeItem(at: backup)
      try FileManager.default.moveItem(at: file, to: backup)
      try Data(text.utf8).write(to: file)
    }
  }

  @Test(.timeLimit(.minutes(3))) func twoHundredEdits() throws {
    let folder = try Folder([
      "firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("allow"),
      "other/firestore.rules": Self.rules("true"), "other/firestore_test.rules": Self.tests("allow", 3),
    ])
    let watched = try Watched(folder, ["."])
    let first = try #require(watched.round())
    #expect(first.contains("4 passed, 0 failed\n") && first.contains("Ran 2 of 2 files"))
    let rulesFile = folder.url.appending(path: "firestore.rules")
    let testFile = folder.url.appending(path: "firestore_test.rules")
    var (allows, isBroken, expected, count) = (true, false, "allow", 1)
    /// From before the save to the end of the report.
    var times: [Duration] = []
    var handles = 0
    var memory = 0
    for i in 1...200 {
      let start = ContinuousClock.now
      // Each edit is another text than the one before, so that each must show.
      switch i % 5 {
      case 0:
        isBroken = true
        try Self.write(Self.rules("true &&& \(i)"), rulesFile, way: i)
      case 1, 2:
        isBroken = false
        allows = i % 4 < 2
        try Self.write(Self.rules("\(allows) // \(i)\n"), rulesFile, way: i)
      case 3:
        count = 1 + i % 7
        try Self.write(Self.tests(expected, count) + "// \(i)\n", testFile, way: i)
      default:
        expected = expected == "allow" ? "deny" : "allow"
        try Self.write(Self.tests(expected, count) + "// \(i)\n", testFile, way: i)
      }
      let text = try #require(watched.round(), "no result after edit \(i)")
      times.append(ContinuousClock.now - start)
      let passed = allows == (expected == "allow") ? count : 0
      if isBroken {
        #expect(text.contains("error: ") && text.contains("3 passed, 1 failed\n"), "edit \(i)\n\(text)")
        #expect(text.contains("When firestore_test.rules could last be run: "))
      } else {
        #expect(text.contains("\n\(3 + passed) passed, \(count - passed) failed\n"), "edit \(i)\n\(text)")
      }
      #expect(text.contains("Ran 1 of 2 files in "), "edit \(i)\n\(text)")
      if i == 40 { (handles, memory) = (watched.handles, watched.memory) }
    }
    times.sort()
    // A debug build on a busy machine: the median says more than the slowest.
    #expect(times[times.count / 2] < .milliseconds(100), "\(times)")
    print("watch: median \(times[100]), slowest \(times[199]) of 200 saves; memory \(memory) → \(watched.memory) kB")
    #expect(watched.handles == handles && handles > 0)
    #expect(watched.memory < memory + 4096, "\(memory) → \(watched.memory) kB")
    #expect(watched.interrupt() == (isBroken || allows != (expected == "allow") ? 1 : 0))
  }

  /// A file that is emptied before it is written, as shells do, is not taken for one without tests.
  @Test(.timeLimit(.minutes(1))) func halfSavedFiles() throws {
    let folder = try Folder(["firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("allow")])
    let watched = try Watched(folder)
    _ = try #require(watched.round())
    for (i, name) in ["firestore_test.rules", "firestore.rules"].enumerated() {
      let text = (i == 0 ? Self.tests("allow") : Self.rules("true")) + "// \(i)\n"
      let handle = try FileHandle(forWritingTo: folder.url.appending(path: name))
      try handle.truncate(atOffset: 0)
      // Another file wakes the program just then.
      try Self.write("{\"i\": \(i)}", folder.url.appending(path: "firebase.json"), way: 1)
      usleep(25_000)
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
      try FileManager.default.removeItem(at: folder.url.appending(path: "firebase.json"))
      while let round = watched.round(within: 0.3) {
        #expect(!round.contains("0 passed") && !round.contains("not run"), "\(round)")
      }
    }
    _ = watched.interrupt()
  }

  /// Saves that come faster than anybody reads: what is shown in the end is what was saved in the end.
  @Test(.timeLimit(.minutes(1))) func savesInBursts() throws {
    let folder = try Folder(["firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("allow")])
    let watched = try Watched(folder)
    _ = try #require(watched.round())
    let file = folder.url.appending(path: "firestore.rules")
    for burst in 1...15 {
      for i in 1...burst { try Self.write(Self.rules("\(i % 2 == 0) // \(burst) \(i)\n"), file, way: burst + i) }
      try Self.write(Self.rules("\(burst % 2 == 0) // \(burst)\n"), file, way: burst)
      var last = try #require(watched.round())
      // The last save may have a round of its own.
      let wanted = burst % 2 == 0 ? "1 passed, 0 failed" : "0 passed, 1 failed"
      let end = Date().addingTimeInterval(5)
      while let more = watched.round(within: 0.15) { last = more }
      while !last.contains(wanted), Date() < end, let more = watched.round(within: 1) { last = more }
      #expect(last.contains(wanted), "burst \(burst)\n\(last)")
    }
    #expect(watched.interrupt() == 1)
  }

  @Test(.timeLimit(.minutes(1))) func whatIsNoChangeIsNotTold() throws {
    let folder = try Folder(["firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("allow")])
    let watched = try Watched(folder)
    _ = try #require(watched.round())
    let file = folder.url.appending(path: "firestore.rules")
    try Self.write(Self.rules("true"), file, way: 1)
    try Data("x".utf8).write(to: folder.url.appending(path: ".firestore.rules.swp"))
    #expect(watched.round(within: 0.5) == nil)
    // Nothing was missed meanwhile.
    try Self.write(Self.rules("false"), file, way: 0)
    #expect(try #require(watched.round()).contains("0 passed, 1 failed"))
    #expect(watched.interrupt() == 1)
  }

  @Test(.timeLimit(.minutes(1))) func filesComeAndGo() throws {
    let folder = try Folder(["firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("allow")])
    let watched = try Watched(folder, ["."])
    _ = try #require(watched.round())
    // A folder that was not there, with files in it.
    let inner = folder.url.appending(path: "new")
    let outside = try Folder([
      "new/firestore.rules": Self.rules("true"), "new/firestore_test.rules": Self.tests("allow", 2),
    ])
    try FileManager.default.moveItem(at: outside.url.appending(path: "new"), to: inner)
    #expect(try #require(watched.round()).contains("3 passed, 0 failed"))
    try Self.write(Self.tests("deny", 2), inner.appending(path: "firestore_test.rules"), way: 1)
    #expect(try #require(watched.round()).contains("1 passed, 2 failed"))
    try FileManager.default.removeItem(at: inner)
    // The files of a folder go one after the other.
    var last = ""
    while let text = watched.round(within: 1) { last = text }
    #expect(last.contains("1 passed, 0 failed"), "\(last)")
    #expect(watched.interrupt() == 0)
  }

  @Test(.timeLimit(.minutes(1))) func anEndedReaderEndsTheProgram() throws {
    let folder = try Folder(["firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("allow")])
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "'\(try Run.program.path)' --watch | head -n 1"]
    shell.currentDirectoryURL = folder.url
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
  }

  @Test(arguments: [
    ("watch-coverage", ["--watch", "--coverage"]), ("watch-json", ["--watch", "--format", "json"]),
    ("watch-filter", ["--watch", "--filter", "nothing"]),
  ]) func theProgramSays(_ name: String, _ arguments: [String]) throws {
    let folder = try Folder(["firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("allow")])
    try Golden.expect(try Run(arguments, in: folder.url).transcript(arguments), name + ".txt")
  }

  @Test(.timeLimit(.minutes(1))) func whatAPersonSees() throws {
    let folder = try Folder(["firestore.rules": Self.rules("true"), "firestore_test.rules": Self.tests("deny", 2)])
    let watched = try Watched(folder)
    var text = try #require(watched.round())
    for condition in ["true &&", "false"] {
      try Self.write(Self.rules(condition), folder.url.appending(path: "firestore.rules"), way: 1)
      text += try #require(watched.round())
    }
    #expect(watched.interrupt() == 0)
    let shown = text.replacing(/in \d+ ms/, with: "in N ms")
    try Golden.expect(shown, "watch.txt")
  }
}

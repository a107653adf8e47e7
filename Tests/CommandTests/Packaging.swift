import Foundation
import Testing

/// What packages of the program hold beside it. That shells complete, `scripts/check-packaging` shows.
@Suite struct Packaging {
  private static func output(_ arguments: [String]) throws -> String {
    let folder = try Folder([:])
    let run = try Run(arguments, in: folder.url)
    #expect(run.errors.isEmpty && run.exitCode == 0)
    return run.output
  }

  @Test func `the version comes with facts about the build`() throws {
    let facts = try Self.output(["--version"])
    let expected = try Regex(
      #"""
      rules-test \d+\.\d+\.\d+
      built      (debug|release), commit (not known|[0-9a-f]{7,40}(-dirty)?|[\w.-]+), Swift 6\.\d+( or newer)?
      with       PCRE2 10\.\d+ [0-9-]+, SQLite 3\.[0-9.]+, OpenSSL 3\.[0-9.]+ .*
      dialects   live, emulator-1\.19, test-api

      """#)
    #expect(facts.wholeMatch(of: expected) != nil, "\(facts)")
  }

  /// The commands and long options that the help tells of.
  private static func words() throws -> (commands: [String], options: Set<String>) {
    let commands = try output(["help"]).split(separator: "\n").filter {
      $0.hasPrefix("  ") && !$0.contains("rules-test")
    }
    .compactMap { $0.split(separator: " ").first.map(String.init) }
    var options: Set<String> = []
    for command in commands {
      for line in try output(["help", command]).split(separator: "\n") where line.hasPrefix("  ") {
        let start = line.split(separator: " ").prefix(2).filter { $0.hasPrefix("--") }
        options.formUnion(start.prefix(1).map(String.init))
      }
    }
    return (commands, options)
  }

  @Test func `scripts and manual know every command and option`() throws {
    let (commands, options) = try Self.words()
    #expect(commands.count > 10 && options.count > 30)
    for arguments in [["completion", "bash"], ["completion", "zsh"], ["completion", "fish"], ["help", "--man"]] {
      let text = try Self.output(arguments).replacingOccurrences(of: "\\-", with: "-")
      for command in commands { #expect(text.contains(command), "\(arguments): \(command)") }
      for option in options {
        let name = arguments == ["completion", "fish"] ? "-l " + option.dropFirst(2) : option
        #expect(text.contains(name), "\(arguments): \(option)")
      }
    }
  }
}

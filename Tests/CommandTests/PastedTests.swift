import Foundation
import JSON
import Testing

/// The test that comes with a leak, pasted into a file: it fails on the leaky rules, and passes on the safe ones.
@Suite struct PastedTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Corpus/leaks")

  private struct Pair {
    let name: String
    let statement: String
    let leaky: String
    let safe: String
  }

  private static func pairs() throws -> [Pair] {
    try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted().compactMap { name in
      let folder = corpus.appending(path: name)
      guard let attack = try? JSONValue(parsing: String(contentsOf: folder.appending(path: "attack.json"), encoding: .utf8)),
        let property = attack["property"], let method = property["method"]?.stringValue,
        let path = property["path"]?.stringValue, let condition = property["never allowed when"]?.stringValue
      else { return nil }
      return Pair(
        name: name, statement: "never \(method) \(path) if \(condition);",
        leaky: try String(contentsOf: folder.appending(path: "leaky.rules"), encoding: .utf8),
        safe: try String(contentsOf: folder.appending(path: "safe.rules"), encoding: .utf8))
    }
  }

  @Test(.enabled(if: CommandTests.solverIsThere)) func theyFailOnLeakyRulesAndPassOnSafeOnes() throws {
    var without: [String] = []
    let pairs = try Self.pairs()
    #expect(pairs.count >= 36)
    for pair in pairs {
      let folder = try Folder(["firestore.rules": pair.leaky])
      let proof = try Run(
        ["prove", "firestore.rules", "--statement", pair.statement, "--format", "json"], in: folder.url)
      let detail = try JSONValue(parsing: proof.output)["invariants"]?[0]?["detail"]
      guard let test = detail?["test"]?.stringValue else {
        without.append(pair.name)
        continue
      }
      try Data(test.utf8).write(to: folder.url.appending(path: "firestore_test.rules"))
      let leaky = try Run(["test", "firestore_test.rules"], in: folder.url)
      #expect(leaky.exitCode == 1 && leaky.output.hasSuffix("0 passed, 1 failed\n"), "\(pair.name): \(leaky.output)")
      try Data(pair.safe.utf8).write(to: folder.url.appending(path: "firestore.rules"))
      let safe = try Run(["test", "firestore_test.rules"], in: folder.url)
      #expect(safe.exitCode == 0 && safe.output.hasSuffix("1 passed, 0 failed\n"), "\(pair.name): \(safe.output)")
    }
    // An address without @, and a uid with a line break: neither can be declared in a test.
    #expect(without == ["37-email-as-owner-key", "47-regex-suffix-without-at"])
  }
}

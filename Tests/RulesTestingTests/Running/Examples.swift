import Foundation
import RulesSyntax
import RulesTesting
import Testing

/// The folders below `rules/` with a rules file and its tests.
private let examples: [String] = {
  guard let files = FileManager.default.enumerator(atPath: examplesFolder) else { return [] }
  return files.compactMap { $0 as? String }.filter { $0.hasSuffix("_test.rules") }.sorted()
}()

private let examplesFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../rules").path()

private func source(_ path: String) throws -> SourceFile {
  let data = try Data(contentsOf: URL(filePath: examplesFolder + "/" + path))
  return SourceFile(name: path, utf8: Array(data))
}

@Suite struct ExampleTests {
  @Test func `there are examples`() { #expect(examples.count >= 8) }

  /// Every step of them was put to the official emulator and came out as its file says.
  @Test(arguments: examples) func `an example rule set passes its tests`(_ path: String) throws {
    let test = TestFile.load(try source(path))
    let rules = RulesFile(try source(String(path.dropLast("_test.rules".count)) + ".rules"))
    let result = Runner().run(test, rules)
    for test in result.tests {
      for mistake in test.mistakes { Issue.record("\(draw(mistake, in: result.test.file))") }
      for step in test.steps {
        if let mistake = step.mistake { Issue.record("\(draw(mistake, in: result.test.file))") }
        for verdict in step.verdicts where !verdict.isHeld {
          Issue.record(
            "\(path):\(step.step.range.start.line) \(verdict.user.text): \(verdict.status) \(verdict.decision.denial?.message ?? "allowed")")
        }
      }
    }
    #expect(draw(result.diagnostics, in: test.file) == "")
    #expect(result.tests.flatMap(\.steps).flatMap(\.warnings).isEmpty)
    #expect(result.totals.failed == 0)
    #expect(result.totals.passed == test.syntax.tests.count)
  }
}

import Foundation
import Reports
import Testing

/// `docs/errors.md`, and the table of `docs/lint.md`: made of the tables of meanings, current and complete.
@Suite struct ErrorsPage {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

  private static func table(_ meanings: [Meaning]) -> String {
    "| id | cause | cure |\n|---|---|---|\n"
      + meanings.map { "| `\($0.id)` | \($0.cause) | \($0.cure) |\n" }.joined()
  }

  private static var text: String {
    var text = """
      # Errors and warnings

      Every id that `rules-test` reports, with its cause and what mends it. On the command line: `rules-test help ID`. \
      This page is made of
      the tables in `Sources/Reports/Meanings`; after a change of those, \
      `UPDATE_GOLDENS=1 swift test --filter ErrorsPage`.

      | exit code | meaning |
      |---|---|
      | 0 | Everything is well; there may be warnings. |
      | 1 | A test failed, an invariant is broken, rules do not compile, or there is a finding. |
      | 2 | The command line is wrong, or a file cannot be read or written. \
      The message on standard error says what would be right. |


      """
    for chapter in Meanings.chapters {
      text += "## \(chapter.title)\n\n\(chapter.introduction)\n\n\(table(chapter.meanings))\n"
    }
    text += """
      ## Evaluation errors

      Messages of conditions that could not be worked out, in the official words. \
      The error denies, unless the other side of `&&` is
      false or that of `||` is true.

      | message | cause | cure |
      |---|---|---|

      """
    for error in EvaluationErrors.all { text += "| `\(error.words)` | \(error.cause) | \(error.cure) |\n" }
    return text
  }

  private static func expect(_ text: String, _ page: String) throws {
    let file = root.appending(path: page)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try Data(text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(page)")
  }

  @Test func `the page is that of the tables`() throws { try Self.expect(Self.text, "docs/errors.md") }

  @Test func `the table of lint is the same`() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/lint.md"), encoding: .utf8)
    let rows = page.split(separator: "\n", omittingEmptySubsequences: false)
    let first = try #require(rows.firstIndex { $0.hasPrefix("| `") })
    let behind = rows[first...].firstIndex { !$0.hasPrefix("| `") } ?? rows.endIndex
    let lint = try #require(Meanings.chapters.first { $0.title.contains("lint") }).meanings
    let table = Self.table(lint).split(separator: "\n").dropFirst(2)
    let whole = rows[..<first] + table + rows[behind...]
    try Self.expect(whole.joined(separator: "\n"), "docs/lint.md")
  }

  // MARK: Complete

  /// Texts in kebab case that name something else.
  private static let others: Set<String> = [
    "demo-project", "rules-test", "rules-test-coverage", "rule-coverage", "another-database",
  ]

  /// The ids that stand in the sources: texts in kebab case, and whatever is given to a function that reports.
  private static func idsInSources() throws -> Set<String> {
    let kebab = try Regex(#""([a-z]+(-[a-z0-9]+)+)""#)
    let reported = try Regex(
      #"(?:report|reportLate|error|warn|TestMistake)\(\s*"([a-z]+)",|id: "([a-z]+)", severity"#)
    let named = try Regex(#"\("[^"]*", "([a-z]+)"\)"#)
    var ids: Set<String> = []
    for folder in ["RulesSyntax", "RulesSemantics", "RulesTesting", "Isolation/Linting", "Reports/Formats"] {
      let start = root.appending(path: "Sources/\(folder)").standardizedFileURL
      let files = try #require(FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: kebab) { ids.insert(match.output[1].substring.map(String.init) ?? "") }
        let isTable = file.lastPathComponent == "SyntaxAdvice.swift"
        for match in text.matches(of: reported) + (isTable ? text.matches(of: named) : []) {
          for group in match.output.dropFirst() { if let id = group.substring { ids.insert(String(id)) } }
        }
      }
    }
    return ids.subtracting(others)
  }

  @Test func `every id is explained, and none that does not exist`() throws {
    let ids = try Self.idsInSources()
    #expect(ids.count > 150)
    let known = Set(Meanings.ids)
    #expect(ids.subtracting(known).sorted() == [])
    #expect(known.subtracting(ids).sorted() == [])
  }

  @Test func `no id is explained twice in one breath`() {
    for chapter in Meanings.chapters {
      #expect(Set(chapter.meanings.map(\.id)).count == chapter.meanings.count, "\(chapter.title)")
      for meaning in chapter.meanings { #expect(!meaning.cause.isEmpty && !meaning.cure.isEmpty, "\(meaning.id)") }
    }
  }
}

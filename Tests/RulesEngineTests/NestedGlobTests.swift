import JSON
import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

/// Matches inside matches whose pattern has a glob, each with the paths that the official emulator 1.19.9 takes them to
/// cover: `Corpus/nested-globs.jsonl`.
@Suite struct NestedGlobTests {
  private static let lines = (try? Corpus.lines("nested-globs.jsonl")) ?? []

  private static func ruleset(_ matches: [String], allow: String) throws -> Ruleset {
    let inner = matches.reversed().reduce(allow) { "match \($1) { \($0) }" }
    return try Ruleset("rules_version = '2'; service cloud.firestore { match /databases/{db}/documents { \(inner) } }")
  }

  @Test func `matches cover the paths that they officially cover`() throws {
    let paths = try #require(Self.lines.first?["paths"]?.arrayValue?.compactMap { $0.stringValue })
    #expect(Self.lines.count == 397)
    for line in Self.lines.dropFirst() {
      let matches = try #require(line["matches"]?.arrayValue?.compactMap { $0.stringValue })
      let evaluator = try Self.ruleset(matches, allow: "allow read;").evaluator()
      var covered = ""
      for path in paths {
        let segments = path.split(separator: "/").map { Text(String($0)) }
        let request = Request.get(ResourcePath(segments: segments), auth: nil, time: Timestamp(seconds: 0))
        covered += evaluator.decide(request, DocumentTable()).isAllowed ? "1" : "0"
      }
      #expect(covered == line["covers"]?.stringValue, "\(matches)")
    }
  }

  /// As the emulator's coverage report shows them.
  @Test(arguments: [
    ("a/b", "string(g) == '/' && a == 'a' && x == 'a' && y == 'b'"),
    ("a/b/c/d", "string(g) == '/a/b' && a == 'c' && x == 'c' && y == 'd'"),
  ])
  func `segments are captured by both patterns that share them`(_ path: String, _ condition: String) throws {
    let ruleset = try Self.ruleset(["/{g=**}/{a}", "/{x}/{y}"], allow: "allow read: if \(condition);")
    let segments = path.split(separator: "/").map { Text(String($0)) }
    let request = Request.get(ResourcePath(segments: segments), auth: nil, time: Timestamp(seconds: 0))
    #expect(ruleset.evaluator().decide(request, DocumentTable()).denial?.message == nil)
  }

  /// Asked of the emulator: the collection, then the group of its name.
  @Test(arguments: [
    (["/{g=**}/{a}", "/{x}/{y}"], "c", true, true), (["/{g=**}/a", "/{x}/{y}"], "c", false, false),
    (["/{g=**}/a", "/{x}/{y}"], "a", true, true), (["/{g=**}/{a}/{i}", "/{x}/{y}/{z}"], "c/d/e", true, false),
    (["/{g=**}/{a}/{i}", "/{x}/{y}/{z}/{w}"], "c/d/e", true, false), (["/{g=**}/{a}/{i}", "/s/{j}"], "c/d/s", false, false),
  ])
  func `queries are covered as documents are`(_ matches: [String], _ path: String, _ alone: Bool, _ group: Bool) throws {
    let evaluator = try Self.ruleset(matches, allow: "allow list;").evaluator()
    let segments = path.split(separator: "/").map { Text(String($0)) }
    for allDescendants in [false, true] {
      let list = ListRequest(
        segments.last, in: ResourcePath(segments: segments.dropLast()), allDescendants: allDescendants, auth: nil,
        time: Timestamp(seconds: 0))
      #expect(evaluator.decide(list, DocumentTable()).isAllowed == (allDescendants ? group : alone))
    }
  }
}

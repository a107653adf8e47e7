import JSON
import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

/// `Corpus/commits.jsonl`: writes of several documents at once, judged by `get()` and its like. Of a denial of several
/// documents only the first entry is stable.
@Suite struct CommitTests {
  private struct Commit: DocumentReader {
    let before: DocumentTable
    /// `nil`: deleted.
    let written: [ResourcePath: Fields?]

    func document(at path: ResourcePath) -> Fields? { before.document(at: path) }
    func documentAfter(at path: ResourcePath) -> Fields? { written[path] ?? before.document(at: path) }
    func isWritten(_ path: ResourcePath) -> Bool { written.keys.contains(path) }
  }

  @Test func documentsBeforeAndAfterACommitAreToldApart() throws {
    var asked = 0
    for json in try Corpus.lines("commits.jsonl") {
      let rules = try #require(json["rules"]?.stringValue)
      var written: [ResourcePath: Fields?] = [:]
      for other in json["others"]?.arrayValue ?? [] {
        let path = Recorded.path(try #require(other["path"]?.stringValue))
        written[path] = .some(try other["data"].map { try Recorded.fields($0) })
      }
      let documents = Commit(before: try Recorded.documents(json), written: written)
      let evaluator = try Ruleset(rules).evaluator(dialect: .emulator1_19)
      let request = try Recorded.request(json)
      let decision = evaluator.decide(request, documents)
      #expect(decision.isAllowed == (json["verdict"]?.stringValue == "ALLOW"), "\(json.serialized())")
      #expect(evaluator.allows(request, documents) == decision.isAllowed)
      if let message = json["message"]?.stringValue, let ours = decision.denial?.message {
        #expect(firstEntry(ours) == firstEntry(message), "\(json.serialized())")
      }
      asked += 1
    }
    #expect(asked == 168)
  }

  /// Up to the line number.
  private func firstEntry(_ message: String) -> Substring {
    guard let place = message.range(of: " @ L") else { return message[...] }
    return message[..<(message[place.upperBound...].firstIndex { !$0.isNumber } ?? message.endIndex)]
  }
}

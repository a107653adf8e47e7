import JSON
import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

/// `Corpus/queries.jsonl`: queries under rules, with the verdicts and messages of emulator 1.19.9.
@Suite struct QueryCorpusTests {
  struct Recording {
    let before: String
    let after: String
    let documents: DocumentTable
    /// The token of the user who asks where a line names none.
    let auth: JSONValue
    let lines: [JSONValue]

    init(_ name: String) throws {
      let all = try Corpus.lines(name)
      before = all.first?["before"]?.stringValue ?? ""
      after = all.first?["after"]?.stringValue ?? ""
      documents = try Recorded.documents(all.first ?? .null)
      auth = all.first?["auth"] ?? .null
      lines = Array(all.dropFirst())
    }
  }

  @Test(arguments: ["queries.jsonl"]) func everyVerdictAndMessageIsTheOfficialOne(_ name: String) throws {
    let recording = try Recording(name)
    #expect(recording.lines.count >= 2000)
    var allowed = 0
    var wrong = 0
    for line in recording.lines {
      let text = recording.before + (line["rules"]?.stringValue ?? "") + recording.after
      let (ruleset, _) = Ruleset.compile(SourceFile(name: "security.rules", text: text))
      guard let ruleset else {
        Issue.record("does not compile:\n\(text)")
        continue
      }
      let request = try Recorded.list(line, user: recording.auth)
      let decision = ruleset.evaluator(dialect: .emulator1_19).decide(request, recording.documents)
      let isAllowed = line["verdict"]?.stringValue == "ALLOW"
      allowed += isAllowed ? 1 : 0
      if decision.isAllowed == isAllowed, decision.denial?.message == line["message"]?.stringValue { continue }
      // What we do not judge is refused, and never allowed.
      if !decision.isAllowed, decision.denial?.reason != nil { continue }
      wrong += 1
      if wrong <= 10 { Issue.record("\(line.serialized())\n\(decision)") }
    }
    #expect(wrong == 0)
    #expect(allowed >= 500)
  }
}

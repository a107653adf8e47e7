import JSON
import RulesSemantics
import RulesSyntax
import Testing

@testable import RulesEngine

/// `Corpus/parity.jsonl`: questions of `make parity` that taught something, with the answer of emulator 1.19.9.
/// `Corpus/chains.jsonl`: what the plain run takes together: chains of `&&` and `||`, `keys().hasOnly()`.
@Suite struct ParityRecordingTests {
  struct Question: Sendable, CustomTestStringConvertible {
    let file: String
    let number: Int
    let json: JSONValue
    var testDescription: String { "\(file), line \(number)" }
  }

  private static let files = ["parity.jsonl", "chains.jsonl"]

  static let questions = files.flatMap { file in
    ((try? Corpus.lines(file)) ?? []).enumerated().map { Question(file: file, number: $0.offset + 1, json: $0.element) }
  }

  @Test(arguments: files) func theRecordingIsThere(_ file: String) { #expect(Self.questions.contains { $0.file == file }) }

  @Test(arguments: questions) func theAnswerIsTheOfficialOne(_ question: Question) throws {
    let json = question.json
    let rules = try #require(json["rules"]?.stringValue)
    let verdict = try #require(json["verdict"]?.stringValue)
    let (ruleset, diagnostics) = Ruleset.compile(SourceFile(name: "security.rules", text: rules))
    #expect((ruleset == nil) == (verdict == "COMPILE"), "\(OfficialReport.text(diagnostics))\n\(rules)")
    guard let ruleset else {
      #expect(OfficialReport.text(diagnostics) == json["message"]?.stringValue, "\(rules)")
      return
    }
    if let warnings = json["warnings"]?.arrayValue {
      let expected = warnings.map { "L\($0[0]?.intValue ?? 0):\($0[1]?.intValue ?? 0) \($0[2]?.stringValue ?? "")" }
      #expect(OfficialReport.lines(diagnostics).sorted() == expected.sorted(), "\(rules)")
    }
    guard verdict == "ALLOW" || verdict == "DENY" else { return }
    let request = try Recorded.request(json)
    let documents = try Recorded.documents(json)
    let evaluator = ruleset.evaluator(dialect: .emulator1_19)
    let decision = evaluator.decide(request, documents)
    #expect(decision.isAllowed == (verdict == "ALLOW"), "\(rules)\n\(decision.denial?.message ?? "")")
    #expect(evaluator.allows(request, documents) == decision.isAllowed)
    let explanation = evaluator.explain(request, documents)
    #expect((explanation.deciding != nil) == decision.isAllowed || explanation.cost >= 1000, "\(rules)")
    if let message = json["message"]?.stringValue { #expect(decision.denial?.message == message, "\(rules)") }
  }
}

import JSON
import RulesSemantics
import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

/// `Corpus/official/expressions.jsonl`: 1,415 answers of emulator 1.19.9.
@Suite struct ExpressionCorpusTests {
  private struct Tally {
    var compared = 0
    var misses: [String] = []

    mutating func compare<T: Equatable>(_ expression: String, _ ours: T, _ theirs: T) {
      compared += 1
      if ours != theirs { misses.append("\(expression)\n    ours:   \(ours)\n    theirs: \(theirs)") }
    }

    var share: Double { compared == 0 ? 0 : Double(compared - misses.count) / Double(compared) }
  }

  /// The time of the request, where the answer shows it.
  private static func time(of line: JSONValue) -> Timestamp {
    let value = line["value"]
    let text = value?["timestampValue"] ?? value?["mapValue"]?["fields"]?["time"]?["timestampValue"]
    guard line["expr"]?.stringValue?.hasPrefix("request") == true, let text = text?.stringValue,
      case .timestamp(let time)? = try? DataValue(rest: .object(["timestampValue": .string(text)]))
    else { return Timestamp(seconds: 1_767_225_600) }
    return time
  }

  @Test func everyRecordedExpressionIsDecidedAlike() throws {
    var acceptance = Tally()
    var verdicts = Tally()
    var values = Tally()
    var messages = Tally()
    for line in try Corpus.lines("official/expressions.jsonl") {
      let text = try #require(line["expr"]?.stringValue)
      let source = """
        rules_version = '2';
        service cloud.firestore {
         match /databases/{database}/documents {
          match /t/{id} { allow get: if
        \(text)
        ; }
         }
        }

        """
      let (ruleset, _) = Ruleset.compile(SourceFile(name: "security.rules", text: source))
      acceptance.compare(text, ruleset != nil, line["compileError"] == nil)
      guard let ruleset, let verdict = line["verdict"]?.stringValue, verdict == "ALLOW" || verdict == "DENY" else {
        continue
      }
      var auth: Auth?
      if let token = line["token"], token != .null {
        // What the recorder put into every token besides.
        var claims = try DataValue.fields(plain: token)
        claims["iat"] = .int(1_700_000_000)
        claims["exp"] = .int(4_000_000_000)
        auth = Auth(uid: token["user_id"]?.stringValue ?? token["sub"]?.stringValue ?? "", token: claims)
      }
      let request = Request.get(ResourcePath(segments: ["t", "a"]), auth: auth, time: Self.time(of: line))
      let explanation = ruleset.evaluator(dialect: .emulator1_19).explain(request, DocumentTable())
      verdicts.compare(text, explanation.decision.isAllowed ? "ALLOW" : "DENY", verdict)
      if let message = line["message"]?.stringValue {
        messages.compare(text, explanation.decision.denial?.message ?? "", message)
      }
      if let value = line["value"], let node = explanation.matches.first?.allows.first?.condition {
        if value["undefined"] != nil {
          values.compare(
            text, node.outcome, .error(value["undefined"]?["causeMessage"]?.stringValue ?? "evaluation error"))
        } else if case .value(_, let json) = node.outcome {
          values.compare(text, json, value)
        } else {
          values.compare(text, node.outcome, .value(text: "", json: value))
        }
      }
    }
    for (name, tally) in [("accepted", acceptance), ("verdict", verdicts), ("value", values), ("message", messages)] {
      print("expressions.jsonl \(name): \(tally.compared - tally.misses.count) of \(tally.compared) equal")
      for miss in tally.misses.prefix(40) { print("  \(miss)") }
    }
    #expect(acceptance.misses.isEmpty)
    #expect(verdicts.misses.isEmpty)
    #expect(values.misses.isEmpty)
    #expect(messages.share >= 0.99)
  }
}

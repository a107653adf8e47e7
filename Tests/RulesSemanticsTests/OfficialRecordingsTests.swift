import Foundation
import JSON
import RulesSemantics
import Testing

/// The recordings of whole rulesets and of single expressions, emulator 1.19.9.
@Suite struct OfficialRecordingsTests {
  @Test func everyRulesetHasTheOfficialFindings() throws {
    var counted = 0
    for line in try Recordings.lines("official/rulesets.jsonl") {
      counted += 1
      let ours = Outcome(checking: line["src"]?.stringValue ?? "")
      #expect(ours == Self.outcome(line["out"]?.stringValue ?? ""), "\(line["name"]?.stringValue ?? "")")
    }
    #expect(counted == 688)
  }

  @Test func everyExpressionHasTheOfficialWarnings() throws {
    var counted = 0
    for line in try Recordings.lines("official/expressions.jsonl") where line["compileError"] == nil {
      let expression = line["expr"]?.stringValue ?? ""
      let warnings = (line["warnings"]?.arrayValue ?? []).map { warning -> String in
        let place = warning["at"]?.arrayValue ?? []
        return "L\(place.first?.intValue ?? 0):\(place.last?.intValue ?? 0) \(warning["text"]?.stringValue ?? "")"
      }
      counted += 1
      let source = """
        rules_version = '2';
        service cloud.firestore {
         match /databases/{database}/documents {
          match /t/{id} { allow get: if
        \(expression)
        ; }
         }
        }
        """
      #expect(Outcome(checking: source) == Outcome(isRefused: false, findings: warnings), "\(expression)")
    }
    #expect(counted >= 1270)
  }

  /// Reads `OK W[WARNING] text @line:column …` or `ERR L<line>:<column> text | …`.
  private static func outcome(_ text: String) -> Outcome {
    if text.hasPrefix("ERR ") {
      return Outcome(isRefused: true, findings: text.dropFirst(4).components(separatedBy: " | "))
    }
    let findings = text.components(separatedBy: "W[WARNING] ").dropFirst().compactMap { part -> String? in
      guard let at = part.range(of: " @", options: .backwards) else { return nil }
      let place = part[at.upperBound...].trimmingCharacters(in: .whitespaces)
        .replacingOccurrences(of: "None", with: "0")
      return "L\(place) \(part[..<at.lowerBound])"
    }
    return Outcome(isRefused: false, findings: findings)
  }
}

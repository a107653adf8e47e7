import JSON
import RulesPatterns
import RulesSemantics
import RulesSyntax
import RulesTesting

/// What reads a text, and how it words the first thing that is wrong with it.
public enum Reader: String, Sendable {
  case rules, tests, json, pattern

  /// `fine` where nothing is wrong.
  public func firstFinding(_ text: [UInt8]) -> String {
    switch self {
    case .rules:
      let check = Check.check(SourceFile(name: "firestore.rules", utf8: text))
      return OfficialReport.lines(check.diagnostics).first ?? "fine"
    case .tests:
      return OfficialReport.lines(TestFile.load(SourceFile(name: "a_test.rules", utf8: text)).diagnostics).first ?? "fine"
    case .json:
      do throws(JSONError) {
        _ = try JSONValue(parsing: text)
        return "fine"
      } catch {
        return error.description
      }
    case .pattern:
      do throws(PatternError) {
        _ = try Pattern(wtf8: text)
        return "fine"
      } catch {
        return "\(error.officialMessage) At byte \(error.offset)."
      }
    }
  }

  public func firstFinding(_ text: String) -> String { firstFinding(Array(text.utf8)) }
}

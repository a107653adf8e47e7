import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Why a request was decided as it was, for people: who asked for what, each match with its bindings, each `allow`
/// with its verdict and the values of its parts, the decision, and what to look at next.
public struct ExplanationReport {
  let explanation: Explanation
  let ruleset: CheckedRuleset
  let source: ExpressionText

  public init(_ explanation: Explanation, of ruleset: Ruleset) {
    self.explanation = explanation
    self.ruleset = ruleset.checked
    source = ExpressionText(ruleset.checked.file)
  }

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - quiet: only the decision and its reason.
  public func text(_ terminal: Terminal, quiet: Bool = false) -> String {
    var page = Page(terminal)
    page.add(lines(terminal, quiet: quiet))
    return page.text
  }

  func lines(_ terminal: Terminal, quiet: Bool = false) -> [StyledLine] {
    var result: [StyledLine] = []
    if !quiet {
      result += requestLines(terminal)
      result += matchLines(terminal)
      result.append(StyledLine())
    }
    result += decisionLines(terminal)
    if !quiet || explanation.budget.isNearLimit { result += BudgetReport(explanation.budget).lines(terminal) }
    return result
  }

  /// Each match with its conditions and their values, an empty line before each.
  func matchLines(_ terminal: Terminal) -> [StyledLine] {
    explanation.matches.flatMap { [StyledLine()] + MatchLines(ruleset, source).lines($0, terminal) }
  }

  // MARK: The request

  private func requestLines(_ terminal: Terminal) -> [StyledLine] {
    let request = explanation.request
    var first = StyledLine(request.method.rawValue, .bold)
    first.add(" " + PathText.text(request.path), .bold)
    var result = [first]
    func add(_ title: String, _ text: String) {
      var line = StyledLine("  " + title, .dim)
      line.pad(to: 12)
      line.add(SafeText.cut(text, max(20, terminal.width - 12)))
      result.append(line)
    }
    if request.path.database.string != "(default)" { add("database", SafeText.line(request.path.database.string)) }
    add("as", Caller(request.auth).line)
    add("at", request.time.rfc3339)
    if let resource = request.resource { add("writes", DataText.text(.map(resource), width: terminal.width - 12)) }
    return result
  }

  // MARK: The decision

  private func decisionLines(_ terminal: Terminal) -> [StyledLine] {
    var result: [StyledLine] = []
    if explanation.decision.isAllowed {
      var first = StyledLine("✔ allowed", .good)
      if let start = explanation.deciding?.statement.range.start {
        first.add(" by \(MatchLines(ruleset, source).place(start))")
      }
      result.append(first)
    } else {
      result += DecisionLines.denied(explanation.decision.denial?.message ?? "", terminal)
    }
    result += DecisionLines.advice(Advice(explanation, ruleset, source).lines, terminal)
    return result
  }
}

/// Paths of documents as people write them.
enum PathText {
  static func text(_ path: ResourcePath) -> String { SafeText.line(path.relative) }
}

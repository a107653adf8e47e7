import RulesEngine
import RulesSemantics
import RulesSyntax

/// The conditions that made a decision what it is, each framed with the values under its parts: as many as fit.
struct ConditionFrames {
  private let ruleset: CheckedRuleset?
  /// The one that allowed; or those that did not, in the order in which they were tried.
  let conditions: [Explanation.Node]

  /// - Parameter matches: what was tried.
  init(_ matches: [Explanation.Match], of ruleset: CheckedRuleset?) {
    let allows = matches.flatMap(\.allows)
    if let deciding = allows.first(where: { $0.verdict == .allowed }) {
      self.init(deciding.condition.map { [$0] } ?? [], of: ruleset)
    } else {
      self.init(allows.compactMap(\.condition), of: ruleset)
    }
  }

  /// - Parameter tried: those that are just `false` are left out where others say more.
  init(_ tried: [Explanation.Node], of ruleset: CheckedRuleset?) {
    self.ruleset = ruleset
    let telling = tried.filter { !$0.expression.isLiteral }
    conditions = telling.isEmpty ? tried : telling
  }

  /// The first is always there, however little room there is; of those that do not fit the lines are named.
  func lines(_ terminal: Terminal, within room: Int) -> [StyledLine] {
    guard let ruleset else { return [] }
    var result: [StyledLine] = []
    var left: [Int] = []
    for (i, condition) in conditions.enumerated() {
      let values = ValuesUnderSource(condition, in: ruleset)
      // Two lines for what is named, and gaps around all.
      let fitting = values.lines(terminal, within: max(0, room - result.count - 5))
      let lines = i == 0 ? fitting ?? values.lines(terminal) : fitting
      if let lines, left.isEmpty {
        result += [StyledLine()] + lines
      } else {
        left.append(condition.expression.range.start.line)
      }
    }
    if !left.isEmpty {
      let numbers = left.map(String.init)
      let text = "Nor did \(Counted.text(left.count, "more condition")) hold: line \(numbers.joined(separator: ", "))."
      result.append(StyledLine())
      result += SafeText.wrapped(text, max(30, terminal.width - 2)).prefix(2).map { StyledLine("  " + $0, .dim) }
    }
    result.append(StyledLine())
    return result
  }
}

import Isolation
import RulesEngine
import RulesSyntax

/// Why a request that was found is allowed: the matches with the values that their conditions took, as `explain` shows
/// them.
enum LeakValues {
  /// - Parameter rules: that allow the request.
  static func add(_ leak: Leak, rules: SourceFile, to page: inout Page) {
    guard let ruleset = try? Ruleset(rules.text, name: rules.name) else { return }
    let inner = Terminal(hasColor: page.terminal.hasColor, width: page.terminal.width - 8)
    let lines: [StyledLine]
    switch leak.explained(by: ruleset) {
    case .document(let explanation): lines = ExplanationReport(explanation, of: ruleset).matchLines(inner)
    case .query(let explanation): lines = QueryReport(explanation, of: ruleset).matchLines(inner)
    case nil: return
    }
    for line in lines { page.add(line, indent: line.pieces.isEmpty ? 0 : 8) }
  }
}

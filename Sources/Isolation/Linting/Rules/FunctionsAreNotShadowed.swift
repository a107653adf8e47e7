import RulesSemantics
import RulesSyntax

/// Of two functions of one name the inner one is called, whoever reads the outer one.
enum FunctionsAreNotShadowed: LintRule {
  static let id = "shadowed-function"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let functions = rules.checked.functions.map(\.declaration)
    for (i, inner) in functions.enumerated() {
      guard
        let outer = functions[..<i].last(where: {
          $0.name.text == inner.name.text && $0.parameters.count == inner.parameters.count && sees($0, inner, rules)
        })
      else { continue }
      findings.append(
        finding(
          inner.name.range, "\(inner.name.text) hides the function of that name in line \(outer.name.range.start.line)",
          ["Within this match calls mean this one. Give it another name."]))
    }
    return findings
  }

  /// Whether the outer function can be seen from a match that has the inner one.
  private static func sees(_ outer: FunctionDeclaration, _ inner: FunctionDeclaration, _ rules: LintedRules) -> Bool {
    guard let around = block(around: inner, rules) else { return false }
    guard let outside = block(around: outer, rules) else { return true }
    return outside != around && outside.start <= around.start && around.end <= outside.end
  }

  /// The innermost match that holds a function.
  private static func block(around function: FunctionDeclaration, _ rules: LintedRules) -> SourceRange? {
    var found: SourceRange?
    func visit(_ match: CheckedMatch) {
      let range = match.declaration.range
      guard range.start <= function.range.start, function.range.end <= range.end else { return }
      found = range
      match.children.forEach(visit)
    }
    for service in rules.checked.services { service.matches.forEach(visit) }
    return found
  }
}

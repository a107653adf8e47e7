import RulesSyntax

/// `matches` is about the whole text: `!name.matches('admin')` refuses that one word, not the names that hold it.
enum NegatedPatternsAreWholeTexts: LintRule {
  static let id = "negated-whole-text"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for root in rules.expressions {
      root.forEachNode { e in
        guard case .unary(.not, let operand) = e.kind, case .methodCall(_, let method, let arguments) = operand.kind,
          method.text == "matches", let argument = arguments.first, case .string(let pattern) = argument.kind,
          !pattern.isEmpty, pattern.allSatisfy({ (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) })
        else { return }
        let word = String(decoding: pattern, as: UTF8.self)
        findings.append(
          finding(
            argument.range, "this refuses the text '\(word)' alone, not texts that hold it",
            ["matches() is about the whole text."],
            fix: .init(message: "refuse texts that hold it", range: argument.range, replacement: "'.*\(word).*'")))
      }
    }
    return findings
  }
}

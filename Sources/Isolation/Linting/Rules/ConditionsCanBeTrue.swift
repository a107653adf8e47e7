import RulesSyntax

/// A condition that is never true, other than `false`, hides a mistake.
enum ConditionsCanBeTrue: LintRule {
  static let id = "always-false"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    guard let prover = rules.prover else { return [] }
    return rules.allows.compactMap { one in
      guard let condition = one.allow.condition, !condition.isFalse, prover.isNeverTrue(one) else { return nil }
      return finding(
        condition.range, "this is never true: the allow lets nobody through",
        ["Proved: for no user, document, query or time. If nobody is meant, write if false."])
    }
  }
}

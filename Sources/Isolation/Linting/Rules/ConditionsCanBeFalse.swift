import RulesSyntax

/// A condition that is always true, other than `true`, guards nothing.
enum ConditionsCanBeFalse: LintRule {
  static let id = "always-true"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    guard let prover = rules.prover else { return [] }
    return rules.allows.compactMap { one in
      guard let condition = one.allow.condition, !condition.isTrue, !condition.isFalse, prover.isAlwaysTrue(one) else {
        return nil
      }
      return finding(
        condition.range, "this is always true: the allow lets everybody through",
        ["Proved: for every user, document and time. If everybody is meant, write if true."])
    }
  }
}

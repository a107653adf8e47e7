import RulesSyntax

/// Of two statements that let the same through one is left over; often one of them was meant to be stricter.
enum EveryAllowAddsSomething: LintRule {
  static let id = "redundant-allow"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    guard let prover = rules.prover else { return [] }
    var left = rules.allows.filter { !($0.allow.condition?.isFalse ?? false) }
    var findings: [Diagnostic] = []
    for one in left.reversed() {
      let others = left.filter { $0.allow !== one.allow && !$0.block.isApart(from: one.block.segments) }
      guard !others.isEmpty, !prover.isNeverTrue(one), prover.isCovered(one, by: others.map(\.alone)) else {
        continue
      }
      left.removeAll { $0.allow === one.allow }
      // The statement that alone is enough, if there is one.
      let enough = others.first { prover.isCovered(one, by: [$0.alone]) }
      findings.append(
        finding(
          one.allow.statement.range,
          enough.map { "the allow in line \($0.allow.statement.range.start.line) lets all of this through" }
            ?? "other allows let all of this through",
          ["Proved. Whatever this one asks for is not asked of anybody."]))
    }
    return findings
  }
}

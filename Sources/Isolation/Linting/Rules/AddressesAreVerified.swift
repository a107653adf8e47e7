import RulesSyntax

/// Whoever signs up with a password may give any address; it is theirs when it is verified.
enum AddressesAreVerified: LintRule {
  static let id = "unverified-address"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for one in rules.allows where one.facts.readsAddress {
      guard let condition = one.allow.condition, !one.facts.readsVerification else { continue }
      findings.append(
        finding(
          condition.range, "an e-mail address is trusted that nobody has verified",
          ["Ask for request.auth.token.email_verified == true as well."]))
    }
    return findings
  }
}

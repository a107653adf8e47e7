import RulesSyntax

/// `'admin' in request.auth.token` is true of somebody whose claim is false.
enum ClaimsAreCompared: LintRule {
  static let id = "claim-presence"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    rules.allows.flatMap { one in
      one.facts.claimsByPresence.filter { !one.facts.comparedClaims.contains($0) }.map { claim in
        finding(
          one.allow.condition?.range, "the claim '\(claim)' counts here even when it is false",
          ["Compare it: request.auth.token.get('\(claim)', false) == true"])
      }
    }
  }
}

import RulesSyntax

/// `a && b || c` is `(a && b) || c`: whoever passes `c` is asked for nothing else.
enum AndIsBracketedWithinOr: LintRule {
  static let id = "mixed-and-or"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for root in rules.expressions {
      root.forEachNode { e in
        guard case .binary(.or, let a, let b) = e.kind else { return }
        // Where the signed-in are asked for first, as if it were for all of what follows.
        guard case .binary(.and, let first, _) = a.kind, a.parentheses == 0, isSignedIn(leftmost(first)), !isAnd(b)
        else {
          return
        }
        findings.append(
          finding(
            b.range, "this alone is enough: && binds more than ||, so that the sign-in is not asked for here",
            ["Put brackets around what belongs together."]))
      }
    }
    return findings
  }

  private static func isAnd(_ e: Expression) -> Bool { if case .binary(.and, _, _) = e.kind { true } else { false } }

  private static func leftmost(_ e: Expression) -> Expression {
    if case .binary(.and, let a, _) = e.kind, e.parentheses == 0 { leftmost(a) } else { e }
  }

  /// `request.auth != null`
  private static func isSignedIn(_ e: Expression) -> Bool {
    guard case .binary(.notEqual, let a, let b) = e.kind, case .null = b.kind,
      case .member(let request, let auth) = a.kind,
      case .identifier("request") = request.kind
    else { return false }
    return auth.text == "auth"
  }
}

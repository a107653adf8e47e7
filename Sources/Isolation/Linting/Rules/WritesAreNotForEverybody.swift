import RulesSyntax

/// `allow write` without a condition, or `if true`, and reading of everything there is.
enum WritesAreNotForEverybody: LintRule {
  static let id = "open-to-everybody"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    rules.allows.compactMap { one in
      guard one.allow.condition?.isTrue ?? true else { return nil }
      let writes = one.allow.methods.contains { [.create, .update, .delete].contains($0) }
      guard writes || one.isForEverything else { return nil }
      let what = writes ? "writes" : "reads"
      return finding(
        one.allow.condition?.range ?? one.allow.statement.range,
        "everybody \(what) \(one.isForEverything ? "everything" : one.pattern), signed in or not",
        ["Who may? if request.auth != null, if request.auth.uid == …, or if false for servers alone."])
    }
  }
}

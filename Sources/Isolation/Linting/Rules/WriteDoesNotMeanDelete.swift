import RulesSyntax

/// `write` stands for create, update and delete; who wrote it often thought of the first two.
enum WriteDoesNotMeanDelete: LintRule {
  static let id = "write-includes-delete"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    rules.allows.compactMap { one in
      guard let word = one.allow.statement.methods.first(where: { $0.text.lowercased() == "write" }),
        let condition = one.allow.condition, !condition.isTrue, !condition.isFalse, !one.namesCaller,
        !asksForNewDocument(condition, rules)
      else { return nil }
      return finding(
        word.range, "write lets everybody who passes delete \(one.pattern), too",
        ["Nothing here says whose document it is."],
        fix: .init(message: "name what is meant", range: word.range, replacement: "create, update"))
    }
  }

  /// Of a delete `request.resource` is null, so that looking into it is an error.
  private static func asksForNewDocument(_ condition: Expression, _ rules: LintedRules) -> Bool {
    rules.text(condition.range).contains("request.resource")
  }
}

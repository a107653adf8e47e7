import RulesSyntax

/// `resource.data.keys().hasOnly([…])` looks at the document as it was: an update may add what it likes.
enum KeysAreThoseOfTheNewDocument: LintRule {
  static let id = "keys-of-old-document"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    rules.allows.compactMap { one in
      guard one.allow.methods.contains(.update) || one.allow.methods.contains(.create),
        let keys = one.facts.oldKeys.first,
        let condition = one.allow.condition
      else { return nil }
      return finding(
        condition.range, "the keys of the document as it was are held to \(keys), not those of the new one",
        ["Ask request.resource.data.keys().hasOnly(\(keys)) of what is written."])
    }
  }
}

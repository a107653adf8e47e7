import RulesSyntax

/// Without `rules_version = '2'` the file is read by the first version of the language, in which `{x=**}` covers at
/// least one segment and collection groups cannot be asked for.
enum VersionIsNamed: LintRule {
  static let id = "missing-version"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    guard rules.checked.syntax.version == nil, let start = rules.checked.syntax.services.first?.range.start else {
      return []
    }
    let place = SourceRange(start, start)
    return [
      finding(
        place, "no rules_version: the file is read as version 1",
        ["In version 1 a pattern like /{path=**} means something else, and collection groups are always refused."],
        fix: .init(message: "name the version", range: place, replacement: "rules_version = '2'; "))
    ]
  }
}

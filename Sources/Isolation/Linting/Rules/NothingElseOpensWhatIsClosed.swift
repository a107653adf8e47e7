import RulesSyntax

/// `if false` closes nothing: any other match that covers the path may open it.
enum NothingElseOpensWhatIsClosed: LintRule {
  static let id = "closed-here-open-there"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    guard let prover = rules.prover else { return [] }
    return rules.allows.compactMap { one in
      guard let condition = one.allow.condition, condition.isFalse, !one.isForEverything else { return nil }
      let methods = one.allow.methods.map(\.rawValue).sorted()
      guard case .leak(let leak)? = try? prover.prove(Statement(never: methods, one.pattern, .if("true"))),
        let line = leak.lines.first
      else { return nil }
      // Within the same match the other statement is there to be seen.
      let opener = rules.allows.first { $0.allow.statement.range.start.line == line }
      guard let opener, opener.block.segments != one.block.segments else { return nil }
      return finding(
        one.allow.statement.range, "closed here, and opened by line \(line)",
        [
          "\(leak.witness.method.rawValue) \(leak.witness.path.relative) is let through by: \(opener.pattern)",
          "A request is allowed when any allow of any match lets it through.",
        ])
    }
  }
}

import RulesEngine
import RulesSemantics
import RulesSyntax

extension Prover {
  /// Whether the condition of an `allow` is never true, whatever is asked and stored.
  func isNeverTrue(_ one: LintedRules.Allow) -> Bool {
    isProved(rules.checked, [one.alone], rules.checked, [one.alone], .mustNotAllow, methods(of: one.allow), one)
  }

  /// Whether the condition of an `allow` is true of every request on its path. Lists are not looked at: of them it is
  /// known when they may be allowed, not when they must be.
  func isAlwaysTrue(_ one: LintedRules.Allow) -> Bool {
    let asked = methods(of: one.allow).filter { $0 != .list }
    guard !asked.isEmpty,
      let all = try? Ruleset(Statement(never: ["read", "write"], one.pattern, .if("true")).text, name: "everything"),
      let blocks = all.checked.matchBlocks
    else { return false }
    return isProved(all.checked, blocks, rules.checked, [one.alone], .mustAllow, asked, one, isComparison: true)
  }

  /// Whether all that an `allow` lets through is let through by others.
  func isCovered(_ one: LintedRules.Allow, by others: [MatchBlock]) -> Bool {
    let asked = methods(of: one.allow)
    guard !asked.contains(.list) else { return false }
    return isProved(rules.checked, [one.alone], rules.checked, others, .mustAllow, asked, one, isComparison: true)
  }

  private func methods(of allow: CheckedAllow) -> [World.Method] {
    World.Method.allCases.filter { method in allow.methods.contains { $0.rawValue == method.rawValue } }
  }

  private func isProved(
    _ asked: CheckedRuleset, _ blocks: [MatchBlock], _ other: CheckedRuleset, _ others: [MatchBlock],
    _ sense: Question.Other, _ methods: [World.Method], _ one: LintedRules.Allow, isComparison: Bool = false
  ) -> Bool {
    guard !methods.isEmpty else { return false }
    let others = others.filter { !$0.isApart(from: one.block.segments) }
    var evidence = Evidence()
    for (method, database) in methods.flatMap({ method in one.databases.map { (method, $0) } }) {
      for shape in Self.shapes(pattern: one.block.documents, rules: others + blocks) {
        for reading in Self.readings(of: method, blocks, asked) {
          let question = Question(
            rules: asked, blocks: blocks, other: other, otherBlocks: others, sense: sense, database: database,
            method: method, reading: reading, segments: shape.segments, gap: shape.gap, isComparison: isComparison)
          // Without looking for a request where there is no proof.
          guard case .proved = answer(question, nil, &evidence) else { return false }
        }
      }
    }
    return true
  }
}

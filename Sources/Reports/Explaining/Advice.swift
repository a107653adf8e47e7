import RulesEngine
import RulesSemantics
import RulesSyntax

/// What to look at next, after a refusal.
struct Advice {
  let explanation: Explanation
  let ruleset: CheckedRuleset
  let source: ExpressionText

  init(_ explanation: Explanation, _ ruleset: CheckedRuleset, _ source: ExpressionText) {
    self.explanation = explanation
    self.ruleset = ruleset
    self.source = source
  }

  /// Sentences, the most telling first; none when the request was allowed.
  var lines: [String] { causes + fixes }

  /// What would be allowed: each was tried.
  var fixes: [String] {
    let nearest = explanation.fixesArePartial ? "Nearest fix of this write alone" : "Nearest fix"
    return explanation.fixes.enumerated().map { i, fix in
      SafeText.line("\(i == 0 ? "\(nearest), tried and allowed" : "Or"): \(fix.text).")
    }
  }

  /// What was in the way.
  var causes: [String] {
    guard !explanation.decision.isAllowed else { return [] }
    let method = explanation.request.method.rawValue
    if explanation.matches.isEmpty { return uncovered }
    guard let allow = Advice.mainAllow(explanation) else {
      return ["The match blocks that cover this path have no allow for \(method)."]
    }
    var result: [String] = []
    guard let condition = allow.condition else { return result }
    let root = TracedNode(condition, in: ruleset)
    let line = root.cause.expression.range.start.line
    if let sentence = CauseSentence(source: source, cause: root.cause).text {
      if sentence == "request.auth is null." {
        return ["The caller is signed out: request.auth is null. (line \(line))"]
      }
      result.append("\(sentence) (line \(line))")
    }
    if explanation.request.auth == nil, asksForAuth(allow) { result.append("The caller is signed out.") }
    return result
  }

  /// The `allow` that most likely was meant to let the request pass: the first whose condition is more than `false`.
  static func mainAllow(_ explanation: Explanation) -> Explanation.Allow? {
    let tried = explanation.matches.flatMap(\.allows).filter { $0.condition != nil }
    return tried.first { $0.statement.condition?.isLiteral == false } ?? tried.first
  }

  private func asksForAuth(_ allow: Explanation.Allow) -> Bool {
    var found = false
    func walk(_ node: Explanation.Node) {
      if case .member(let receiver, let name) = node.expression.kind, name.text == "auth",
        case .identifier("request") = receiver.kind
      {
        found = true
      }
      for child in node.children where !found { walk(child) }
    }
    if let condition = allow.condition { walk(condition) }
    return found
  }

  private var uncovered: [String] {
    let path = PathText.text(explanation.request.path)
    let segments = explanation.request.path.segments.map(\.string)
    var best: (score: Int, pattern: String, line: Int)?
    func walk(_ matches: [CheckedMatch], _ outer: [MatchSegment]) {
      for match in matches {
        let all = outer + match.segments
        // Behind `/databases/{database}/documents`.
        let inner = Array(all.dropFirst(3))
        let score = zip(inner, segments).prefix { segment, id in
          if case .literal(let text) = segment { text == id } else { true }
        }.count
        if !match.allows.isEmpty, score > (best?.score ?? 0) {
          best = (score, Self.text(inner), match.declaration.range.start.line)
        }
        walk(match.children, all)
      }
    }
    for service in ruleset.services where service.kind == .firestore { walk(service.matches, []) }
    var result = ["No match block covers \(path): what no rule allows is refused."]
    if let best { result.append("The nearest is match \(best.pattern) in line \(best.line).") }
    return result
  }

  private static func text(_ segments: [MatchSegment]) -> String {
    segments.map { segment in
      switch segment {
      case .literal(let text): "/\(SafeText.line(text))"
      case .capture(_, let name): "/{\(name)}"
      case .glob(_, let name): "/{\(name)=**}"
      }
    }.joined()
  }
}

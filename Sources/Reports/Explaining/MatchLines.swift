import RulesEngine
import RulesSemantics
import RulesSyntax

/// A match block that covers a request, with its bindings, each `allow` with its verdict and the values of its parts.
struct MatchLines {
  let ruleset: CheckedRuleset
  let source: ExpressionText

  init(_ ruleset: CheckedRuleset, _ source: ExpressionText) {
    self.ruleset = ruleset
    self.source = source
  }

  func lines(_ match: Explanation.Match, _ terminal: Terminal) -> [StyledLine] {
    var title = StyledLine("match ", .code)
    title.add(SafeText.line(match.pattern))
    title.add("  ")
    title.add(place(match.declaration.range.start), .place)
    var result = [title]
    if !match.bindings.isEmpty {
      let text = match.bindings.map { "\(SafeText.line($0.name)) = \($0.value)" }.joined(separator: ", ")
      result.append(StyledLine("  " + SafeText.cut(text, max(20, terminal.width - 2)), .dim))
    }
    if match.allows.isEmpty { result.append(StyledLine("  (no allow statement)", .dim)) }
    for allow in match.allows { result += lines(allow, terminal) }
    return result
  }

  private func lines(_ allow: Explanation.Allow, _ terminal: Terminal) -> [StyledLine] {
    let statement = allow.statement
    var title = StyledLine("  ")
    title.add(allow.verdict.mark + " ", allow.verdict.style)
    let isTried = allow.condition != nil || allow.verdict == .allowed
    let words = isTried ? Style.code : .dim
    title.add("allow " + SafeText.line(statement.methods.map(\.text).joined(separator: ", ")), words)
    if statement.condition == nil { title.add(" always", .dim) }
    title.add("  ")
    title.add(place(statement.range.start), .place)
    if let remark = allow.verdict.remark { title.add("  " + remark, .dim) }
    var result = [title]
    if let condition = allow.condition {
      result += ConditionTree(source: source, root: TracedNode(condition, in: ruleset)).lines(terminal, indent: 6)
    }
    return result
  }

  func place(_ position: SourcePosition) -> String {
    "\(SafeText.line(ruleset.file.name)):\(position.line):\(position.column)"
  }
}

/// The decision and what to look at next.
enum DecisionLines {
  static func denied(_ message: String, _ terminal: Terminal) -> [StyledLine] {
    let message = SafeText.wrapped(message, max(30, terminal.width - 10))
    var first = StyledLine("✘ denied", .badBold)
    first.add(message.isEmpty ? "" : ": " + (message.first ?? ""))
    return [first] + message.dropFirst().map { StyledLine("          " + $0) }
  }

  static func advice(_ sentences: [String], _ terminal: Terminal) -> [StyledLine] {
    sentences.flatMap { sentence in
      SafeText.wrapped(sentence, max(30, terminal.width - 4)).enumerated().map { i, piece in
        var line = StyledLine(i == 0 ? "  → " : "    ", .dim)
        line.add(piece)
        return line
      }
    }
  }
}

extension Explanation.Verdict {
  var mark: String {
    switch self {
    case .allowed: "✔"
    case .refused: "✘"
    case .error: "!"
    case .notReached, .otherMethod: "·"
    }
  }

  var style: Style {
    switch self {
    case .allowed: .good
    case .refused, .error: .bad
    case .notReached, .otherMethod: .dim
    }
  }

  /// Why nothing stands below the statement.
  var remark: String? {
    switch self {
    case .notReached: "not tried: decided before"
    case .otherMethod: "for other methods"
    case .allowed, .refused, .error: nil
    }
  }
}

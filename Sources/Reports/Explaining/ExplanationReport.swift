import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Why a request was decided as it was, for people: who asked for what, each match with its bindings, each `allow`
/// with its verdict and the values of its parts, the decision, and what to look at next.
public struct ExplanationReport {
  let explanation: Explanation
  let ruleset: CheckedRuleset
  let source: ExpressionText

  public init(_ explanation: Explanation, of ruleset: Ruleset) {
    self.explanation = explanation
    self.ruleset = ruleset.checked
    source = ExpressionText(ruleset.checked.file)
  }

  /// - Parameter quiet: only the decision and its reason.
  public func text(_ terminal: Terminal, quiet: Bool = false) -> String {
    var page = Page(terminal)
    if !quiet {
      page.add(requestLines(terminal))
      for match in explanation.matches {
        page.gap()
        page.add(lines(match, terminal))
      }
      page.gap()
    }
    page.add(decisionLines(terminal))
    return page.text
  }

  // MARK: The request

  private func requestLines(_ terminal: Terminal) -> [StyledLine] {
    let request = explanation.request
    var first = StyledLine(request.method.rawValue, .bold)
    first.add(" " + PathText.text(request.path), .bold)
    var result = [first]
    func add(_ title: String, _ text: String) {
      var line = StyledLine("  " + title, .dim)
      line.pad(to: 12)
      line.add(SafeText.cut(text, max(20, terminal.width - 12)))
      result.append(line)
    }
    if request.path.database.string != "(default)" { add("database", SafeText.line(request.path.database.string)) }
    add("as", Caller(request.auth).line)
    add("at", request.time.rfc3339)
    if let resource = request.resource { add("writes", DataText.text(.map(resource), width: terminal.width - 12)) }
    return result
  }

  // MARK: Matches

  private func lines(_ match: Explanation.Match, _ terminal: Terminal) -> [StyledLine] {
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

  private func place(_ position: SourcePosition) -> String {
    "\(SafeText.line(ruleset.file.name)):\(position.line):\(position.column)"
  }

  // MARK: The decision

  private func decisionLines(_ terminal: Terminal) -> [StyledLine] {
    var first: StyledLine
    var result: [StyledLine] = []
    if explanation.decision.isAllowed {
      first = StyledLine("✔ allowed", .good)
      if let deciding = explanation.deciding { first.add(" by \(place(deciding.statement.range.start))") }
      result.append(first)
    } else {
      first = StyledLine("✘ denied", .badBold)
      let message = SafeText.wrapped(explanation.decision.denial?.message ?? "", max(30, terminal.width - 10))
      first.add(message.isEmpty ? "" : ": " + (message.first ?? ""))
      result.append(first)
      for more in message.dropFirst() { result.append(StyledLine("          " + more)) }
    }
    for advice in Advice(explanation, ruleset, source).lines {
      for (i, piece) in SafeText.wrapped(advice, max(30, terminal.width - 4)).enumerated() {
        var line = StyledLine(i == 0 ? "  → " : "    ", .dim)
        line.add(piece)
        result.append(line)
      }
    }
    return result
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

/// Paths of documents as people write them.
enum PathText {
  static func text(_ path: ResourcePath) -> String { SafeText.line(path.relative) }
}

import RulesEngine
import RulesSyntax
import RulesValues

/// Tells in a few lines why rules refused a call.
struct DenialText {
  let ruleset: Ruleset?

  init(_ ruleset: Ruleset?) { self.ruleset = ruleset }

  /// - Parameter isStale: the documents may have changed since the call was refused.
  func text(_ explanations: [Explanation], isStale: Bool) -> String {
    guard ruleset != nil else { return Self.noRules }
    guard !explanations.isEmpty else { return isStale ? Self.changed : "" }
    return explanations.map { explanation in
      let request = explanation.request
      let head = "\(request.method.rawValue) \(request.path.relative) is denied \(Self.to(request.auth)):"
      return ([head] + lines(explanation).map { "  " + $0 }).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  func text(_ query: QueryExplanation, isStale: Bool) -> String {
    guard ruleset != nil else { return Self.noRules }
    guard !query.decision.isAllowed else { return isStale ? Self.changed : "" }
    let list = query.request
    let collection = (list.allDescendants ? "{any=**}/" : "") + (list.collectionID?.string ?? "{any}")
    let place = list.parent.segments.isEmpty ? "/" : list.parent.relative + "/"
    var lines = ["list \(place)\(collection) is denied \(Self.to(list.auth)):"]
    lines += query.advice?.missing ?? []
    if let proposal = query.advice?.proposal { lines.append("Allowed would be, with these filters added: \(proposal)") }
    if lines.count == 1 { lines.append(query.decision.denial?.message ?? "") }
    return lines.joined(separator: "\n  ")
  }

  static let noRules = "There are no rules for this database, so that everything is denied."
  private static let changed = "By now the rules allow it: what they look at has changed since."

  private static func to(_ auth: Auth?) -> String { auth.map { "to '\($0.uid)'" } ?? "to somebody who is signed out" }

  // MARK: Statements

  private func lines(_ explanation: Explanation) -> [String] {
    let method = explanation.request.method.rawValue
    if explanation.matches.isEmpty { return ["No match covers the path."] }
    let tried = explanation.matches.flatMap(\.allows).filter { $0.verdict != .otherMethod && $0.verdict != .notReached }
    if tried.isEmpty { return ["The matches that cover the path have no allow for \(method)."] }
    return tried.map(line)
  }

  private func line(_ allow: Explanation.Allow) -> String {
    let methods = allow.statement.methods.map(\.text).joined(separator: ", ")
    guard let condition = allow.condition else {
      return "\(place(allow.statement.range)), allow \(methods): not evaluated, the limit of expressions being reached."
    }
    let cause = condition.cause
    let head = "\(place(cause.expression.range)), allow \(methods): "
    switch cause.outcome {
    case .value(let text, _):
      if cause.expression.isBool { return head + "allows nobody." }
      return head + "`\(written(cause.expression))` is \(text)\(values(cause))."
    case .error(let message):
      return head + "`\(written(cause.expression))`: \(message)\(values(cause))"
    }
  }

  /// `, x being 1, y 2`
  private func values(_ cause: Explanation.Node) -> String {
    var known: [String] = []
    for child in cause.children where !child.expression.saysItself {
      guard case .value(let text, _) = child.outcome else { continue }
      let value = "`\(written(child.expression))` \(known.isEmpty ? "being " : "")\(text)"
      if !known.contains(value) { known.append(value) }
    }
    return known.isEmpty ? "" : (cause.outcome.isError ? " — " : ", ") + known.joined(separator: ", ")
  }

  private func place(_ range: SourceRange) -> String { "\(ruleset?.file.name ?? ""):\(range.start.line)" }
  private func written(_ expression: Expression) -> String { ruleset?.file.written(expression) ?? "" }
}

extension Expression {
  fileprivate var isBool: Bool { if case .bool = kind { true } else { false } }

  /// Showing the value would tell nothing, or too much.
  fileprivate var saysItself: Bool {
    switch kind {
    case .null, .bool, .int, .float, .string, .bytes: true
    case .list(let items): items.allSatisfy(\.saysItself)
    case .identifier(let name): name == "request" || name == "resource"
    default: false
    }
  }
}

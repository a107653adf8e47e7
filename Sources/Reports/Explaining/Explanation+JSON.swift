import JSON
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

extension ExplanationReport {
  /// Everything that is known, with positions; see `docs/json.md`.
  public var json: JSONValue {
    var object: JSONObject = [
      "rules": .string(ruleset.file.name), "request": explanation.request.json,
      "allowed": .bool(explanation.decision.isAllowed),
    ]
    object["message"] = explanation.decision.denial.map { .string($0.message) } ?? .null
    object["cost"] = .int(Int64(explanation.cost))
    object["budget"] = explanation.budget.json
    object["matches"] = .array(explanation.matches.map(MatchJSON(ruleset, source).json))
    object["advice"] = .array(Advice(explanation, ruleset, source).causes.map { .string($0) })
    object["fixes"] = .array(explanation.fixes.map { .string(SafeText.line($0.text)) })
    return .object(object)
  }

}

/// A match block that covers a request, with all values.
struct MatchJSON {
  let ruleset: CheckedRuleset
  let source: ExpressionText

  init(_ ruleset: CheckedRuleset, _ source: ExpressionText) {
    self.ruleset = ruleset
    self.source = source
  }

  func json(_ match: Explanation.Match) -> JSONValue {
    [
      "pattern": .string(match.pattern), "range": match.declaration.range.json,
      "bindings": .array(match.bindings.map { ["name": .string($0.name), "value": .string($0.value)] }),
      "allows": .array(match.allows.map(json)),
    ]
  }

  private func json(_ allow: Explanation.Allow) -> JSONValue {
    var object: JSONObject = [
      "methods": .array(allow.statement.methods.map { .string($0.text) }), "range": allow.statement.range.json,
      "verdict": .string(allow.verdict.word),
    ]
    if case .error(let message) = allow.verdict { object["error"] = .string(message) }
    object["condition"] = allow.condition.map { json(TracedNode($0, in: ruleset)) }
    return .object(object)
  }

  private func json(_ root: TracedNode) -> JSONValue {
    let cause = root.cause
    func json(_ node: TracedNode) -> JSONValue {
      var object: JSONObject = ["source": .string(source.text(node.expression)), "range": node.expression.range.json]
      switch node.outcome {
      case .value(let text, let json):
        object["text"] = .string(text)
        object["value"] = json
      case .error(let message): object["error"] = .string(message)
      }
      if node === cause { object["cause"] = .bool(true) }
      if !node.operands.isEmpty { object["operands"] = .array(node.operands.map(json)) }
      if let function = node.function {
        object["function"] = .string(function.name.text)
        if !node.body.isEmpty { object["body"] = .array(node.body.map(json)) }
      }
      return .object(object)
    }
    return json(root)
  }
}

extension Explanation.Verdict {
  var word: String {
    switch self {
    case .allowed: "allowed"
    case .refused: "refused"
    case .error: "error"
    case .notReached: "notReached"
    case .otherMethod: "otherMethod"
    }
  }
}

extension Request {
  /// Documents and claims in the form of the REST interface, which keeps every type.
  var json: JSONValue {
    var object: JSONObject = [
      "method": .string(method.rawValue), "path": .string(path.relative), "database": .string(path.database.string),
      "time": .string(time.rfc3339),
    ]
    object["auth"] = JSONValue(caller: auth)
    if let resource { object["resource"] = DataValue.rest(fields: resource, project: "demo-project") }
    return .object(object)
  }
}

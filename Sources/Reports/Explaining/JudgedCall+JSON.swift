import JSON
import LocalFirestore
import RulesEngine

extension JudgedCall {
  /// As `explain` writes it; without an explanation who asked what, the decision and its message.
  public var json: JSONValue {
    switch kind {
    case .document(let request, let explanation):
      if let explanation, let ruleset { return ExplanationReport(explanation, of: ruleset).json }
      return json(request.json)
    case .query(let list, let explanation):
      if let explanation, let ruleset { return QueryReport(explanation, of: ruleset).json }
      return json(QueryReport.json(list))
    }
  }

  private func json(_ request: JSONValue) -> JSONValue {
    var object: JSONObject = ["request": request, "allowed": .bool(isAllowed)]
    object["rules"] = ruleset.map { .string($0.file.name) } ?? .null
    object["message"] = decision.denial.map { .string($0.message) } ?? .null
    return .object(object)
  }
}

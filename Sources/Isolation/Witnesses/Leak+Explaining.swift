import RulesEngine

extension Leak {
  /// How rules decide the request that was found, with the values of every part of their conditions.
  public enum Explained: Sendable {
    case document(Explanation)
    case query(QueryExplanation)
  }

  /// - Parameter rules: those that allow the request.
  /// - Returns: `nil` where the documents do not fit the method, as in none that was replayed.
  public func explained(by rules: Ruleset) -> Explained? {
    let evaluator = rules.evaluator(dialect: dialect)
    let documents = DocumentTable(witness.documents)
    if let query = witness.query { return .query(evaluator.explain(query, documents)) }
    return witness.request(method: witness.method).map { .document(evaluator.explain($0, documents)) }
  }
}

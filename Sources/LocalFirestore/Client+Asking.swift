import RulesEngine
import RulesValues

/// Something that a client might do, for asking whether the rules let it.
public enum Action: Sendable {
  case get(String)
  case list(StructuredQuery)
  case create(String, [Text: FieldValue] = [:])
  case set(String, [Text: FieldValue] = [:], merge: Bool = false)
  case update(String, [String: FieldValue] = [:])
  case delete(String)
  /// Writes that are made together: `.batch { $0.delete("/a/x"); $0.delete("/b/x") }`
  case batch(@Sendable (inout WriteBatch) -> Void)
}

extension Client {
  /// Would the rules allow this now? Nothing is done: `#expect(try alice.allows(.get("/users/alice")))`.
  /// - Throws: INVALID_ARGUMENT for what no rules could allow, so that a slip of the pen is not taken for a refusal.
  public func allows(_ action: Action) throws(FirestoreError) -> Bool { try denial(of: action) == nil }

  /// Why the rules would not allow this, and of a query what it lacks; `nil` when they would allow it.
  /// - Throws: INVALID_ARGUMENT.
  public func denial(of action: Action) throws(FirestoreError) -> CallDenial? {
    switch action {
    case .list(let query):
      guard let official = try judge(query).decision.denial else { return nil }
      let details = firestore.details(try judge(query, explaining: true), query, isStale: false)
      return CallDenial(official) { details }
    case .batch(let body):
      let writes = try writes(body)
      guard let official = try judge(writes).denial else { return nil }
      let details = firestore.details(try judge(writes, explaining: true), isStale: false)
      return CallDenial(official) { details }
    default:
      let call = try call(action)
      guard let official = try judge(call).decision.denial else { return nil }
      let details = firestore.details(try judge(call, explaining: true))
      return CallDenial(official) { details }
    }
  }

  /// How the rules come to their verdict about one document, of several writes about the first that is refused, else
  /// the first; `nil` for an admin, and where there are no rules. Of a query `judge(_:explaining:)` tells.
  /// - Throws: INVALID_ARGUMENT, also for a query.
  public func explanation(of action: Action) throws(FirestoreError) -> Explanation? {
    guard case .batch(let body) = action else { return try judge(call(action), explaining: true).explanation }
    let judgements = try judge(writes(body), explaining: true).judgements
    return (judgements.first { !$0.isAllowed } ?? judgements.first)?.explanation
  }

  /// What this takes of the official limits, of several writes the one that takes most; `nil` for an admin, and where
  /// there are no rules.
  /// - Throws: INVALID_ARGUMENT.
  public func budget(of action: Action) throws(FirestoreError) -> RequestBudget? {
    switch action {
    case .list(let query): return try judge(query, measuring: true).budget
    case .batch(let body):
      let budgets = try judge(writes(body), measuring: true).judgements.compactMap(\.budget)
      return budgets.max { $0.expressions.used < $1.expressions.used }
    default: return try judge(call(action), measuring: true).budget
    }
  }

  /// - Throws: INVALID_ARGUMENT, and what `body` throws.
  func writes(_ body: (inout WriteBatch) throws(FirestoreError) -> Void) throws(FirestoreError) -> [Write] {
    var batch = WriteBatch(self)
    try body(&batch)
    if let mistake = batch.mistake { throw mistake }
    return batch.writes
  }

  private func call(_ action: Action) throws(FirestoreError) -> Call {
    switch action {
    case .get(let path): return .get(try self.path(path))
    case .create(let path, let data): return .write(try .create(self.path(path), data))
    case .set(let path, let data, let merge): return .write(try .set(self.path(path), data, merge: merge))
    case .update(let path, let data): return .write(try updating(path, data))
    case .delete(let path): return .write(.delete(try self.path(path)))
    case .list, .batch: throw FirestoreError(.invalidArgument, "This is about no single document.")
    }
  }
}

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
}

extension Client {
  /// Would the rules allow this now? Nothing is done: `#expect(try alice.allows(.get("/users/alice")))`.
  /// - Throws: INVALID_ARGUMENT for what no rules could allow, so that a slip of the pen is not taken for a refusal.
  public func allows(_ action: Action) throws(FirestoreError) -> Bool { try denial(of: action) == nil }

  /// Why the rules would not allow this; `nil` when they would.
  /// - Throws: INVALID_ARGUMENT.
  public func denial(of action: Action) throws(FirestoreError) -> Denial? {
    guard case .list(let query) = action else { return try judge(call(action)).decision.denial }
    try check(query)
    do throws(FirestoreError) {
      try firestore.check(query, access: access)
      return nil
    } catch {
      guard let denial = error.denial else { throw error }
      return denial
    }
  }

  /// How the rules come to their verdict about one document; `nil` for an admin, and where there are no rules.
  /// - Throws: INVALID_ARGUMENT, also for a query.
  public func explanation(of action: Action) throws(FirestoreError) -> Explanation? {
    try judge(call(action), explaining: true).explanation
  }

  private func call(_ action: Action) throws(FirestoreError) -> Call {
    switch action {
    case .get(let path): return .get(try self.path(path))
    case .create(let path, let data): return .write(try .create(self.path(path), data))
    case .set(let path, let data, let merge): return .write(try .set(self.path(path), data, merge: merge))
    case .update(let path, let data): return .write(try updating(path, data))
    case .delete(let path): return .write(.delete(try self.path(path)))
    case .list: throw FirestoreError(.invalidArgument, "A query is about no single document.")
    }
  }
}

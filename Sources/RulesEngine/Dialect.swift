/// Whose behaviour is followed where official implementations differ. Each difference is a line of
/// `docs/parity.md` with its evidence.
public enum Dialect: String, Sendable, CaseIterable {
  /// The newest official emulator, corrected only by what was observed of live production. The default.
  case live
  /// Emulator 1.19.9, with which most recordings were made.
  case emulator1_19 = "emulator-1.19"
  /// The Rules Test API, which knows no database: what a case does not give is undefined, and functions that look up
  /// documents exist as far as the case mocks them. For TestSuite files only: `TestAPIEvaluator`.
  case testAPI = "test-api"

  /// The dialects of live databases, which judge requests.
  public static let ofDatabases: [Dialect] = [.live, .emulator1_19]

  /// `get()` and `getAfter()` of a document that does not exist give null (emulator 1.21 and newer) instead of a
  /// service call error (1.19.9).
  var missingDocumentIsNull: Bool { self != .emulator1_19 }
}

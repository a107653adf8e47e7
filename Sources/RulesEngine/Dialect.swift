/// Whose behaviour is followed where official implementations differ. Each difference is a line of
/// `docs/parity.md` with its evidence.
public enum Dialect: String, Sendable, CaseIterable {
  /// The newest official emulator, corrected only by what was observed of live production. The default.
  case live
  /// Emulator 1.19.9, with which most recordings were made.
  case emulator1_19 = "emulator-1.19"

  /// `get()` and `getAfter()` of a document that does not exist give null (emulator 1.21 and newer) instead of a
  /// service call error (1.19.9).
  var missingDocumentIsNull: Bool { self == .live }
}

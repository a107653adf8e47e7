import CSQLite

/// Why SQLite could not do something.
public struct SQLiteError: Error, Sendable, Equatable {
  public enum Kind: Sendable {
    case notADatabase, damaged, full, readOnly, cannotOpen, noPermission, inUse, tooLarge
    /// A key that must be unique is there already, or what a table demands does not hold.
    case conflict
    case other
  }

  public let kind: Kind
  /// Names the file; nothing was changed.
  public let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// What SQLite's codes mean for a caller.
  init(_ code: Int32, _ path: String) {
    let text = sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)"
    switch code & 0xFF {
    case SQLITE_NOTADB: self.init(.notADatabase, "\(path) is not a database.")
    case SQLITE_CORRUPT: self.init(.damaged, "\(path) is damaged: \(text).")
    case SQLITE_FULL: self.init(.full, "No room is left for \(path); nothing was changed.")
    case SQLITE_READONLY: self.init(.readOnly, "\(path) may only be read; nothing was changed.")
    case SQLITE_CANTOPEN: self.init(.cannotOpen, "Cannot open \(path): \(text).")
    case SQLITE_PERM, SQLITE_AUTH: self.init(.noPermission, "No permission to use \(path).")
    case SQLITE_BUSY, SQLITE_LOCKED: self.init(.inUse, "\(path) is in use by another process.")
    case SQLITE_TOOBIG, SQLITE_NOMEM: self.init(.tooLarge, "Too large for \(path): \(text).")
    case SQLITE_CONSTRAINT: self.init(.conflict, "\(path): \(text).")
    default: self.init(.other, "\(path): \(text).")
    }
  }
}

import CSQLite
import RulesValues

// This file alone handles SQLite's pointers. Blobs are copied on their way in and out, so that no pointer leaves it.

/// One connection to a database file, for one thread at a time.
final class SQLiteConnection {
  enum Access { case readWrite, readOnly }

  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  let path: String

  /// - Throws: as `SQLiteConnection.error` tells.
  init(path: String, access: Access) throws(FirestoreError) {
    var opened: OpaquePointer?
    let flags =
      (access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY)
      | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else { throw FirestoreError(.resourceExhausted, "Cannot open \(path): out of memory.") }
    guard code == SQLITE_OK else {
      let extended = sqlite3_extended_errcode(opened)
      sqlite3_close_v2(opened)
      throw Self.error(extended, path)
    }
    handle = opened
    self.path = path
    sqlite3_busy_timeout(handle, 5000)
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit {
    // Statements are finalized before the connection they belong to.
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  // MARK: Statements

  /// One value of a row, or for a parameter of a statement.
  enum Cell: Sendable, Equatable {
    case blob([UInt8])
    case int(Int64)
    case null

    var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
    var int: Int64? { if case .int(let int) = self { int } else { nil } }
  }

  private final class Statement {
    let handle: OpaquePointer
    /// A nested use of the same text needs a statement of its own.
    var isInUse = false

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }
  }

  /// Runs a statement, kept prepared for the next time.
  /// - Parameter row: is given each row until it answers false.
  func run(
    _ sql: String, _ parameters: [Cell] = [], _ row: ([Cell]) throws(FirestoreError) -> Bool = { _ in true }
  ) throws(FirestoreError) {
    let statement = try prepared(sql)
    statement.isInUse = true
    defer {
      sqlite3_reset(statement.handle)
      sqlite3_clear_bindings(statement.handle)
      statement.isInUse = false
    }
    for (i, parameter) in parameters.enumerated() { try bind(parameter, at: Int32(i + 1), of: statement) }
    while true {
      let code = sqlite3_step(statement.handle)
      switch code {
      case SQLITE_DONE: return
      case SQLITE_ROW:
        let count = sqlite3_column_count(statement.handle)
        guard try row((0..<count).map { Self.cell(statement, $0) }) else { return }
      default: throw Self.error(code, path)
      }
    }
  }

  private func prepared(_ sql: String) throws(FirestoreError) -> Statement {
    if let known = statements[sql], !known.isInUse { return known }
    var made: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &made, nil)
    guard code == SQLITE_OK, let made else { throw Self.error(code, path) }
    let statement = Statement(made)
    if statements[sql] == nil { statements[sql] = statement }
    return statement
  }

  private func bind(_ cell: Cell, at index: Int32, of statement: Statement) throws(FirestoreError) {
    // SQLITE_TRANSIENT: SQLite makes a copy.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code: Int32
    switch cell {
    case .null: code = sqlite3_bind_null(statement.handle, index)
    case .int(let int): code = sqlite3_bind_int64(statement.handle, index, int)
    case .blob(let bytes):
      code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement.handle, index, 0)
        : sqlite3_bind_blob64(statement.handle, index, bytes, UInt64(bytes.count), transient)
    }
    guard code == SQLITE_OK else { throw Self.error(code, path) }
  }

  private static func cell(_ statement: Statement, _ column: Int32) -> Cell {
    switch sqlite3_column_type(statement.handle, column) {
    case SQLITE_INTEGER: return .int(sqlite3_column_int64(statement.handle, column))
    case SQLITE_NULL: return .null
    default:
      let start = sqlite3_column_blob(statement.handle, column)
      let count = Int(sqlite3_column_bytes(statement.handle, column))
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    }
  }

  // MARK: Errors

  /// What SQLite's codes mean for a caller.
  private static func error(_ code: Int32, _ path: String) -> FirestoreError {
    let text = sqlite3_errstr(code).map { String(cString: $0) } ?? "error \(code)"
    switch code & 0xFF {
    case SQLITE_NOTADB: return FirestoreError(.dataLoss, "\(path) is not a database.")
    case SQLITE_CORRUPT: return FirestoreError(.dataLoss, "\(path) is damaged: \(text).")
    case SQLITE_FULL: return FirestoreError(.resourceExhausted, "No room is left for \(path); nothing was changed.")
    case SQLITE_READONLY: return FirestoreError(.failedPrecondition, "\(path) may only be read; nothing was changed.")
    case SQLITE_CANTOPEN: return FirestoreError(.failedPrecondition, "Cannot open \(path): \(text).")
    case SQLITE_PERM, SQLITE_AUTH: return FirestoreError(.failedPrecondition, "No permission to use \(path).")
    case SQLITE_BUSY, SQLITE_LOCKED: return FirestoreError(.unavailable, "\(path) is in use by another process.")
    case SQLITE_TOOBIG, SQLITE_NOMEM: return FirestoreError(.resourceExhausted, "Too large for \(path): \(text).")
    default: return FirestoreError(.internalError, "\(path): \(text).")
    }
  }
}

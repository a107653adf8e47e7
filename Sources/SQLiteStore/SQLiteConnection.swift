import CSQLite

// This file alone handles SQLite's pointers. Blobs are copied on their way in and out, so that no pointer leaves it.

/// One connection to a database file, for one thread at a time.
public final class SQLiteConnection {
  public enum Access: Sendable { case readWrite, readOnly }

  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  public let path: String

  /// - Parameters:
  ///   - file: its path, or `:memory:`.
  ///   - disk: the name of SQLite's VFS, if not the usual one.
  public init(file path: String, access: Access, disk: String? = nil) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags =
      (access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY)
      | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, disk)
    guard let opened else { throw SQLiteError(.tooLarge, "Cannot open \(path): out of memory.") }
    guard code == SQLITE_OK else {
      let extended = sqlite3_extended_errcode(opened)
      sqlite3_close_v2(opened)
      throw SQLiteError(extended, path)
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

  /// One value of a row, or for a parameter of a statement. Texts of a row come as their bytes.
  public enum Cell: Sendable, Equatable {
    case blob([UInt8])
    case text(String)
    case int(Int64)
    case null

    public var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
    public var int: Int64? { if case .int(let int) = self { int } else { nil } }
  }

  private final class Statement {
    let handle: OpaquePointer
    /// A nested use of the same text needs a statement of its own.
    var isInUse = false

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }
  }

  /// Runs a statement, kept prepared for the next time.
  /// - Parameters:
  ///   - failing: makes the caller's error of SQLite's.
  ///   - row: is given each row until it answers false.
  public func run<Failure: Error>(
    _ sql: String, _ parameters: [Cell], failing: (SQLiteError) -> Failure, _ row: ([Cell]) throws(Failure) -> Bool
  ) throws(Failure) {
    let statement: Statement
    do throws(SQLiteError) {
      statement = try prepared(sql)
    } catch {
      throw failing(error)
    }
    statement.isInUse = true
    defer {
      sqlite3_reset(statement.handle)
      sqlite3_clear_bindings(statement.handle)
      statement.isInUse = false
    }
    for (i, parameter) in parameters.enumerated() {
      let code = Self.bind(parameter, at: Int32(i + 1), of: statement)
      guard code == SQLITE_OK else { throw failing(SQLiteError(code, path)) }
    }
    while true {
      let code = sqlite3_step(statement.handle)
      switch code {
      case SQLITE_DONE: return
      case SQLITE_ROW:
        let count = sqlite3_column_count(statement.handle)
        guard try row((0..<count).map { Self.cell(statement, $0) }) else { return }
      default: throw failing(SQLiteError(code, path))
      }
    }
  }

  private func prepared(_ sql: String) throws(SQLiteError) -> Statement {
    if let known = statements[sql], !known.isInUse { return known }
    var made: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &made, nil)
    guard code == SQLITE_OK, let made else { throw SQLiteError(code, path) }
    let statement = Statement(made)
    if statements[sql] == nil { statements[sql] = statement }
    return statement
  }

  private static func bind(_ cell: Cell, at index: Int32, of statement: Statement) -> Int32 {
    // SQLITE_TRANSIENT: SQLite makes a copy.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch cell {
    case .null: return sqlite3_bind_null(statement.handle, index)
    case .int(let int): return sqlite3_bind_int64(statement.handle, index, int)
    case .blob(let bytes):
      return bytes.isEmpty
        ? sqlite3_bind_zeroblob(statement.handle, index, 0)
        : sqlite3_bind_blob64(statement.handle, index, bytes, UInt64(bytes.count), transient)
    case .text(let text):
      // The closing zero gives an empty text an address, too.
      return text.withCString {
        sqlite3_bind_text64(statement.handle, index, $0, UInt64(text.utf8.count), transient, UInt8(SQLITE_UTF8))
      }
    }
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
}

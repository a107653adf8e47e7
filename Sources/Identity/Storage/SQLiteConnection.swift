// One of the two files of this room that use unsafe pointers: the calls into SQLite. Text and blobs are copied in
// (SQLITE_TRANSIENT) and copied out before the next step; the connection and its statements are freed by `deinit`.
import CSQLite

/// A connection to a SQLite database, for one user at a time.
final class SQLiteConnection: @unchecked Sendable {
  enum Value {
    case text(String)
    case blob([UInt8])
    case integer(Int64)
  }

  private let database: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// - Parameter path: of a file, or `:memory:`.
  init(path: String) throws(IdentityError) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw IdentityError(code: "INTERNAL_ERROR", message: "cannot open the database \(path)")
    }
    database = opened
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(database)
  }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(IdentityError) {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  /// The rows of a statement, each column as its bytes.
  @discardableResult
  func rows(_ sql: String, _ parameters: [Value] = []) throws(IdentityError) -> [[[UInt8]]] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, parameter) in parameters.enumerated() {
      let place = Int32(index + 1)
      let code: Int32
      switch parameter {
      case .text(let text):
        let bytes = Array(text.utf8)
        code = bytes.withUnsafeBufferPointer { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text64(
              statement, place, $0.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64(bytes.count), transient,
              UInt8(SQLITE_UTF8))
          }
        }
      case .blob(let bytes):
        code = bytes.withUnsafeBytes {
          sqlite3_bind_blob64(statement, place, $0.baseAddress, UInt64(bytes.count), transient)
        }
      case .integer(let number): code = sqlite3_bind_int64(statement, place, number)
      }
      guard code == SQLITE_OK else { throw failure }
    }
    var rows: [[[UInt8]]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_DONE: return rows
      case SQLITE_ROW:
        rows.append((0..<sqlite3_column_count(statement)).map { column in
          guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
          return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        })
      default: throw failure
      }
    }
  }

  private func prepared(_ sql: String) throws(IdentityError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure }
    statements[sql] = statement
    return statement
  }

  private var failure: IdentityError {
    IdentityError(code: "INTERNAL_ERROR", message: "SQLite: " + String(cString: sqlite3_errmsg(database)))
  }
}

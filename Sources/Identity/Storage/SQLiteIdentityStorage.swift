import JSON
import SQLiteStore

/// Accounts in a SQLite database: a file that outlives the process, or `:memory:`. Codes that wait and nonces that were
/// used are the server's, and end with it.
public struct SQLiteIdentityStorage: IdentityStorage {
  /// For one call at a time, as `IdentityStorage` has it.
  private struct Held: @unchecked Sendable {
    let connection: SQLiteConnection
  }

  private let held: Held
  private var connection: SQLiteConnection { held.connection }

  private static let schema = [
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "CREATE TABLE IF NOT EXISTS accounts (uid TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE IF NOT EXISTS identities (
      tenant TEXT NOT NULL, kind TEXT NOT NULL, value TEXT NOT NULL, uid TEXT NOT NULL,
      PRIMARY KEY (tenant, kind, value)
    ) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS sessions (key BLOB PRIMARY KEY, uid TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS sessions_of_account ON sessions (uid)",
  ]

  private static let accountByUID = "SELECT body FROM accounts WHERE uid = ?"
  private static let uidByIdentity = "SELECT uid FROM identities WHERE tenant = ? AND kind = ? AND value = ?"
  private static let sessionByKey = "SELECT body FROM sessions WHERE key = ?"
  private static let keysByUID = "SELECT key FROM sessions WHERE uid = ?"
  private static let uidsAfter = "SELECT uid FROM accounts WHERE uid > ? ORDER BY uid LIMIT ?"
  private static let deleteIdentity = "DELETE FROM identities WHERE tenant = ? AND kind = ? AND value = ?"
  private static let deleteSessions = "DELETE FROM sessions WHERE uid = ?"
  private static let deleteAccount = "DELETE FROM accounts WHERE uid = ?"

  /// Opens a database, or makes it.
  /// - Throws: `INTERNAL_ERROR` with SQLite's message.
  public init(path: String) throws(IdentityError) {
    do throws(SQLiteError) {
      held = Held(connection: try SQLiteConnection(file: path, access: .readWrite))
    } catch {
      throw IdentityError(error)
    }
    for statement in Self.schema { try connection.rows(statement) }
  }

  public func account(_ uid: String) throws(IdentityError) -> Account? {
    guard let body = try connection.rows(Self.accountByUID, [.text(uid)]).first?.first else { return nil }
    return try Account(stored: body)
  }

  public func uid(for key: AccountKey) throws(IdentityError) -> String? {
    try connection.rows(Self.uidByIdentity, Self.values(key)).first?.first.map { String(decoding: $0, as: UTF8.self) }
  }

  public func uids(after uid: String?, limit: Int) throws(IdentityError) -> [String] {
    let rows = try connection.rows(
      Self.uidsAfter, [.text(uid ?? ""), .int(Int64(max(limit, 0)))])
    return rows.map { String(decoding: $0[0], as: UTF8.self) }
  }

  public var accountCount: Int {
    get throws(IdentityError) {
      var count: Int64?
      try connection.each("SELECT COUNT(*) FROM accounts", []) { count = $0.first?.int }
      return Int(count ?? 0)
    }
  }

  public mutating func put(_ account: Account, replacing old: Account?) throws(IdentityError) {
    try transaction { () throws(IdentityError) in
      for key in old?.keys ?? [] {
        try connection.rows(Self.deleteIdentity, Self.values(key))
      }
      // A plain INSERT: an identity that another account has breaks the primary key, and the transaction with it.
      for key in account.keys {
        try connection.rows("INSERT INTO identities VALUES (?, ?, ?, ?)", Self.values(key) + [.text(account.uid)])
      }
      try connection.rows(
        "INSERT OR REPLACE INTO accounts VALUES (?, ?)", [.text(account.uid), .text(account.stored.serialized())])
    }
  }

  public mutating func remove(_ account: Account) throws(IdentityError) -> [[UInt8]] {
    let keys = try connection.rows(Self.keysByUID, [.text(account.uid)]).map { $0[0] }
    try transaction { () throws(IdentityError) in
      for key in account.keys {
        try connection.rows(Self.deleteIdentity, Self.values(key))
      }
      try connection.rows(Self.deleteSessions, [.text(account.uid)])
      try connection.rows(Self.deleteAccount, [.text(account.uid)])
    }
    return keys
  }

  public func session(_ key: [UInt8]) throws(IdentityError) -> AuthSession? {
    guard let body = try connection.rows(Self.sessionByKey, [.blob(key)]).first?.first else { return nil }
    return try AuthSession(stored: body)
  }

  public mutating func putSession(_ session: AuthSession, key: [UInt8]) throws(IdentityError) {
    try connection.rows(
      "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)",
      [.blob(key), .text(session.uid), .text(session.stored.serialized())])
  }

  public var indexEntries: [AccountKey: String] {
    get throws(IdentityError) {
      var entries: [AccountKey: String] = [:]
      for row in try connection.rows("SELECT tenant, kind, value, uid FROM identities") {
        let texts = row.map { String(decoding: $0, as: UTF8.self) }
        entries[AccountKey(tenant: texts[0], kind: texts[1], value: texts[2])] = texts[3]
      }
      return entries
    }
  }

  public var sessions: [AuthSession] {
    get throws(IdentityError) {
      var all: [AuthSession] = []
      for row in try connection.rows("SELECT body FROM sessions") { all.append(try AuthSession(stored: row[0])) }
      return all
    }
  }

  /// How SQLite does all that looks for something by a key, in its words: each must be a SEARCH, none a SCAN.
  func plans() throws(IdentityError) -> [String] {
    var plans: [String] = []
    let queries = [
      Self.accountByUID, Self.uidByIdentity, Self.sessionByKey, Self.keysByUID, Self.uidsAfter, Self.deleteIdentity,
      Self.deleteSessions, Self.deleteAccount,
    ]
    for query in queries {
      for row in try connection.rows("EXPLAIN QUERY PLAN " + query) {
        plans.append(String(decoding: row[3], as: UTF8.self))
      }
    }
    return plans
  }

  private static func values(_ key: AccountKey) -> [SQLiteConnection.Cell] {
    [.text(key.tenant), .text(key.kind), .text(key.value)]
  }

  private func transaction(_ body: () throws(IdentityError) -> Void) throws(IdentityError) {
    try connection.rows("BEGIN IMMEDIATE")
    do throws(IdentityError) {
      try body()
      try connection.rows("COMMIT")
    } catch {
      _ = try? connection.rows("ROLLBACK")
      throw error
    }
  }
}

extension SQLiteConnection {
  /// - Throws: `INTERNAL_ERROR`.
  fileprivate func each(_ sql: String, _ parameters: [Cell], _ row: ([Cell]) -> Void) throws(IdentityError) {
    try run(sql, parameters, failing: IdentityError.init) { (cells) throws(IdentityError) in
      row(cells)
      return true
    }
  }

  /// The rows of a statement, each column as its bytes.
  @discardableResult
  fileprivate func rows(_ sql: String, _ parameters: [Cell] = []) throws(IdentityError) -> [[[UInt8]]] {
    var rows: [[[UInt8]]] = []
    try each(sql, parameters) { rows.append($0.map { $0.bytes ?? [] }) }
    return rows
  }
}

extension IdentityError {
  init(_ error: SQLiteError) { self.init(code: "INTERNAL_ERROR", message: error.message) }
}

import RulesValues
import SQLiteStore
import Synchronization

/// Documents in a SQLite file. What a commit has answered survives a crash of the process or the machine: the log is
/// written ahead and flushed before the answer (`WAL`, `synchronous = FULL`). One process at a time writes; readers
/// see the state of their snapshot.
public final class SQLiteStorage: DocumentStorage {
  /// The version of the tables' layout, in the file's `user_version`.
  static let layoutVersion: Int64 = 1
  /// In the file's `application_id`: `RFst`.
  static let applicationID: Int64 = 0x5246_7374

  private let path: String
  /// For the one who commits.
  private let writer: Mutex<Held>
  /// For those who read, while nobody does.
  private let readers: ReaderPool

  /// A connection that one thread uses at a time, as a lock or the pool sees to.
  fileprivate struct Held: @unchecked Sendable {
    let connection: SQLiteConnection
  }

  /// Opens a file, or makes it.
  /// - Throws: FAILED_PRECONDITION for a file of a newer version, of another program or one that cannot be opened or
  ///   written, DATA_LOSS for what is no database or a damaged one.
  public convenience init(path: String) throws(FirestoreError) { try self.init(path: path, disk: nil) }

  /// - Parameter disk: the name of SQLite's VFS, if not the usual one. For tests.
  init(path: String, disk: String?) throws(FirestoreError) {
    let connection = try SQLiteConnection(path: path, access: .readWrite, disk: disk)
    try Self.prepare(connection)
    self.path = path
    writer = Mutex(Held(connection: connection))
    readers = ReaderPool(path: path, disk: disk)
  }

  private static func prepare(_ connection: SQLiteConnection) throws(FirestoreError) {
    let version = try connection.int("PRAGMA user_version") ?? 0
    let application = try connection.int("PRAGMA application_id") ?? 0
    guard version <= layoutVersion || application != applicationID else {
      throw FirestoreError(
        .failedPrecondition,
        "\(connection.path) was written by a newer version of this program (layout \(version); this one knows "
          + "\(layoutVersion)).")
    }
    let tables = try connection.int("SELECT count(*) FROM sqlite_schema") ?? 0
    guard application == applicationID || (application == 0 && version == 0 && tables == 0) else {
      throw FirestoreError(.failedPrecondition, "\(connection.path) is a database of another program.")
    }
    var mode: [UInt8]?
    try connection.run("PRAGMA journal_mode = WAL") { row in
      mode = row.first?.bytes
      return false
    }
    guard mode == Array("wal".utf8) else {
      throw FirestoreError(
        .failedPrecondition, "\(connection.path) may only be read, or lies where no log can be kept.")
    }
    try connection.run("PRAGMA synchronous = FULL")
    guard version < layoutVersion else { return }
    try connection.atomically { () throws(FirestoreError) in
      try connection.run("PRAGMA application_id = \(applicationID)")
      try connection.run("PRAGMA user_version = \(layoutVersion)")
      try connection.run("CREATE TABLE documents (key BLOB PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID")
      try connection.run("CREATE TABLE entries (key BLOB PRIMARY KEY) WITHOUT ROWID")
      try connection.run(
        "CREATE TABLE last_commit (id INTEGER PRIMARY KEY CHECK (id = 0), microseconds INTEGER NOT NULL)")
    }
  }

  public func snapshot(indexed: Bool) throws(FirestoreError) -> any StorageSnapshot {
    let held = try readers.take()
    do throws(FirestoreError) {
      return try SQLiteSnapshot(held, pool: readers)
    } catch {
      readers.put(held)
      throw error
    }
  }

  public func commit(_ changes: [StorageChange], time: Timestamp) throws(FirestoreError) {
    try writer.withLock { (held) throws(FirestoreError) in
      let connection = held.connection
      try connection.atomically { () throws(FirestoreError) in
        for change in changes { try Self.apply(change, connection) }
        try connection.run(
          "INSERT OR REPLACE INTO last_commit (id, microseconds) VALUES (0, ?)", [.int(time.microseconds)])
      }
    }
  }

  private static func apply(_ change: StorageChange, _ connection: SQLiteConnection) throws(FirestoreError) {
    let key = DocumentKey.document(change.path)
    let before = try connection.document(key).map { IndexEntries.keys(of: $0) } ?? []
    let after = change.document.map { IndexEntries.keys(of: $0) } ?? []
    for entry in before.subtracting(after) { try connection.run("DELETE FROM entries WHERE key = ?", [.blob(entry)]) }
    for entry in after.subtracting(before) {
      try connection.run("INSERT OR REPLACE INTO entries (key) VALUES (?)", [.blob(entry)])
    }
    if let document = change.document {
      try connection.run(
        "INSERT OR REPLACE INTO documents (key, content) VALUES (?, ?)",
        [.blob(key), .blob(DocumentCodec.encode(document))])
    } else {
      try connection.run("DELETE FROM documents WHERE key = ?", [.blob(key)])
    }
  }

  public func clear(database: Text?) throws(FirestoreError) {
    try writer.withLock { (held) throws(FirestoreError) in
      let connection = held.connection
      try connection.atomically { () throws(FirestoreError) in
        guard let database else {
          try connection.run("DELETE FROM documents")
          try connection.run("DELETE FROM entries")
          return
        }
        var paths: [ResourcePath] = []
        try connection.documents(KeyRange(prefix: DocumentKey.database(database).bytes), descending: false) {
          document in
          paths.append(document.path)
          return true
        }
        for path in paths { try Self.apply(StorageChange(path: path, document: nil), connection) }
      }
    }
  }

  public func lastCommitTime() throws(FirestoreError) -> Timestamp? {
    try writer.withLock { (held) throws(FirestoreError) in
      try held.connection.int("SELECT microseconds FROM last_commit").map { Timestamp(microseconds: $0) }
    }
  }

  /// Brings what was committed from the log into the file each time the log has so many pages. For tests.
  func checkpoint(everyPages pages: Int) throws(FirestoreError) {
    try writer.withLock { (held) throws(FirestoreError) in
      try held.connection.run("PRAGMA wal_autocheckpoint = \(pages)")
    }
  }

  /// Lets the file grow no further than this, as a full disk would. For tests.
  func limit(pages: Int) throws(FirestoreError) {
    try writer.withLock { (held) throws(FirestoreError) in
      try held.connection.run("PRAGMA max_page_count = \(pages)")
    }
  }

  /// Refuses to write from now on, as a file that may only be read would. For tests.
  func forbidWriting() throws(FirestoreError) {
    try writer.withLock { (held) throws(FirestoreError) in try held.connection.run("PRAGMA query_only = ON") }
  }

  /// Looks the whole file over, index against documents included.
  /// - Throws: DATA_LOSS when anything is wrong.
  public func checkIntegrity() throws(FirestoreError) {
    try writer.withLock { (held) throws(FirestoreError) in
      let connection = held.connection
      var complaint: String?
      try connection.run("PRAGMA integrity_check(1)") { row in
        complaint = row.first?.bytes.map { String(decoding: $0, as: UTF8.self) }
        return false
      }
      guard complaint == "ok" else { throw FirestoreError(.dataLoss, "\(path) is damaged: \(complaint ?? "").") }
      var expected = 0
      var isComplete = true
      try connection.documents(KeyRange(), descending: false) { (document) throws(FirestoreError) in
        for entry in IndexEntries.keys(of: document) {
          expected += 1
          var isThere = false
          try connection.run("SELECT 1 FROM entries WHERE key = ?", [.blob(entry)]) { _ in
            isThere = true
            return false
          }
          isComplete = isComplete && isThere
        }
        return isComplete
      }
      guard isComplete, try connection.int("SELECT count(*) FROM entries") == Int64(expected) else {
        throw FirestoreError(.dataLoss, "The index of \(path) does not agree with its documents.")
      }
    }
  }
}

/// The state of a file when the snapshot was taken; the connection goes back to the pool with the last reference.
private final class SQLiteSnapshot: StorageSnapshot {
  private let held: Mutex<SQLiteStorage.Held>
  private let pool: ReaderPool

  init(_ held: SQLiteStorage.Held, pool: ReaderPool) throws(FirestoreError) {
    try held.connection.run("BEGIN")
    // A transaction has its state from its first look at the file.
    do throws(FirestoreError) {
      _ = try held.connection.int("SELECT microseconds FROM last_commit")
    } catch {
      try? held.connection.run("ROLLBACK")
      throw error
    }
    self.held = Mutex(held)
    self.pool = pool
  }

  deinit {
    let held = self.held.withLock { $0 }
    // A connection that cannot end its transaction is closed instead of kept.
    if (try? held.connection.run("ROLLBACK")) != nil { pool.put(held) }
  }

  func document(at path: ResourcePath) throws(FirestoreError) -> StoredDocument? {
    try document(key: DocumentKey.document(path))
  }

  func document(key: [UInt8]) throws(FirestoreError) -> StoredDocument? {
    try held.withLock { (held) throws(FirestoreError) in try held.connection.document(key) }
  }

  // Rows are fetched in portions, so that the visitor may ask for documents meanwhile.

  func documents(
    _ range: KeyRange, descending: Bool, _ body: (StoredDocument) throws(FirestoreError) -> Bool
  ) throws(FirestoreError) {
    try inPortions("SELECT key, content FROM documents", range, descending) { (row) throws(FirestoreError) in
      guard row.count == 2, let content = row[1].bytes else { return true }
      return try body(DocumentCodec.decode(content))
    }
  }

  func entries(
    _ range: KeyRange, descending: Bool, _ body: ([UInt8]) throws(FirestoreError) -> Bool
  ) throws(FirestoreError) {
    try inPortions("SELECT key FROM entries", range, descending) { (row) throws(FirestoreError) in
      guard let key = row.first?.bytes else { return true }
      return try body(key)
    }
  }

  private static let firstPortion: Int64 = 16
  private static let largestPortion: Int64 = 1024

  private func inPortions(
    _ select: String, _ range: KeyRange, _ descending: Bool,
    _ body: ([SQLiteConnection.Cell]) throws(FirestoreError) -> Bool
  ) throws(FirestoreError) {
    var range = range
    var portion = Self.firstPortion
    while !range.isEmpty {
      var rows: [[SQLiteConnection.Cell]] = []
      try held.withLock { (held) throws(FirestoreError) in
        try held.connection.rows(select, range, descending: descending, limit: portion) { row in
          rows.append(row)
          return true
        }
      }
      for row in rows { guard try body(row) else { return } }
      guard Int64(rows.count) == portion, let last = rows.last?.first?.bytes else { return }
      if descending { range.upper = last } else { range.lower = last + [0] }
      portion = min(portion * 4, Self.largestPortion)
    }
  }
}

/// Connections for reading that nobody uses at the moment.
private final class ReaderPool: Sendable {
  private let path: String
  private let disk: String?
  private let idle = Mutex<[SQLiteStorage.Held]>([])

  private static let kept = 8

  init(path: String, disk: String?) {
    self.path = path
    self.disk = disk
  }

  func take() throws(FirestoreError) -> SQLiteStorage.Held {
    if let held = idle.withLock({ $0.popLast() }) { return held }
    return SQLiteStorage.Held(connection: try SQLiteConnection(path: path, access: .readWrite, disk: disk))
  }

  func put(_ held: SQLiteStorage.Held) { idle.withLock { if $0.count < Self.kept { $0.append(held) } } }
}

extension SQLiteConnection {
  fileprivate func int(_ sql: String) throws(FirestoreError) -> Int64? {
    var result: Int64?
    try run(sql) { row in
      result = row.first?.int
      return false
    }
    return result
  }

  /// Does everything or, when it throws, nothing.
  fileprivate func atomically(_ body: () throws(FirestoreError) -> Void) throws(FirestoreError) {
    try run("BEGIN IMMEDIATE")
    do throws(FirestoreError) {
      try body()
      try run("COMMIT")
    } catch {
      // After some errors SQLite has done so itself.
      try? run("ROLLBACK")
      throw error
    }
  }

  fileprivate func document(_ key: [UInt8]) throws(FirestoreError) -> StoredDocument? {
    var content: [UInt8]?
    try run("SELECT content FROM documents WHERE key = ?", [.blob(key)]) { row in
      content = row.first?.bytes
      return false
    }
    guard let content else { return nil }
    return try DocumentCodec.decode(content)
  }

  fileprivate func documents(
    _ range: KeyRange, descending: Bool, _ body: (StoredDocument) throws(FirestoreError) -> Bool
  ) throws(FirestoreError) {
    try rows("SELECT key, content FROM documents", range, descending: descending, limit: -1) {
      (row) throws(FirestoreError) in
      guard row.count == 2, let content = row[1].bytes else { return true }
      return try body(DocumentCodec.decode(content))
    }
  }

  fileprivate func rows(
    _ select: String, _ range: KeyRange, descending: Bool, limit: Int64,
    _ body: ([Cell]) throws(FirestoreError) -> Bool
  ) throws(FirestoreError) {
    let order = descending ? "ORDER BY key DESC LIMIT ?" : "ORDER BY key LIMIT ?"
    if let upper = range.upper {
      try run("\(select) WHERE key >= ? AND key < ? \(order)", [.blob(range.lower), .blob(upper), .int(limit)], body)
    } else {
      try run("\(select) WHERE key >= ? \(order)", [.blob(range.lower), .int(limit)], body)
    }
  }
}

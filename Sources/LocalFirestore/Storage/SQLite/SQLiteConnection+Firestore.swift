import SQLiteStore

extension SQLiteConnection {
  /// - Throws: as `FirestoreError.init(_:)` tells.
  convenience init(path: String, access: Access, disk: String? = nil) throws(FirestoreError) {
    do throws(SQLiteError) {
      try self.init(file: path, access: access, disk: disk)
    } catch {
      throw FirestoreError(error)
    }
  }

  /// Runs a statement, kept prepared for the next time.
  /// - Parameter row: is given each row until it answers false.
  func run(
    _ sql: String, _ parameters: [Cell] = [], _ row: ([Cell]) throws(FirestoreError) -> Bool = { _ in true }
  ) throws(FirestoreError) {
    try run(sql, parameters, failing: FirestoreError.init, row)
  }
}

extension FirestoreError {
  /// What SQLite's errors mean for a caller.
  init(_ error: SQLiteError) {
    let code: Code =
      switch error.kind {
      case .notADatabase, .damaged: .dataLoss
      case .full, .tooLarge: .resourceExhausted
      case .readOnly, .cannotOpen, .noPermission: .failedPrecondition
      case .inUse: .unavailable
      case .conflict, .other: .internalError
      }
    self.init(code, error.message)
  }
}

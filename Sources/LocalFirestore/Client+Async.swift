import RulesValues

// The calls of a client as `async` functions. They leave the caller's actor, so that a database in a file does not
// hold up a user interface.

extension Client {
  /// In here the calls that are not `async` are meant.
  private func now<Result>(
    _ call: (Client) throws(FirestoreError) -> Result
  ) throws(FirestoreError) -> Result { try call(self) }

  /// The fields of a document; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func get(_ path: String) async throws(FirestoreError) -> Fields? {
    try now { (client) throws(FirestoreError) in try client.get(path) }
  }

  /// A document with its times; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func document(_ path: String) async throws(FirestoreError) -> StoredDocument? {
    try now { (client) throws(FirestoreError) in try client.document(path) }
  }

  /// Makes a document that is not there yet.
  /// - Throws: PERMISSION_DENIED, ALREADY_EXISTS, INVALID_ARGUMENT.
  public func create(_ path: String, _ data: [Text: FieldValue]) async throws(FirestoreError) {
    try now { (client) throws(FirestoreError) in try client.create(path, data) }
  }

  /// Writes a whole document, or with `merge` the named fields of it.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func set(_ path: String, _ data: [Text: FieldValue], merge: Bool = false) async throws(FirestoreError) {
    try now { (client) throws(FirestoreError) in try client.set(path, data, merge: merge) }
  }

  /// Changes fields of a document. Names with dots lead into maps: `address.city`.
  /// - Throws: PERMISSION_DENIED, NOT_FOUND, INVALID_ARGUMENT.
  public func update(_ path: String, _ data: [String: FieldValue]) async throws(FirestoreError) {
    try now { (client) throws(FirestoreError) in try client.update(path, data) }
  }

  /// Removes a document; no error if there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func delete(_ path: String) async throws(FirestoreError) {
    try now { (client) throws(FirestoreError) in try client.delete(path) }
  }

  /// Makes all writes, or none.
  /// - Throws: PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, INVALID_ARGUMENT.
  @discardableResult
  public func commit(_ writes: [Write]) async throws(FirestoreError) -> CommitResult {
    try now { (client) throws(FirestoreError) in try client.commit(writes) }
  }

  /// Collects writes and makes them together: `try await alice.batch { $0.delete("/a/x"); $0.delete("/b/x") }`
  /// - Throws: INVALID_ARGUMENT for a write that cannot be, and what `commit` throws.
  @discardableResult
  public func batch(
    _ body: (inout WriteBatch) throws(FirestoreError) -> Void
  ) async throws(FirestoreError) -> CommitResult {
    try now { (client) throws(FirestoreError) in try client.batch(body) }
  }

  /// The results of a query, in order.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func query(_ query: StructuredQuery) async throws(FirestoreError) -> [StoredDocument] {
    try now { (client) throws(FirestoreError) in try client.query(query) }
  }

  /// Figures about the results of a query, by their aliases.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func aggregate(
    _ aggregations: [Aggregation], over query: StructuredQuery
  ) async throws(FirestoreError) -> [Text: DataValue] {
    try now { (client) throws(FirestoreError) in try client.aggregate(aggregations, over: query) }
  }

  /// How many results a query has.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func count(_ query: StructuredQuery) async throws(FirestoreError) -> Int {
    try now { (client) throws(FirestoreError) in try client.count(query) }
  }
}

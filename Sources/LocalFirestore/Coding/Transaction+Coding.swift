import RulesValues

// Types of an app in place of fields, in transactions and batches.

extension Transaction {
  /// A document as a type of the app; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT; `DecodingError`.
  public func get<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
    try document(path)?.data(as: type)
  }

  /// The results of a query as a type of the app, in order.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT; `DecodingError`.
  public func query<Value: Decodable>(_ query: StructuredQuery, as type: Value.Type) throws -> [Value] {
    try self.query(query).map { try $0.data(as: type) }
  }

  /// - Throws: INVALID_ARGUMENT; `EncodingError`.
  public func create(_ path: String, from value: some Encodable) throws {
    try create(path, FieldValues(encoding: value))
  }

  /// - Throws: INVALID_ARGUMENT; `EncodingError`.
  public func set(_ path: String, from value: some Encodable, merge: Bool = false) throws {
    try set(path, FieldValues(encoding: value), merge: merge)
  }
}

extension WriteBatch {
  /// Makes a document of a value that is not there yet.
  public mutating func create(_ path: String, from value: some Encodable) {
    encoded(value) { batch, fields in batch.create(path, fields) }
  }

  /// Writes a value as the whole document, or with `merge` its members only.
  public mutating func set(_ path: String, from value: some Encodable, merge: Bool = false) {
    encoded(value) { batch, fields in batch.set(path, fields, merge: merge) }
  }

  private mutating func encoded(_ value: some Encodable, _ write: (inout WriteBatch, FieldValues) -> Void) {
    do {
      write(&self, try FieldValues(encoding: value))
    } catch {
      note(FirestoreError(.invalidArgument, "A value cannot be written: \(error)"))
    }
  }
}

import RulesValues

extension Client {
  /// An id for a new document, as client libraries choose it: twenty letters and digits at random.
  public static func newID() -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    return String(decoding: (0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }, as: UTF8.self)
  }

  /// Makes a document with a new id.
  /// - Returns: the id.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  @discardableResult
  public func add(to collection: String, _ data: [Text: FieldValue]) throws(FirestoreError) -> String {
    let id = Self.newID()
    try create(documentPath(id, in: collection), data)
    return id
  }

  /// The same, to be awaited.
  @discardableResult
  public func add(to collection: String, _ data: [Text: FieldValue]) async throws(FirestoreError) -> String {
    let id = Self.newID()
    try await create(documentPath(id, in: collection), data)
    return id
  }

  /// Makes a document of a value, with a new id.
  /// - Returns: the id.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT; `EncodingError`.
  @discardableResult
  public func add(to collection: String, from value: some Encodable) throws -> String {
    try add(to: collection, FieldValues(encoding: value))
  }

  /// The same, to be awaited.
  @discardableResult
  public func add(to collection: String, from value: some Encodable) async throws -> String {
    try await add(to: collection, FieldValues(encoding: value))
  }

  private func documentPath(_ id: String, in collection: String) throws(FirestoreError) -> String {
    // Tells who names a document instead.
    _ = try self.collection(collection)
    return "\(collection)/\(id)"
  }
}

import RulesValues

/// A document as it lies in the store.
public struct StoredDocument: Sendable, Equatable {
  public var path: ResourcePath
  public var fields: Fields
  public var createTime: Timestamp
  /// When it last changed. A write that leaves everything as it was does not count.
  public var updateTime: Timestamp

  public init(path: ResourcePath, fields: Fields, createTime: Timestamp, updateTime: Timestamp) {
    self.path = path
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }
}

/// What a commit changes.
public struct StorageChange: Sendable {
  public var path: ResourcePath
  /// `nil`: the document goes.
  public var document: StoredDocument?
}

/// Where documents lie. Two tables in the order of their keys: documents, and the entries of the index, which the
/// storage keeps in step by `IndexEntries`. Commits come one at a time; reading goes on beside them.
public protocol DocumentStorage: Sendable {
  /// The state as it is now, which later commits do not touch.
  /// - Parameter indexed: the entries of the index will be asked for.
  func snapshot(indexed: Bool) throws(FirestoreError) -> any StorageSnapshot

  /// Makes all changes or, when it throws, none. What it has made will last as long as the storage.
  /// - Parameters:
  ///   - changes: each of another document.
  ///   - time: of the commit.
  func commit(_ changes: [StorageChange], time: Timestamp) throws(FirestoreError)

  /// Removes all documents of one database, or of all.
  func clear(database: Text?) throws(FirestoreError)

  /// The time of the last commit.
  func lastCommitTime() throws(FirestoreError) -> Timestamp?
}

/// One state of a storage.
public protocol StorageSnapshot: Sendable {
  func document(at path: ResourcePath) throws(FirestoreError) -> StoredDocument?

  /// Visits the documents whose `DocumentKey` lies in a range, in the order of keys or in reverse, until `body`
  /// answers false.
  func documents(
    _ range: KeyRange, descending: Bool, _ body: (StoredDocument) throws(FirestoreError) -> Bool
  ) throws(FirestoreError)

  /// The same for the keys of the index.
  func entries(
    _ range: KeyRange, descending: Bool, _ body: ([UInt8]) throws(FirestoreError) -> Bool
  ) throws(FirestoreError)

  /// The document with a key that an entry of the index names.
  func document(key: [UInt8]) throws(FirestoreError) -> StoredDocument?
}

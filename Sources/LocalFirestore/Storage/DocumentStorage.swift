import RulesEngine
import RulesValues

/// Where documents lie.
public protocol DocumentStorage: Sendable {
  func document(at path: ResourcePath) -> Fields?
  /// Stores a document, or with `nil` removes it.
  mutating func put(_ fields: Fields?, at path: ResourcePath)
  /// Removes all documents of one database, or of all.
  mutating func clear(database: Text?)
}

/// Documents in memory. A value: a copy is a snapshot.
public struct DocumentStore: DocumentStorage {
  private var documents: [ResourcePath: Fields] = [:]

  public init() {}

  public var count: Int { documents.count }

  public func document(at path: ResourcePath) -> Fields? { documents[path] }

  public mutating func put(_ fields: Fields?, at path: ResourcePath) { documents[path] = fields }

  public mutating func clear(database: Text?) {
    guard let database else { return documents.removeAll() }
    documents = documents.filter { $0.key.database != database }
  }
}

/// One view of the documents for one request, that notes what was read.
final class ReadLog: DocumentReader {
  private let storage: any DocumentStorage
  private(set) var paths: Set<ResourcePath> = []

  init(_ storage: any DocumentStorage) { self.storage = storage }

  func document(at path: ResourcePath) -> Fields? {
    paths.insert(path)
    return storage.document(at: path)
  }
}

import RulesValues
import Synchronization

/// Documents in memory. The index is made when it is first asked for, and kept in step from then on.
public final class MemoryStorage: DocumentStorage {
  private struct State: Sendable {
    var documents = SortedTree<StoredDocument>()
    var index: SortedTree<Void>?
    var lastCommitTime: Timestamp?

    mutating func apply(_ change: StorageChange) {
      let key = DocumentKey.document(change.path)
      if index != nil {
        let before = documents[key].map { IndexEntries.keys(of: $0) } ?? []
        let after = change.document.map { IndexEntries.keys(of: $0) } ?? []
        for entry in before.subtracting(after) { index?.remove(entry) }
        for entry in after.subtracting(before) { index?.set((), for: entry) }
      }
      if let document = change.document { documents.set(document, for: key) } else { documents.remove(key) }
    }

    mutating func makeIndex() {
      var made = SortedTree<Void>()
      documents.scan(KeyRange()) { _, document in
        for entry in IndexEntries.keys(of: document) { made.set((), for: entry) }
        return true
      }
      index = made
    }
  }

  private let state = Mutex(State())

  public init() {}

  public func snapshot(indexed: Bool) -> any StorageSnapshot {
    state.withLock { state in
      if indexed, state.index == nil { state.makeIndex() }
      return MemorySnapshot(documentTree: state.documents, index: state.index)
    }
  }

  public func commit(_ changes: [StorageChange], time: Timestamp) {
    state.withLock { state in
      for change in changes { state.apply(change) }
      state.lastCommitTime = time
    }
  }

  public func clear(database: Text?) {
    state.withLock { state in
      guard let database else {
        state.documents = SortedTree()
        state.index = nil
        return
      }
      var paths: [ResourcePath] = []
      state.documents.scan(KeyRange(prefix: DocumentKey.database(database).bytes)) { _, document in
        paths.append(document.path)
        return true
      }
      for path in paths { state.apply(StorageChange(path: path, document: nil)) }
    }
  }

  public func lastCommitTime() -> Timestamp? { state.withLock { $0.lastCommitTime } }
}

private struct MemorySnapshot: StorageSnapshot {
  let documentTree: SortedTree<StoredDocument>
  let index: SortedTree<Void>?

  func document(at path: ResourcePath) -> StoredDocument? { documentTree[DocumentKey.document(path)] }

  func document(key: [UInt8]) -> StoredDocument? { documentTree[key] }

  func documents(
    _ range: KeyRange, descending: Bool, _ body: (StoredDocument) throws(FirestoreError) -> Bool
  ) throws(FirestoreError) {
    try documentTree.scan(range, descending: descending) { (_, document) throws(FirestoreError) in try body(document) }
  }

  func entries(
    _ range: KeyRange, descending: Bool, _ body: ([UInt8]) throws(FirestoreError) -> Bool
  ) throws(FirestoreError) {
    try index?.scan(range, descending: descending) { (key, _) throws(FirestoreError) in try body(key) }
  }
}

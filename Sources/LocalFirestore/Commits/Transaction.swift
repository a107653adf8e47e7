import RulesValues
import Synchronization

/// Reading and writing that either happens as if nobody else did anything meanwhile, or not at all. All reads agree
/// with one state and are judged as they are made; writes are collected, and made when the transaction ends well.
///
/// A read-only transaction sees the state in which it began. One that may write sees the newest state in which all that
/// it has read so far is unchanged, as if it had locked that (observed on the official emulator 1.19.9).
public final class Transaction: Sendable {
  private struct State: Sendable {
    var snapshot: any StorageSnapshot
    /// How many commits there were before the snapshot.
    var commitCount: Int
    var reads = TransactionReads()
    var writes: [Write] = []
    var isOver = false
  }

  private let client: Client
  let isReadOnly: Bool
  private let state: Mutex<State>

  init(_ client: Client, readOnly: Bool) throws(FirestoreError) {
    self.client = client
    isReadOnly = readOnly
    let commitCount = client.firestore.commitCount
    state = Mutex(State(snapshot: try client.firestore.storage.snapshot(indexed: true), commitCount: commitCount))
  }

  // MARK: Reading

  /// A document; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT, also after a write of this transaction.
  public func document(_ path: String) throws(FirestoreError) -> StoredDocument? {
    try checkMayRead()
    let path = try client.path(path)
    let document = try client.firestore.read(
      path, access: try client.access, on: snapshot(), inTransaction: !isReadOnly
    ).allowed()
    state.withLock { $0.reads.documents[path] = .some(document?.updateTime) }
    return document
  }

  /// The fields of a document; `nil` when there is none.
  public func get(_ path: String) throws(FirestoreError) -> Fields? { try document(path)?.fields }

  /// The results of a query.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT, also after a write of this transaction.
  public func query(_ query: StructuredQuery) throws(FirestoreError) -> [StoredDocument] {
    try checkMayRead()
    try client.check(query)
    let results = try client.firestore.results(of: query, access: try client.access, on: snapshot())
    state.withLock { $0.reads.queries.append(.init(query: query, results: results.map { .init($0) })) }
    return results
  }

  /// The state to read from.
  private func snapshot() throws(FirestoreError) -> any StorageSnapshot {
    let (known, count, reads) = state.withLock { ($0.snapshot, $0.commitCount, $0.reads) }
    let newCount = client.firestore.commitCount
    guard !isReadOnly, newCount != count else { return known }
    let newest = try client.firestore.storage.snapshot(indexed: true)
    // When something was changed that was read, the commit will fail; until then all reads agree with each other.
    let isCurrent = try reads.agree(with: newest)
    state.withLock { state in
      state.commitCount = newCount
      if isCurrent { state.snapshot = newest }
    }
    return isCurrent ? newest : known
  }

  private func checkMayRead() throws(FirestoreError) {
    let (hasWritten, isOver) = state.withLock { (!$0.writes.isEmpty, $0.isOver) }
    guard !isOver else { throw Self.over }
    guard !hasWritten else {
      throw FirestoreError(
        .invalidArgument, "Firestore transactions require all reads to be executed before all writes.")
    }
  }

  // MARK: Writing

  public func create(_ path: String, _ data: [Text: FieldValue]) throws(FirestoreError) {
    try add(.create(client.path(path), data))
  }

  public func set(_ path: String, _ data: [Text: FieldValue], merge: Bool = false) throws(FirestoreError) {
    try add(.set(client.path(path), data, merge: merge))
  }

  public func update(_ path: String, _ data: [String: FieldValue]) throws(FirestoreError) {
    try add(client.updating(path, data))
  }

  public func delete(_ path: String) throws(FirestoreError) { try add(.delete(client.path(path))) }

  private func add(_ write: Write) throws(FirestoreError) {
    guard !isReadOnly else { throw Self.cannotWrite }
    let isOver = state.withLock { state in
      if !state.isOver { state.writes.append(write) }
      return state.isOver
    }
    if isOver { throw Self.over }
  }

  // MARK: Ending

  static let cannotWrite = FirestoreError(
    .invalidArgument, "Cannot modify entities in a read-only transaction.")

  private static let over = FirestoreError(
    .failedPrecondition, "The transaction has ended.", note: "It must not be used outside the closure it was given to.")

  /// Takes what was read and written; the transaction cannot be used any more.
  func end() -> (reads: TransactionReads, writes: [Write]) {
    state.withLock { state in
      state.isOver = true
      return (state.reads, state.writes)
    }
  }

  /// Ends it without writing anything.
  func cancel() { _ = end() }

  /// - Throws: ABORTED when somebody changed what was read; what a commit throws.
  func commit() throws(FirestoreError) {
    let (reads, writes) = end()
    if isReadOnly { return }
    try client.firestore.commit(writes, access: try client.access, reads: reads)
  }
}

/// What a transaction has read, to tell whether it is still so.
struct TransactionReads: Sendable {
  struct Version: Sendable, Equatable {
    let path: ResourcePath
    let updateTime: Timestamp

    init(_ document: StoredDocument) {
      path = document.path
      updateTime = document.updateTime
    }
  }

  struct Query: Sendable {
    let query: StructuredQuery
    let results: [Version]
  }

  /// `nil`: there was none.
  var documents: [ResourcePath: Timestamp?] = [:]
  var queries: [Query] = []

  var needsIndex: Bool { !queries.isEmpty }

  /// - Throws: ABORTED.
  func check(against snapshot: any StorageSnapshot) throws(FirestoreError) {
    guard try agree(with: snapshot) else {
      throw FirestoreError(.aborted, "Documents that the transaction has read were changed meanwhile. Please retry.")
    }
  }

  /// Is everything still as it was read?
  func agree(with snapshot: any StorageSnapshot) throws(FirestoreError) -> Bool {
    for (path, time) in documents where try snapshot.document(at: path)?.updateTime != time { return false }
    for read in queries {
      let results = try QueryRun(read.query, on: snapshot).results()
      guard results.map({ Version($0) }) == read.results else { return false }
    }
    return true
  }
}

extension Client {
  /// How often a transaction is tried by default, as client libraries do.
  public static let defaultAttempts = 5

  /// Runs a transaction, and again when somebody else changed what it has read.
  /// - Parameters:
  ///   - attempts: how often at most.
  ///   - readOnly: it reads one state, and never fails for what others do.
  ///   - body: reads, then writes; it may run several times.
  /// - Throws: what `body` throws; else PERMISSION_DENIED, ABORTED after the last attempt and so on.
  public func runTransaction<Result>(
    attempts: Int = defaultAttempts, readOnly: Bool = false, _ body: (Transaction) throws -> Result
  ) throws -> Result {
    var attempt = 1
    while true {
      let transaction = try Transaction(self, readOnly: readOnly)
      defer { transaction.cancel() }
      let result = try body(transaction)
      do throws(FirestoreError) {
        try transaction.commit()
        return result
      } catch {
        guard error.code == .aborted, attempt < attempts else { throw error }
        attempt += 1
      }
    }
  }

  /// The same for a body that waits for something.
  public func runTransaction<Result>(
    attempts: Int = defaultAttempts, readOnly: Bool = false, _ body: (Transaction) async throws -> Result
  ) async throws -> Result {
    var attempt = 1
    while true {
      let transaction = try Transaction(self, readOnly: readOnly)
      defer { transaction.cancel() }
      let result = try await body(transaction)
      do throws(FirestoreError) {
        try transaction.commit()
        return result
      } catch {
        guard error.code == .aborted, attempt < attempts else { throw error }
        attempt += 1
        await Task.yield()
      }
    }
  }
}

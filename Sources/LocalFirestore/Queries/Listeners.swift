import RulesValues
import Synchronization

/// What a listener is told: the results of its query, or its document, after each change of them.
public struct QuerySnapshot: Sendable, Equatable {
  public let documents: [StoredDocument]
}

/// Those who wait for changes. They were judged when they started; after each commit they are told in turn.
final class ListenerTable: Sendable {
  private struct Listener: Sendable {
    let query: StructuredQuery
    let continuation: AsyncStream<QuerySnapshot>.Continuation
    var last: QuerySnapshot
  }

  private struct State: Sendable {
    var listeners: [Int: Listener] = [:]
    var nextID = 0
    var ended: [AsyncStream<QuerySnapshot>.Continuation] = []
  }

  /// How many snapshots wait for a listener that is slow; then the oldest are dropped.
  private static let bufferSize = 64

  // Held while listeners are told, so that none hears of an older state after a newer one.
  private let state = Mutex(State())

  func add(
    _ query: StructuredQuery, on storage: any DocumentStorage
  ) throws(FirestoreError) -> AsyncStream<QuerySnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: QuerySnapshot.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
    let id = try state.withLock { (state) throws(FirestoreError) in
      let snapshot = try storage.snapshot(indexed: QueryRun.needsIndex(query))
      let first = QuerySnapshot(documents: try QueryRun(query, on: snapshot).results())
      continuation.yield(first)
      state.nextID += 1
      state.listeners[state.nextID] = Listener(query: query, continuation: continuation, last: first)
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  private func remove(_ id: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: id) } }

  /// Tells everybody whose results have changed. Who cannot be told, since the storage fails, hears no more.
  func notify(on storage: any DocumentStorage) {
    state.withLock { state in
      guard !state.listeners.isEmpty else { return }
      let snapshot = try? storage.snapshot(indexed: true)
      for (id, listener) in state.listeners {
        guard let snapshot, let documents = try? QueryRun(listener.query, on: snapshot).results() else {
          state.ended.append(listener.continuation)
          state.listeners[id] = nil
          continue
        }
        let now = QuerySnapshot(documents: documents)
        guard now != listener.last else { continue }
        state.listeners[id]?.last = now
        listener.continuation.yield(now)
      }
    }
    // Ending calls back to `remove`, which needs the lock.
    let ended = state.withLock { state in
      defer { state.ended = [] }
      return state.ended
    }
    for continuation in ended { continuation.finish() }
  }
}

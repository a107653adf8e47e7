import RulesEngine
import RulesValues

/// What the writes of one commit come to, worked out on one snapshot before anything is judged or stored. As observed
/// on the official emulator 1.19.9: later writes build on earlier ones; several writes to one document are taken
/// together, and judged once, with what is left of it in the end.
struct CommitPlan {
  /// The documents, in the order in which the commit first names them.
  private(set) var changes: [DocumentChange] = []
  private(set) var results: [WriteResult] = []
  private var positions: [ResourcePath: Int] = [:]

  /// - Parameters:
  ///   - time: of the request, for server timestamps.
  ///   - commitTime: what changed documents get as their update time.
  /// - Throws: INVALID_ARGUMENT for what no rules could allow.
  init(
    _ writes: [Write], on snapshot: any StorageSnapshot, time: Timestamp, words: FirestoreWords
  ) throws(FirestoreError) {
    for write in writes { try DataLaws.check(write, words) }
    for write in writes {
      let change: Int
      if let known = positions[write.path] {
        change = known
        try changes[change].add(write)
      } else {
        change = changes.count
        positions[write.path] = change
        changes.append(DocumentChange(write, before: try snapshot.document(at: write.path)))
      }
      let transformed = try changes[change].apply(write, time: time)
      results.append(WriteResult(path: write.path, transformResults: transformed))
    }
  }

  /// What stands against the commit, rules apart; Firestore asks the rules first.
  func obstacle(_ words: FirestoreWords) -> FirestoreError? {
    for change in changes {
      switch (change.precondition, change.before) {
      case (.exists(true), nil): return words.missing(change.path)
      case (.exists(false), .some): return words.exists(change.path)
      case (.updateTime(let time), let before) where before?.updateTime != time:
        return words.otherVersion(before?.updateTime, required: time, change.path)
      default: break
      }
    }
    return nil
  }

  /// The documents that get another content, and the results with the times that go with it.
  func outcome(at time: Timestamp) -> (changes: [StorageChange], results: [WriteResult]) {
    var stored: [StorageChange] = []
    var updateTimes: [ResourcePath: Timestamp] = [:]
    for change in changes {
      let document = change.document(at: time)
      updateTimes[change.path] = document?.updateTime
      if !change.isVerification, document != change.before {
        stored.append(StorageChange(path: change.path, document: document))
      }
    }
    let timed = results.map { result in
      var result = result
      result.updateTime = updateTimes[result.path]
      return result
    }
    return (stored, timed)
  }
}

/// What became of one write.
public struct WriteResult: Sendable, Equatable {
  public let path: ResourcePath
  /// `nil` when the document is gone.
  public internal(set) var updateTime: Timestamp?
  /// One for each transform: the new value, or null for those of arrays.
  public let transformResults: [DataValue]
}

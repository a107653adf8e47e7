import RulesEngine
import RulesValues

/// One state of the documents for the judging of one call, which notes what the rules read.
final class CommitReader: DocumentReader {
  private let snapshot: any StorageSnapshot
  private let changes: [ResourcePath: Fields?]
  private var paths: Set<ResourcePath> = []
  /// The first thing that went wrong with the storage: a verdict given despite it is void.
  private(set) var failure: FirestoreError?
  private let isSingle: Bool
  private var lookupsBefore = Lookups()
  private var lookupsAfter = Lookups()

  /// Different documents that the rules may ask for in a call about several, by `get` and `exists` together and by
  /// `getAfter` and `existsAfter` together (observed on the official emulator 1.19.9).
  private static let lookupLimit = 20

  private struct Lookups {
    var paths: Set<ResourcePath> = []
    var isFull = false

    var use: RequestBudget.Use {
      RequestBudget.Use(used: paths.count + (isFull ? 1 : 0), limit: CommitReader.lookupLimit)
    }
  }

  /// - Parameter changes: what the commit makes of documents; `nil` for those that it deletes.
  init(_ snapshot: any StorageSnapshot, changes: [ResourcePath: Fields?] = [:], isSingle: Bool = true) {
    self.snapshot = snapshot
    self.changes = changes
    self.isSingle = isSingle
  }

  /// What was read since this was last asked.
  func takePaths() -> Set<ResourcePath> {
    defer { paths = [] }
    return paths
  }

  /// Forgets what was read since, but for these.
  func give(back paths: Set<ResourcePath>) { self.paths = paths }

  func document(at path: ResourcePath) -> Fields? {
    paths.insert(path)
    do {
      return try snapshot.document(at: path)?.fields
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  func documentAfter(at path: ResourcePath) -> Fields? {
    guard let change = changes[path] else { return document(at: path) }
    paths.insert(path)
    return change
  }

  func isWritten(_ path: ResourcePath) -> Bool { changes[path] != nil }

  func mayLookUp(_ path: ResourcePath, after isAfter: Bool) -> Bool {
    guard !isSingle else { return true }
    if isAfter { return Self.note(path, in: &lookupsAfter) }
    return Self.note(path, in: &lookupsBefore)
  }

  private static func note(_ path: ResourcePath, in lookups: inout Lookups) -> Bool {
    guard !lookups.paths.contains(path) else { return true }
    guard lookups.paths.count < lookupLimit else {
      lookups.isFull = true
      return false
    }
    lookups.paths.insert(path)
    return true
  }

  /// Of a call about several documents.
  var lookups: CommitLookups? {
    isSingle ? nil : CommitLookups(before: lookupsBefore.use, after: lookupsAfter.use)
  }
}

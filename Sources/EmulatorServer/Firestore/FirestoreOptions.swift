import LocalFirestore
import RulesEngine
import RulesValues

/// How the Firestore server is set up.
public struct FirestoreOptions: Sendable {
  /// The project of calls that name none.
  public var project = "demo-project"
  /// The rules of every project that is given none of its own.
  public var rules = DatabaseRules()
  public var clock: any TimeSource = SystemClock()
  public var dialect = Dialect.live
  public var queryMode = QueryMode.official
  /// The folder that `:export` and `:import` may use; without one they answer and take the documents themselves.
  public var exports: (any ExportFolder)?
  /// Where the documents of a project are kept.
  public var storage: @Sendable (_ project: String) throws(FirestoreError) -> any DocumentStorage = {
    (_) throws(FirestoreError) in MemoryStorage()
  }

  public init() {}
}

/// Files of exports, by names of one part.
public protocol ExportFolder: Sendable {
  /// - Throws: with the system's reason.
  func write(_ text: String, name: String) throws(FirestoreError)
  /// - Throws: NOT_FOUND where there is none.
  func read(_ name: String) throws(FirestoreError) -> [UInt8]
}

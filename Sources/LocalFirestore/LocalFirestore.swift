import RulesEngine
import RulesValues
import Synchronization

/// A Firestore in the process. Clients act through it, and each of their calls is judged by the rules of the database
/// it goes to; a database without rules refuses everything. Safe to use from many threads.
///
/// How a call goes through this room:
///
/// - `Client` turns what a developer writes into `Write`s and `StructuredQuery`s, the forms of Firestore's protocol.
/// - A **read** takes a snapshot of the `DocumentStorage`, is judged on it, and answers from it.
/// - A **commit** is alone: on one snapshot a `CommitPlan` works out what the writes make of their documents; the
///   rules judge each document; then the storage makes all changes or none.
/// - A **query** is judged by its filters; `QuerySource` chooses what to read for it (documents by name, a part of the
///   index, a collection), `QueryRun` looks at each candidate again and sorts.
/// - **Order is bytes**: values and paths are turned into `KeyBytes`, by which documents lie in the store, entries lie
///   in the index, results are sorted and cursors compared. Both storages, in memory and SQLite, keep such keys only.
///
/// Folders: `Data` what documents are, `Storage` where they lie, `Writes` single writes, `Commits` many at once and
/// transactions, `Queries` finding them, `Rules` who may.
public final class LocalFirestore: Sendable {
  public static let defaultDatabase: Text = "(default)"

  /// The project's id, which resource names mention.
  public let project: String
  public let dialect: Dialect
  /// How far queries are trusted that ask nothing of a field on which their rule depends.
  public let queryMode: QueryMode
  let storage: any DocumentStorage
  let words: FirestoreWords
  private let clock: any TimeSource
  private let rules = Mutex(RulesOfDatabases())
  private let writer = Mutex(Writer())
  private let commits = Atomic<Int>(0)
  let listeners = ListenerTable()
  let observer: (any RequestObserver)?

  private struct RulesOfDatabases: Sendable {
    var named: [Text: RulesInForce] = [:]
    /// Of the databases that have none of their own.
    var other: RulesInForce?
  }

  /// What the one who commits has: held during a commit, so that there is one at a time.
  struct Writer: Sendable {
    fileprivate var lastTime: Timestamp?
  }

  /// - Parameters:
  ///   - project: the id of the project.
  ///   - storage: where everything is kept.
  ///   - clock: where the time comes from.
  ///   - dialect: whose behaviour is followed.
  ///   - queryMode: how queries are judged where a field may be absent.
  ///   - observer: is told of each call that the rules judge.
  public init(
    project: String = "demo-project", storage: any DocumentStorage = MemoryStorage(),
    clock: any TimeSource = SystemClock(), dialect: Dialect = .live, queryMode: QueryMode = .official,
    observer: (any RequestObserver)? = nil
  ) {
    self.observer = observer
    self.project = project
    self.storage = storage
    self.clock = clock
    self.dialect = dialect
    self.queryMode = queryMode
    words = FirestoreWords(project: project, dialect: dialect)
  }

  /// With rules for the default database.
  public convenience init(
    rules: Ruleset, project: String = "demo-project", storage: any DocumentStorage = MemoryStorage(),
    clock: any TimeSource = SystemClock(), dialect: Dialect = .live, queryMode: QueryMode = .official
  ) {
    self.init(project: project, storage: storage, clock: clock, dialect: dialect, queryMode: queryMode)
    setRules(rules)
  }

  /// With the text of a rules file for the default database.
  /// - Throws: `RulesError` when it does not compile.
  public convenience init(
    rules: String, project: String = "demo-project", storage: any DocumentStorage = MemoryStorage(),
    clock: any TimeSource = SystemClock(), dialect: Dialect = .live, queryMode: QueryMode = .official
  ) throws(RulesError) {
    self.init(
      rules: try Ruleset(rules), project: project, storage: storage, clock: clock, dialect: dialect,
      queryMode: queryMode)
  }

  /// Puts rules in force; `nil` takes them away, so that everything is refused.
  /// - Parameters:
  ///   - rules: what decides; `nil`: nothing is allowed.
  ///   - database: the id of the database.
  ///   - recorder: watches what is asked of these rules, and keeps their coverage.
  public func setRules(_ rules: Ruleset?, database: Text = defaultDatabase, recorder: CoverageRecorder? = nil) {
    let inForce = rules.map { RulesInForce($0, dialect: dialect, recorder: recorder) }
    self.rules.withLock { $0.named[database] = inForce }
  }

  /// Puts rules in force in place of all that were, at once for all databases.
  /// - Parameters:
  ///   - named: of databases that have rules of their own.
  ///   - others: of all others, as the official emulator has one file for all; `nil`: everything is refused there.
  ///   - recorder: watches what is asked of the `others`.
  public func setRules(
    _ named: [(database: Text, ruleset: Ruleset, recorder: CoverageRecorder?)], others: Ruleset?,
    recorder: CoverageRecorder? = nil
  ) {
    var all = RulesOfDatabases(other: others.map { RulesInForce($0, dialect: dialect, recorder: recorder) })
    for (database, ruleset, recorder) in named {
      all.named[database] = RulesInForce(ruleset, dialect: dialect, recorder: recorder)
    }
    rules.withLock { [all] in $0 = all }
  }

  /// Somebody who asks: a signed-in user, or with `nil` one who is signed out.
  public func client(as auth: Auth?, database: Text = defaultDatabase) -> Client {
    Client(firestore: self, database: database, access: .rules(auth))
  }

  /// Whoever is signed in at the time of each call: `caller` is asked every time.
  /// - Parameters:
  ///   - database: the id of the database.
  ///   - caller: throws where it cannot be told, which the call then fails with.
  public func client(
    database: Text = defaultDatabase, as caller: @escaping @Sendable () throws(FirestoreError) -> Auth?
  ) -> Client {
    Client(firestore: self, database: database) { () throws(FirestoreError) in .rules(try caller()) }
  }

  /// A signed-in user without further claims.
  public func client(as uid: String, database: Text = defaultDatabase) -> Client {
    client(as: Auth(uid: uid), database: database)
  }

  /// A server's access, which no rules restrain.
  public func admin(database: Text = defaultDatabase) -> Client {
    Client(firestore: self, database: database, access: .admin)
  }

  /// Puts a document there, asking no rules.
  /// - Throws: INVALID_ARGUMENT when the path or the data break a law of Firestore.
  public func seed(_ path: ResourcePath, _ fields: Fields) throws(FirestoreError) {
    var write = Write(path: path)
    write.fields = fields
    try commit([write], access: .admin)
  }

  /// Removes all documents, of one database or of all. The rules stay.
  public func clear(database: Text? = nil) throws(FirestoreError) {
    try writing { (_) throws(FirestoreError) in try storage.clear(database: database) }
    listeners.notify(on: storage)
  }

  /// What its clock says.
  public var now: Timestamp { clock.now }

  // MARK: For the parts of this room

  /// The time of a request.
  /// The time of a request.
  var requestTime: Timestamp { clock.now.wholeMilliseconds }

  func rules(of database: Text) -> RulesInForce? { rules.withLock { $0.named[database] ?? $0.other } }

  /// How many commits have ended: while it stays the same, so do the documents.
  var commitCount: Int { commits.load(ordering: .acquiring) }

  /// Does something while nobody else commits.
  func writing<Result: Sendable>(
    _ body: (inout Writer) throws(FirestoreError) -> Result
  ) throws(FirestoreError) -> Result {
    try writer.withLock { (writer) throws(FirestoreError) in
      defer { commits.wrappingAdd(1, ordering: .releasing) }
      return try body(&writer)
    }
  }

  /// The time of a new commit, in microseconds: later than that of every other.
  func nextCommitTime(_ writer: inout Writer) throws(FirestoreError) -> Timestamp {
    let last: Timestamp? = if let known = writer.lastTime { known } else { try storage.lastCommitTime() }
    let now = clock.now.wholeMicroseconds
    let time = if let last, now <= last { Timestamp(microseconds: last.microseconds &+ 1) } else { now }
    writer.lastTime = time
    return time
  }
}

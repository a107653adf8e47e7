import JSON
import LocalFirestore
import RulesEngine
import RulesSyntax
import Synchronization

/// One project's database, with its rules and what is known of its requests.
public final class FirestoreProject: Sendable {
  public let id: String
  public let firestore: LocalFirestore
  let rest: FirestoreREST
  public let monitor: RequestsMonitor
  private let state: Mutex<RulesState>

  /// Requests of which coverage is kept since the rules were put: more than tests make, and few enough that a server
  /// under load decides at its full speed.
  static let coveredRequests = 20_000

  struct RulesState: Sendable {
    /// The rule sets in force, with what watches them.
    var recorders: [CoverageRecorder] = []
    /// They came over the network, and are not replaced when the file changes that the server was started with.
    var isOwn = false

    var files: [SourceFile] { recorders.map(\.ruleset.file) }
  }

  init(_ id: String, _ options: FirestoreOptions, _ rules: DatabaseRules) throws(FirestoreError) {
    self.id = id
    monitor = RequestsMonitor()
    firestore = LocalFirestore(
      project: id, storage: try options.storage(id), clock: options.clock, dialect: options.dialect,
      queryMode: options.queryMode, observer: monitor)
    rest = FirestoreREST(firestore)
    state = Mutex(RulesState())
    setRules(rules, isOwn: false)
  }

  /// Puts rules in force in place of all that were; coverage begins anew.
  func setRules(_ rules: DatabaseRules, isOwn: Bool) {
    state.withLock { state in
      guard isOwn || !state.isOwn else { return }
      let recorders = rules.all.map { CoverageRecorder($0, keepsValues: true, maximumRequests: Self.coveredRequests) }
      let named = zip(rules.named, recorders).map { (database: $0.database, ruleset: $0.ruleset, recorder: $1) }
      firestore.setRules(named, others: rules.others, recorder: recorders.last)
      state = RulesState(recorders: recorders, isOwn: isOwn)
    }
  }

  var rules: RulesState { state.withLock { $0 } }
}

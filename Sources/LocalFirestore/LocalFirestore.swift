import RulesEngine
import RulesValues
import Synchronization

/// A Firestore in the process. Clients act through it, and each of their calls is judged by the rules of the database
/// it goes to; a database without rules refuses everything. Safe to use from many threads.
public final class LocalFirestore: Sendable {
  public static let defaultDatabase: Text = "(default)"

  private struct State {
    var storage: any DocumentStorage
    var evaluators: [Text: Evaluator] = [:]
  }

  /// The project's id, which resource names mention.
  public let project: String
  public let dialect: Dialect
  private let clock: any TimeSource
  private let state: Mutex<State>

  public init(
    project: String = "demo-project", storage: any DocumentStorage = DocumentStore(), clock: any TimeSource = SystemClock(),
    dialect: Dialect = .live
  ) {
    self.project = project
    self.clock = clock
    self.dialect = dialect
    state = Mutex(State(storage: storage))
  }

  /// With rules for the default database.
  public convenience init(
    rules: Ruleset, project: String = "demo-project", clock: any TimeSource = SystemClock(), dialect: Dialect = .live
  ) {
    self.init(project: project, clock: clock, dialect: dialect)
    setRules(rules)
  }

  /// Puts rules in force; `nil` takes them away, so that everything is refused.
  public func setRules(_ rules: Ruleset?, database: Text = defaultDatabase) {
    state.withLock { [dialect] state in
      state.evaluators[database] = rules.map { $0.evaluator(dialect: dialect) }
    }
  }

  /// Somebody who asks: a signed-in user, or with `nil` one who is signed out.
  public func client(as auth: Auth?, database: Text = defaultDatabase) -> Client {
    Client(firestore: self, database: database, access: .rules(auth))
  }

  /// A server's access, which no rules restrain.
  public func admin(database: Text = defaultDatabase) -> Client {
    Client(firestore: self, database: database, access: .admin)
  }

  /// Puts a document there, asking no rules.
  /// - Throws: INVALID_ARGUMENT when the path or the data break a law of Firestore.
  public func seed(_ path: ResourcePath, _ fields: Fields) throws(FirestoreError) {
    try DataLaws.check(path)
    try DataLaws.check(fields, at: path)
    state.withLock { $0.storage.put(fields, at: path) }
  }

  /// Removes all documents, of one database or of all.
  public func clear(database: Text? = nil) {
    state.withLock { $0.storage.clear(database: database) }
  }

  /// Judges a call and, if it may be and `commit` says so, does it.
  func run(
    _ call: Call, access: Client.Access, explaining: Bool = false, commit: Bool
  ) -> Result<Judgement, FirestoreError> {
    let time = clock.now.wholeMilliseconds
    return state.withLock { state in
      do throws(FirestoreError) {
        return .success(try perform(call, access, time, explaining, commit, &state))
      } catch {
        return .failure(error)
      }
    }
  }

  private func perform(
    _ call: Call, _ access: Client.Access, _ time: Timestamp, _ explaining: Bool, _ commit: Bool, _ state: inout State
  ) throws(FirestoreError) -> Judgement {
    let before = state.storage.document(at: call.path)
    var prepared: PreparedWrite?
    let request: Request
    let auth: Auth? = if case .rules(let auth) = access { auth } else { nil }
    switch call {
    case .get(let path):
      try DataLaws.check(path)
      request = .get(path, auth: auth, time: time)
    case .write(let write):
      let made = try PreparedWrite(write, before: before, time: time) { resourceName($0) }
      prepared = made
      request = made.request(auth: auth, time: time)
    }
    let log = ReadLog(state.storage)
    var decision = Decision.allowed
    var explanation: Explanation?
    if case .rules = access {
      if let evaluator = state.evaluators[call.path.database] {
        decision = evaluator.decide(request, log)
        if explaining { explanation = evaluator.explain(request, log) }
      } else {
        decision = .denied(Denial(entries: []))
      }
    }
    if commit, decision.isAllowed, let prepared, prepared.obstacle == nil {
      state.storage.put(prepared.after, at: call.path)
    }
    return Judgement(
      request: request, decision: decision, explanation: explanation, document: before, write: prepared,
      documentsRead: log.paths)
  }

  func resourceName(_ path: ResourcePath) -> String { "projects/\(project)\(path)" }
}

import LocalFirestore
import RulesEngine
import RulesValues

/// Writes by which somebody comes to do what was refused before: each is allowed by itself, and the last request is
/// allowed only after them.
public struct Attack: Sendable {
  public struct Step: Sendable {
    public var auth: Auth?
    public var method: RequestMethod
    public var path: ResourcePath
    /// The whole document after a create or update.
    public var data: Fields?
    /// Of the `allow` that lets it through.
    public internal(set) var line: Int?
  }

  public internal(set) var documents: [ResourcePath: Fields]
  public let time: Timestamp
  public internal(set) var steps: [Step]
  public internal(set) var target: Step

  /// Whether it takes a second account.
  public var takesTwo: Bool { steps.contains { $0.auth?.uid != target.auth?.uid } }
}

extension Attack.Step {
  /// The same as a request on its own.
  public func witness(_ documents: [ResourcePath: Fields], _ time: Timestamp) -> Witness {
    Witness(documents: documents, auth: auth, time: time, method: method, path: path, data: data)
  }

  /// The database after it.
  public func applied(to documents: [ResourcePath: Fields]) -> [ResourcePath: Fields] {
    var after = documents
    switch method {
    case .create, .update: after[path] = data
    case .delete: after[path] = nil
    case .get, .list: break
    }
    return after
  }
}

extension Attack {
  /// Whether a Firestore in the process lets it happen: the target is refused at first, then all goes through.
  func happens(under rules: Ruleset) -> Bool {
    !run([target], rules) && run(steps + [target], rules)
  }

  private struct FixedClock: TimeSource {
    let now: Timestamp
  }

  private func run(_ steps: [Step], _ rules: Ruleset) -> Bool {
    let firestore = LocalFirestore(rules: rules, clock: FixedClock(now: time))
    do throws(FirestoreError) {
      for (path, fields) in documents { try firestore.seed(path, fields) }
      for step in steps {
        let client = firestore.client(as: step.auth, database: step.path.database)
        switch step.method {
        case .get: try client.perform(.get(step.path))
        case .create, .update:
          try client.perform(.write(.set(step.path, (step.data ?? [:]).mapValues { FieldValue.value($0) })))
        case .delete: try client.perform(.write(.delete(step.path)))
        case .list: return false
        }
      }
      return true
    } catch {
      return false
    }
  }
}

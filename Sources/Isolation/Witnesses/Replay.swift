import LocalFirestore
import RulesEngine
import RulesValues

/// Puts a witness to the engine: what the solver found is a leak only if it really happens.
struct Replay {
  let rules: Ruleset
  let other: Ruleset
  let sense: Question.Other
  /// Whether the other rule set judges queries itself, as another version of the rules does, rather than speaking about
  /// the documents that they return.
  var comparesQueries = false
  /// What is taken for granted of stored documents: a database that breaks it does not count.
  var assumptions: [DataAssumption] = []
  /// Whose reading of the rules is followed where official implementations differ.
  var dialect = Dialect.live

  /// Whether the rules allow the request, and the statement is broken by it.
  func isBroken(_ witness: Witness) -> Bool {
    let documents = DocumentTable(witness.documents)
    return isAllowed(witness, documents) && isViolated(witness, documents)
      && assumptions.allSatisfy { $0.holds(of: witness.documents, time: witness.time) }
  }

  private func isAllowed(_ witness: Witness, _ documents: DocumentTable) -> Bool {
    let evaluator = rules.evaluator(dialect: dialect)
    if let query = witness.query { return evaluator.decide(query, documents).isAllowed }
    guard let request = witness.request(method: witness.method) else { return false }
    return evaluator.allows(request, documents)
  }

  private func isViolated(_ witness: Witness, _ documents: DocumentTable) -> Bool {
    if comparesQueries, let query = witness.query {
      return other.evaluator(dialect: dialect).decide(query, documents).isAllowed == (sense == .mustNotAllow)
    }
    // Of a list the statement speaks about each document that it returns.
    guard let request = witness.request(method: witness.query == nil ? witness.method : .get) else { return false }
    return other.evaluator(dialect: dialect).allows(request, documents) == (sense == .mustNotAllow)
  }

  // MARK: In a Firestore

  private struct FixedClock: TimeSource {
    let now: Timestamp
  }

  /// The same as a client's call to a Firestore in the process, which holds documents to its own laws, too.
  func happens(_ witness: Witness) -> Bool {
    let firestore = LocalFirestore(rules: rules, clock: FixedClock(now: witness.time), dialect: dialect)
    do throws(FirestoreError) {
      for (path, fields) in witness.documents { try firestore.seed(path, fields) }
      let client = firestore.client(as: witness.auth, database: witness.path.database)
      if let query = witness.query {
        return try client.query(StructuredQuery(query)).contains { $0.path == witness.path }
      }
      switch witness.method {
      case .get: try client.perform(.get(witness.path))
      case .create, .update:
        let data = (witness.data ?? [:]).mapValues { FieldValue.value($0) }
        try client.perform(.write(.set(witness.path, data)))
      case .delete: try client.perform(.write(.delete(witness.path)))
      case .list: return false
      }
      return true
    } catch {
      return false
    }
  }

  // MARK: Smaller

  /// The witness without what it does not need.
  func shrunk(_ witness: Witness) -> Witness {
    var small = witness
    func keep(_ change: (inout Witness) -> Void) {
      var next = small
      change(&next)
      if isBroken(next) && happens(next) { small = next }
    }
    keep { $0.auth = nil }
    for path in small.documents.keys.sorted(by: { $0.relative < $1.relative }) { keep { $0.documents[path] = nil } }
    // What an update leaves as it is goes from both at once.
    for name in (small.data ?? [:]).keys.sorted() {
      keep {
        $0.data?[name] = nil
        $0.documents[$0.path]?[name] = nil
      }
    }
    for path in small.documents.keys.sorted(by: { $0.relative < $1.relative }) {
      for name in (small.documents[path] ?? [:]).keys.sorted() {
        keep { $0.documents[path]?[name] = nil }
      }
    }
    for name in (small.data ?? [:]).keys.sorted() { keep { $0.data?[name] = nil } }
    for name in (small.auth?.token ?? [:]).keys.sorted() { keep { $0.auth?.token[name] = nil } }
    // A solver likes what nobody would write where anything will do.
    for value in [DataValue.bool(false), .int(0), .string("x")] {
      for (name, old) in (small.auth?.token ?? [:]).sorted(by: { $0.key < $1.key }) where !old.isPlain {
        keep { $0.auth?.token[name] = value }
      }
      for (name, old) in (small.data ?? [:]).sorted(by: { $0.key < $1.key }) where !old.isPlain {
        keep { $0.data?[name] = value }
      }
      for path in small.documents.keys.sorted(by: { $0.relative < $1.relative }) {
        for (name, old) in (small.documents[path] ?? [:]).sorted(by: { $0.key < $1.key }) where !old.isPlain {
          keep { $0.documents[path]?[name] = value }
        }
      }
    }
    // Names that tell who is who, where any will do.
    if let uid = small.auth?.uid, !Texts.usualNames.contains(uid) { keep { $0.rename(uid, to: "mallory") } }
    for number in small.path.segments.indices where number % 2 == 1 {
      let id = small.path.segments[number].string
      let isFree = !small.path.segments.contains("alice") && id != small.auth?.uid
      if isFree, !Texts.usualNames.contains(id) { keep { $0.rename(id, to: "alice") } }
    }
    keep { $0.query?.filter = nil }
    keep { $0.query?.limit = nil }
    return small
  }

  /// Lines of the `allow` statements that let the request pass.
  func blame(_ witness: Witness) -> [Int] {
    let documents = DocumentTable(witness.documents)
    let evaluator = rules.evaluator(dialect: dialect)
    if let query = witness.query {
      let branches = evaluator.explain(query, documents).branches
      let lines = branches.flatMap {
        $0.matches.flatMap(\.allows).filter { $0.verdict == .allowed }.map(\.statement.range.start.line)
      }
      return Array(Set(lines)).sorted()
    }
    guard let request = witness.request(method: witness.method) else { return [] }
    return evaluator.explain(request, documents).deciding.map { [$0.statement.range.start.line] } ?? []
  }
}

extension DataValue {
  fileprivate var isPlain: Bool {
    switch self {
    case .null, .bool, .int, .string, .timestamp: true
    case .double, .bytes, .reference, .geoPoint, .array, .map, .vector: false
    }
  }
}

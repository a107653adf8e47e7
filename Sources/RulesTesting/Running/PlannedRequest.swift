import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// What a step asks for, with all values worked out.
struct PlannedRequest {
  /// A transaction reads first.
  var reads: [ResourcePath] = []
  /// Made together.
  var writes: [Write] = []
  var query: StructuredQuery?
}

extension DataBuilder {
  /// - Parameter users: the names that are no fields in queries.
  func request(_ request: StepRequest, users: [String]) throws(TestMistake) -> PlannedRequest {
    var planned = PlannedRequest()
    if case .query(let declaration) = request { planned.query = try query(declaration, users: users) }
    for document in request.documents {
      if let write = try write(document) {
        planned.writes.append(write)
      } else {
        planned.reads.append(try path(document.path))
      }
    }
    return planned
  }
}

extension StepRequest {
  /// The requests about single documents, in source order.
  var documents: [DocumentRequest] {
    switch self {
    case .document(let request): [request]
    case .query: []
    case .batch(let batch): batch.requests
    }
  }
}

/// What the rules say to the request of a step.
struct JudgedRequest {
  var decision: Decision
  var explanation: Explanation?
  var queryExplanation: QueryExplanation?
  /// Of each request that was judged.
  var budgets: [RequestBudget] = []
  /// Of several writes.
  var lookups: CommitLookups?
  var asked: Verdict.Asked
  var documentsRead: Set<ResourcePath>
  /// Of an allowed query: where it can return what its condition seems to forbid.
  var warnings: [QueryWarning] = []
}

extension Client {
  /// Reads are judged one by one, then all writes together. What is refused first is what counts.
  func judge(_ request: PlannedRequest, explaining: Bool, fixing: Bool = false) throws(FirestoreError) -> JudgedRequest
  {
    var documentsRead: Set<ResourcePath> = []
    var budgets: [RequestBudget] = []
    var lookups: CommitLookups?
    /// The first request that was refused, else the first.
    var shown: JudgedRequest?
    for path in request.reads where shown?.decision.isAllowed ?? true {
      let judgement = try judge(.get(path), explaining: explaining, fixing: fixing, measuring: true)
      documentsRead.formUnion(judgement.documentsRead)
      budgets += [judgement.budget].compactMap(\.self)
      if shown == nil || !judgement.isAllowed { shown = JudgedRequest(judgement, judgement.decision) }
    }
    if !request.writes.isEmpty, shown?.decision.isAllowed ?? true {
      let commit = try judge(request.writes, explaining: explaining, fixing: fixing, measuring: true)
      for judgement in commit.judgements { documentsRead.formUnion(judgement.documentsRead) }
      budgets += commit.judgements.compactMap(\.budget)
      lookups = commit.lookups
      if let refused = commit.judgements.first(where: { !$0.isAllowed }), let denial = commit.denial {
        shown = JudgedRequest(refused, .denied(denial))
      } else if shown == nil, let allowed = commit.judgements.first {
        shown = JudgedRequest(allowed, allowed.decision)
      }
    }
    if let query = request.query {
      let judgement = try judge(query, explaining: explaining, measuring: true)
      budgets += [judgement.budget].compactMap(\.self)
      shown = JudgedRequest(judgement)
    }
    guard var judged = shown else { throw FirestoreError(.invalidArgument, "The step asks for nothing.") }
    judged.documentsRead.formUnion(documentsRead)
    judged.budgets = budgets
    judged.lookups = lookups
    return judged
  }
}

extension JudgedRequest {
  init(_ judgement: Judgement, _ decision: Decision) {
    self.decision = decision
    explanation = judgement.explanation
    asked = Verdict.Asked(
      auth: judgement.request.auth, path: judgement.request.path, method: judgement.request.method)
    documentsRead = judgement.documentsRead
  }
}

extension JudgedRequest {
  init(_ judgement: QueryJudgement) {
    decision = judgement.decision
    queryExplanation = judgement.explanation
    let list = judgement.request
    asked = Verdict.Asked(
      auth: list.auth,
      path: ResourcePath(
        database: list.parent.database, segments: list.parent.segments + [list.collectionID].compactMap(\.self)),
      method: .list)
    documentsRead = judgement.documentsRead
    warnings = judgement.warnings
  }
}

extension StructuredQuery {
  /// Whether a document lies in a collection that is asked about.
  func isAbout(_ path: ResourcePath) -> Bool {
    guard path.database == parent.database, path.segments.count >= 2, path.segments.starts(with: parent.segments) else {
      return false
    }
    let own = path.segments.dropLast()
    return (collection == nil || own.last == collection) && (allDescendants || own.count == parent.segments.count + 1)
  }
}

import RulesEngine
import RulesValues

extension LocalFirestore {
  /// Finds the results of a query as somebody.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  func results(of query: StructuredQuery, access: Client.Access) throws(FirestoreError) -> [StoredDocument] {
    try results(of: query, access: access, on: storage.snapshot(indexed: QueryRun.needsIndex(query)))
  }

  func results(
    of query: StructuredQuery, access: Client.Access, on snapshot: any StorageSnapshot
  ) throws(FirestoreError) -> [StoredDocument] {
    let run = try QueryRun(query, on: snapshot)
    try check(query, access: access, on: snapshot)
    return try run.results()
  }

  /// Asks the rules about a query, which is not run.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  func check(_ query: StructuredQuery, access: Client.Access) throws(FirestoreError) {
    try QueryLaws.check(query)
    try check(query, access: access, on: storage.snapshot(indexed: false))
    try QueryLaws.checkPlan(query)
  }

  func check(
    _ query: StructuredQuery, access: Client.Access, on snapshot: any StorageSnapshot
  ) throws(FirestoreError) {
    guard let official = try judge(query, access: access, on: snapshot).decision.denial else { return }
    throw FirestoreError(denial(of: query, official, access: access))
  }

  func aggregate(
    _ aggregations: [Aggregation], over query: StructuredQuery, access: Client.Access
  ) throws(FirestoreError) -> [Text: DataValue] {
    try Aggregation.check(aggregations)
    let fields = aggregations.compactMap(\.field)
    let snapshot = try storage.snapshot(indexed: QueryRun.needsIndex(query, aggregating: fields))
    // What lacks a field of one aggregation does not count for the others either.
    let run = try QueryRun(query, aggregating: fields, on: snapshot)
    try check(query, access: access, on: snapshot)
    try QueryLaws.checkPlan(query)
    try Aggregation.checkOrder(aggregations, of: query)
    let documents = try run.results()
    return Dictionary(aggregations.map { ($0.alias, $0.value(of: documents)) }, uniquingKeysWith: { $1 })
  }

  /// Asks the rules whether a query may run: by what it asks, never by what it would find. One that is made in a
  /// transaction does not show it (`request.inTransaction` is false; observed on the official emulator 1.19.9).
  func judge(
    _ query: StructuredQuery, access: Client.Access, on snapshot: any StorageSnapshot,
    explaining: Bool = false, measuring: Bool = false
  ) throws(FirestoreError) -> QueryJudgement {
    let list = ListRequest(query.isLimitedToLast ? query.turnedAround : query, auth: access.auth, time: requestTime)
    guard case .rules = access else { return QueryJudgement(request: list, decision: .allowed) }
    guard let rules = rules(of: query.parent.database) else {
      let decision = Decision.denied(Denial(entries: []))
      if !explaining { observer?.judged(JudgedCall(kind: .query(list, nil), decision: decision, ruleset: nil)) }
      return QueryJudgement(request: list, decision: decision)
    }
    let reader = CommitReader(snapshot)
    var judgement = rules.with { evaluator in
      let verdict = evaluator.decide(list, reader, mode: queryMode)
      var judgement = QueryJudgement(request: list, decision: verdict.decision, warnings: verdict.warnings)
      if explaining { judgement.explanation = evaluator.explain(list, reader, mode: queryMode) }
      if measuring { judgement.budget = judgement.explanation?.budget ?? evaluator.budget(of: list, reader) }
      return judgement
    }
    if !explaining {
      rules.recorder?.record(list, reader, dialect: dialect)
      if let observer {
        let isWanted = observer.wantsExplanation(of: judgement.decision)
        let explanation = isWanted ? rules.with { $0.explain(list, reader, mode: queryMode) } : nil
        observer.judged(
          JudgedCall(kind: .query(list, explanation), decision: judgement.decision, ruleset: rules.ruleset))
      }
    }
    if let failure = reader.failure { throw failure }
    judgement.documentsRead = reader.takePaths()
    return judgement
  }

  /// The documents of a collection, and those names in it under which something lies though no document does; in order.
  func documentPaths(in collection: ResourcePath) throws(FirestoreError) -> [ResourcePath] {
    let snapshot = try storage.snapshot(indexed: false)
    var found: Set<ResourcePath> = []
    let range = KeyRange(prefix: DocumentKey.collection(collection))
    try snapshot.documents(range, descending: false) { document in
      found.insert(document.path)
      return true
    }
    // What lies deeper sorts behind the collection's own documents.
    var deeper = DocumentKey.descendants(collection)
    deeper.append(byte: DocumentKey.end)
    for id in try ids(
      at: collection.segments.count, below: DocumentKey.descendants(collection), from: deeper.bytes.afterPrefix)
    {
      found.insert(ResourcePath(database: collection.database, segments: collection.segments + [id]))
    }
    return found.map { ($0, $0.orderKey) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// The ids of the collections that lie right below a document, or with no segments in the database; also those
  /// below documents that do not exist.
  func collectionIDs(under parent: ResourcePath) throws(FirestoreError) -> [Text] {
    try ids(at: parent.segments.count, below: DocumentKey.descendants(parent), from: nil)
  }

  /// The different ids that paths have at a place, of documents whose keys begin with a prefix.
  private func ids(at place: Int, below prefix: KeyBytes, from lower: [UInt8]?) throws(FirestoreError) -> [Text] {
    let snapshot = try storage.snapshot(indexed: false)
    var range = KeyRange(prefix: prefix.bytes)
    if let lower { range.lower = lower }
    var ids: [Text] = []
    while true {
      var next: Text?
      try snapshot.documents(range, descending: false) { (document) throws(FirestoreError) in
        if document.path.segments.count > place { next = document.path.segments[place] }
        return false
      }
      guard let id = next else { return ids }
      ids.append(id)
      var behind = prefix
      behind.append(id: id)
      guard let lower = behind.bytes.afterPrefix, range.isBelowEnd(lower) else { return ids }
      range.lower = lower
    }
  }

  /// Removes a document and all that lies below it, or all that lies below a collection; asks no rules.
  public func clear(under path: ResourcePath) throws(FirestoreError) {
    var paths: [ResourcePath] = path.isDocument && !path.segments.isEmpty ? [path] : []
    try storage.snapshot(indexed: false).documents(
      KeyRange(prefix: DocumentKey.descendants(path).bytes), descending: false
    ) { document in
      paths.append(document.path)
      return true
    }
    guard !paths.isEmpty else { return }
    try commit(paths.map { Write.delete($0) }, access: .admin)
  }
}

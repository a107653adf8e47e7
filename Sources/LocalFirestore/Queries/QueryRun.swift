import RulesValues

/// Finds the results of a query on one state of the documents.
struct QueryRun {
  private let asked: StructuredQuery
  private let query: StructuredQuery
  let snapshot: any StorageSnapshot
  private let order: QueryOrder

  /// - Parameter aggregated: the fields of sums and averages, which the results must have.
  /// - Throws: INVALID_ARGUMENT.
  init(
    _ query: StructuredQuery, aggregating aggregated: [FieldPath] = [], on snapshot: any StorageSnapshot
  ) throws(FirestoreError) {
    try QueryLaws.check(query)
    asked = query
    var query = query.isLimitedToLast ? query.turnedAround : query
    query.filter = query.filter?.kept
    query.start = query.start.map { Self.kept($0) }
    query.end = query.end.map { Self.kept($0) }
    self.query = query
    self.snapshot = snapshot
    order = QueryOrder(self.query, aggregating: aggregated)
  }

  private static func kept(_ cursor: StructuredQuery.Cursor) -> StructuredQuery.Cursor {
    StructuredQuery.Cursor(cursor.values.map(\.keptWithin), isBefore: cursor.isBefore)
  }

  /// Is any of the index needed?
  static func needsIndex(_ query: StructuredQuery, aggregating aggregated: [FieldPath] = []) -> Bool {
    !aggregated.isEmpty || query.filter != nil || query.orders.contains { !$0.field.isDocumentName }
      || (query.allDescendants && query.collection != nil)
  }

  /// The results in order, with the fields that are wanted.
  /// - Throws: INVALID_ARGUMENT or FAILED_PRECONDITION for a query that no index could answer.
  func results() throws(FirestoreError) -> [StoredDocument] {
    try QueryLaws.checkPlan(asked)
    if query.limit == 0 { return [] }
    let alternatives = try query.filter?.alternatives() ?? [[]]
    var found: [StoredDocument]?
    if alternatives.count == 1 {
      let (source, sorting) = try QuerySource.choose(alternatives[0], query, order, mayStop: true, on: snapshot)
      switch sorting {
      case .none: break
      case .firstField(let isDescending): found = try inGroups(source, descending: isDescending)
      case .whole: found = try inOrder(source)
      }
      if found == nil { found = try sorted([source]) }
    } else {
      var sources: [QuerySource] = []
      for filters in alternatives {
        sources.append(try QuerySource.choose(filters, query, order, mayStop: false, on: snapshot).source)
      }
      found = try sorted(sources)
    }
    var results = found ?? []
    if query.isLimitedToLast { results.reverse() }
    guard let projection = query.projection else { return results }
    return results.map { $0.projected(on: projection) }
  }

  /// Reads a source that yields documents in the order of the results, no further than needed. `nil`: it turned out
  /// not to, since values are cut in the index.
  private func inOrder(_ source: QuerySource) throws(FirestoreError) -> [StoredDocument]? {
    var results: [StoredDocument] = []
    var toSkip = query.offset
    let isDescending = order.orders.last?.isDescending ?? false
    let isOrdered = try read(source, descending: isDescending) { (document, value) throws(FirestoreError) in
      if value.count >= IndexEntries.maximumValueBytes { return .stop }
      guard let key = candidateKey(document) else { return .goOn }
      switch order.place(key) {
      case .before: return .goOn
      case .behind: return .enough
      case .within: break
      }
      if toSkip > 0 {
        toSkip -= 1
        return .goOn
      }
      results.append(document)
      return query.limit.map { results.count >= $0 } ?? false ? .enough : .goOn
    }
    return isOrdered ? results : nil
  }

  /// Reads a source in which the documents of one value of the first field are together, up to the end of the value with
  /// which there are enough.
  private func inGroups(_ source: QuerySource, descending: Bool) throws(FirestoreError) -> [StoredDocument] {
    let (wanted, isEndless) = query.offset.addingReportingOverflow(query.limit ?? .max)
    var found: [Candidate] = []
    var group: ArraySlice<UInt8> = []
    _ = try read(source, descending: descending) { (document, value) throws(FirestoreError) in
      if !isEndless, found.count >= wanted, value != group { return .enough }
      group = value
      if let key = candidateKey(document), order.place(key) == .within { found.append((key, document)) }
      return .goOn
    }
    return limited(found)
  }

  /// Reads all candidates and sorts them.
  private func sorted(_ sources: [QuerySource]) throws(FirestoreError) -> [StoredDocument] {
    var found: [Candidate] = []
    var seen: Set<ResourcePath> = []
    for source in sources {
      _ = try read(source, descending: false) { (document, _) throws(FirestoreError) in
        guard let key = candidateKey(document), order.place(key) == .within else { return .goOn }
        if seen.insert(document.path).inserted { found.append((key, document)) }
        return .goOn
      }
    }
    return limited(found)
  }

  private typealias Candidate = (key: [UInt8], document: StoredDocument)

  private func limited(_ candidates: [Candidate]) -> [StoredDocument] {
    let rest = candidates.sorted { [UInt8].compare($0.key, $1.key) < 0 }.dropFirst(query.offset)
    return (query.limit.map { rest.prefix($0) } ?? rest).map(\.document)
  }

  /// The sort key of a document that satisfies the query, cursors apart.
  private func candidateKey(_ document: StoredDocument) -> [UInt8]? {
    guard isInScope(document.path), query.filter?.matches(document) ?? true else { return nil }
    return order.key(document)
  }

  private func isInScope(_ path: ResourcePath) -> Bool {
    let parent = query.parent.segments
    guard path.database == query.parent.database, path.segments.count >= parent.count + 2,
      path.segments.starts(with: parent)
    else { return false }
    if !query.allDescendants, path.segments.count != parent.count + 2 { return false }
    return query.collection.map { path.segments[path.segments.count - 2] == $0 } ?? true
  }

  // MARK: Sources

  private enum Step { case goOn, enough, stop }

  /// - Parameter body: takes each document, and the bytes of the value by which it lies in the index.
  /// - Returns: false when `body` stopped for that.
  private func read(
    _ source: QuerySource, descending: Bool, _ body: (StoredDocument, ArraySlice<UInt8>) throws(FirestoreError) -> Step
  ) throws(FirestoreError) -> Bool {
    var isReliable = true
    func take(_ document: StoredDocument?, value: ArraySlice<UInt8> = []) throws(FirestoreError) -> Bool {
      guard let document else { return true }
      switch try body(document, value) {
      case .goOn: return true
      case .enough: return false
      case .stop:
        isReliable = false
        return false
      }
    }
    switch source {
    case .named(let paths):
      for path in paths where try !take(snapshot.document(at: path)) { break }
    case .documents(let range):
      try snapshot.documents(range, descending: descending) { (document) throws(FirestoreError) in
        try take(document)
      }
    case .index(let range, let prefix, let parent):
      try snapshot.entries(range, descending: descending) { (entry) throws(FirestoreError) in
        guard let (value, id) = IndexEntries.parts(entry, prefix: prefix) else { throw Self.damaged }
        return try take(snapshot.document(key: parent + id), value: value)
      }
    case .group(let range, let prefix, let database):
      try snapshot.entries(range, descending: descending) { (entry) throws(FirestoreError) in
        guard let (collection, id) = IndexEntries.parts(entry, prefix: prefix) else { throw Self.damaged }
        return try take(snapshot.document(key: database + collection + [DocumentKey.end] + id))
      }
    }
    return isReliable
  }

  private static let damaged = FirestoreError(.dataLoss, "The index of the store is damaged.")
}

extension StructuredQuery {
  /// The same question from the other end, as clients put it to get the last results.
  var turnedAround: StructuredQuery {
    var query = self
    query.orders = orders.map { Order($0.field, isDescending: !$0.isDescending) }
    query.start = end.map { Cursor($0.values, isBefore: !$0.isBefore) }
    query.end = start.map { Cursor($0.values, isBefore: !$0.isBefore) }
    return query
  }
}

extension StoredDocument {
  func projected(on projection: [FieldPath]) -> StoredDocument {
    var document = self
    document.fields = [:]
    for path in projection where !path.isDocumentName {
      if let value = fields[at: path] { document.fields.set(value, at: path) }
    }
    return document
  }
}

import RulesValues

extension Client {
  /// A question for the documents of a collection: `collection("users").where("age", .greaterThan, 17)`.
  /// - Throws: INVALID_ARGUMENT for a path that names no collection.
  public func collection(_ path: String) throws(FirestoreError) -> StructuredQuery {
    let path = try self.path(path)
    guard path.isCollection else {
      throw FirestoreError(
        .invalidArgument, "\"\(path.relative)\" names a document, not a collection.",
        note: "A collection has an odd number of ids: /users, /users/alice/posts.")
    }
    return StructuredQuery(collection: path.lastID, in: path.parent)
  }

  /// A question for the documents of all collections of this id.
  public func collectionGroup(_ id: Text) -> StructuredQuery {
    StructuredQuery(collection: id, in: ResourcePath(database: database, segments: []), allDescendants: true)
  }

  /// The results of a query, in order.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func query(_ query: StructuredQuery) throws(FirestoreError) -> [StoredDocument] {
    try check(query)
    return try firestore.results(of: query, access: try access)
  }

  /// What the rules say to a query, which is not run.
  /// - Throws: INVALID_ARGUMENT for a query that Firestore would not run either.
  public func judge(
    _ query: StructuredQuery, explaining: Bool = false, measuring: Bool = false
  ) throws(FirestoreError) -> QueryJudgement {
    try check(query)
    try QueryLaws.check(query)
    let snapshot = try firestore.storage.snapshot(indexed: false)
    let judgement = try firestore.judge(
      query, access: try access, on: snapshot, explaining: explaining, measuring: measuring)
    if judgement.isAllowed { try QueryLaws.checkPlan(query) }
    return judgement
  }

  /// Figures about the results of a query, by their aliases.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func aggregate(
    _ aggregations: [Aggregation], over query: StructuredQuery
  ) throws(FirestoreError) -> [Text: DataValue] {
    try check(query)
    return try firestore.aggregate(aggregations, over: query, access: try access)
  }

  /// How many results a query has.
  public func count(_ query: StructuredQuery) throws(FirestoreError) -> Int {
    guard case .int(let count)? = try aggregate([Aggregation(.count(), as: "count")], over: query)["count"] else {
      return 0
    }
    return Int(clamping: count)
  }

  /// The results of a query now and after each change of them. Judged once, now.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func listen(to query: StructuredQuery) throws(FirestoreError) -> AsyncStream<QuerySnapshot> {
    try check(query)
    try firestore.check(query, access: try access)
    return try firestore.listeners.add(query, on: firestore.storage)
  }

  /// The ids of the collections right below a document, or with an empty path in the database. Not for clients that
  /// rules restrain: Firestore answers it to servers only.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func collectionIDs(under document: String = "") throws(FirestoreError) -> [Text] {
    guard case .admin = try access else {
      throw FirestoreError(.permissionDenied, "Collections are listed for servers only.")
    }
    let path = document.isEmpty ? ResourcePath(database: database, segments: []) : try self.path(document)
    return try firestore.collectionIDs(under: path)
  }

  func check(_ query: StructuredQuery) throws(FirestoreError) { try check([query.parent]) }
}

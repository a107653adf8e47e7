import RulesSyntax

/// What is wrong with the requests of steps.
extension TestChecker {
  mutating func checkRequest(_ request: StepRequest) {
    switch request {
    case .document(let document): checkDocumentRequest(document)
    case .query(let query): checkQuery(query)
    case .batch(let batch): for document in batch.requests { checkDocumentRequest(document) }
    }
  }

  private mutating func checkDocumentRequest(_ request: DocumentRequest) {
    checkPath(request.path)
    guard let data = request.data else { return }
    checkData(data, request.operation == .update ? .update : request.operation == .create ? .create : .set)
  }

  /// The path of a document.
  mutating func checkPath(_ path: PathSyntax) {
    checkSegments(path)
    guard path.segments.count.isMultiple(of: 2) else {
      error(
        "collection-path", path.range, "This path names a collection, not a document.",
        notes: ["A document's path has an even number of segments: /collection/document."])
      return
    }
  }

  private mutating func checkSegments(_ path: PathSyntax) {
    for segment in path.segments {
      if case .interpolation(let expression) = segment.kind { checkNames(expression, .step) }
    }
  }

  // MARK: Queries

  private mutating func checkQuery(_ query: QueryDeclaration) {
    checkSegments(query.path)
    let segments = query.path.segments
    if let glob = segments.firstIndex(where: { if case .glob = $0.kind { true } else { false } }) {
      if glob != 0 || segments.count != 2 {
        error(
          "wrong-group", query.path.range, "All collections of one name are written /{any=**}/name.",
          notes: ["Firestore asks such groups of the whole database only."])
      }
    } else if let capture = segments.first(where: { if case .capture = $0.kind { true } else { false } }) {
      error(
        "capture-in-path", capture.range, "A step is about one collection: a capture cannot stand in its path.",
        notes: ["All collections of one name are written /{any=**}/name."])
    } else if segments.count.isMultiple(of: 2) {
      error(
        "document-path", query.path.range, "This path names a document, not a collection.",
        notes: ["A collection's path has an odd number of segments. One document is read by 'get'."])
    }
    if let filter = query.filter { checkFilter(filter) }
    for order in query.orders { checkField(order.field) }
    for aggregate in query.aggregates { if let field = aggregate.field { checkField(field) } }
    if let limit = query.limit { checkNames(limit, .step) }
    if let offset = query.offset { checkNames(offset, .step) }
  }

  private mutating func checkFilter(_ filter: FilterSyntax) {
    switch filter {
    case .all(let parts), .any(let parts): for part in parts { checkFilter(part) }
    case .comparison(let comparison):
      do throws(TestMistake) {
        checkNames(try FilterTerm(comparison, users: userNames).value, .step)
      } catch {
        diagnostics.append(error.diagnostic)
      }
    }
  }

  private mutating func checkField(_ field: Expression) {
    do throws(TestMistake) {
      _ = try field.fieldPath()
    } catch {
      diagnostics.append(error.diagnostic)
    }
  }
}

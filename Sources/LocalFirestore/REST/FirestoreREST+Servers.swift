import JSON
import RulesValues

/// What only servers may ask for.
extension FirestoreREST {
  /// - Throws: PERMISSION_DENIED, in the emulator's words (1.19.9).
  static func mustBeServer(_ client: Client, _ error: FirestoreError = forServers) throws(FirestoreError) {
    guard case .admin = try client.access else { throw error }
  }

  /// Makes each write by itself, and says of each what became of it.
  func batchWrite(_ body: JSONValue, _ client: Client) throws(FirestoreError) -> JSONValue {
    try Self.mustBeServer(
      client, FirestoreError(.permissionDenied, "Batch writes require admin authentication."))
    var writes: [Write] = []
    for item in try RESTReading.array(body["writes"], "writes") { writes.append(try Write(rest: item)) }
    try client.check(writes.map(\.path))
    guard Set(writes.map(\.path)).count == writes.count else {
      throw FirestoreError(.invalidArgument, "A document cannot be written more than once in a batch of writes.")
    }
    var results: [JSONValue] = []
    var status: [JSONValue] = []
    for write in writes {
      do throws(FirestoreError) {
        let result = try firestore.commit([write], access: try client.access)
        results.append(result.writes.first.map { rest($0) } ?? [:])
        status.append([:])
      } catch {
        results.append([:])
        status.append(["code": .int(Int64(error.code.number)), "message": .string(error.message)])
      }
    }
    return ["writeResults": .array(results), "status": .array(status)]
  }

  func listCollectionIDs(_ parent: ResourcePath, _ body: JSONValue, _ client: Client) throws(FirestoreError)
    -> JSONValue
  {
    try Self.mustBeServer(client)
    let size = try RESTReading.int(body["pageSize"], "pageSize") ?? 0
    guard size >= 0 else {
      throw FirestoreError(.invalidArgument, "page_size must be greater than or equal to zero.")
    }
    var ids = try firestore.collectionIDs(under: parent)
    if let token = try RESTReading.string(body["pageToken"], "pageToken"), !token.isEmpty {
      guard case .string(let last)? = PageToken.values(token, of: parent.description)?.first else {
        throw PageToken.invalid
      }
      ids = ids.filter { $0.string > last }
    }
    var answer = JSONObject()
    let page = size == 0 ? ids[...] : ids.prefix(Int(clamping: size))
    if !page.isEmpty { answer["collectionIds"] = .array(page.map { .string($0.string) }) }
    if size > 0, page.count == Int(clamping: size), let last = page.last {
      answer["nextPageToken"] = .string(PageToken.text([.string(last.string)], of: parent.description))
    }
    return .object(answer)
  }

  /// One partition, which no cursor divides: what is here fits into one.
  func partitionQuery(_ parent: ResourcePath, _ body: JSONValue, _ client: Client) throws(FirestoreError) -> JSONValue {
    try Self.mustBeServer(client)
    let query = try StructuredQuery(rest: body["structuredQuery"] ?? [:], parent: parent)
    try QueryLaws.check(query)
    guard query.allDescendants, query.filter == nil, query.start == nil, query.end == nil, query.limit == nil,
      query.offset == 0, query.projection == nil,
      query.orders.allSatisfy({ $0.field.isDocumentName && !$0.isDescending })
    else {
      throw FirestoreError(
        .invalidArgument, "A partition query is over all descendants, ordered by __name__, and has nothing else.")
    }
    guard let count = try RESTReading.int(body["partitionCount"], "partitionCount"), count > 0 else {
      throw FirestoreError(.invalidArgument, "partitionCount must be positive.")
    }
    return [:]
  }
}

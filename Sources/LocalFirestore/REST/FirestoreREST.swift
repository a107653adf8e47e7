import JSON
import RulesValues
import Synchronization

/// Answers in the form of Firestore's REST interface, HTTP itself apart: what a server, a test of parity or an
/// evaluation of one request needs. One database; `parent` is a document of it or, without segments, its root.
public final class FirestoreREST: Sendable {
  public enum Method: String, Sendable, CaseIterable {
    case get, commit, batchGet, runQuery, runAggregationQuery, listCollectionIds, beginTransaction, rollback
  }

  public struct Answer: Sendable {
    /// Of HTTP.
    public let status: Int
    public let body: JSONValue
  }

  private struct Transactions: Sendable {
    var open: [String: Transaction] = [:]
    var order: [String] = []
    var count: UInt64 = 0
  }

  /// Transactions that nobody ends are forgotten, the oldest first.
  private static let maximumTransactions = 1000

  public let firestore: LocalFirestore
  private let transactions = Mutex(Transactions())

  public init(_ firestore: LocalFirestore) { self.firestore = firestore }

  /// Answers one request as somebody.
  public func answer(_ method: Method, parent: ResourcePath, body: JSONValue, as client: Client) -> Answer {
    do throws(FirestoreError) {
      return Answer(status: 200, body: try result(method, parent, body, client))
    } catch {
      return Answer(status: error.code.httpStatus, body: error.restBody)
    }
  }

  private func result(
    _ method: Method, _ parent: ResourcePath, _ body: JSONValue, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    switch method {
    case .get:
      let path = parent
      guard let document = try firestore.read(path, access: try client.access).allowed() else {
        throw firestore.words.notFound(path)
      }
      return rest(document)
    case .commit: return try commit(body, client)
    case .batchGet: return try batchGet(body, client)
    case .runQuery: return try runQuery(body, parent, client)
    case .runAggregationQuery: return try runAggregationQuery(body, parent, client)
    case .listCollectionIds:
      guard case .admin = try client.access else {
        throw FirestoreError(.permissionDenied, "Collections are listed for servers only.")
      }
      let ids = try firestore.collectionIDs(under: parent)
      return ids.isEmpty ? [:] : ["collectionIds": .array(ids.map { .string($0.string) })]
    case .beginTransaction: return ["transaction": .string(try begin(body, client))]
    case .rollback:
      guard let token = try RESTReading.string(body["transaction"], "transaction"), let open = take(token) else {
        throw Self.invalidTransaction
      }
      open.cancel()
      return [:]
    }
  }

  // MARK: Methods

  private func commit(_ body: JSONValue, _ client: Client) throws(FirestoreError) -> JSONValue {
    let token = try RESTReading.string(body["transaction"], "transaction") ?? ""
    var reads: TransactionReads?
    var isReadOnly = false
    if !token.isEmpty {
      guard let open = take(token) else { throw Self.invalidTransaction }
      reads = open.end().reads
      isReadOnly = open.isReadOnly
    }
    var writes: [Write] = []
    for item in try RESTReading.array(body["writes"], "writes") { writes.append(try Write(rest: item)) }
    if isReadOnly, !writes.isEmpty { throw Transaction.cannotWrite }
    guard !writes.isEmpty else { return [:] }
    try client.check(writes.map(\.path))
    let result = try firestore.commit(writes, access: try client.access, reads: reads)
    let results: [JSONValue] = result.writes.map { write in
      var object = JSONObject()
      if let time = write.updateTime { object["updateTime"] = .string(time.rfc3339) }
      if !write.transformResults.isEmpty {
        object["transformResults"] = .array(write.transformResults.map { $0.rest(project: firestore.project) })
      }
      return .object(object)
    }
    return ["writeResults": .array(results), "commitTime": .string(result.time.rfc3339)]
  }

  private func batchGet(_ body: JSONValue, _ client: Client) throws(FirestoreError) -> JSONValue {
    let transaction = try open(body)
    let snapshot = try firestore.storage.snapshot(indexed: false)
    var paths: [ResourcePath] = []
    for name in try RESTReading.array(body["documents"], "documents") {
      let path = try ResourceName(RESTReading.string(name, "documents") ?? "").path
      // What is asked twice is answered once.
      if !paths.contains(path) { paths.append(path) }
    }
    try client.check(paths)
    var answers: [JSONValue] = []
    for path in paths {
      let document =
        if let transaction { try transaction.document(path.relative) } else {
          try firestore.read(path, access: try client.access, on: snapshot).allowed()
        }
      let time: JSONValue = .string(firestore.requestTime.rfc3339)
      if let document {
        answers.append(["found": rest(document), "readTime": time])
      } else {
        answers.append(["missing": .string(firestore.words.resourceName(path)), "readTime": time])
      }
    }
    return .array(answers)
  }

  private func runQuery(
    _ body: JSONValue, _ parent: ResourcePath, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    let query = try StructuredQuery(rest: body["structuredQuery"] ?? [:], parent: parent)
    let documents =
      if let transaction = try open(body) { try transaction.query(query) } else { try client.query(query) }
    let time: JSONValue = .string(firestore.requestTime.rfc3339)
    if documents.isEmpty { return [["readTime": time]] }
    return .array(documents.map { ["document": rest($0), "readTime": time] })
  }

  private func runAggregationQuery(
    _ body: JSONValue, _ parent: ResourcePath, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    let json = body["structuredAggregationQuery"]
    let query = try StructuredQuery(rest: json?["structuredQuery"] ?? [:], parent: parent)
    let aggregations = try Aggregation.list(rest: json?["aggregations"])
    let values = try client.aggregate(aggregations, over: query)
    return [
      [
        "result": ["aggregateFields": DataValue.rest(fields: values, project: firestore.project)],
        "readTime": .string(firestore.requestTime.rfc3339),
      ]
    ]
  }

  // MARK: Transactions

  private static let invalidTransaction = FirestoreError(.invalidArgument, "Invalid transaction.")

  private func begin(_ body: JSONValue, _ client: Client) throws(FirestoreError) -> String {
    let isReadOnly = body["options"]?["readOnly"].map { !$0.isNull } ?? false
    let transaction = try Transaction(client, readOnly: isReadOnly)
    return transactions.withLock { state in
      state.count += 1
      let token = String(decoding: Base64.encode(Array("transaction \(state.count)".utf8)), as: UTF8.self)
      state.open[token] = transaction
      state.order.append(token)
      while state.open.count > Self.maximumTransactions, !state.order.isEmpty {
        state.open.removeValue(forKey: state.order.removeFirst())
      }
      return token
    }
  }

  /// The transaction that a request to read names.
  private func open(_ body: JSONValue) throws(FirestoreError) -> Transaction? {
    guard let token = try RESTReading.string(body["transaction"], "transaction"), !token.isEmpty else { return nil }
    guard let open = transactions.withLock({ $0.open[token] }) else { throw Self.invalidTransaction }
    return open
  }

  private func take(_ token: String) -> Transaction? {
    transactions.withLock { state in
      state.order.removeAll { $0 == token }
      return state.open.removeValue(forKey: token)
    }
  }

  private func rest(_ document: StoredDocument) -> JSONValue { document.rest(firestore.words) }
}

extension StoredDocument {
  func rest(_ words: FirestoreWords) -> JSONValue {
    var object = JSONObject()
    object["name"] = .string(words.resourceName(path))
    if !fields.isEmpty { object["fields"] = DataValue.rest(fields: fields, project: words.project) }
    object["createTime"] = .string(createTime.rfc3339)
    object["updateTime"] = .string(updateTime.rfc3339)
    return .object(object)
  }
}

extension FirestoreError {
  /// `{"error": {"code": 403, "message": …, "status": "PERMISSION_DENIED"}}`
  public var restBody: JSONValue {
    let text = denial?.official.wireMessage ?? message
    return [
      "error": ["code": .int(Int64(code.httpStatus)), "message": .string(text), "status": .string(code.rawValue)]
    ]
  }
}

import JSON
import RulesValues
import Synchronization

/// Answers in the form of Firestore's REST interface, HTTP itself apart: what a server, a test of parity or an
/// evaluation of one request needs. One database; `parent` is a document of it or, without segments, its root.
public final class FirestoreREST: Sendable {
  public enum Method: String, Sendable, CaseIterable {
    case get, commit, batchGet, batchWrite, runQuery, runAggregationQuery, listCollectionIds, partitionQuery
    case beginTransaction, rollback
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
    Self.answer { () throws(FirestoreError) in try result(method, parent, body, client) }
  }

  static func answer(_ body: () throws(FirestoreError) -> JSONValue) -> Answer {
    do throws(FirestoreError) {
      return Answer(status: 200, body: try body())
    } catch {
      return Answer(status: error.code.httpStatus, body: error.restBody)
    }
  }

  private func result(
    _ method: Method, _ parent: ResourcePath, _ body: JSONValue, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    if let known = Self.members[method] { try RESTReading.members(body, known) }
    switch method {
    case .get: return rest(try existing(parent, client))
    case .commit: return try commit(body, client)
    case .batchGet: return try batchGet(body, client)
    case .runQuery: return try runQuery(body, parent, client)
    case .runAggregationQuery: return try runAggregationQuery(body, parent, client)
    case .batchWrite: return try batchWrite(body, client)
    case .listCollectionIds: return try listCollectionIDs(parent, body, client)
    case .partitionQuery: return try partitionQuery(parent, body, client)
    case .beginTransaction: return ["transaction": .string(try begin(body, client))]
    case .rollback:
      guard let token = try RESTReading.string(body["transaction"], "transaction"), let open = take(token) else {
        throw Self.invalidTransaction
      }
      open.cancel()
      return [:]
    }
  }

  /// What the bodies may have.
  private static let members: [Method: Set<String>] = [
    .commit: ["database", "writes", "transaction"],
    .batchGet: ["database", "documents", "mask", "transaction", "newTransaction", "readTime"],
    .batchWrite: ["database", "writes", "labels"],
    .runQuery: ["parent", "structuredQuery", "transaction", "newTransaction", "readTime", "explainOptions"],
    .runAggregationQuery: [
      "parent", "structuredAggregationQuery", "transaction", "newTransaction", "readTime", "explainOptions",
    ],
    .listCollectionIds: ["parent", "pageSize", "pageToken", "readTime"],
    .partitionQuery: ["parent", "structuredQuery", "partitionCount", "pageToken", "pageSize", "readTime"],
    .beginTransaction: ["database", "options"],
    .rollback: ["database", "transaction"],
  ]

  /// What only servers may: the rules know nothing of it.
  static let forServers = FirestoreError(.permissionDenied, "Metadata operations require admin authentication.")

  func existing(_ path: ResourcePath, _ client: Client) throws(FirestoreError) -> StoredDocument {
    guard let document = try firestore.read(path, access: try client.access).allowed() else {
      throw firestore.words.notFound(path)
    }
    return document
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
    return ["writeResults": .array(result.writes.map { rest($0) }), "commitTime": .string(result.time.rfc3339)]
  }

  func rest(_ write: WriteResult) -> JSONValue {
    var object = JSONObject()
    if let time = write.updateTime { object["updateTime"] = .string(time.rfc3339) }
    if !write.transformResults.isEmpty {
      object["transformResults"] = .array(write.transformResults.map { $0.rest(project: firestore.project) })
    }
    return .object(object)
  }

  private func batchGet(_ body: JSONValue, _ client: Client) throws(FirestoreError) -> JSONValue {
    let mask = try RESTReading.mask(body["mask"], "mask")
    let (transaction, token) = try transaction(of: body, client)
    let snapshot = try firestore.storage.snapshot(indexed: false)
    var paths: [ResourcePath] = []
    for name in try RESTReading.array(body["documents"], "documents") {
      let path = try ResourceName(RESTReading.string(name, "documents") ?? "").path
      // What is asked twice is answered once.
      if !paths.contains(path) { paths.append(path) }
    }
    try client.check(paths)
    var answers: [JSONValue] = token.map { [["transaction": .string($0)]] } ?? []
    for path in paths {
      let document =
        if let transaction { try transaction.document(path.relative) } else {
          try firestore.read(path, access: try client.access, on: snapshot).allowed()
        }
      let time: JSONValue = .string(firestore.requestTime.rfc3339)
      if let document {
        answers.append(["found": rest(document, mask), "readTime": time])
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
    let (transaction, token) = try transaction(of: body, client)
    let documents = if let transaction { try transaction.query(query) } else { try client.query(query) }
    let time: JSONValue = .string(firestore.requestTime.rfc3339)
    var answers: [JSONValue] = token.map { [["transaction": .string($0)]] } ?? []
    if documents.isEmpty { answers.append(["readTime": time, "done": true]) }
    for (i, document) in documents.enumerated() {
      var answer: JSONObject = ["document": rest(document), "readTime": time]
      if i == documents.count - 1 { answer["done"] = true }
      answers.append(.object(answer))
    }
    return .array(answers)
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
        "readTime": .string(firestore.requestTime.rfc3339), "done": true,
      ]
    ]
  }

  // MARK: Transactions

  private static let invalidTransaction = FirestoreError(.invalidArgument, "Invalid transaction.")

  private func begin(_ body: JSONValue, _ client: Client) throws(FirestoreError) -> String {
    try begin(options: body["options"], client).token
  }

  private func begin(
    options: JSONValue?, _ client: Client
  ) throws(FirestoreError) -> (transaction: Transaction, token: String) {
    let isReadOnly = options?["readOnly"].map { !$0.isNull } ?? false
    let transaction = try Transaction(client, readOnly: isReadOnly)
    return transactions.withLock { state in
      state.count += 1
      let token = String(decoding: Base64.encode(Array("transaction \(state.count)".utf8)), as: UTF8.self)
      state.open[token] = transaction
      state.order.append(token)
      while state.open.count > Self.maximumTransactions, !state.order.isEmpty {
        state.open.removeValue(forKey: state.order.removeFirst())
      }
      return (transaction, token)
    }
  }

  /// The transaction that a request to read names, or one that it begins, with its token.
  private func transaction(
    of body: JSONValue, _ client: Client
  ) throws(FirestoreError) -> (transaction: Transaction?, token: String?) {
    if let options = body["newTransaction"], !options.isNull {
      guard options.objectValue != nil else { throw RESTReading.payload("newTransaction must be an object.") }
      let (transaction, token) = try begin(options: options, client)
      return (transaction, token)
    }
    return (try open(body["transaction"]), nil)
  }

  /// The transaction that a request to read names.
  func open(_ json: JSONValue?) throws(FirestoreError) -> Transaction? {
    guard let token = try RESTReading.string(json, "transaction"), !token.isEmpty else { return nil }
    guard let open = transactions.withLock({ $0.open[token] }) else { throw Self.invalidTransaction }
    return open
  }

  private func take(_ token: String) -> Transaction? {
    transactions.withLock { state in
      state.order.removeAll { $0 == token }
      return state.open.removeValue(forKey: token)
    }
  }

  func rest(_ document: StoredDocument, _ mask: [FieldPath]? = nil) -> JSONValue {
    (mask.map { document.projected(on: $0) } ?? document).rest(firestore.words)
  }
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

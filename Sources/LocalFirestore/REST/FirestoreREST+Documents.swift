import JSON
import RulesValues

/// The requests that name a document or a collection in their address.
extension FirestoreREST {
  public enum DocumentRequest: Sendable {
    /// A document, or with the name of a collection its documents, page by page.
    case get
    /// Makes a document in the collection that is named.
    case create
    case patch
    case delete
  }

  /// Documents of a page where the client does not say, and at most (observed on the official emulator 1.19.9).
  private static let usualPage = 30
  private static let largestPage = 150

  /// Answers one request as somebody.
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - name: `projects/P/databases/D/documents/…`, decoded.
  ///   - parameters: of its query, decoded.
  ///   - body: of the request.
  ///   - client: who asks.
  public func answer(
    _ request: DocumentRequest, name: String, _ parameters: [(name: String, value: String)], body: JSONValue,
    as client: Client
  ) -> Answer {
    Self.answer { () throws(FirestoreError) in
      let parameters = try DocumentParameters(parameters)
      switch request {
      case .get:
        // A name that ends below a document names a collection.
        let isCollection = name.split(separator: "/", omittingEmptySubsequences: false).count.isMultiple(of: 2)
        return isCollection ? try list(name, parameters, client) : try get(name, parameters, client)
      case .create: return try create(name, parameters, body, client)
      case .patch: return try patch(name, parameters, body, client)
      case .delete:
        var write = Write(path: try ResourceName(name).path)
        write.kind = .delete
        write.precondition = parameters.precondition
        _ = try commit(write, client)
        return [:]
      }
    }
  }

  private func get(
    _ name: String, _ parameters: DocumentParameters, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    let path = try ResourceName(name).path
    try client.check([path])
    guard let transaction = try open(parameters.transaction) else {
      return rest(try existing(path, client), parameters.mask)
    }
    guard let document = try transaction.document(path.relative) else { throw firestore.words.notFound(path) }
    return rest(document, parameters.mask)
  }

  private func commit(_ write: Write, _ client: Client) throws(FirestoreError) -> StoredDocument? {
    try client.check([write.path])
    try firestore.commit([write], access: try client.access)
    return try firestore.storage.snapshot(indexed: false).document(at: write.path)
  }

  private static let bodyMembers: Set<String> = ["name", "fields", "createTime", "updateTime"]

  private func create(
    _ name: String, _ parameters: DocumentParameters, _ body: JSONValue, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    let (parent, collection) = Self.split(name)
    let place = try ResourceName(parent, kind: "Document parent name", mayBeDatabase: true).path
    try RESTReading.members(body, Self.bodyMembers)
    if try RESTReading.string(body["name"], "name")?.isEmpty == false {
      throw FirestoreError(.invalidArgument, "document.name must not be set")
    }
    let id = parameters.documentID ?? Client.newID()
    if id.utf8.contains(UInt8(ascii: "/")) {
      throw FirestoreError(.invalidArgument, "Resource id \"\(id)\" is invalid because it contains \"/\".")
    }
    if id == "." || id == ".." {
      throw FirestoreError(.invalidArgument, "Resource id \"\(id)\" is invalid because it is reserved.")
    }
    let path = ResourcePath(database: place.database, segments: place.segments + [Text(collection), Text(id)])
    var write = Write(path: path)
    write.fields = try RESTReading.fields(body["fields"], "fields")
    write.precondition = .exists(false)
    write.isIDHidden = parameters.documentID == nil
    guard let document = try commit(write, client) else { return [:] }
    return rest(document, parameters.mask)
  }

  private func patch(
    _ name: String, _ parameters: DocumentParameters, _ body: JSONValue, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    var write = Write(path: try ResourceName(name).path)
    try RESTReading.members(body, Self.bodyMembers)
    if let other = try RESTReading.string(body["name"], "name"), !other.isEmpty, other != name {
      throw FirestoreError(.invalidArgument, "The body names another document than the address: \(other).")
    }
    write.fields = try RESTReading.fields(body["fields"], "fields")
    write.mask = parameters.updateMask
    write.precondition = parameters.precondition
    guard let document = try commit(write, client) else { return [:] }
    return rest(document, parameters.mask)
  }

  /// `…/documents/users/alice/posts` in its parent and the collection's id.
  private static func split(_ name: String) -> (parent: String, collection: String) {
    guard let slash = name.lastIndex(of: "/") else { return (name, "") }
    return (String(name[..<slash]), String(name[name.index(after: slash)...]))
  }

  // MARK: Lists

  private func list(
    _ name: String, _ parameters: DocumentParameters, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    let (parentName, collection) = Self.split(name)
    let parent = try ResourceName(parentName, kind: "Document parent name", mayBeDatabase: true).path
    var query = StructuredQuery(collection: collection.isEmpty ? nil : Text(collection), in: parent)
    query.orders = try parameters.orders()
    let size = min(parameters.pageSize ?? Self.usualPage, Self.largestPage)
    query.limit = size
    let list = "\(parent)/\(collection)?\(parameters.orderBy)"
    var after: [DataValue] = []
    if let token = parameters.pageToken {
      guard let values = PageToken.values(token, of: list), values.count == query.orders.count + 1 else {
        throw PageToken.invalid
      }
      after = values
    }
    try client.check([query.parent])
    if parameters.showsMissing { return try listAll(query, after, list, parameters.mask, client) }
    // The rules see what was asked for; how pages are told apart is no matter of theirs.
    var continued = query
    if !query.orders.contains(where: { $0.field.isDocumentName }) {
      continued.orders.append(.init(.documentName, isDescending: query.orders.last?.isDescending ?? false))
    } else if !after.isEmpty {
      after.removeLast()
    }
    if !after.isEmpty { continued.start = .init(after, isBefore: false) }
    let documents: [StoredDocument]
    if let transaction = try open(parameters.transaction) {
      documents = try transaction.query(after.isEmpty ? query : continued)
    } else {
      let snapshot = try firestore.storage.snapshot(indexed: QueryRun.needsIndex(continued))
      let run = try QueryRun(after.isEmpty ? query : continued, on: snapshot)
      try firestore.check(query, access: try client.access, on: snapshot)
      documents = try run.results()
    }
    let last = documents.last.map { last in
      query.orders.map { $0.field.isDocumentName ? .reference(last.path) : last.fields[at: $0.field] ?? .null }
        + [DataValue.reference(last.path)]
    }
    return page(documents.map { rest($0, parameters.mask) }, size, list, last)
  }

  private func page(_ documents: [JSONValue], _ size: Int, _ list: String, _ after: [DataValue]?) -> JSONValue {
    var answer = JSONObject()
    if !documents.isEmpty { answer["documents"] = .array(documents) }
    if documents.count == size, let after { answer["nextPageToken"] = .string(PageToken.text(after, of: list)) }
    return .object(answer)
  }

  /// Also the documents that do not exist and have something below them.
  private func listAll(
    _ query: StructuredQuery, _ after: [DataValue], _ list: String, _ mask: [FieldPath]?, _ client: Client
  ) throws(FirestoreError) -> JSONValue {
    guard query.orders.isEmpty else {
      throw FirestoreError(.invalidArgument, "cannot specify an order when show_missing is true")
    }
    try Self.mustBeServer(client)
    guard let collection = query.collection, let size = query.limit else { return [:] }
    let ids = try firestore.documentPaths(
      in: ResourcePath(database: query.parent.database, segments: query.parent.segments + [collection]))
    var documents: [JSONValue] = []
    var last: ResourcePath?
    let snapshot = try firestore.storage.snapshot(indexed: false)
    var behind: [UInt8]?
    if case .reference(let path)? = after.first { behind = path.orderKey }
    for path in ids where behind.map({ $0.lexicographicallyPrecedes(path.orderKey) }) ?? true {
      guard documents.count < size else { break }
      let document = try snapshot.document(at: path)
      documents.append(
        document.map { rest($0, mask) } ?? ["name": .string(firestore.words.resourceName(path))])
      last = path
    }
    return page(documents, size, list, last.map { [.reference($0)] })
  }
}

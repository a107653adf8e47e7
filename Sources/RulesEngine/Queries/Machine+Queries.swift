import RulesValues

extension Machine {
  /// Starts a pass over a query. Values of earlier passes are gone.
  func begin(_ list: ListRequest, pass: Pass, reader: any DocumentReader) {
    clear()
    self.pass = pass
    self.reader = reader
    path = list.parent
  }

  /// Turns to one branch of the query. The budget is the branch's own, the lookups are those of all branches.
  func turn(to document: QueryDocument, of list: ListRequest) {
    needsData = false
    arena.setBudget(Budget.limit)
    hasStoredDocument = false
    switch document {
    case .named(let path):
      named = path
      loaded.path = arena.path(path, names)
      view = arena.view(list, path: loaded.path, names)
    case .any(let resource): turn(toAny: resource, of: list)
    case .unclear: turn(toAny: .unknown, of: list)
    }
  }

  private func turn(toAny resource: Value, of list: ListRequest) {
    named = nil
    storedDocument = resource
    hasStoredDocument = true
    loaded.path = QueryPath.make(list, arena)
    // Of a group there is no path, and what asks for one does not get an answer.
    let path = list.allDescendants ? Value.unknown : arena.slice(loaded.path, 0, loaded.path.count - 1)
    view = arena.view(list, path: path, names)
  }

  /// The document that the query names. To read it is a lookup like any other, and when there is none, or no lookup
  /// left, it is not to be had at all (observed on emulator 1.19.9).
  func namedDocument() -> Value {
    guard let named else { return .unknown }
    let value = lookUp(.get, named) ?? .null
    return value.has(.null) ? arena.error(text: "Variable read error. Variable: [resource].") : value
  }

  /// `get(path)` and its like in a rule that judges a query. Here `get` and `exists` of one document are two lookups
  /// in any order, and the functions that look behind a commit are the same as the others, except where the query
  /// names its documents: there they have no answer (all observed on emulator 1.19.9).
  func callInQuery(_ service: Service, _ path: ResourcePath, _ argument: Value) -> Value {
    if named != nil, service.isAfter { return .unknown }
    guard let value = lookUp(service, path) else { return arena.serviceError(service, argument) }
    return value.has(.null) && !dialect.missingDocumentIsNull ? arena.serviceError(service, argument) : value
  }

  /// The document, null when there is none, or whether there is one.
  /// - Returns: `nil` when no lookup is left.
  private func lookUp(_ service: Service, _ path: ResourcePath) -> Value? {
    let kind = service.asksExistence ? Service.exists : .get
    if let known = lookups.known(exactly: kind, path) { return known }
    guard lookups.hasRoom(limit: Lookups.limitOfQueries), let reader else {
      lookups.refuse(kind, path)
      return nil
    }
    let fields = reader.document(at: path)
    let value = kind == .exists ? .bool(fields != nil) : fields.map { arena.document(arena.load($0), at: arena.path(path, names), names) } ?? .null
    lookups.remember(kind, path, value, isFound: fields != nil)
    hasLookups = true
    return value
  }
}

extension Arena {
  /// What one branch of a query shows of it.
  func view(_ list: ListRequest, path: Value, _ names: RequestNames) -> RequestView {
    var view = RequestView()
    view.method = .list
    view.request = requestValue(list, path: path, names)
    view.auth = part(names.auth, of: view.request)
    view.uid = part(names.uid, of: view.auth)
    view.resource = part(names.resource, of: view.request)
    view.newData = part(names.data, of: view.resource)
    return view
  }

  /// The map that `request` stands for when a query is judged, with the keys that the official emulator gives it.
  private func requestValue(_ list: ListRequest, path: Value, _ names: RequestNames) -> Value {
    guard let empty = row(0) else { return .error(.memory) }
    func entry(_ name: StaticString, _ value: Value) -> (key: Value, value: Value) { (string(name), value) }
    return map([
      entry("auth", list.auth.map { auth(uid: string($0.uid), token: load($0.token), names) } ?? .null),
      entry("fields", list.fields.map(fieldNames) ?? .null),
      entry("headers", map(empty)),
      entry("inTransaction", .bool(list.inTransaction)),
      entry("method", string(RequestMethod.list.rawValue)),
      entry("path", path),
      entry("query", queryValue(list)),
      entry("time", requestTime(list.time)),
    ])
  }

  /// The document's name is left out: it is always there.
  private func fieldNames(_ fields: [QueryField]) -> Value {
    self.list(fields.filter { !$0.isDocumentName }.map { string($0.description) })
  }

  private func queryValue(_ list: ListRequest) -> Value {
    guard let empty = row(0) else { return .error(.memory) }
    let orders = list.orders.map { (key: string($0.field.description), value: string($0.isDescending ? "DESC" : "ASC")) }
    let parent = list.parent.segments.isEmpty ? .null : path(list.parent)
    return map([
      (key: string("allDescendants" as StaticString), value: .bool(list.allDescendants)),
      (key: list.allDescendants ? string("ancestor" as StaticString) : string("parent" as StaticString), value: parent),
      (key: string("distinct" as StaticString), value: .false),
      (key: string("groupBy" as StaticString), value: map(empty)),
      (key: string("kind" as StaticString), value: list.collectionID.map { string($0.string) } ?? .null),
      (key: string("limit" as StaticString), value: list.limit.map { .int($0) } ?? .null),
      (key: string("offset" as StaticString), value: .int(list.offset)),
      (key: string("orderBy" as StaticString), value: map(orders)),
      (key: string("selectOnlyKeys" as StaticString), value: .false),
    ])
  }
}

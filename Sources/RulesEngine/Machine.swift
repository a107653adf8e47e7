import RulesValues

/// What one worker needs to evaluate conditions: memory, the request in force, and the documents it may ask for.
/// Not for use by two threads at once.
final class Machine {
  let arena: Arena
  private let owner: ArenaOwner
  let dialect: Dialect

  /// The official evaluation runs twice: first without any document, then, if that did not decide, with them.
  enum Pass { case withoutData, data }

  /// What `request` stands for.
  var request = Value.null
  /// `/databases/(default)/documents/…` of the requested document.
  var requestPath = Value.null
  var pass = Pass.data
  /// Has this pass met something that needs a document?
  var needsData = false
  /// Where explained runs keep the values of nodes.
  var trace = Trace()

  var method = RequestMethod.get
  var target = ResourcePath(segments: [])
  private var newDocument = Value.null
  /// What `resource` stands for, once it is known.
  var storedDocument: Value?
  var reader: (any DocumentReader)?
  var lookups = Lookups()
  /// The document that the branch of a query in force asks for by its name.
  var named: ResourcePath?

  init(constants: Constants, dialect: Dialect) {
    owner = ArenaOwner(constants: constants)
    arena = owner.arena
    self.dialect = dialect
  }

  /// Starts a pass over a request. Values of earlier passes are gone.
  func begin(_ request: Request, method: RequestMethod, pass: Pass, reader: any DocumentReader) {
    arena.reset()
    _ = arena.reserve(Captures.limit)
    self.pass = pass
    self.method = method
    self.reader = reader
    target = request.path
    storedDocument = nil
    needsData = false
    lookups.reset()
    if pass == .withoutData, request.dependsOnStoredDocument {
      newDocument = .unknown
    } else if let fields = request.resource {
      newDocument = document(fields, at: request.path)
    } else {
      newDocument = .null
    }
    requestPath = arena.path(request.path)
    self.request = arena.requestValue(request, method: method, path: requestPath, newDocument: newDocument)
    arena.setBudget(Budget.limit)
  }

  /// Lets go of the reader, so that it does not outlive the call it was given for.
  func end() { reader = nil }

  /// What `resource` stands for: the stored document, read on first touch; null when it does not exist.
  var resource: Value {
    if let storedDocument { return storedDocument }
    if pass == .withoutData {
      needsData = true
      return .unknown
    }
    if method == .list { return namedDocument() }
    let value = reader?.document(at: target).map { document($0, at: target) } ?? .null
    storedDocument = value
    return value
  }

  /// The value of an unknown part of the request, noting that a document is needed to tell it.
  func noteUnknown(_ value: Value) -> Value {
    if value.has(.unknown), method != .list { needsData = true }
    return value
  }

  /// `{data, id, __name__}` as the rules see a document.
  func document(_ fields: Fields, at path: ResourcePath) -> Value {
    let data = arena.load(fields)
    if data.isFailure { return data }
    guard let row = arena.row(6) else { return .error(.memory) }
    arena.set(row, 0, arena.string("__name__" as StaticString))
    arena.set(row, 1, arena.path(path))
    arena.set(row, 2, arena.string("data" as StaticString))
    arena.set(row, 3, data)
    arena.set(row, 4, arena.string("id" as StaticString))
    arena.set(row, 5, arena.string(path.lastID.string))
    return arena.map(row)
  }

  /// `get(path)` and its like. The laws, all observed on emulator 1.19.9: the requested document may be asked for
  /// at will and is null when missing; any other missing document is an error (null in newer emulators); what is
  /// known of a document is kept for the pass.
  func call(_ service: Service, _ argument: Value) -> Value {
    guard argument.has(.path) else { return arena.unsupported(service.operation, argument) }
    let path: ResourcePath
    switch DocumentPath(argument, database: target.database, arena) {
    case .document(let document): path = document
    case .elsewhere: return arena.serviceError(service, argument)
    case .unbound(let failure): return failure
    }
    if pass == .withoutData {
      needsData = true
      return .unknown
    }
    if method == .list { return callInQuery(service, path, argument) }
    if path == target {
      let value = service.isAfter && method != .get ? newDocument : resource
      return service.asksExistence ? .bool(!value.has(.null)) : value
    }
    let isWritten = reader?.isWritten(path) ?? false
    if let known = lookups.known(service, path, isWritten: isWritten) { return known }
    guard lookups.hasRoom(), let reader else { return arena.serviceError(service, argument) }
    let fields = service.isAfter ? reader.documentAfter(at: path) : reader.document(at: path)
    let value: Value
    if service.asksExistence {
      value = .bool(fields != nil)
    } else if let fields {
      value = document(fields, at: path)
    } else if dialect.missingDocumentIsNull || isWritten && service.isAfter {
      value = .null
    } else {
      value = arena.serviceError(service, argument)
    }
    lookups.remember(service, path, value, isFound: fields != nil)
    return value
  }
}

extension Arena {
  /// The map that `request` stands for, with the keys that the official emulator gives it.
  func requestValue(_ request: Request, method: RequestMethod, path: Value, newDocument: Value) -> Value {
    let isRead = method == .get
    let ifAbsent = method == .create && request.alternatives == [.create]
    guard let row = row(isRead ? 14 : ifAbsent ? 22 : 20), let empty = self.row(0) else { return .error(.memory) }
    var next = 0
    func put(_ name: StaticString, _ value: Value) {
      set(row, next, string(name))
      set(row, next + 1, value)
      next += 2
    }
    func names(_ names: [String]?) -> Value { names.map { list($0.map { string($0) }) } ?? .null }

    // In the order of keys, so that the map need not be sorted.
    put("auth", authValue(request.auth))
    // Of a create that must not find a document: true where the server chose the id.
    if ifAbsent { put("autoId", .false) }
    if isRead { put("fields", .null) }
    put("headers", map(empty))
    put("inTransaction", .bool(!isRead))
    put("method", string(method.rawValue))
    put("path", path)
    if !isRead {
      put("readFields", .null)
      put("resource", newDocument)
    }
    put(
      "time",
      .timestamp(seconds: request.time.seconds, nanos: UInt32(clamping: request.time.nanos) / 1_000_000 * 1_000_000))
    if !isRead {
      put("transforms", names(request.transforms))
      put("writeFields", names(request.writeFields))
    }
    return map(row)
  }

  func authValue(_ auth: Auth?) -> Value {
    guard let auth else { return .null }
    let token = load(auth.token)
    if token.isFailure { return token }
    guard let row = row(4) else { return .error(.memory) }
    set(row, 0, string("token" as StaticString))
    set(row, 1, token)
    set(row, 2, string("uid" as StaticString))
    set(row, 3, string(auth.uid))
    return map(row)
  }
}

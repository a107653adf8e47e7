import RulesValues

/// What one worker needs to evaluate conditions: memory, the request in force, and the documents it may ask for.
/// Not for use by two threads at once.
final class Machine {
  let arena: Arena
  let dialect: Dialect
  let names: RequestNames
  private let owner: ArenaOwner

  /// The official evaluation runs twice: first without any document, then, if that did not decide, with them.
  enum Pass { case withoutData, data }

  var loaded = LoadedRequest()
  /// The methods that the first official pass tries.
  private(set) var alternatives: [RequestMethod] = []
  /// What conditions see of it in this pass.
  var view = RequestView()
  var pass = Pass.data
  /// Has this pass met something that needs a document?
  var needsData = false
  /// Where explained runs keep the values of nodes.
  var trace = Trace()

  /// The view of the pass with data, which most decisions need only.
  private var dataView = RequestView()
  private var isOtherView = true
  /// Bytes of the arena that hold the request.
  private var mark = 0
  /// What `resource` stands for, and its `data`; read on first touch, then kept as long as the request.
  var storedDocument = Value.null
  var storedData = Value.null
  var hasStoredDocument = false
  var reader: (any DocumentReader)?
  var lookups = Lookups()
  var hasLookups = false
  /// The place of the requested document, or of the one below which a query asks; made of the loaded path when needed.
  var path: ResourcePath?
  /// The document that the branch of a query in force asks for by its name.
  var named: ResourcePath?
  /// What takes the place of the database for a case of a TestSuite.
  var mocks: TestAPIMocks?

  init(constants: Constants, names: RequestNames, dialect: Dialect) {
    owner = ArenaOwner(constants: constants)
    arena = owner.arena
    self.names = names
    self.dialect = dialect
  }

  // MARK: Requests

  /// Takes in a request, in place of the one before.
  func load(_ request: Request, _ reader: any DocumentReader) {
    clear()
    path = request.path
    take(arena.loaded(request, names), alternatives: request.alternatives, reader)
  }

  /// Forgets the request and its reader.
  func clear() {
    arena.reset()
    _ = arena.reserve(Captures.limit)
    reader = nil
    path = nil
    named = nil
    mocks = nil
    hasStoredDocument = false
    loaded = LoadedRequest()
    alternatives = []
    view = RequestView()
    dataView = view
    isOtherView = true
    resetLookups()
  }

  /// Takes in a request whose parts were laid out in the arena after `clear()`.
  func take(_ loaded: LoadedRequest, alternatives: [RequestMethod], _ reader: any DocumentReader) {
    self.loaded = loaded
    self.alternatives = alternatives
    self.reader = reader
    dataView = arena.view(loaded, method: loaded.method, newDocument: loaded.newDocument, names)
    mark = arena.usedBytes
    isOtherView = true
    begin()
  }

  /// Starts the pass with data over the request. Values of earlier passes are gone.
  func begin() {
    rewind(.data)
    if isOtherView { view = dataView }
    isOtherView = false
  }

  /// Starts a pass over the request, taken for one of its alternative methods.
  func begin(method: RequestMethod, pass: Pass) {
    rewind(pass)
    isOtherView = true
    var newDocument = loaded.newDocument
    if pass == .withoutData {
      if loaded.dependsOnStoredDocument { newDocument = .unknown }
      if loaded.isIDHidden { newDocument = loaded.namelessDocument }
    }
    view = arena.view(loaded, method: method, newDocument: newDocument, names)
  }

  /// Binds what a pattern captures of the path in force.
  @inline(__always)
  func bind(_ captures: Captures) {
    captures.bind(to: loaded.path, arena)
    if loaded.isIDHidden { captures.hideID(arena) }
  }

  private func rewind(_ pass: Pass) {
    arena.rewind(to: mark, slots: Captures.limit)
    arena.setBudget(Budget.limit)
    self.pass = pass
    needsData = false
    resetLookups()
  }

  func resetLookups() {
    guard hasLookups else { return }
    lookups.reset()
    hasLookups = false
  }

  // MARK: Documents

  /// What `resource` stands for: the stored document, null when it does not exist; of a query, what the branch in
  /// force tells of a document.
  var resource: Value {
    if view.method == .list, hasStoredDocument { return storedDocument }
    if pass == .withoutData {
      needsData = true
      return .unknown
    }
    if view.method == .list { return namedDocument() }
    if !hasStoredDocument { readStoredDocument() }
    return storedDocument
  }

  /// What `resource.data` stands for.
  var resourceData: Value {
    let document = resource
    if view.method == .list { return arena.part(names.data, of: document) }
    return document.isFailure ? document : storedData
  }

  private func readStoredDocument() {
    let place = loaded.isIDHidden ? arena.path(target, names) : loaded.path
    storedDocument = reader?.document(at: target).map { arena.document(arena.load($0), at: place, names) } ?? .null
    storedData = arena.part(names.data, of: storedDocument)
    hasStoredDocument = true
    // It stays until the next request comes.
    mark = arena.usedBytes
  }

  /// The place of the requested document.
  private var target: ResourcePath {
    if let path { return path }
    let texts = (0..<loaded.path.count).map { Text(arena.text(arena.element(loaded.path, $0))) }
    let path = ResourcePath(database: texts.count > 1 ? texts[1] : "", segments: Array(texts.dropFirst(3)))
    self.path = path
    return path
  }

  /// The value of an unknown part of the request, noting that a document is needed to tell it.
  @inline(__always)
  func noteUnknown(_ value: Value) -> Value {
    if value.has(.unknown), view.method != .list { needsData = true }
    return value
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
    if view.method == .list { return callInQuery(service, path, argument) }
    if path == target {
      let value = service.isAfter && view.method != .get ? view.newDocument : resource
      return service.asksExistence ? .bool(!value.has(.null)) : value
    }
    let isWritten = reader?.isWritten(path) ?? false
    if let known = lookups.known(service, path, isWritten: isWritten) { return known }
    let isFree = isWritten && service.isAfter
    guard let reader, isFree || lookups.hasRoom() && reader.mayLookUp(path, after: service.isAfter) else {
      if !lookups.hasRoom() { lookups.refuse(service, path) }
      return arena.serviceError(service, argument)
    }
    let fields = service.isAfter ? reader.documentAfter(at: path) : reader.document(at: path)
    let value: Value
    if service.asksExistence {
      value = .bool(fields != nil)
    } else if let fields {
      value = arena.document(arena.load(fields), at: arena.path(path, names), names)
    } else if dialect.missingDocumentIsNull || isFree {
      value = .null
    } else {
      value = arena.serviceError(service, argument)
    }
    lookups.remember(service, path, value, isFound: fields != nil, isFree: isFree)
    hasLookups = true
    return value
  }
}

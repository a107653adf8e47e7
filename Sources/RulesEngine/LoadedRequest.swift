import RulesValues

/// A request whose parts lie in the arena.
struct LoadedRequest {
  var method = RequestMethod.get
  /// A create that must not find a document.
  var isIfAbsent = false
  /// `{token, uid}` or null.
  var auth = Value.null
  /// `/databases/…/documents/…`, as patterns take it.
  var path = Value.null
  /// Rules do not see the id of a document that is made.
  var isIDHidden = false
  /// `request.path`, where it is another than `path`.
  var collectionPath = Value.null
  var time = Value.null
  /// `{data, id, __name__}` of the document after the write; null when there is none.
  var newDocument = Value.null
  /// The same without its id and name.
  var namelessDocument = Value.null
  /// Lists of names or null.
  var writeFields = Value.null
  var transforms = Value.null
  var inTransaction = false

  /// The document after the write can only be told from the stored one.
  var dependsOnStoredDocument: Bool { !writeFields.has(.null) || !transforms.has(.null) }
}

/// What conditions see of a request in one pass, with the parts that they ask for most taken out of it.
struct RequestView {
  var method = RequestMethod.get
  /// What `request` stands for.
  var request = Value.null
  /// `request.auth`, `request.auth.uid`, `request.resource`, `request.resource.data`; failures where that is one.
  var auth = Value.null
  var uid = Value.null
  var resource = Value.null
  var newData = Value.null
  /// The document after the write, also for requests that show none.
  var newDocument = Value.null
}

extension Arena {
  func loaded(_ request: Request, _ names: RequestNames) -> LoadedRequest {
    func list(_ texts: [String]?) -> Value { texts.map { self.list($0.map { string($0) }) } ?? .null }
    var loaded = LoadedRequest()
    loaded.method = request.method
    loaded.isIfAbsent = request.method == .create && request.alternatives == [.create]
    loaded.auth = request.auth.map { auth(uid: string($0.uid), token: load($0.token), names) } ?? .null
    loaded.path = path(request.path, names)
    loaded.time = requestTime(request.time)
    if let fields = request.resource { loaded.newDocument = document(load(fields), at: loaded.path, names) }
    loaded.writeFields = list(request.writeFields)
    loaded.transforms = list(request.transforms)
    loaded.inTransaction = request.inTransaction
    if request.isIDHidden { hideID(of: &loaded, names) }
    return loaded
  }

  /// Takes out of a create what rules do not see where the server chooses the id, as the official emulator 1.19.9
  /// does (observed; `Corpus/rest.jsonl`): `request.path` ends with the collection; a wildcard in the id's place is
  /// the error of a null value, and so is a glob of version 1; a glob of version 2 ends with a variable that is not
  /// bound; no literal is like it. The first pass shows the new document without id and name, the second with them.
  private func hideID(of loaded: inout LoadedRequest, _ names: RequestNames) {
    let count = loaded.path.count
    guard count > 0, let row = row(count) else { return loaded.path = .error(.memory) }
    for i in 0..<count - 1 { set(row, i, element(loaded.path, i)) }
    set(row, count - 1, capture(name: string(""), glob: false))
    loaded.isIDHidden = true
    loaded.collectionPath = slice(loaded.path, 0, count - 1)
    loaded.path = finish(row, as: .path)
    guard loaded.newDocument.has(.map) else { return loaded.namelessDocument = loaded.newDocument }
    guard let row = self.row(2) else { return loaded.namelessDocument = .error(.memory) }
    set(row, 0, names.data)
    set(row, 1, part(names.data, of: loaded.newDocument))
    loaded.namelessDocument = entries(row, as: .map)
  }

  /// `request.time` is in milliseconds.
  func requestTime(_ time: Timestamp) -> Value {
    .timestamp(seconds: time.seconds, nanos: UInt32(clamping: time.nanos) / 1_000_000 * 1_000_000)
  }

  func auth(uid: Value, token: Value, _ names: RequestNames) -> Value {
    if token.isFailure { return token }
    guard let row = row(4) else { return .error(.memory) }
    set(row, 0, names.token)
    set(row, 1, token)
    set(row, 2, names.uid)
    set(row, 3, uid)
    // In the order of keys already.
    return entries(row, as: .map)
  }

  /// `{data, id, __name__}` as the rules see a document.
  func document(_ data: Value, at path: Value, _ names: RequestNames) -> Value {
    if data.isFailure { return data }
    guard let row = row(6) else { return .error(.memory) }
    set(row, 0, names.name)
    set(row, 1, path)
    set(row, 2, names.data)
    set(row, 3, data)
    set(row, 4, names.id)
    set(row, 5, element(path, path.count - 1))
    // In the order of keys already.
    return entries(row, as: .map)
  }

  /// `/databases/(default)/documents/…`
  func path(_ path: ResourcePath, _ names: RequestNames) -> Value {
    guard let row = row(path.segments.count + 3) else { return .error(.memory) }
    set(row, 0, names.databases)
    set(row, 1, string(path.database.string))
    set(row, 2, names.documents)
    for (i, segment) in path.segments.enumerated() { set(row, i + 3, string(segment.string)) }
    return finish(row, as: .path)
  }

  /// What one pass shows of a request.
  /// - Parameter newDocument: the document after the write, or unknown.
  func view(_ loaded: LoadedRequest, method: RequestMethod, newDocument: Value, _ names: RequestNames) -> RequestView {
    var view = RequestView()
    view.method = method
    view.newDocument = newDocument
    view.request = requestMap(loaded, method: method, newDocument: newDocument, names)
    // Taken from where the map has them from, except for what it lacks: see `auth` and `document` for their places.
    view.auth = view.request.isFailure ? view.request : loaded.auth
    view.uid = view.auth.has(.map) ? value(view.auth, 1) : part(names.uid, of: view.auth)
    view.resource =
      view.request.isFailure || method == .get ? part(names.resource, of: view.request) : newDocument
    view.newData =
      view.resource.has(.map) && !loaded.isIDHidden ? value(view.resource, 1) : part(names.data, of: view.resource)
    return view
  }

  /// A member, of which a failure stays what it is.
  func part(_ name: Value, of value: Value) -> Value {
    value.isFailure ? value : Operators.member(value, name, self)
  }

  /// The map that `request` stands for, with the keys that the official emulator gives it.
  private func requestMap(
    _ loaded: LoadedRequest, method: RequestMethod, newDocument: Value, _ names: RequestNames
  ) -> Value {
    let isRead = method == .get
    let isIfAbsent = method == .create && loaded.isIfAbsent
    guard let row = row(isRead ? 14 : isIfAbsent ? 22 : 20), let empty = self.row(0) else { return .error(.memory) }
    var next = 0
    func put(_ name: Value, _ value: Value) {
      set(row, next, name)
      set(row, next + 1, value)
      next += 2
    }
    // In the order of keys, so that the map need not be sorted.
    put(names.auth, loaded.auth)
    // Of a create that must not find a document: true where the server chose the id.
    if isIfAbsent { put(names.autoId, .bool(loaded.isIDHidden)) }
    if isRead { put(names.fields, .null) }
    put(names.headers, map(empty))
    put(names.inTransaction, .bool(!isRead || loaded.inTransaction))
    put(names.method, names.text(of: method))
    put(names.path, loaded.isIDHidden ? loaded.collectionPath : loaded.path)
    if !isRead {
      put(names.readFields, .null)
      put(names.resource, newDocument)
    }
    put(names.time, loaded.time)
    if !isRead {
      put(names.transforms, loaded.transforms)
      put(names.writeFields, loaded.writeFields)
    }
    return entries(row, as: .map)
  }
}

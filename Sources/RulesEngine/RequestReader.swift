import JSON
import RulesValues

extension Evaluator {
  /// Takes in a request written as JSON, straight into the memory of decisions; then ask `decideLoaded()`.
  ///
  ///     {
  ///       "method": "create",
  ///       "path": "/users/alice",
  ///       "auth": {"uid": "alice", "token": {"email": "alice@example.com"}},
  ///       "time": "2026-01-01T00:00:00Z",
  ///       "data": {"title": "Groceries", "stars": 4}
  ///     }
  ///
  /// `method` is `get`, `create`, `update` or `delete`; a create is one that must not find a document, an update one
  /// that must. `data`, the whole document after the write, belongs to these two; `1` is an int in it and `1.0` a
  /// float. `auth` may be null or absent, for somebody who is signed out, and `token` absent. `"database"` names
  /// another database than `(default)`.
  ///
  /// - Throws: what is wrong with the text, and where. Then no request is loaded.
  public func load(json text: [UInt8], _ documents: some DocumentReader) throws(JSONError) {
    machine.clear()
    var reader = try RequestReader(text, machine.arena, machine.names)
    let loaded = try reader.read()
    machine.take(loaded, alternatives: [loaded.method], documents)
  }
}

/// Reads the text of a request into the arena.
private struct RequestReader: ~Copyable {
  private var reader: JSONReader
  private let arena: Arena
  /// The whole text, of which strings without escapes are parts.
  private let bytes: Value
  private let names: RequestNames
  /// What the open containers hold so far.
  private var pending: [Value] = []
  private var database: Value?

  init(_ text: [UInt8], _ arena: Arena, _ names: RequestNames) throws(JSONError) {
    reader = try JSONReader(text)
    pending.reserveCapacity(32)
    bytes = arena.bytes(text)
    self.arena = arena
    self.names = names
  }

  // MARK: The request

  mutating func read() throws(JSONError) -> LoadedRequest {
    var method: RequestMethod?
    var (path, auth, time, data): (Value?, Value?, Value?, Value?)
    guard case .beginObject = try reader.next() else { throw reader.error("a request is an object") }
    while case .key = try reader.next() {
      if reader.textIs("method"), method == nil {
        method = try readMethod()
      } else if reader.textIs("path"), path == nil {
        path = try readText("the path")
      } else if reader.textIs("auth"), auth == nil {
        auth = try readAuth()
      } else if reader.textIs("time"), time == nil {
        time = try readTime()
      } else if reader.textIs("data"), data == nil {
        data = try readObject("data")
      } else if reader.textIs("database"), database == nil {
        database = try readText("the database")
      } else {
        throw reader.error(
          "a request has \"method\", \"path\", \"database\", \"auth\", \"time\" and \"data\", each once")
      }
    }
    guard let method else { throw reader.error("the request has no \"method\"") }
    guard let path else { throw reader.error("the request has no \"path\"") }
    guard let time else { throw reader.error("the request has no \"time\"") }
    guard (data != nil) == (method == .create || method == .update) else {
      throw reader.error(
        data == nil ? "the request has no \"data\", which \(method.rawValue) needs" : "\(method.rawValue) has no \"data\"")
    }
    _ = try reader.next()
    var loaded = LoadedRequest()
    loaded.method = method
    loaded.isIfAbsent = method == .create
    loaded.path = try documentPath(path)
    loaded.auth = auth ?? .null
    loaded.time = time
    if let data { loaded.newDocument = arena.document(data, at: loaded.path, names) }
    return loaded
  }

  private mutating func readMethod() throws(JSONError) -> RequestMethod {
    if case .string = try reader.next() {
      if reader.textIs("get") { return .get }
      if reader.textIs("create") { return .create }
      if reader.textIs("update") { return .update }
      if reader.textIs("delete") { return .delete }
    }
    throw reader.error("a method is \"get\", \"create\", \"update\" or \"delete\"")
  }

  /// The last string or member name in the arena.
  @inline(__always)
  private func text() -> Value {
    if let range = reader.plainRange { return arena.string(in: bytes, range) }
    return arena.string(reader.text)
  }

  private mutating func readText(_ what: String) throws(JSONError) -> Value {
    guard case .string = try reader.next() else { throw reader.error("\(what) must be a string") }
    return text()
  }

  private mutating func readTime() throws(JSONError) -> Value {
    guard case .string = try reader.next(), let time = Timestamp(rfc3339: reader.text) else {
      throw reader.error("a time is a string like \"2026-01-01T00:00:00Z\"")
    }
    return arena.requestTime(time)
  }

  private mutating func readObject(_ what: String) throws(JSONError) -> Value {
    guard case .beginObject = try reader.next() else { throw reader.error("\"\(what)\" must be an object") }
    return try members(depth: 0)
  }

  private mutating func readAuth() throws(JSONError) -> Value {
    switch try reader.next() {
    case .null: return .null
    case .beginObject: break
    default: throw reader.error("\"auth\" must be an object with \"uid\" and \"token\", or null")
    }
    var (uid, token): (Value?, Value?)
    while case .key = try reader.next() {
      if reader.textIs("uid"), uid == nil {
        uid = try readText("\"uid\"")
      } else if reader.textIs("token"), token == nil {
        token = try readObject("token")
      } else {
        throw reader.error("\"auth\" has \"uid\" and \"token\", each once")
      }
    }
    guard let uid else { throw reader.error("\"auth\" has no \"uid\"") }
    return arena.auth(uid: uid, token: token ?? arena.map([]), names)
  }

  /// `/users/alice`, with or without the first slash, as the path that rules see.
  private func documentPath(_ text: Value) throws(JSONError) -> Value {
    let start = arena.byte(text, 0) == UInt8(ascii: "/") ? 1 : 0
    let count = arena.withBytes(text) { bytes in
      var count = 1 - start
      for byte in bytes where byte == UInt8(ascii: "/") { count += 1 }
      return count
    }
    guard count.isMultiple(of: 2) else { throw reader.error("the path names no document: it has \(count) segments") }
    guard let row = arena.row(count + 3) else { return .error(.memory) }
    arena.set(row, 0, names.databases)
    arena.set(row, 1, database ?? arena.string("(default)" as StaticString))
    arena.set(row, 2, names.documents)
    var (segment, from) = (3, start)
    for i in start...max(start, text.count) where i >= text.count || arena.byte(text, i) == UInt8(ascii: "/") {
      guard i > from else { throw reader.error("the path has an empty segment") }
      arena.set(row, segment, arena.substring(text, from, i))
      segment += 1
      from = i + 1
    }
    return arena.finish(row, as: .path)
  }

  // MARK: Data

  private mutating func value(_ event: JSONReader.Event, depth: Int) throws(JSONError) -> Value {
    switch event {
    case .null: return .null
    case .bool(let b): return .bool(b)
    case .int(let i): return .int(i)
    case .double(let d): return .float(d)
    case .string: return text()
    case .beginArray: return try elements(depth: depth + 1)
    case .beginObject: return try members(depth: depth + 1)
    case .key, .endArray, .endObject, .end: throw reader.error("expected a value")
    }
  }

  /// The rest of an array whose bracket has been read.
  private mutating func elements(depth: Int) throws(JSONError) -> Value {
    try checkDepth(depth)
    let start = pending.count
    var event = try reader.next()
    while event != .endArray {
      pending.append(try value(event, depth: depth))
      event = try reader.next()
    }
    guard let row = takePending(from: start) else { return .error(.memory) }
    return arena.finish(row, as: .list)
  }

  /// The rest of an object whose brace has been read.
  private mutating func members(depth: Int) throws(JSONError) -> Value {
    try checkDepth(depth)
    let start = pending.count
    while case .key = try reader.next() {
      pending.append(text())
      pending.append(try value(try reader.next(), depth: depth))
    }
    guard let row = takePending(from: start) else { return .error(.memory) }
    let map = arena.map(row)
    guard map.isFailure || map.count * 2 == row.count else {
      throw reader.error("this object has two members of one name; names must differ")
    }
    return map
  }

  private func checkDepth(_ depth: Int) throws(JSONError) {
    guard depth <= Arena.maximumDataDepth else {
      throw reader.error("arrays and objects are nested more than \(Arena.maximumDataDepth) deep")
    }
  }

  /// Lays what stands in `pending` from `start` on out in the arena; `nil` when anything of it has failed.
  private mutating func takePending(from start: Int) -> Arena.Row? {
    defer { pending.removeLast(pending.count - start) }
    guard let row = arena.row(pending.count - start) else { return nil }
    for i in 0..<row.count {
      let value = pending[start + i]
      if value.isFailure { return nil }
      arena.set(row, i, value)
    }
    return row
  }
}

import RulesEngine
import RulesValues

/// Something of a request or of a database that rules can look at, and a fuzzer can change.
enum Place: Equatable {
  case request
  /// `request.resource` and `resource`.
  case newResource
  case resource
  /// `request.auth`, which is null of somebody who is signed out.
  case auth
  case uid
  /// `request.auth.token`, and what is in it.
  case token([Text])
  /// Fields of the document as it is.
  case stored([Text])
  /// Fields of the document as the request leaves it.
  case written([Text])
  /// What `get` answers.
  case document(ResourcePath)
  case fields(ResourcePath, [Text])
  /// An id of the requested path, by its place.
  case segment(Int)
  case time
  case limit

  /// A member of what is at this place; `nil` where there is none that can be changed.
  func member(_ name: Text, of witness: Witness) -> Place? {
    switch (self, name) {
    case (.request, "auth"): .auth
    case (.request, "resource"): .newResource
    case (.request, "time"): .time
    case (.auth, "uid"): .uid
    case (.auth, "token"): .token([])
    case (.resource, "data"): .stored([])
    case (.newResource, "data"): .written([])
    case (.resource, "id"), (.newResource, "id"): .segment(witness.path.segments.count - 1)
    case (.document(let path), "data"): .fields(path, [])
    case (.token(let way), _): .token(way + [name])
    case (.stored(let way), _): .stored(way + [name])
    case (.written(let way), _): .written(way + [name])
    case (.fields(let path, let way), _): .fields(path, way + [name])
    default: nil
    }
  }

  /// The map in which a field lies, and its name.
  var parent: (map: Place, name: Text)? {
    switch self {
    case .token(let way): way.last.map { (.token(way.dropLast()), $0) }
    case .stored(let way): way.last.map { (.stored(way.dropLast()), $0) }
    case .written(let way): way.last.map { (.written(way.dropLast()), $0) }
    case .fields(let path, let way): way.last.map { (.fields(path, way.dropLast()), $0) }
    default: nil
    }
  }
}

extension Witness {
  /// What is at a place; `nil` where nothing is.
  subscript(place: Place) -> DataValue? {
    get {
      switch place {
      case .uid: auth.map { .string($0.uid) }
      case .token(let way): auth.flatMap { DataValue.map($0.token)[way] }
      case .stored(let way): documents[path].flatMap { DataValue.map($0)[way] }
      case .written(let way): data.flatMap { DataValue.map($0)[way] }
      case .fields(let path, let way): documents[path].flatMap { DataValue.map($0)[way] }
      case .segment(let i): path.segments.indices.contains(i) ? .string(path.segments[i].string) : nil
      case .time: .timestamp(time)
      case .auth: auth == nil ? .null : nil
      case .resource: documents[path] == nil ? .null : nil
      case .document(let path): documents[path] == nil ? .null : nil
      case .request, .newResource, .limit: nil
      }
    }
    set { set(place, newValue) }
  }

  private mutating func set(_ place: Place, _ value: DataValue?) {
    switch place {
    case .uid:
      guard case .string(let uid)? = value, !uid.isEmpty else { return }
      let others: Fields = ["sub": .string(uid), "user_id": .string(uid)]
      auth = Auth(uid: uid, token: (auth?.token ?? [:]).merging(others) { $1 })
    case .auth: if value == .null { auth = nil } else if auth == nil { auth = Auth(uid: "mallory") }
    case .token(let way):
      if ["sub", "user_id"].contains(way.first) { return set(.uid, value) }
      var token = DataValue.map(auth?.token ?? [:])
      token[way] = value
      if case .map(let fields) = token { auth = Auth(uid: auth?.uid ?? "mallory", token: fields) }
    case .resource: documents[path] = value == .null || method == .create ? nil : documents[path] ?? [:]
    case .document(let path): documents[path] = value == .null ? nil : documents[path] ?? [:]
    case .stored(let way):
      guard method != .create else { return }
      documents[path] = Self.changed(documents[path], way, value)
    case .written(let way):
      guard method == .create || method == .update else { return }
      data = Self.changed(data, way, value)
    case .fields(let path, let way): documents[path] = Self.changed(documents[path], way, value)
    case .segment(let i):
      guard case .string(let id)? = value, !id.isEmpty, !id.contains("/"), path.segments.indices.contains(i) else {
        return
      }
      move { $0[i] = Text(id) }
    case .time: if case .timestamp(let time)? = value { self.time = time }
    case .request, .newResource, .limit: break
    }
  }

  private static func changed(_ fields: Fields?, _ way: [Text], _ value: DataValue?) -> Fields? {
    var map = DataValue.map(fields ?? [:])
    map[way] = value
    if case .map(let fields) = map { return fields }
    return fields
  }

  /// Another path for the request; its document goes along.
  mutating func move(_ change: (inout [Text]) -> Void) {
    var segments = path.segments
    change(&segments)
    let next = ResourcePath(database: path.database, segments: segments)
    guard next != path else { return }
    let stored = documents.removeValue(forKey: path)
    path = next
    if let stored, documents[next] == nil, method != .create { documents[next] = stored }
    if method == .create { documents[next] = nil }
  }
}

extension DataValue {
  /// What lies on a way through maps.
  subscript(way: [Text]) -> DataValue? {
    get {
      var value: DataValue? = self
      for name in way {
        guard case .map(let fields)? = value else { return nil }
        value = fields[name]
      }
      return value
    }
    set {
      guard let name = way.first else {
        if let newValue { self = newValue }
        return
      }
      var fields: Fields = [:]
      if case .map(let known) = self { fields = known }
      if way.count == 1 {
        fields[name] = newValue
      } else {
        var inner = fields[name] ?? .map([:])
        inner[Array(way.dropFirst())] = newValue
        fields[name] = inner
      }
      self = .map(fields)
    }
  }
}

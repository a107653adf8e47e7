import RulesEngine
import RulesValues

/// A database and a request on it: what breaks a statement.
public struct Witness: Sendable {
  public var documents: [ResourcePath: Fields]
  public var auth: Auth?
  public var time: Timestamp
  public var method: RequestMethod
  /// Of the requested document; of a query, of a document that it returns.
  public var path: ResourcePath
  /// The whole document after a create or update.
  public var data: Fields?
  /// Of a list.
  public var query: ListRequest?
}

extension Witness {
  /// The request as the engine takes it; `nil` where the database does not fit the method.
  func request(method: RequestMethod) -> Request? {
    switch method {
    case .get: return .get(path, auth: auth, time: time)
    case .create:
      guard let data, documents[path] == nil else { return nil }
      return .create(path, data, auth: auth, time: time)
    case .update:
      guard let data, documents[path] != nil else { return nil }
      return .update(path, data, auth: auth, time: time)
    case .delete: return .delete(path, auth: auth, time: time)
    case .list: return nil
    }
  }
}

extension Witness {
  /// Gives a name another one wherever it is an id, a uid, the key of a map or a whole text.
  mutating func rename(_ old: String, to new: String) {
    func named(_ text: Text) -> Text { text == Text(old) ? Text(new) : text }
    func renamed(_ path: ResourcePath) -> ResourcePath {
      ResourcePath(database: path.database, segments: path.segments.map(named))
    }
    func renamed(_ value: DataValue) -> DataValue {
      switch value {
      case .string(let text): .string(text == old ? new : text)
      case .array(let items): .array(items.map(renamed))
      case .map(let fields): .map(renamed(fields))
      case .reference(let path): .reference(renamed(path))
      default: value
      }
    }
    func renamed(_ fields: Fields) -> Fields {
      Fields(fields.map { (named($0.key), renamed($0.value)) }, uniquingKeysWith: { a, _ in a })
    }
    func renamed(_ filter: QueryFilter) -> QueryFilter {
      switch filter {
      case .and(let parts): .and(parts.map(renamed))
      case .or(let parts): .or(parts.map(renamed))
      case .compare(let field, let op, let value):
        .compare(QueryField(field.names.map(named)), op, renamed(value))
      case .unary(let field, let test): .unary(QueryField(field.names.map(named)), test)
      }
    }
    documents = Dictionary(
      documents.map { (renamed($0.key), renamed($0.value)) }, uniquingKeysWith: { a, _ in a })
    auth = auth.map { Auth(uid: $0.uid == old ? new : $0.uid, token: renamed($0.token)) }
    path = renamed(path)
    data = data.map(renamed)
    if var query {
      query.parent = renamed(query.parent)
      query.filter = query.filter.map(renamed)
      query.auth = auth
      self.query = query
    }
  }
}

/// Makes witnesses out of models.
struct WitnessBuilder {
  private let world: World
  private let model: Model
  private var texts: Texts
  private var fields: [Int64: [(key: Int64, value: Model.Value)]] = [:]
  private var others: Set<Int64> = []
  private var sizes: [Int64: Int64] = [:]
  private var members: [Int64: [Model.Value]] = [:]
  private var places: [Int64: [Int64: Model.Value]] = [:]
  /// A number in lists or maps that are the same as others but for its kind, or do not even equal themselves.
  private var marks: [Model.Value: DataValue] = [:]
  /// Whether unnamed fields of two maps differ.
  private let othersDiffer: Bool

  init(_ world: World, _ model: Model, prefersNames: Bool, othersDiffer: Bool) {
    self.world = world
    self.model = model
    self.othersDiffer = othersDiffer
    texts = Texts(world, model, prefersNames: prefersNames)
    for (map, key, value) in world.lookups {
      guard let id = model.int(map), let code = model.int(key), let content = model.value(value) else { continue }
      if content == .absent || fields[id, default: []].contains(where: { $0.key == code }) { continue }
      fields[id, default: []].append((code, content))
    }
    for map in world.maps where model.bool(world.hasOthers(map)) == true {
      if let id = model.int(map) { others.insert(id) }
    }
    for list in world.lists {
      if let id = model.int(list), let size = model.int(world.size(ofList: list)) { sizes[id] = size }
    }
    for (list, value) in world.members {
      guard model.bool(world.store.apply("elem", [list, value], .bool)) == true, let id = model.int(list),
        let content = model.value(value), content != .absent, !members[id, default: []].contains(content)
      else { continue }
      members[id, default: []].append(content)
    }
    for (a, b) in world.insides where model.bool(world.store.apply("sameInside", [a, b], .bool)) == true {
      guard let x = model.value(a), let y = model.value(b), x != y else { continue }
      marks[x] = .int(1)
      marks[y] = .double(1)
    }
    for (value, holds) in world.nans where model.bool(holds) == true {
      if let x = model.value(value), marks[x] == nil { marks[x] = .double(.nan) }
    }
    for (list, place, value) in world.elements {
      guard let id = model.int(list), let i = model.int(place), let content = model.value(value), i >= 0, i < 100 else {
        continue
      }
      places[id, default: [:]][i] = content
    }
  }

  /// - Parameter segmentsInGap: how many segments stand where any number may.
  mutating func build(segmentsInGap: Int) -> Witness? {
    // Whoever asks is named first.
    if model.bool(world.signedIn) == true, let code = model.int(world.uid) { _ = texts.text(code) }
    var segments: [Text] = []
    for (i, segment) in world.path.segments.enumerated() {
      if i == world.path.gap { segments += (0..<segmentsInGap).map { Text("deep\($0)") } }
      guard let code = model.int(segment) else { return nil }
      segments.append(Text(texts.text(code)))
    }
    if world.path.gap == world.path.segments.count { segments += (0..<segmentsInGap).map { Text("deep\($0)") } }
    let path = ResourcePath(database: Text(world.database), segments: segments)
    guard path.isDocument, let method = RequestMethod(rawValue: world.method.rawValue) else { return nil }
    var witness = Witness(
      documents: [:], auth: nil, time: timestamp(model.int(world.time) ?? 0), method: method, path: path, data: nil)
    if model.bool(world.signedIn) == true, let code = model.int(world.uid), let id = model.int(world.token) {
      let uid = texts.text(code)
      var token = map(id, depth: 0)
      for name in ["sub", "user_id"] as [Text] where token[name] != nil { token[name] = .string(uid) }
      witness.auth = Auth(uid: uid, token: token)
    }
    if world.method != .create, case .whole(.map, let id)? = model.value(world.stored) {
      witness.documents[path] = map(id, depth: 0)
    }
    for document in world.documents {
      guard case .whole(.map, let id)? = model.value(document.value) else { continue }
      var segments: [Text] = []
      for segment in document.path {
        guard let code = model.int(segment) else { return nil }
        segments.append(Text(texts.text(code)))
      }
      let other = ResourcePath(database: Text(world.database), segments: segments)
      if other != path { witness.documents[other] = map(id, depth: 0) }
    }
    if world.method == .create || world.method == .update, let id = model.int(world.newData) {
      witness.data = map(id, depth: 0)
    }
    return witness
  }

  /// The fields on which the query of the model filters, as ways through maps.
  mutating func filteredFields() -> [[Text]] {
    guard case .whole(.map, let root)? = model.value(world.stored) else { return [] }
    var ways: [Int64: [Text]] = [root: []]
    var found: [[Text]] = []
    for _ in 0..<4 {
      for (map, key, isSet) in world.filters {
        guard model.bool(isSet) == true, let id = model.int(map), let way = ways[id], let code = model.int(key) else {
          continue
        }
        let field = way + [Text(texts.text(code))]
        if !found.contains(field) { found.append(field) }
        if case .whole(.map, let inner)? = fields[id]?.first(where: { $0.key == code })?.value, ways[inner] == nil {
          ways[inner] = field
        }
      }
    }
    // Of a map within which something is filtered the inner field counts.
    return found.filter { way in !found.contains { $0.count > way.count && Array($0.prefix(way.count)) == way } }
  }

  var queryLimit: Int64? {
    if case .int(let limit)? = model.value(world.store.unknown("query_limit", .value)) { limit } else { nil }
  }

  // MARK: Values

  private mutating func map(_ id: Int64, depth: Int) -> Fields {
    var result: Fields = [:]
    guard depth < 8 else { return result }
    for (key, value) in fields[id] ?? [] { result[Text(texts.text(key))] = data(value, depth: depth + 1) }
    if others.contains(id) { result["another"] = .int(othersDiffer ? id : 0) }
    return result
  }

  private mutating func list(_ id: Int64, depth: Int) -> [DataValue] {
    guard depth < 8 else { return [] }
    let wanted = sizes[id].map { Int(clamping: $0) }
    var items: [DataValue] = []
    var rest = members[id] ?? []
    let given = places[id] ?? [:]
    let count = min(wanted ?? max(rest.count, (given.keys.max() ?? -1) >= 0 ? given.count : 0), 2_000)
    for content in given.filter({ $0.key < count }).values { rest.removeAll { $0 == content } }
    for i in 0..<count {
      if let content = given[Int64(i)] {
        items.append(data(content, depth: depth + 1))
      } else if !rest.isEmpty {
        items.append(data(rest.removeFirst(), depth: depth + 1))
      } else {
        items.append(.string("filler\(i)"))
      }
    }
    return items
  }

  private mutating func data(_ value: Model.Value, depth: Int) -> DataValue {
    switch value {
    case .absent, .null: return .null
    case .bool(let b): return .bool(b)
    case .int(let i): return .int(i)
    case .float(let kind, let number):
      switch kind {
      case FloatKind.nan: return .double(.nan)
      case FloatKind.infinity: return .double(.infinity)
      case FloatKind.minusInfinity: return .double(-.infinity)
      case FloatKind.minusZero: return .double(-0.0)
      default: return .double(number)
      }
    case .whole(let kind, let n):
      switch kind {
      case .string: return .string(texts.text(n))
      case .timestamp: return .timestamp(timestamp(n))
      case .list: return .array(list(n, depth: depth) + (marks[value].map { [$0] } ?? []))
      case .map: return .map(map(n, depth: depth).merging(marks[value].map { ["number": $0] } ?? [:]) { $1 })
      case .bytes: return .bytes(Array("\(n)".utf8))
      case .latlng: return .geoPoint(latitude: Double(n % 90), longitude: 0)
      case .vector: return .vector([Double(n)] + (marks[value] == nil ? [] : [.nan]))
      case .path:
        return .reference(ResourcePath(database: Text(world.database), segments: ["refs", Text("r\(n.magnitude)")]))
      default: return .null
      }
    }
  }

  private func timestamp(_ nanos: Int64) -> Timestamp {
    let (quotient, remainder) = nanos.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0
      ? Timestamp(seconds: quotient - 1, nanos: Int32(remainder + 1_000_000_000))
      : Timestamp(seconds: quotient, nanos: Int32(remainder))
  }
}

import JSON

/// Document data as the Firestore REST interface writes them: `{"integerValue": "1"}`.
extension DataValue {
  /// Key and value by which a map is a vector.
  static let vectorMark = "__vector__"
  static let typeKey: Text = "__type__"
  static let valueKey: Text = "value"

  // MARK: Writing

  /// - Parameter project: named in references.
  public func rest(project: String) -> JSONValue {
    switch self {
    case .null: return ["nullValue": nil]
    case .bool(let b): return ["booleanValue": .bool(b)]
    case .int(let i): return ["integerValue": .string(String(i))]
    case .double(let d): return ["doubleValue": d.isFinite ? .double(d) : .string(JavaDouble.text(d))]
    case .string(let s): return ["stringValue": .string(s)]
    case .bytes(let b): return ["bytesValue": .string(String(decoding: Base64.encode(b), as: UTF8.self))]
    case .timestamp(let t): return ["timestampValue": .string(t.rfc3339)]
    case .geoPoint(let latitude, let longitude):
      return ["geoPointValue": ["latitude": .double(latitude), "longitude": .double(longitude)]]
    case .reference(let path):
      return ["referenceValue": .string("projects/\(project)\(path)")]
    case .array(let items):
      return ["arrayValue": items.isEmpty ? [:] : ["values": .array(items.map { $0.rest(project: project) })]]
    case .map(let fields):
      return ["mapValue": fields.isEmpty ? [:] : ["fields": Self.rest(fields: fields, project: project)]]
    case .vector(let numbers):
      let map: Fields = [
        Self.typeKey: .string(Self.vectorMark), Self.valueKey: .array(numbers.map { .double($0) }),
      ]
      return ["mapValue": ["fields": Self.rest(fields: map, project: project)]]
    }
  }

  /// The `fields` of a document or map, sorted by name.
  public static func rest(fields: Fields, project: String) -> JSONValue {
    var object = JSONObject()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { object[name.string] = value.rest(project: project) }
    return .object(object)
  }

  // MARK: Reading

  /// - Parameters:
  ///   - json: `{"stringValue": "a"}` and its like.
  ///   - path: the place of the JSON, for errors.
  ///   - depth: how deep it lies in others.
  public init(rest json: JSONValue, path: String = "", depth: Int = 0) throws(DataValueError) {
    guard depth < Arena.maximumDataDepth else { throw DataValueError(path: path, reason: "nested too deeply") }
    guard let members = json.objectValue?.members else {
      throw DataValueError(
        path: path, reason: "a value must be an object like {\"stringValue\": …}, not \(json.kind)")
    }
    guard members.count == 1, let member = members.first else {
      throw DataValueError(
        path: path, reason: "a value must have exactly one member like \"stringValue\", not \(members.count)")
    }
    let at = path.isEmpty ? member.key : "\(path).\(member.key)"
    self = try RESTReader(content: member.value, path: at, depth: depth).read(member.key)
  }

  /// The `fields` of a document.
  public static func fields(
    rest json: JSONValue, path: String = "fields", depth: Int = 0
  ) throws(DataValueError) -> Fields {
    guard let members = json.objectValue?.members else {
      throw DataValueError(path: path, reason: "fields must be an object, not \(json.kind)")
    }
    var fields: Fields = [:]
    for member in members {
      fields[Text(member.key)] = try DataValue(
        rest: member.value, path: path.isEmpty ? member.key : "\(path).\(member.key)", depth: depth)
    }
    return fields
  }
}

/// Reads the content of one REST value.
private struct RESTReader {
  let content: JSONValue
  let path: String
  let depth: Int

  func read(_ kind: String) throws(DataValueError) -> DataValue {
    switch kind {
    case "nullValue":
      guard content.isNull || content.stringValue == "NULL_VALUE" || content.intValue == 0 else { throw wrong("null") }
      return .null
    case "booleanValue":
      guard let b = content.boolValue else { throw wrong("true or false") }
      return .bool(b)
    case "integerValue":
      guard let i = content.stringValue.flatMap({ Int64($0) }) ?? content.intValue else {
        throw wrong("an integer of 64 bits, best as a string")
      }
      return .int(i)
    case "doubleValue":
      guard let d = double(content) else { throw wrong("a number, \"NaN\", \"Infinity\" or \"-Infinity\"") }
      return .double(d)
    case "stringValue":
      guard let s = content.stringValue else { throw wrong("a string") }
      return .string(s)
    case "bytesValue":
      guard let b = content.stringValue.flatMap({ Base64.decode($0) }) else { throw wrong("a string in base64") }
      return .bytes(b)
    case "timestampValue":
      guard let t = content.stringValue.flatMap({ Timestamp(rfc3339: $0) }) else {
        throw wrong("a timestamp like \"2026-01-01T00:00:00Z\"")
      }
      return .timestamp(t)
    case "geoPointValue": return try geoPoint()
    case "referenceValue":
      guard let reference = content.stringValue.flatMap({ ResourcePath(resourceName: $0) }) else {
        throw wrong("a name like \"projects/P/databases/(default)/documents/users/alice\"")
      }
      return .reference(reference)
    case "arrayValue":
      guard content.objectValue != nil else { throw wrong("an object {\"values\": […]}") }
      return .array(try items(content["values"]))
    case "mapValue": return try map()
    default: throw DataValueError(path: path, reason: "unknown kind of value")
    }
  }

  private func wrong(_ expected: String) -> DataValueError {
    DataValueError(path: path, reason: "must be \(expected), not \(described(content))")
  }

  private func described(_ json: JSONValue) -> String {
    guard case .string(let s) = json else { return json.kind }
    return "\"\(s.prefix(40))\(s.count > 40 ? "…" : "")\""
  }

  private func double(_ json: JSONValue) -> Double? {
    if let d = json.doubleValue { return d }
    return switch json.stringValue {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }

  private func geoPoint() throws(DataValueError) -> DataValue {
    guard content.objectValue != nil, let latitude = double(content["latitude"] ?? 0),
      let longitude = double(content["longitude"] ?? 0)
    else { throw wrong("an object {\"latitude\": …, \"longitude\": …}") }
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else {
      throw DataValueError(
        path: path, reason: "latitude must be between -90 and 90, longitude between -180 and 180")
    }
    return .geoPoint(latitude: latitude, longitude: longitude)
  }

  private func items(_ json: JSONValue?) throws(DataValueError) -> [DataValue] {
    guard let json else { return [] }
    guard let array = json.arrayValue else {
      throw DataValueError(path: "\(path).values", reason: "must be an array, not \(json.kind)")
    }
    var items: [DataValue] = []
    items.reserveCapacity(array.count)
    for (i, item) in array.enumerated() {
      items.append(try DataValue(rest: item, path: "\(path).values[\(i)]", depth: depth + 1))
    }
    return items
  }

  private func map() throws(DataValueError) -> DataValue {
    guard content.objectValue != nil else { throw wrong("an object {\"fields\": {…}}") }
    guard let json = content["fields"] else { return .map([:]) }
    let fields = try DataValue.fields(rest: json, path: "\(path).fields", depth: depth + 1)
    guard fields[DataValue.typeKey] == .string(DataValue.vectorMark) else { return .map(fields) }
    guard fields.count == 2, case .array(let items) = fields[DataValue.valueKey] else {
      throw DataValueError(path: path, reason: "a vector must have exactly \"__type__\" and an array \"value\"")
    }
    var numbers: [Double] = []
    for (i, item) in items.enumerated() {
      switch item {
      case .double(let d): numbers.append(d)
      case .int(let n): numbers.append(Double(n))
      default:
        throw DataValueError(
          path: "\(path).fields.value.arrayValue.values[\(i)]", reason: "a vector holds numbers only")
      }
    }
    return .vector(numbers)
  }
}

extension ResourcePath {
  /// From `projects/P/databases/D/documents/users/alice`; `nil` for anything else.
  public init?(resourceName: String) {
    let parts = resourceName.split(separator: "/", omittingEmptySubsequences: false).map { Text(String($0)) }
    guard parts.count > 5, parts[0] == "projects", parts[2] == "databases", parts[4] == "documents",
      !parts.contains("")
    else { return nil }
    self.init(database: parts[3], segments: Array(parts[5...]))
  }
}

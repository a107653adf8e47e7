import JSON

extension DataValue {
  /// Data from JSON as people write it: `1` is an int, `1.0` a double, everything else what it looks like. Values
  /// that JSON does not know (timestamps, bytes, references) cannot be written this way.
  public init(plain json: JSONValue, path: String = "", depth: Int = 0) throws(DataValueError) {
    guard depth < Arena.maximumDataDepth else { throw DataValueError(path: path, reason: "nested too deeply") }
    switch json {
    case .null: self = .null
    case .bool(let b): self = .bool(b)
    case .int(let i): self = .int(i)
    case .double(let d): self = .double(d)
    case .string(let s): self = .string(s)
    case .array(let elements):
      var items: [DataValue] = []
      items.reserveCapacity(elements.count)
      for (i, element) in elements.enumerated() {
        items.append(try DataValue(plain: element, path: "\(path)[\(i)]", depth: depth + 1))
      }
      self = .array(items)
    case .object(let object):
      self = .map(try Self.fields(plain: .object(object), path: path, depth: depth + 1))
    }
  }

  /// The fields of a document from a plain JSON object.
  public static func fields(
    plain json: JSONValue, path: String = "", depth: Int = 0
  ) throws(DataValueError) -> Fields {
    guard let members = json.objectValue?.members else {
      throw DataValueError(path: path, reason: "must be an object, not \(json.kind)")
    }
    var fields: Fields = [:]
    for member in members {
      fields[Text(member.key)] = try DataValue(
        plain: member.value, path: path.isEmpty ? member.key : "\(path).\(member.key)", depth: depth)
    }
    return fields
  }
}

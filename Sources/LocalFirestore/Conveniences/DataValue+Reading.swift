import RulesValues

// What is in a value, or nil when it is of another kind: `document["title"]?.stringValue`.

extension DataValue {
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var intValue: Int? { if case .int(let value) = self { Int(exactly: value) } else { nil } }
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  public var bytesValue: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
  public var timestampValue: Timestamp? { if case .timestamp(let value) = self { value } else { nil } }
  public var referenceValue: ResourcePath? { if case .reference(let value) = self { value } else { nil } }
  public var arrayValue: [DataValue]? { if case .array(let value) = self { value } else { nil } }
  public var mapValue: Fields? { if case .map(let value) = self { value } else { nil } }

  /// Of an int too.
  public var doubleValue: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// For messages: `a timestamp`.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a bool"
    case .int: "an int"
    case .double: "a double"
    case .string: "text"
    case .bytes: "bytes"
    case .timestamp: "a timestamp"
    case .geoPoint: "a geo point"
    case .reference: "a reference"
    case .array: "an array"
    case .map: "a map"
    case .vector: "a vector"
    }
  }
}

extension StoredDocument {
  /// The last part of its path.
  public var id: String { path.lastID.string }

  /// The value of a field; `nil` when there is none.
  public subscript(field: String) -> DataValue? { fields[Text(field)] }
}

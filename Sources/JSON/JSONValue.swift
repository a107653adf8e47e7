/// A JSON text as a tree. `1` is an `int`, `1.0` and `1e0` are `double`s, and the two are not equal.
///
/// Strings are compared by their scalars, not by canonical equivalence as Swift does it: `é` in one
/// and in two scalars are different strings, and different member names.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits. `-0` is `0`.
  case int(Int64)
  /// Any other number, integers beyond `Int64` among them.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue: Equatable {
  /// Compares without recursion, so that depth costs no stack.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    var open: [(JSONValue, JSONValue)] = []
    guard equalButForContents(left, right, &open) else { return false }
    while let (left, right) = open.popLast() {
      guard equalButForContents(left, right, &open) else { return false }
    }
    return true
  }

  /// Whether the two may be equal; what they hold, and still has to be compared, is added to `open`.
  private static func equalButForContents(
    _ left: JSONValue, _ right: JSONValue, _ open: inout [(JSONValue, JSONValue)]
  ) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.int(let a), .int(let b)): return a == b
    case (.double(let a), .double(let b)): return a == b
    case (.string(let a), .string(let b)): return a.hasSameScalars(as: b)
    case (.array(let a), .array(let b)):
      guard a.count == b.count else { return false }
      open.append(contentsOf: zip(a, b))
      return true
    case (.object(let a), .object(let b)):
      guard a.count == b.count else { return false }
      for (key, value) in a.members {
        guard let other = b[key] else { return false }
        open.append((value, other))
      }
      return true
    default: return false
    }
  }
}

// Each accessor answers nil for a value of another kind.
extension JSONValue {
  public var isNull: Bool { if case .null = self { true } else { false } }
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var intValue: Int64? { if case .int(let value) = self { value } else { nil } }
  /// The number as a double, be it written `1` or `1.0`.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The member of an object; nil if there is none or this is no object.
  public subscript(key: String) -> JSONValue? { objectValue?[key] }

  /// The element of an array; nil beyond its ends or if this is no array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The kind in plain words, for messages: `a string`, `an object`, …
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Of a name that is given twice the last value counts.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    var object = JSONObject()
    for (key, value) in members { object[key] = value }
    self = .object(object)
  }
}

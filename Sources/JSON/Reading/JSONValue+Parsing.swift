extension JSONValue {
  /// Reads a whole JSON text.
  /// - Throws: at the first thing that RFC 8259 or `limits` do not allow.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// Reads a whole JSON text in UTF-8.
  /// - Throws: at the first thing that RFC 8259 or `limits` do not allow.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    var limits = limits
    limits.maxDepth = min(limits.maxDepth, JSONLimits.deepestValue)
    var reader = try JSONReader(bytes, limits: limits)
    self = try reader.readTree()
    _ = try reader.next()
  }
}

extension JSONReader {
  /// A container that is being filled.
  private enum Unfinished {
    case array([JSONValue])
    case object(JSONObject, name: String, nameOffset: Int)
  }

  /// Reads the next value with all it holds. The open containers are kept in a list and not on the
  /// stack, so that depth costs memory and nothing else.
  ///
  /// For callers who stream through a large text and want a small part of it as a tree; the next
  /// piece must be a value.
  public mutating func readTree() throws(JSONError) -> JSONValue {
    var outer: [Unfinished] = []
    var elements: [JSONValue] = []
    var object = JSONObject()
    var name = ""
    var nameOffset = 0
    var inObject = false

    while true {
      let value: JSONValue
      switch try next() {
      case .null: value = .null
      case .bool(let bool): value = .bool(bool)
      case .int(let int): value = .int(int)
      case .double(let double): value = .double(double)
      case .string: value = .string(string)
      case .key:
        name = string
        nameOffset = token.lowerBound
        continue
      case .beginArray:
        outer.append(inObject ? .object(object, name: name, nameOffset: nameOffset) : .array(elements))
        inObject = false
        elements = []
        continue
      case .beginObject:
        outer.append(inObject ? .object(object, name: name, nameOffset: nameOffset) : .array(elements))
        inObject = true
        object = JSONObject()
        continue
      case .endArray, .endObject:
        value = inObject ? .object(object) : .array(elements)
        switch outer.popLast() {
        case .array(let saved): (elements, inObject) = (saved, false)
        case .object(let saved, let savedName, let savedOffset):
          (object, name, nameOffset, inObject) = (saved, savedName, savedOffset, true)
        case nil: throw error("expected a value", at: token.lowerBound)
        }
      case .end:
        throw error("the text ends; expected a value", at: cursor)
      }

      guard !outer.isEmpty else { return value }
      if !inObject {
        elements.append(value)
      } else if !object.appendIfNew(name, value) {
        guard limits.duplicateKeys == .lastWins else {
          throw error("the object has a second member \(JSONValue.string(name).serialized()); names must differ", at: nameOffset)
        }
        object[name] = value
      }
    }
  }
}

extension JSONValue {
  /// The value as JSON text. A double keeps its point (`1.0`), so that reading the text gives an equal
  /// value; NaN and the infinities, which JSON cannot write, become the strings `"NaN"`, `"Infinity"`
  /// and `"-Infinity"` (`strictlySerialized` refuses them).
  /// - Parameters:
  ///   - pretty: one member or element a line, indented by two spaces.
  ///   - sortedKeys: members in the order of their names' code points, not in their own.
  public func serialized(pretty: Bool = false, sortedKeys: Bool = false) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.value(self, sortedKeys: sortedKeys)
    return writer.text
  }

  /// As `serialized`, for callers who must be able to read the same value back.
  /// - Throws: if a number is not finite. There is no text yet, so the position is line 1, column 1.
  public func strictlySerialized(pretty: Bool = false, sortedKeys: Bool = false) throws(JSONError) -> String {
    if let number = firstNonFinite {
      throw JSONError(line: 1, column: 1, message: "JSON cannot write the number \(number); write a string or null")
    }
    return serialized(pretty: pretty, sortedKeys: sortedKeys)
  }

  private var firstNonFinite: Double? {
    var open = [self]
    while let value = open.popLast() {
      switch value {
      case .double(let number) where !number.isFinite: return number
      case .array(let elements): open += elements.reversed()
      case .object(let object): open += object.values.reversed()
      default: break
      }
    }
    return nil
  }
}

extension JSONWriter {
  /// Writes a whole tree. Members and elements yet to come wait in a list and not on the stack.
  public mutating func value(_ value: JSONValue, sortedKeys: Bool = false) {
    var open: [Unwritten] = []
    var current = value
    while true {
      switch current {
      case .null: null()
      case .bool(let value): bool(value)
      case .int(let value): int(value)
      case .double(let value): double(value)
      case .string(let value): string(value)
      case .array(let elements):
        beginArray()
        open.append(.elements(elements[...]))
      case .object(let object):
        beginObject()
        let members = sortedKeys ? object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : object.members
        open.append(.members(members[...]))
      }
      guard let following = advance(&open) else { return }
      current = following
    }
  }

  private enum Unwritten {
    case elements(ArraySlice<JSONValue>)
    case members(ArraySlice<(key: String, value: JSONValue)>)
  }

  /// Closes what is complete and writes the next member's name; answers the next value.
  private mutating func advance(_ open: inout [Unwritten]) -> JSONValue? {
    while let innermost = open.popLast() {
      switch innermost {
      case .elements(var elements):
        if let next = elements.popFirst() {
          open.append(.elements(elements))
          return next
        }
        endArray()
      case .members(var members):
        if let next = members.popFirst() {
          open.append(.members(members))
          key(next.key)
          return next.value
        }
        endObject()
      }
    }
    return nil
  }
}

extension JSONObject {
  /// The object as JSON text; see `JSONValue.serialized`.
  public func serialized(pretty: Bool = false, sortedKeys: Bool = false) -> String {
    JSONValue.object(self).serialized(pretty: pretty, sortedKeys: sortedKeys)
  }
}

import JSON
import RulesValues

/// Reads the messages of Firestore's REST interface. Whatever is no message at all is `Payload isn't valid for
/// request.`, as the official emulator 1.19.9 says; our note says where.
enum RESTReading {
  static func payload(_ note: String) -> FirestoreError {
    FirestoreError(.invalidArgument, "Payload isn't valid for request.", note: note)
  }

  static func value(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> DataValue {
    let members = json?.objectValue?.members ?? []
    if json == nil || json?.objectValue != nil,
      members.isEmpty || (members.count == 1 && members[0].key != "nullValue" && members[0].value.isNull)
    {
      throw FirestoreError(.invalidArgument, "Cannot convert firestore.v1.Value with type unset.")
    }
    do {
      return try DataValue(rest: json ?? .null, path: place)
    } catch {
      throw payload("\(error)")
    }
  }

  static func fields(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> Fields {
    guard let json, !json.isNull else { return [:] }
    guard let members = json.objectValue?.members else { throw payload("\(place) must be an object.") }
    var fields: Fields = [:]
    for member in members { fields[Text(member.key)] = try value(member.value, "\(place).\(member.key)") }
    return fields
  }

  static func string(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> String? {
    guard let json, !json.isNull else { return nil }
    guard let text = json.stringValue else { throw payload("\(place) must be a string, not \(json.kind).") }
    return text
  }

  static func bool(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> Bool? {
    guard let json, !json.isNull else { return nil }
    guard let value = json.boolValue else { throw payload("\(place) must be true or false, not \(json.kind).") }
    return value
  }

  static func array(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> [JSONValue] {
    guard let json, !json.isNull else { return [] }
    guard let items = json.arrayValue else { throw payload("\(place) must be an array, not \(json.kind).") }
    return items
  }

  /// A number, or its digits in a string.
  static func int(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> Int64? {
    guard let json, !json.isNull else { return nil }
    if let value = json.intValue ?? json.stringValue.flatMap({ Int64($0) }) { return value }
    throw payload("\(place) must be an integer.")
  }

  static func fieldPath(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> FieldPath {
    if let json, json.objectValue == nil { throw payload("\(place) must be an object.") }
    return try FieldPath(protocol: string(json?["fieldPath"], "\(place).fieldPath") ?? "")
  }

  /// The paths of a `DocumentMask`; nil without one.
  static func mask(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> [FieldPath]? {
    guard let json, !json.isNull else { return nil }
    guard json.objectValue != nil else { throw payload("\(place) must be an object.") }
    var mask: [FieldPath] = []
    for path in try array(json["fieldPaths"], "\(place).fieldPaths") {
      mask.append(try FieldPath(protocol: string(path, "\(place).fieldPaths") ?? ""))
    }
    return mask
  }

  /// Of an enumeration, a value by its name or by its number.
  /// - Parameter numbers: the names from number 0 on; that of number 0 means that none is given.
  static func name<Name: RawRepresentable<String>>(
    _ json: JSONValue?, _ place: String, _ numbers: [String]
  ) throws(FirestoreError) -> Name? {
    var json = json
    if let number = json?.intValue {
      guard let i = Int(exactly: number), numbers.indices.contains(i) else {
        throw payload("\(place) is a number from 0 to \(numbers.count - 1).")
      }
      json = .string(numbers[i])
    }
    guard let text = try string(json, place), text != numbers[0] else { return nil }
    guard let name = Name(rawValue: text) else { throw payload("\(place) cannot be \"\(text)\".") }
    return name
  }

  /// - Throws: where an object has a member that its message does not know.
  static func members(_ json: JSONValue, _ known: Set<String>) throws(FirestoreError) {
    guard let members = json.objectValue?.members else { throw payload("The body is \(json.kind), not an object.") }
    for member in members where !known.contains(member.key) {
      throw payload("There is no \"\(member.key)\" in this request; it has \(known.sorted().joined(separator: ", ")).")
    }
  }
}

import JSON
import RulesValues

/// Where the next page of a list begins: behind the last thing of this page. A token holds for the list that it is of.
enum PageToken {
  static let invalid = FirestoreError(.invalidArgument, "invalid page token")
  private static let maximumBytes = 64 << 10

  /// - Parameter list: what is listed, in which order.
  static func text(_ values: [DataValue], of list: String) -> String {
    let json: JSONValue = [
      "list": .string(list), "after": .array(values.map { $0.rest(project: "-") }),
    ]
    return String(decoding: Base64.encode(Array(json.serialized().utf8)), as: UTF8.self)
  }

  /// Nil for what is no token, or one of another list.
  static func values(_ text: String, of list: String) -> [DataValue]? {
    guard text.utf8.count <= maximumBytes, let bytes = Base64.decode(text),
      let json = try? JSONValue(parsing: bytes), json["list"]?.stringValue == list,
      let items = json["after"]?.arrayValue
    else { return nil }
    var values: [DataValue] = []
    for item in items {
      guard let value = try? DataValue(rest: item, path: "after") else { return nil }
      values.append(value)
    }
    return values
  }
}

import JSON
import RulesValues

extension ListRequest {
  /// Why a query in Firestore's REST encoding cannot be read.
  public struct Unreadable: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// A `structuredQuery` in the encoding of Firestore's REST interface. What plays no part in the judgement, such as
  /// cursors, is passed over.
  /// - Throws: `Unreadable`
  public init(
    structuredQuery query: JSONValue, in parent: ResourcePath, auth: Auth?, time: Timestamp
  ) throws(Unreadable) {
    let from = query["from"]?.arrayValue?.first
    try self.init(
      from?["collectionId"]?.stringValue.map { Text($0) }, in: parent,
      allDescendants: from?["allDescendants"]?.boolValue ?? false,
      filter: query["where"].map { json throws(Unreadable) in try QueryFilter(rest: json, depth: 0) },
      auth: auth, time: time)
    for order in query["orderBy"]?.arrayValue ?? [] {
      let isDescending = order["direction"]?.stringValue == "DESCENDING"
      orders.append(Order(try QueryField(rest: order["field"]), isDescending: isDescending))
    }
    limit = try Self.count(query["limit"])
    offset = try Self.count(query["offset"]) ?? 0
    guard let select = query["select"]?["fields"]?.arrayValue else { return }
    var names: [QueryField] = []
    for field in select { names.append(try QueryField(rest: field)) }
    if !names.isEmpty { fields = names }
  }

  /// A number, or one in a box as `{"value": 5}`.
  private static func count(_ json: JSONValue?) throws(Unreadable) -> Int64? {
    guard let json, json != .null else { return nil }
    if let box = json["value"] { return try count(box) }
    guard let count = json.intValue else { throw Unreadable(description: "A limit or offset is no whole number.") }
    return Int64(count)
  }
}

extension QueryFilter {
  fileprivate init(rest json: JSONValue, depth: Int) throws(ListRequest.Unreadable) {
    guard depth < 100 else { throw ListRequest.Unreadable(description: "The filters are nested too deep.") }
    if let composite = json["compositeFilter"] {
      var filters: [QueryFilter] = []
      for filter in composite["filters"]?.arrayValue ?? [] {
        filters.append(try QueryFilter(rest: filter, depth: depth + 1))
      }
      switch composite["op"]?.stringValue {
      case "AND": self = .and(filters)
      case "OR": self = .or(filters)
      default: throw ListRequest.Unreadable(description: "A compositeFilter needs the op AND or OR.")
      }
    } else if let filter = json["fieldFilter"] {
      guard let op = filter["op"]?.stringValue.flatMap({ QueryOperator(rawValue: $0) }) else {
        throw ListRequest.Unreadable(description: "A fieldFilter has no op that is known.")
      }
      guard let encoded = filter["value"], let value = try? DataValue(rest: encoded) else {
        throw ListRequest.Unreadable(description: "A fieldFilter has no value.")
      }
      self = .compare(try QueryField(rest: filter["field"]), op, value)
    } else if let filter = json["unaryFilter"] {
      guard let test = filter["op"]?.stringValue.flatMap({ QueryTest(rawValue: $0) }) else {
        throw ListRequest.Unreadable(description: "A unaryFilter has no op that is known.")
      }
      self = .unary(try QueryField(rest: filter["field"]), test)
    } else {
      throw ListRequest.Unreadable(description: "A filter is none of compositeFilter, fieldFilter and unaryFilter.")
    }
  }
}

extension QueryField {
  /// `{"fieldPath": "a.b"}`; a name that holds dots stands in backquotes.
  fileprivate init(rest json: JSONValue?) throws(ListRequest.Unreadable) {
    guard let text = json?["fieldPath"]?.stringValue, !text.isEmpty else {
      throw ListRequest.Unreadable(description: "A field has no fieldPath.")
    }
    var names: [Text] = []
    var name = ""
    var isQuoted = false
    var escapes = false
    for c in text.unicodeScalars {
      if escapes {
        name.unicodeScalars.append(c)
        escapes = false
      } else if isQuoted, c == "\\" {
        escapes = true
      } else if c == "`" {
        isQuoted.toggle()
      } else if c == ".", !isQuoted {
        names.append(Text(name))
        name = ""
      } else {
        name.unicodeScalars.append(c)
      }
    }
    self.init(names + [Text(name)])
  }
}

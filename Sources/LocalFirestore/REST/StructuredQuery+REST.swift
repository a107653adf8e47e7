import JSON
import RulesValues

extension StructuredQuery {
  /// Reads a `structuredQuery`.
  /// - Parameters:
  ///   - json: the object `structuredQuery`.
  ///   - parent: the document that holds the collection.
  public init(rest json: JSONValue, parent: ResourcePath) throws(FirestoreError) {
    guard json.objectValue != nil else { throw RESTReading.payload("structuredQuery must be an object.") }
    let sources = try RESTReading.array(json["from"], "from")
    guard sources.count <= 1 else {
      throw FirestoreError(
        .invalidArgument, "StructuredQuery.from cannot have more than one collection selector.")
    }
    let id = try RESTReading.string(sources.first?["collectionId"], "collectionId") ?? ""
    self.init(
      collection: id.isEmpty ? nil : Text(id), in: parent,
      allDescendants: try RESTReading.bool(sources.first?["allDescendants"], "allDescendants") ?? false)
    if let filter = json["where"], !filter.isNull { self.filter = try Filter(rest: filter, depth: 0) }
    for item in try RESTReading.array(json["orderBy"], "orderBy") { orders.append(try Order(rest: item)) }
    start = try Self.cursor(json["startAt"])
    end = try Self.cursor(json["endAt"])
    limit = try Self.count(json["limit"], "limit")
    offset = try Self.count(json["offset"], "offset") ?? 0
    if let select = json["select"], !select.isNull {
      var projection: [FieldPath] = []
      for field in try RESTReading.array(select["fields"], "select.fields") {
        projection.append(try RESTReading.fieldPath(field, "select.fields"))
      }
      self.projection = projection
    }
  }

  private static func cursor(_ json: JSONValue?) throws(FirestoreError) -> Cursor? {
    guard let json, !json.isNull else { return nil }
    var values: [DataValue] = []
    for value in try RESTReading.array(json["values"], "values") {
      values.append(try RESTReading.value(value, "values"))
    }
    return Cursor(values, isBefore: try RESTReading.bool(json["before"], "before") ?? false)
  }

  /// A number of 32 bits.
  private static func count(_ json: JSONValue?, _ place: String) throws(FirestoreError) -> Int? {
    guard let number = try RESTReading.int(json, place) else { return nil }
    guard let count = Int32(exactly: number) else { throw RESTReading.payload("\(place) is out of range.") }
    return Int(count)
  }
}

extension StructuredQuery.Order {
  fileprivate enum Direction: String { case ascending = "ASCENDING", descending = "DESCENDING" }

  init(rest json: JSONValue) throws(FirestoreError) {
    let field = try RESTReading.fieldPath(json["field"], "orderBy.field")
    let direction: Direction? = try RESTReading.name(
      json["direction"], "direction", ["DIRECTION_UNSPECIFIED", "ASCENDING", "DESCENDING"])
    self.init(field, isDescending: direction == .descending)
  }
}

extension Filter {
  /// - Parameter depth: of the filters around it.
  init(rest json: JSONValue, depth: Int) throws(FirestoreError) {
    guard depth < DataLaws.maximumDepth else {
      throw FirestoreError(.invalidArgument, "A filter is nested at most \(DataLaws.maximumDepth) deep.")
    }
    guard let members = json.objectValue?.members.filter({ !$0.value.isNull }) else {
      throw RESTReading.payload("A filter must be an object.")
    }
    guard members.count <= 1 else { throw RESTReading.payload("A filter is of one kind.") }
    guard let (kind, content) = members.first else {
      throw FirestoreError(.invalidArgument, "Unknown Filter type.")
    }
    switch kind {
    case "fieldFilter":
      let field = try RESTReading.fieldPath(content["field"], "fieldFilter.field")
      let comparison: Comparison? = try RESTReading.name(content["op"], "op", Self.comparisonNumbers)
      guard let comparison else { throw FirestoreError(.invalidArgument, "Unknown FieldFilter operator.") }
      self = .compare(field, comparison, try RESTReading.value(content["value"], "value"))
    case "unaryFilter":
      let field = try RESTReading.fieldPath(content["field"], "unaryFilter.field")
      let unary: Unary? = try RESTReading.name(content["op"], "op", Self.unaryNumbers)
      guard let unary else { throw FirestoreError(.invalidArgument, "Unknown UnaryFilter operator.") }
      self = .unary(field, unary)
    case "compositeFilter":
      var filters: [Filter] = []
      for item in try RESTReading.array(content["filters"], "filters") {
        filters.append(try Filter(rest: item, depth: depth + 1))
      }
      let op: Composite? = try RESTReading.name(content["op"], "op", ["OPERATOR_UNSPECIFIED", "AND", "OR"])
      switch op {
      case .and: self = .and(filters)
      case .or: self = .or(filters)
      case nil: throw FirestoreError(.invalidArgument, "Unsupported CompositeFilter operator.")
      }
    default: throw RESTReading.payload("There is no filter \"\(kind)\".")
    }
  }

  // As the protocol numbers them.
  private static let comparisonNumbers = [
    "OPERATOR_UNSPECIFIED", "LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "EQUAL",
    "NOT_EQUAL", "ARRAY_CONTAINS", "IN", "ARRAY_CONTAINS_ANY", "NOT_IN",
  ]
  private static let unaryNumbers = ["OPERATOR_UNSPECIFIED", "", "IS_NAN", "IS_NULL", "IS_NOT_NAN", "IS_NOT_NULL"]

  private enum Composite: String { case and = "AND", or = "OR" }
}

extension Aggregation {
  /// Reads the `aggregations` of a `structuredAggregationQuery`. Those without an alias are numbered.
  static func list(rest json: JSONValue?) throws(FirestoreError) -> [Aggregation] {
    var list: [Aggregation] = []
    var unnamed = 0
    for item in try RESTReading.array(json, "aggregations") {
      let kind: Kind
      if let count = item["count"], !count.isNull {
        kind = .count(upTo: try RESTReading.int(count["upTo"], "upTo"))
      } else if let sum = item["sum"], !sum.isNull {
        kind = .sum(try RESTReading.fieldPath(sum["field"], "sum.field"))
      } else if let average = item["avg"], !average.isNull {
        kind = .average(try RESTReading.fieldPath(average["field"], "avg.field"))
      } else {
        throw FirestoreError(.invalidArgument, "Operator field in Aggregation is not set.")
      }
      var alias = try RESTReading.string(item["alias"], "alias") ?? ""
      if alias.isEmpty {
        unnamed += 1
        alias = "field_\(unnamed)"
      }
      list.append(Aggregation(kind, as: Text(alias)))
    }
    return list
  }
}

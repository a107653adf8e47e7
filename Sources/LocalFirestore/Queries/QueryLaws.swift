import RulesValues

/// What Firestore accepts as a query. Messages as observed on the official emulator 1.19.9, which asks the rules
/// after `check` and before `checkPlan`.
enum QueryLaws {
  private static let maximumValues = 30
  private static let maximumExcludedValues = 10
  /// Of a text or bytes that a field is compared with.
  private static let maximumValueBytes = 1500

  static func check(_ query: StructuredQuery) throws(FirestoreError) {
    if let collection = query.collection { try checkCollection(collection.string) }
    for field in query.projection ?? [] { try DataLaws.check(field) }
    if let filter = query.filter {
      try checkDepth(filter, 0)
      try checkNegatives(filter)
      try check(filter)
    }
    try checkOrders(query)
    for cursor in [query.start, query.end] {
      guard cursor?.values.count ?? 0 <= query.orders.count else {
        throw refused("Cursor has too many values.", note: "It has one value at most for each field of the order.")
      }
    }
    if query.limit ?? 0 < 0 { throw refused("limit is negative") }
    if query.offset < 0 { throw refused("offset is negative") }
    if query.isLimitedToLast, query.orders.isEmpty {
      throw refused("limitToLast() queries require specifying at least one orderBy() clause.")
    }
    if let filter = query.filter { try checkTogether(filter) }
    if query.isBelowDocument, !query.isByName {
      throw refused("collection group queries are only allowed at the root parent")
    }
  }

  /// What no index could answer. A query that the rules refuse is not looked at so closely.
  static func checkPlan(_ query: StructuredQuery) throws(FirestoreError) {
    var seen: Set<FieldPath> = []
    for order in query.orders {
      if seen.contains(.documentName) { throw refused("order by clause cannot contain more fields after the key") }
      guard seen.insert(order.field).inserted else {
        throw refused("order by clause cannot contain duplicate fields \(order.field.plain)")
      }
    }
    let inequalities = query.inequalities
    if seen.contains(.documentName), !inequalities.isSubset(of: seen) {
      throw refused("order by clause cannot contain more fields after the key")
    }
    if !inequalities.isEmpty, !inequalities.contains(.documentName),
      query.filter?.leaves.contains(where: \.fixesName) ?? false
    {
      throw refused(
        "Equality on key is not allowed if there are other inequality fields and key does not appear in inequalities.")
    }
    guard query.isByName, query.orders.first?.isDescending == true else { return }
    throw FirestoreError(
      .failedPrecondition,
      query.isBelowDocument
        ? "collection group queries are only allowed if they're at the root or they're an ascending primary key scan"
        : "Firestore does not support descending key scans")
  }

  private static func checkCollection(_ id: String) throws(FirestoreError) {
    if id.utf8.contains(0x2F) { throw refused("Collection id \"\(id)\" is invalid because it contains \"/\".") }
    if DataLaws.isReserved(id) { throw refused("Collection id \"\(id)\" is invalid because it is reserved.") }
  }

  // MARK: Filters

  private static func checkDepth(_ filter: Filter, _ depth: Int) throws(FirestoreError) {
    guard depth < DataLaws.maximumDepth else {
      throw refused("A filter is nested at most \(DataLaws.maximumDepth) deep.")
    }
    switch filter {
    case .and(let filters), .or(let filters):
      for filter in filters { try checkDepth(filter, depth + 1) }
    case .compare, .unary: break
    }
  }

  private static func checkNegatives(_ filter: Filter) throws(FirestoreError) {
    guard filter.leaves.filter(\.isNegative).count <= 1 else {
      throw refused(
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.")
    }
  }

  private static func check(_ filter: Filter) throws(FirestoreError) {
    switch filter {
    case .and(let filters):
      for filter in filters { try check(filter) }
    case .or(let filters):
      guard !filters.isEmpty else { throw refused("Composite filter must have at least one sub-filter.") }
      for filter in filters { try check(filter) }
    case .unary(let field, _):
      try DataLaws.check(field)
      if field.isDocumentName { throw refused("__key__ filter value must be a Key") }
    case .compare(let field, let comparison, let value):
      try DataLaws.check(field)
      let values = try operands(comparison, value)
      guard field.isDocumentName else { return try checkSizes(of: values, field, comparison) }
      if comparison == .arrayContains || comparison == .arrayContainsAny {
        throw refused("the name __key__ is reserved")
      }
      for value in values {
        guard case .reference(let path) = value else { throw refused("__key__ filter value must be a Key") }
        guard path.isDocument else {
          throw refused("A filter of __name__ needs the path of a document, not \"\(path.relative)\".")
        }
      }
    }
  }

  /// The values that a comparison is made with.
  private static func operands(
    _ comparison: Filter.Comparison, _ value: DataValue
  ) throws(FirestoreError) -> [DataValue] {
    guard [.in, .notIn, .arrayContainsAny].contains(comparison) else { return [value] }
    let name = comparison.rawValue
    guard case .array(let items) = value else { throw refused("'\(name)' requires an ArrayValue.") }
    guard !items.isEmpty else { throw refused("'\(name)' requires an non-empty ArrayValue.") }
    let limit = comparison == .notIn ? maximumExcludedValues : maximumValues
    guard items.count <= limit else { throw refused("'\(name)' supports up to \(limit) comparison values.") }
    return items
  }

  private static func checkSizes(
    of values: [DataValue], _ field: FieldPath, _ comparison: Filter.Comparison
  ) throws(FirestoreError) {
    let isOfArray = comparison == .arrayContains || comparison == .arrayContainsAny
    for value in values {
      guard DataLaws.size(of: value) <= maximumValueBytes else {
        throw refused("value for \(field.plain)\(isOfArray ? "[*]" : "") is too large to be used in a query")
      }
    }
  }

  /// Which filters may stand in one query.
  private static func checkTogether(_ filter: Filter) throws(FirestoreError) {
    let leaves = filter.leaves
    let hasNotIn = leaves.contains { $0.comparison == .notIn }
    if hasNotIn,
      holdsOr(filter) || leaves.contains(where: { $0.comparison == .in || $0.comparison == .arrayContainsAny })
    {
      throw refused("'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
    }
    _ = try filter.alternatives()
    for alternative in try filter.withoutRepetitions.alternatives()
    where alternative.filter({ $0.comparison == .arrayContains }).count > 1 {
      throw refused("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
    }
  }

  private static func holdsOr(_ filter: Filter) -> Bool {
    switch filter {
    case .or: true
    case .and(let filters): filters.contains(where: holdsOr)
    case .compare, .unary: false
    }
  }

  // MARK: Orders

  private static func checkOrders(_ query: StructuredQuery) throws(FirestoreError) {
    if query.collection == nil {
      guard query.orders.allSatisfy({ $0.field.isDocumentName && !$0.isDescending }) else {
        throw refused("kind is required for all orders except __key__ ascending")
      }
      if let field = query.filter?.leaves.compactMap(\.field).first(where: { !$0.isDocumentName }) {
        throw refused("kind is required for filter: \(field.plain)")
      }
    }
    for order in query.orders { try DataLaws.check(order.field) }
  }

  private static func refused(_ message: String, note: String? = nil) -> FirestoreError {
    FirestoreError(.invalidArgument, message, note: note)
  }
}

extension StructuredQuery {
  /// A collection group below a document.
  var isBelowDocument: Bool { allDescendants && collection != nil && !parent.segments.isEmpty }

  /// Neither its filters nor its orders ask for anything but the name.
  fileprivate var isByName: Bool {
    orders.allSatisfy(\.field.isDocumentName) && filter?.leaves.allSatisfy { $0.field?.isDocumentName == true } ?? true
  }
}

extension FieldPath {
  /// The names with dots between them, as messages show them.
  var plain: String { names.map(\.string).joined(separator: ".") }
}

extension Filter {
  fileprivate var comparison: Comparison? { if case .compare(_, let comparison, _) = self { comparison } else { nil } }

  /// Names the documents that may be results.
  fileprivate var fixesName: Bool { field?.isDocumentName == true && (comparison == .equal || comparison == .in) }

  fileprivate var isNegative: Bool {
    switch self {
    case .compare(_, let comparison, _): comparison == .notEqual || comparison == .notIn
    case .unary(_, let unary): unary == .isNotNull || unary == .isNotNaN
    case .and, .or: false
    }
  }
}

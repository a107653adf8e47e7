import RulesValues

/// A figure about the results of a query.
public struct Aggregation: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// How many there are, counted no further than `upTo`.
    case count(upTo: Int64? = nil)
    /// Of the numbers in a field: an int if all are and the sum fits, else a double. Nothing makes 0.
    case sum(FieldPath)
    /// Of the numbers in a field: a double, or null if there are none.
    case average(FieldPath)
  }

  public var kind: Kind
  public var alias: Text

  public init(_ kind: Kind, as alias: Text) {
    self.kind = kind
    self.alias = alias
  }

  private static let maximumCount = 5

  /// - Throws: INVALID_ARGUMENT. Messages as observed on the official emulator 1.19.9.
  static func check(_ aggregations: [Aggregation]) throws(FirestoreError) {
    guard !aggregations.isEmpty else { throw FirestoreError(.invalidArgument, "Aggregations can not be empty.") }
    guard aggregations.count <= maximumCount else {
      throw FirestoreError(.invalidArgument, "A query has at most \(maximumCount) aggregations.")
    }
    var seen: Set<Text> = []
    for aggregation in aggregations {
      if case .count(let limit?) = aggregation.kind, limit < 0 {
        throw FirestoreError(
          .invalidArgument, "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.")
      }
      if let field = aggregation.field {
        try DataLaws.check(field)
        if field.isDocumentName {
          throw FirestoreError(.invalidArgument, "Aggregations are not supported for the property: __key__")
        }
      }
      if DataLaws.isReserved(aggregation.alias.string) {
        throw FirestoreError(.invalidArgument, "The property.name \"\(aggregation.alias)\" is reserved.")
      }
      guard seen.insert(aggregation.alias).inserted else {
        throw FirestoreError(
          .invalidArgument, "Aggregation aliases contain duplicate alias: \(aggregation.alias).")
      }
    }
  }

  /// Whatever is summed must lie in the index that the order needs, and nothing lies behind the document's name.
  static func checkOrder(_ aggregations: [Aggregation], of query: StructuredQuery) throws(FirestoreError) {
    guard query.ordersByNameEarly else { return }
    var fields: [FieldPath] = []
    for field in aggregations.compactMap(\.field) where !fields.contains(field) {
      if !query.orders.contains(where: { $0.field == field }), !query.inequalities.contains(field) {
        fields.append(field)
      }
    }
    guard !fields.isEmpty else { return }
    throw FirestoreError(
      .invalidArgument,
      "This query requires an index that has fields [\(fields.map(\.plain).joined(separator: ", "))] after __name__ "
        + "and Firestore does not currently support such an index. Please try the query again with additional ordering "
        + "on those fields.")
  }

  var field: FieldPath? {
    switch kind {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }

  /// The figure of these documents.
  func value(of documents: [StoredDocument]) -> DataValue {
    switch kind {
    case .count(let limit): return .int(min(Int64(documents.count), limit ?? .max))
    case .sum(let field): return Self.total(documents, field).sum.value
    case .average(let field):
      let (sum, count) = Self.total(documents, field)
      return count == 0 ? .null : .double(sum.double / Double(count))
    }
  }

  private static func total(_ documents: [StoredDocument], _ field: FieldPath) -> (sum: ExactSum, count: Int) {
    var sum = ExactSum()
    var count = 0
    for document in documents {
      switch document.fields[at: field] {
      case .int(let i): sum.add(i)
      case .double(let d): sum.add(d)
      default: continue
      }
      count += 1
    }
    return (sum, count)
  }
}

extension StructuredQuery {
  /// The document's name is a part of the order by its own right, not just as what tells equals apart.
  fileprivate var ordersByNameEarly: Bool {
    (allDescendants && !parent.segments.isEmpty) || orders.contains(where: \.field.isDocumentName)
      || filter?.leaves.contains { $0.field?.isDocumentName == true } ?? false
  }
}

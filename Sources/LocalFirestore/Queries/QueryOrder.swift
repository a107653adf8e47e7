import RulesValues

/// The order of a query's results: what it asks for, then the fields of its inequalities, then the document's path.
struct QueryOrder {
  let orders: [StructuredQuery.Order]
  private let start: [UInt8]?
  private let end: [UInt8]?
  private let startIsBefore: Bool
  private let endIsBefore: Bool

  /// - Parameter aggregated: the fields of sums and averages, which the results must have and by which they are sorted.
  init(_ query: StructuredQuery, aggregating aggregated: [FieldPath] = []) {
    let orders = Self.complete(query, aggregated)
    self.orders = orders
    start = query.start.map { Self.key($0.values, orders) }
    end = query.end.map { Self.key($0.values, orders) }
    startIsBefore = query.start?.isBefore ?? true
    endIsBefore = query.end?.isBefore ?? false
  }

  /// With the implicit orders, which follow the direction of the last explicit one: the fields of inequalities by
  /// name, those of aggregations by name, the document (observed on the official emulator 1.19.9).
  private static func complete(_ query: StructuredQuery, _ aggregated: [FieldPath]) -> [StructuredQuery.Order] {
    var orders = query.orders
    let isDescending = orders.last?.isDescending ?? false
    let implicit = [query.inequalities.subtracting([.documentName]), Set(aggregated)].flatMap { fields in
      fields.sorted { $0.names.lexicographicallyPrecedes($1.names) }
    }
    for field in implicit + [.documentName]
    where !orders.contains(where: { $0.field == field || $0.field.isDocumentName }) {
      orders.append(StructuredQuery.Order(field, isDescending: isDescending))
    }
    return orders
  }

  /// Bytes that sort a document among the results; `nil`: it lacks a field of the order, and is none.
  func key(_ document: StoredDocument) -> [UInt8]? {
    var key: [UInt8] = []
    for order in orders {
      guard let value = document.value(at: order.field) else { return nil }
      Self.append(value, order, to: &key)
    }
    return key
  }

  private static func key(_ values: [DataValue], _ orders: [StructuredQuery.Order]) -> [UInt8] {
    var key: [UInt8] = []
    for (value, order) in zip(values, orders) { append(value, order, to: &key) }
    return key
  }

  private static func append(_ value: DataValue, _ order: StructuredQuery.Order, to key: inout [UInt8]) {
    let bytes = KeyBytes(value).bytes
    key += order.isDescending ? bytes.map { ~$0 } : bytes
  }

  enum Place { case before, within, behind }

  /// Where a document lies with regard to the cursors.
  func place(_ key: [UInt8]) -> Place {
    if let start {
      let isAt = key.starts(with: start)
      if isAt ? !startIsBefore : [UInt8].compare(key, start) < 0 { return .before }
    }
    if let end {
      let isAt = key.starts(with: end)
      if isAt ? endIsBefore : [UInt8].compare(key, end) > 0 { return .behind }
    }
    return .within
  }
}

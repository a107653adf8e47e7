import RulesValues

extension StructuredQuery {
  /// Adds a filter; all of them must hold.
  public func `where`(_ filter: Filter) -> StructuredQuery {
    var query = self
    switch query.filter {
    case nil: query.filter = filter
    case .and(let filters): query.filter = .and(filters + [filter])
    case let other?: query.filter = .and([other, filter])
    }
    return query
  }

  /// Adds a comparison. Names with dots lead into maps: `address.city`.
  public func `where`(_ field: FieldPath, _ comparison: Filter.Comparison, _ value: DataValue) -> StructuredQuery {
    self.where(.field(field, comparison, value))
  }

  /// Adds an order; those given before weigh more.
  public func order(by field: FieldPath, descending: Bool = false) -> StructuredQuery {
    var query = self
    query.orders.append(Order(field, isDescending: descending))
    return query
  }

  public func limit(_ count: Int) -> StructuredQuery {
    var query = self
    query.limit = count
    query.isLimitedToLast = false
    return query
  }

  /// The last results instead of the first, in the same order. Needs an order.
  public func limitToLast(_ count: Int) -> StructuredQuery {
    var query = self
    query.limit = count
    query.isLimitedToLast = true
    return query
  }

  public func offset(_ count: Int) -> StructuredQuery {
    var query = self
    query.offset = count
    return query
  }

  /// From here on, what has these values included.
  public func start(at values: DataValue...) -> StructuredQuery { starting(Cursor(values, isBefore: true)) }
  /// From here on, without what has these values.
  public func start(after values: DataValue...) -> StructuredQuery { starting(Cursor(values, isBefore: false)) }
  /// Up to here, what has these values included.
  public func end(at values: DataValue...) -> StructuredQuery { ending(Cursor(values, isBefore: false)) }
  /// Up to here, without what has these values.
  public func end(before values: DataValue...) -> StructuredQuery { ending(Cursor(values, isBefore: true)) }

  /// These fields only; none: the names of the documents only.
  public func select(_ fields: FieldPath...) -> StructuredQuery {
    var query = self
    query.projection = fields
    return query
  }

  private func starting(_ cursor: Cursor) -> StructuredQuery {
    var query = self
    query.start = cursor
    return query
  }

  private func ending(_ cursor: Cursor) -> StructuredQuery {
    var query = self
    query.end = cursor
    return query
  }
}

extension FieldPath: ExpressibleByStringLiteral {
  /// Names separated by dots, as `init(parsing:)` reads them. What that would refuse is one name as it stands.
  public init(stringLiteral text: String) {
    self = (try? FieldPath(parsing: text)) ?? FieldPath(names: [Text(text)])
  }
}

extension DataValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: DataValue...) { self = .array(elements) }
  /// Of a name that is given twice the last value counts.
  public init(dictionaryLiteral members: (Text, DataValue)...) {
    self = .map(Dictionary(members, uniquingKeysWith: { $1 }))
  }
}

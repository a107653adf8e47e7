import LocalFirestore
import RulesSyntax
import RulesValues

extension DataBuilder {
  /// The query of a step. Counts, sums and averages are judged as the query they are about.
  /// - Parameter users: the names that are no fields.
  func query(_ declaration: QueryDeclaration, users: [String]) throws(TestMistake) -> StructuredQuery {
    var segments = declaration.path.segments
    let isGroup = if case .glob? = segments.first?.kind { true } else { false }
    if isGroup { segments.removeFirst() }
    let path = try path(PathSyntax(segments: segments, range: declaration.path.range))
    var query = StructuredQuery(
      collection: path.segments.last, in: ResourcePath(database: path.database, segments: path.segments.dropLast()),
      allDescendants: isGroup)
    query.filter = try declaration.filter.map { (filter) throws(TestMistake) in
      try self.filter(filter, users, path.database)
    }
    for order in declaration.orders {
      query.orders.append(.init(try order.field.fieldPath(), isDescending: order.isDescending))
    }
    query.limit = try declaration.limit.map { (number) throws(TestMistake) in try count(number, "limit", from: 1) }
    query.offset =
      try declaration.offset.map { (number) throws(TestMistake) in try count(number, "offset", from: 0) } ?? 0
    return query
  }

  private func count(_ expression: Expression, _ word: String, from least: Int64) throws(TestMistake) -> Int {
    guard case .int(let number) = try value(expression), number >= least, number <= Int64(Int32.max) else {
      throw TestMistake("wrong-count", expression.range, "'\(word)' takes a whole number from \(least) on.")
    }
    return Int(number)
  }

  // Depth is bounded by the parser.
  private func filter(_ syntax: FilterSyntax, _ users: [String], _ database: Text) throws(TestMistake) -> Filter {
    switch syntax {
    case .all(let parts):
      var filters: [Filter] = []
      for part in parts { filters.append(try filter(part, users, database)) }
      return .and(filters)
    case .any(let parts):
      var filters: [Filter] = []
      for part in parts { filters.append(try filter(part, users, database)) }
      return .or(filters)
    case .comparison(let comparison):
      let term = try FilterTerm(comparison, users: users)
      return .field(term.field, term.operator, try value(term.value))
    }
  }
}

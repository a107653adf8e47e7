import RulesSyntax

extension TestParser {
  /// `list /users/alice/lists where items < 10 order by title desc limit 20`
  mutating func parseQuery() -> QueryDeclaration? {
    var aggregates: [Aggregate] = []
    if !takeWord("list") {
      repeat {
        guard let aggregate = parseAggregate() else { return nil }
        aggregates.append(aggregate)
      } while parser.take(.comma) != nil
    }
    guard let path = parsePath(inPattern: false, inQuery: true) else { return nil }
    if token.kind == .leftBrace {
      report("unexpected-data", token.range, "A query takes no data.")
      return nil
    }
    var filter: FilterSyntax?
    if takeWord("where") {
      guard let parsed = parseAlternatives(depth: 0) else { return nil }
      filter = parsed
    }
    guard let orders = parseOrders() else { return nil }
    var limit: Expression?
    if takeWord("limit") {
      guard let number = parser.parseDataOperand() else { return nil }
      limit = number
    }
    var offset: Expression?
    if takeWord("offset") {
      guard let number = parser.parseDataOperand() else { return nil }
      offset = number
    }
    if ["where", "order", "limit", "offset"].contains(where: { isWord($0) }) {
      report(
        "misplaced-query", token.range,
        "'\(word)' stands out of order: where, order by, limit, offset, each at most once.")
      return nil
    }
    return QueryDeclaration(
      aggregates: aggregates, path: path, filter: filter, orders: orders, limit: limit, offset: offset)
  }

  /// `count`, `sum(items)`
  private mutating func parseAggregate() -> Aggregate? {
    guard let kind = Aggregate.Kind(rawValue: word) else {
      expected("\(Suggestion.alternatives(Aggregate.words))")
      return nil
    }
    let first = parser.advance()
    if kind == .count {
      if token.kind == .leftParenthesis {
        report("unexpected-data", token.range, "'count' takes no field: it counts documents.")
        return nil
      }
      return Aggregate(kind: kind, field: nil, range: first.range)
    }
    guard expect(.leftParenthesis, "'(' and the name of a field: \(kind.rawValue)(items)") else { return nil }
    guard let field = parser.parseDataOperand(), expect(.rightParenthesis, "')'") else { return nil }
    return Aggregate(kind: kind, field: field, range: SourceRange(first.start, previousEnd))
  }

  /// `order by title desc, age`
  private mutating func parseOrders() -> [QueryDeclaration.Order]? {
    guard takeWord("order") else { return [] }
    guard takeWord("by") else {
      expected("'by' and the name of a field: order by title")
      return nil
    }
    var orders: [QueryDeclaration.Order] = []
    repeat {
      guard let field = parser.parseDataOperand() else { return nil }
      let isDescending = takeWord("desc")
      if !isDescending { _ = takeWord("asc") }
      orders.append(QueryDeclaration.Order(field: field, isDescending: isDescending))
    } while parser.take(.comma) != nil
    return orders
  }

  // MARK: Filters

  /// Nesting of parentheses in a filter. Firestore's own limits are far below.
  private static let deepestFilter = 50

  /// `a == 1 || b == 2`
  private mutating func parseAlternatives(depth: Int) -> FilterSyntax? {
    parseSeries(.or, { .any($0) }) { $0.parseSeries(.and, { .all($0) }) { $0.parseCondition(depth: depth) } }
  }

  private mutating func parseSeries(
    _ separator: Token.Kind, _ join: ([FilterSyntax]) -> FilterSyntax, _ parse: (inout TestParser) -> FilterSyntax?
  ) -> FilterSyntax? {
    guard let first = parse(&self) else { return nil }
    var parts = [first]
    while parser.take(separator) != nil {
      guard let next = parse(&self) else { return nil }
      parts.append(next)
    }
    return parts.count == 1 ? first : join(parts)
  }

  /// One comparison, or a filter in parentheses. Which of them a parenthesis opens is seen from what follows it.
  private mutating func parseCondition(depth: Int) -> FilterSyntax? {
    guard token.kind == .leftParenthesis, holdsFilter else { return parseComparison() }
    guard depth < Self.deepestFilter else {
      report("filter-too-deep", token.range, "This filter is nested more than \(Self.deepestFilter) deep.")
      return nil
    }
    parser.advance()
    guard let inner = parseAlternatives(depth: depth + 1), expect(.rightParenthesis, "')'") else { return nil }
    return inner
  }

  /// Whether the parenthesis here encloses comparisons, rather than a value that is computed.
  private var holdsFilter: Bool {
    var outermost = 0
    while parser.peek(outermost).kind == .leftParenthesis { outermost += 1 }
    var depth = 0
    for token in parser.tokens[parser.index...] {
      switch token.kind {
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace:
        depth -= 1
        if depth == 0 { return false }
      case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .and, .or:
        if depth <= outermost { return true }
      case .identifier: if depth <= outermost, ["not", "hasAny"].contains(parser.text(token)) { return true }
      case .semicolon, .endOfFile: return false
      default: break
      }
    }
    return false
  }

  private mutating func parseComparison() -> FilterSyntax? {
    guard let left = parser.parseDataOperand() else { return nil }
    if case .methodCall(let list, let method, let arguments) = left.kind, method.text == "hasAny", arguments.count == 1 {
      let range = SourceRange(left.range.start, previousEnd)
      return .comparison(FilterComparison(left: list, operator: .hasAny, right: arguments[0], range: range))
    }
    guard let comparison = parseOperator() else {
      expected("a comparison: == != < <= > >= in, not in")
      return nil
    }
    guard let right = parser.parseDataOperand() else { return nil }
    return .comparison(
      FilterComparison(
        left: left, operator: comparison, right: right, range: SourceRange(left.range.start, right.range.end)))
  }

  private mutating func parseOperator() -> FilterComparison.Operator? {
    if isWord("not"), parser.peek(1).kind == .in {
      parser.advance()
      parser.advance()
      return .notIn
    }
    guard token.kind != .string, let comparison = FilterComparison.Operator(rawValue: word), comparison != .hasAny else {
      return nil
    }
    parser.advance()
    return comparison
  }
}

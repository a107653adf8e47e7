extension Parser {
  /// A literal, name, call, list, map, path, or an expression in parentheses.
  mutating func parsePrimary() -> Built? {
    let token = peek()
    switch token.kind {
    case .null:
      return literal(.null)
    case .true:
      return literal(.bool(true))
    case .false:
      return literal(.bool(false))
    case .integer:
      guard let value = Literals.magnitude(bytes(token)), let int = Int64(exactly: value) else {
        reportLate("invalid-number", token.range, "Invalid number literal \(text(token)).")
        return literal(.int(0))
      }
      return literal(.int(int))
    case .float:
      return literal(.float(Literals.float(bytes(token))))
    case .string:
      return literal(.string(Literals.unescape(bytes(token).dropFirst().dropLast(), asBytes: false) ?? []))
    case .bytes:
      guard let value = Literals.unescape(bytes(token).dropFirst(2).dropLast(), asBytes: true) else {
        reportLate("invalid-bytes", token.range, "Invalid bytes literal \(text(token)).")
        return literal(.bytes([]))
      }
      return literal(.bytes(value))
    case .unpairedSingleQuote, .unpairedDoubleQuote:
      foresee(token)
      return literal(.string([]))
    case .identifier:
      advance()
      guard take(.leftParenthesis) != nil else {
        return build(.identifier(text(token)), token.start, token.end, anchor: token.range, 0)
      }
      guard let (arguments, height) = parseList(.rightParenthesis) else { return nil }
      return build(
        .call(name(token), arguments), token.start, arguments.last?.range.end ?? token.end, anchor: token.range,
        height)
    case .leftParenthesis:
      return parseParenthesized()
    case .leftBracket:
      advance()
      guard let (items, height) = parseList(.rightBracket) else { return nil }
      return build(.list(items), token.start, items.last?.range.end ?? token.end, anchor: token.range, height)
    case .leftBrace:
      return parseMap()
    case .slash, .pathSegment:
      return parsePath()
    default:
      unexpected()
      return nil
    }
  }

  private mutating func literal(_ kind: Expression.Kind) -> Built? {
    let token = advance()
    return build(kind, token.start, token.end, anchor: token.range, 0)
  }

  private mutating func parseParenthesized() -> Built? {
    let open = advance()
    guard let inner = parseTernary(), expect(.rightParenthesis) != nil else { return nil }
    let e = inner.expression
    var end = e.range.end
    if e.isSingleToken { end = open.end }
    // Parentheses count for the depth law, so they count here as well.
    let height = inner.height + 1
    if height > DepthLaw.suspiciousHeight { sawDeepTree = true }
    let outer = Expression(
      e.kind, range: SourceRange(open.start, end), anchor: e.anchor, id: e.id, parentheses: e.parentheses + 1,
      rangeInsideParenthesis: e.range)
    return Built(expression: outer, height: height)
  }

  private mutating func parseMap() -> Built? {
    let open = advance()
    var entries: [Expression.MapEntry] = []
    var height = 0
    while take(.rightBrace) == nil {
      guard let key = bareKeys ? parseDataKey() : parseTernary(), expect(.colon) != nil, let value = parseTernary()
      else { return nil }
      entries.append(Expression.MapEntry(key: key.expression, value: value.expression))
      height = max(height, key.height, value.height)
      if take(.comma) != nil { continue }
      guard expect(.rightBrace) != nil else { return nil }
      break
    }
    return build(
      .map(entries), open.start, entries.last?.value.range.end ?? open.end, anchor: open.range, height)
  }
}

extension Expression {
  /// Whether the official compiler knows only the first token of the node: then parentheses hide the rest of it.
  var isSingleToken: Bool {
    switch kind {
    case .null, .bool, .int, .float, .string, .bytes: true
    case .list(let items): items.isEmpty
    case .map(let entries): entries.isEmpty
    default: false
    }
  }
}

extension Parser {
  /// A literal, name, call, list, map, path, or an expression in parentheses.
  mutating func parsePrimary() -> Built? {
    switch kind {
    case .identifier: parseName()
    case .leftParenthesis: parseParenthesized()
    case .leftBracket: parseListLiteral()
    case .leftBrace: parseMap()
    case .slash, .pathSegment: parsePath()
    default: parseLiteral()
    }
  }

  private mutating func parseName() -> Built? {
    let at = index
    advance()
    guard kind == .leftParenthesis else { return makeIdentifier(at) }
    advance()
    guard let list = parseList(.rightParenthesis) else { return nil }
    return makeCall(at, list)
  }

  private mutating func makeIdentifier(_ at: Int) -> Built? {
    let token = tokens[at]
    return build(.identifier(text(token)), token.start, token.end, anchor: token.range, 0)
  }

  private mutating func makeCall(_ at: Int, _ list: BuiltList) -> Built? {
    let token = tokens[at]
    return build(
      .call(name(token), list.items), token.start, list.items.last?.range.end ?? token.end, anchor: token.range,
      list.height)
  }

  private mutating func parseListLiteral() -> Built? {
    let at = index
    advance()
    guard let list = parseList(.rightBracket) else { return nil }
    return makeList(at, list)
  }

  private mutating func makeList(_ at: Int, _ list: BuiltList) -> Built? {
    let token = tokens[at]
    return build(
      .list(list.items), token.start, list.items.last?.range.end ?? token.end, anchor: token.range, list.height)
  }

  private mutating func parseLiteral() -> Built? {
    let token = peek()
    switch token.kind {
    case .null: return literal(.null)
    case .true: return literal(.bool(true))
    case .false: return literal(.bool(false))
    case .integer:
      guard let value = Literals.magnitude(bytes(token)), let int = Int64(exactly: value) else {
        reportLate("invalid-number", token.range, "Invalid number literal \(text(token)).")
        return literal(.int(0))
      }
      return literal(.int(int))
    case .float: return literal(.float(Literals.float(bytes(token))))
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
    let at = index
    advance()
    guard let inner = parseTernary(), take(orReport: .rightParenthesis) else { return nil }
    return parenthesize(at, inner)
  }

  private mutating func parenthesize(_ at: Int, _ inner: Built) -> Built {
    let e = inner.expression
    let open = tokens[at]
    let end = e.isSingleToken ? open.end : e.range.end
    // Parentheses count for the depth law, so they count here as well.
    let height = inner.height + 1
    if height > DepthLaw.suspiciousHeight { sawDeepTree = true }
    let outer = Expression(
      e.kind, range: SourceRange(open.start, end), anchor: e.anchor, id: e.id, parentheses: e.parentheses + 1,
      rangeInsideParenthesis: e.range)
    return Built(expression: outer, height: height)
  }

  private mutating func parseEntry() -> BuiltEntry? {
    guard let key = bareKeys ? parseDataKey() : parseTernary(), take(orReport: .colon), let value = parseTernary()
    else { return nil }
    return BuiltEntry(key: key, value: value)
  }

  private struct BuiltEntry {
    var key: Built
    var value: Built
  }

  private struct BuiltEntries {
    var entries: [Expression.MapEntry] = []
    var height = 0

    mutating func append(_ entry: BuiltEntry) {
      entries.append(Expression.MapEntry(key: entry.key.expression, value: entry.value.expression))
      height = max(height, entry.key.height, entry.value.height)
    }
  }

  private mutating func parseMap() -> Built? {
    let at = index
    advance()
    var map = BuiltEntries()
    while kind != .rightBrace {
      guard let entry = parseEntry() else { return nil }
      map.append(entry)
      if kind == .comma {
        advance()
      } else if kind != .rightBrace {
        unexpected()
        return nil
      }
    }
    advance()
    return makeMap(at, map)
  }

  private mutating func makeMap(_ at: Int, _ map: BuiltEntries) -> Built? {
    let open = tokens[at]
    return build(
      .map(map.entries), open.start, map.entries.last?.value.range.end ?? open.end, anchor: open.range, map.height)
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

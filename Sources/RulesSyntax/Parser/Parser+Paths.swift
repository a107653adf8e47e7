extension Parser {
  /// A path as an expression.
  mutating func parsePath() -> Built? {
    let first = peek()
    guard let parsed = parseSegments(inPattern: false) else { return nil }
    return build(.path(parsed.segments), first.start, parsed.contentEnd, anchor: first.range, parsed.height)
  }

  /// The segments of a path up to the first token that is none. `inPattern` says whether it is the pattern of a
  /// match, where `$(…)` may not stand. `nil` after an error.
  public mutating func parsePathSegments(inPattern: Bool) -> [Expression.PathSegment]? {
    strictly { $0.parseSegments(inPattern: inPattern)?.segments }
  }

  struct Segments {
    var segments: [Expression.PathSegment] = []
    /// The end of the last token that carries meaning: officially the end of the path.
    var contentEnd: SourcePosition
    var height = 0
    /// Whether a slash stood alone.
    var strays = false
  }

  private func isCapture(at ahead: Int) -> Bool {
    peek(ahead).kind == .identifier && (peek(ahead + 1).kind == .rightBrace || peek(ahead + 1).kind == .assign)
  }

  mutating func parseSegments(inPattern: Bool) -> Segments? {
    var result = Segments(contentEnd: peek().start)
    while true {
      switch nextSegment(inPattern, result) {
      case .none:
        if result.segments.isEmpty, !result.strays {
          unexpected()
          return nil
        }
        return result
      case .literal: takeLiteral(&result)
      case .capture: guard parseCapture(&result) else { return nil }
      case .interpolation:
        guard parseInterpolation(&result) else { return nil }
      case .stray:
        foresee(advance())
        result.strays = true
      }
    }
  }

  private mutating func parseInterpolation(_ result: inout Segments) -> Bool {
    let at = index
    for _ in 0..<3 { advance() }
    guard let inner = parseTernary(), take(orReport: .rightParenthesis) else { return false }
    add(inner, at, &result)
    return true
  }

  private enum NextSegment { case none, literal, capture, interpolation, stray }

  private func nextSegment(_ inPattern: Bool, _ result: Segments) -> NextSegment {
    switch kind {
    case .pathSegment: return .literal
    case .slash: break
    default: return .none
    }
    if peek(1).kind == .leftBrace, isCapture(at: 2) { return .capture }
    if inPattern { return .stray }
    if peek(1).kind == .dollar, peek(2).kind == .leftParenthesis { return .interpolation }
    // Behind a path a slash before an operand divides.
    return !result.segments.isEmpty && startsOperand(peek(1).kind) ? .none : .stray
  }

  private mutating func takeLiteral(_ result: inout Segments) {
    let token = advance()
    result.segments.append(.init(.literal(Literals.segment(bytes(token))), range: token.range))
    result.contentEnd = token.end
  }

  private mutating func add(_ inner: Built, _ at: Int, _ result: inout Segments) {
    result.segments.append(
      .init(.interpolation(inner.expression), range: SourceRange(tokens[at].start, previousEnd)))
    result.contentEnd = inner.expression.range.end
    result.height = max(result.height, inner.height)
  }

  private func startsOperand(_ kind: Token.Kind) -> Bool {
    switch kind {
    case .identifier, .null, .true, .false, .integer, .float, .string, .bytes, .unpairedSingleQuote,
      .unpairedDoubleQuote, .leftParenthesis, .leftBracket, .leftBrace, .minus, .not, .increment, .decrement:
      true
    default: false
    }
  }

  /// `{name}`, `{name=*}` or `{name=**}` behind the slash.
  private mutating func parseCapture(_ result: inout Segments) -> Bool {
    let slash = advance()
    advance()
    guard let token = expect(.identifier) else { return false }
    var glob = false
    if take(.assign) != nil {
      glob = kind == .doubleStar
      guard glob ? advance().kind == .doubleStar : expect(.star) != nil else { return false }
    }
    guard let close = expect(.rightBrace) else { return false }
    result.segments.append(
      .init(glob ? .glob(name(token)) : .capture(name(token)), range: SourceRange(slash.start, close.end)))
    result.contentEnd = token.end
    return true
  }
}

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
      let token = peek()
      switch token.kind {
      case .pathSegment:
        advance()
        result.segments.append(.init(.literal(Literals.segment(bytes(token))), range: token.range))
        result.contentEnd = token.end
      case .slash:
        switch peek(1).kind {
        case .leftBrace where isCapture(at: 2):
          advance()
          guard parseCapture(token, &result) else { return nil }
        case .dollar where !inPattern && peek(2).kind == .leftParenthesis:
          advance()
          advance()
          advance()
          guard let inner = parseTernary(), let close = expect(.rightParenthesis) else { return nil }
          result.segments.append(
            .init(.interpolation(inner.expression), range: SourceRange(token.start, close.end)))
          result.contentEnd = inner.expression.range.end
          result.height = max(result.height, inner.height)
        default:
          foresee(advance())
          result.strays = true
        }
      default:
        if result.segments.isEmpty && !result.strays {
          unexpected()
          return nil
        }
        return result
      }
    }
  }

  /// `{name}`, `{name=*}` or `{name=**}` behind the slash.
  private mutating func parseCapture(_ slash: Token, _ result: inout Segments) -> Bool {
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

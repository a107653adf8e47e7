/// The maps of the test language, which differ from those of the rules language in one thing: a bare word before
/// the colon is a key, and an expression that computes one stands in parentheses.
extension Parser {
  /// An expression in whose maps bare words are keys. `nil` after an error.
  public mutating func parseDataExpression() -> Expression? { withBareKeys { $0.parseExpression() } }

  /// One side of a comparison: of operators outside of brackets it has only `+ - * / %` and those that bind tighter.
  /// `nil` after an error.
  public mutating func parseDataOperand() -> Expression? {
    let comparison = Parser.precedence(.less)
    return withBareKeys { parser in parser.strictly { $0.parseWhole { $0.parseBinary(comparison) } } }
  }

  private mutating func withBareKeys(_ parse: (inout Parser) -> Expression?) -> Expression? {
    let outer = bareKeys
    bareKeys = true
    defer { bareKeys = outer }
    return parse(&self)
  }

  /// A key of such a map: a word, a string, or `(expression)`.
  mutating func parseDataKey() -> Built? {
    let token = peek()
    switch token.kind {
    case .string, .leftParenthesis: break
    case _ where token.isPropertyName || token.kind == .rulesVersion:
      if peek(1).kind == .colon {
        advance()
        return build(.string(Array(text(token).utf8)), token.start, token.end, anchor: token.range, 0)
      }
    default: break
    }
    let start = token.start
    let known = diagnostics.count
    guard let key = parseTernary() else { return nil }
    let range = SourceRange(start, tokens[max(0, index - 1)].end)
    guard kind == .colon else {
      // An error inside the key explains more than the missing colon.
      if diagnostics.count == known {
        report("missing-colon", range, "Expected ':' and a value after the key \(file.text(range)).")
      }
      return nil
    }
    let isString = if case .string = key.expression.kind { true } else { false }
    guard isString || key.expression.parentheses > 0 else {
      report(
        "computed-key", range, "A key that is computed stands in parentheses: (\(file.text(range))).",
        notes: ["A word, a quoted string and a parenthesized expression can be keys."])
      return nil
    }
    return key
  }
}

/// An expression with the height of its tree, which the parser must bound.
struct Built {
  var expression: Expression
  var height: Int
}

extension Parser {
  /// A whole expression. `nil` after an error, which `diagnostics` then holds.
  public mutating func parseExpression() -> Expression? { strictly { $0.parseWholeExpression() } }

  /// Parses a form outside of a rules file, where mistakes the official grammar foresees are errors like any other,
  /// and findings about literals and depth come at once.
  mutating func strictly<Form>(_ parse: (inout Parser) -> Form?) -> Form? {
    let known = diagnostics.count
    let form = parse(&self)
    defer { (foreseenMistake, skippedAt, lateDiagnostics) = (nil, nil, []) }
    if diagnostics.count == known, let range = foreseenMistake {
      report("unexpected-token", range, "Unexpected '\(file.text(range))'.")
    }
    diagnostics += lateDiagnostics
    return diagnostics.count == known ? form : nil
  }

  /// An expression that is not part of another one, watched by the depth law.
  mutating func parseWholeExpression() -> Expression? {
    sawDeepTree = false
    let nested = nesting
    nesting = 0
    defer { nesting = nested }
    guard let expression = parseTernary()?.expression else { return nil }
    if sawDeepTree { lateDiagnostics += DepthLaw(self).check(expression) }
    return expression
  }

  mutating func parseTernary() -> Built? {
    guard enter() else { return skipTooDeep() }
    defer { nesting -= 1 }
    guard let condition = parseBinary(0) else { return nil }
    guard take(.question) != nil else { return condition }
    guard let then = parseTernary(), expect(.colon) != nil, let other = parseTernary() else { return nil }
    let c = condition.expression
    return build(
      .ternary(c, then.expression, other.expression), c.range.start, other.expression.range.end,
      anchor: firstToken(c), max(condition.height, then.height, other.height))
  }

  /// Counts one level of nesting; refuses at the bound.
  mutating func enter() -> Bool {
    if nesting >= Parser.maximumTreeDepth { return false }
    nesting += 1
    return true
  }

  /// Passes over an expression that is too deep to be read: up to a closing bracket, comma, colon or semicolon that
  /// belongs to what is around it.
  mutating func skipTooDeep() -> Built? {
    let first = peek()
    if skippedAt == nil { skippedAt = first.range }
    sawDeepTree = true
    var brackets = 0
    var questions = 0
    skipping: while true {
      switch kind {
      case .endOfFile: break skipping
      case .leftParenthesis, .leftBracket, .leftBrace: brackets += 1
      case .rightParenthesis, .rightBracket, .rightBrace:
        if brackets == 0 { break skipping }
        brackets -= 1
      case .question where brackets == 0: questions += 1
      case .colon where brackets == 0:
        if questions == 0 { break skipping }
        questions -= 1
      case .semicolon: break skipping
      case .comma where brackets == 0: break skipping
      default: break
      }
      advance()
    }
    return Built(
      expression: makeExpression(.null, first.start, first.end, anchor: first.range), height: 1)
  }

  mutating func build(
    _ kind: Expression.Kind, _ start: SourcePosition, _ end: SourcePosition, anchor: SourceRange, _ height: Int
  ) -> Built? {
    if height >= DepthLaw.suspiciousHeight { sawDeepTree = true }
    guard height >= Parser.maximumTreeDepth else {
      return Built(expression: makeExpression(kind, start, end, anchor: anchor), height: height + 1)
    }
    // Only a chain can have grown this high. Its far end is cut off, so that it may grow on; whatever the law says
    // about the chain is in the part that stays.
    if skippedAt == nil { skippedAt = anchor }
    let expression = makeExpression(kind, start, end, anchor: anchor)
    return Built(expression: DepthLaw.cut(expression), height: DepthLaw.cutHeight)
  }

  /// Where the first token of a node stands, without the parentheses around it.
  func firstToken(_ expression: Expression) -> SourceRange {
    var node = expression
    while true {
      switch node.kind {
      case .member(let inner, _), .index(let inner, _), .slice(let inner, _, _), .methodCall(let inner, _, _),
        .binary(_, let inner, _), .typeTest(let inner, _), .ternary(let inner, _, _):
        node = inner
      default: return node.anchor
      }
    }
  }

  /// How tightly an operator binds; 0 for tokens that are none. `in` binds weaker than `is`, both weaker than `==`.
  static func precedence(_ kind: Token.Kind) -> Int {
    switch kind {
    case .or: 1
    case .and: 2
    case .in: 3
    case .is: 4
    case .equal, .notEqual: 5
    case .less, .lessOrEqual, .greater, .greaterOrEqual: 6
    case .plus, .minus: 7
    case .star, .slash, .percent: 8
    default: 0
    }
  }

  static func binaryOperator(_ kind: Token.Kind) -> BinaryOperator? {
    switch kind {
    case .or: .or
    case .and: .and
    case .in: .in
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .plus: .add
    case .minus: .subtract
    case .star: .multiply
    case .slash: .divide
    case .percent: .remainder
    default: nil
    }
  }

  /// Operators that bind tighter than `weaker`; all associate to the left.
  mutating func parseBinary(_ weaker: Int) -> Built? {
    guard var left = parseUnary() else { return nil }
    while true {
      let token = peek()
      let precedence = Parser.precedence(token.kind)
      guard precedence > weaker else { return left }
      advance()
      guard enter() else { return skipTooDeep() }
      defer { nesting -= 1 }
      let start = left.expression.range.start
      if token.kind == .is {
        guard let type = expect(.identifier) else { return nil }
        guard
          let made = build(
            .typeTest(left.expression, name(type)), start, type.end, anchor: token.range, left.height)
        else { return nil }
        left = made
        continue
      }
      guard let op = Parser.binaryOperator(token.kind), let right = parseBinary(precedence),
        let made = build(
          .binary(op, left.expression, right.expression), start, right.expression.range.end, anchor: token.range,
          max(left.height, right.height))
      else { return nil }
      left = made
    }
  }

  mutating func parseUnary() -> Built? {
    let token = peek()
    switch token.kind {
    case .not:
      guard enter() else { return skipTooDeep() }
      defer { nesting -= 1 }
      advance()
      guard let operand = parseUnary() else { return nil }
      return build(
        .unary(.not, operand.expression), token.start, operand.expression.range.end, anchor: token.range,
        operand.height)
    case .minus:
      advance()
      let number = peek()
      if number.kind == .integer, Literals.magnitude(bytes(number)) == 1 << 63 {
        advance()
        // The only literal with a sign: its magnitude alone has no value. Officially its place is the sign.
        guard let literal = build(.int(.min), token.start, token.end, anchor: token.range, 0) else { return nil }
        return parsePostfix(literal)
      }
      guard let operand = parsePostfix() else { return nil }
      return build(
        .unary(.negate, withoutOuterParenthesis(operand.expression)), token.start, operand.expression.range.end, anchor: token.range,
        operand.height)
    case .increment, .decrement:
      advance()
      foresee(token)
      return parsePostfix()
    default:
      let operand = parsePostfix()
      if operand != nil, kind == .increment || kind == .decrement { foresee(advance()) }
      return operand
    }
  }

  mutating func parsePostfix() -> Built? {
    guard let primary = parsePrimary() else { return nil }
    return parsePostfix(primary)
  }

  mutating func parsePostfix(_ primary: Built) -> Built? {
    var left = primary
    while true {
      let token = peek()
      switch token.kind {
      case .dot:
        advance()
        guard peek().isPropertyName else {
          unexpected()
          return nil
        }
        guard let made = parseMember(left, advance()) else { return nil }
        left = made
      case .leftBracket:
        advance()
        guard let made = parseSubscript(left) else { return nil }
        left = made
      default: return left
      }
    }
  }

  private mutating func parseMember(_ left: Built, _ token: Token) -> Built? {
    let receiver = withoutOuterParenthesis(left.expression)
    let start = left.expression.range.start
    // Words of the language may name a property, not a method.
    guard kind == .leftParenthesis, token.kind == .identifier else {
      return build(.member(receiver, name(token)), start, token.end, anchor: token.range, left.height)
    }
    advance()
    guard let (arguments, height) = parseList(.rightParenthesis) else { return nil }
    return build(
      .methodCall(receiver, name(token), arguments), start, arguments.last?.range.end ?? token.end,
      anchor: token.range, max(left.height, height))
  }

  private mutating func parseSubscript(_ left: Built) -> Built? {
    let receiver = withoutOuterParenthesis(left.expression)
    let start = left.expression.range.start
    let anchor = firstToken(left.expression)
    var lower: Built?
    if kind != .colon {
      guard let bound = parseTernary() else { return nil }
      lower = bound
    }
    guard take(.colon) != nil else {
      guard let lower, expect(.rightBracket) != nil else { return nil }
      return build(
        .index(receiver, lower.expression), start, lower.expression.range.end, anchor: anchor,
        max(left.height, lower.height))
    }
    var upper: Built?
    if kind != .rightBracket {
      guard let bound = parseTernary() else { return nil }
      upper = bound
    }
    guard expect(.rightBracket) != nil else { return nil }
    let end = upper?.expression.range.end ?? lower?.expression.range.end ?? left.expression.range.end
    return build(
      .slice(receiver, lower: lower?.expression, upper: upper?.expression), start, end, anchor: anchor,
      max(left.height, lower?.height ?? 0, upper?.height ?? 0))
  }

  /// Officially the place of a receiver does not include the outermost parentheses around it.
  private func withoutOuterParenthesis(_ expression: Expression) -> Expression {
    guard expression.parentheses > 0, let inner = expression.rangeInsideParenthesis else { return expression }
    return Expression(
      expression.kind, range: inner, anchor: expression.anchor, id: expression.id,
      parentheses: expression.parentheses)
  }

  /// Expressions separated by commas up to `close`, which is consumed; a comma may end the list.
  mutating func parseList(_ close: Token.Kind) -> ([Expression], Int)? {
    var items: [Expression] = []
    var height = 0
    while take(close) == nil {
      guard let item = parseTernary() else { return nil }
      items.append(item.expression)
      height = max(height, item.height)
      if take(.comma) != nil { continue }
      guard expect(close) != nil else { return nil }
      break
    }
    return (items, height)
  }
}

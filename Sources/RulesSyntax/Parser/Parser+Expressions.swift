/// An expression with the height of its tree, which the parser must bound.
struct Built {
  var expression: Expression
  var height: Int
}

struct BuiltList {
  var items: [Expression] = []
  var height = 0
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
  mutating func parseWholeExpression() -> Expression? { parseWhole { $0.parseTernary() } }

  mutating func parseWhole(_ parse: (inout Parser) -> Built?) -> Expression? {
    sawDeepTree = false
    let nested = nesting
    nesting = 0
    defer { nesting = nested }
    guard let expression = parse(&self)?.expression else { return nil }
    if sawDeepTree { lateDiagnostics += DepthLaw(self).check(expression) }
    return expression
  }

  mutating func parseTernary() -> Built? {
    guard enter() else { return skipTooDeep() }
    defer { nesting -= 1 }
    guard let condition = parseBinary(0) else { return nil }
    return kind == .question ? parseBranches(condition) : condition
  }

  private mutating func parseBranches(_ condition: Built) -> Built? {
    advance()
    guard let then = parseTernary(), take(orReport: .colon), let other = parseTernary() else { return nil }
    return makeTernary(condition, then, other)
  }

  private mutating func makeTernary(_ condition: Built, _ then: Built, _ other: Built) -> Built? {
    let c = condition.expression
    return build(
      .ternary(c, then.expression, other.expression), c.range.start, other.expression.range.end,
      anchor: firstToken(c), max(condition.height, then.height, other.height))
  }

  mutating func take(orReport kind: Token.Kind) -> Bool { expect(kind) != nil }

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
    // Without a height of its own, so that what is around it stays within the bound on trees.
    return Built(
      expression: makeExpression(.null, first.start, first.end, anchor: first.range), height: 0)
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
      let precedence = Parser.precedence(kind)
      guard precedence > weaker else { return left }
      guard let made = parseOperation(left, precedence) else { return nil }
      left = made
    }
  }

  private mutating func parseOperation(_ left: Built, _ precedence: Int) -> Built? {
    guard enter() else { return skipTooDeep() }
    defer { nesting -= 1 }
    let at = index
    advance()
    if tokens[at].kind == .is { return makeTypeTest(left, at) }
    guard let right = parseBinary(precedence) else { return nil }
    return makeBinary(left, at, right)
  }

  private mutating func makeTypeTest(_ left: Built, _ at: Int) -> Built? {
    guard let type = expect(.identifier) else { return nil }
    let e = left.expression
    return build(.typeTest(e, name(type)), e.range.start, type.end, anchor: tokens[at].range, left.height)
  }

  private mutating func makeBinary(_ left: Built, _ at: Int, _ right: Built) -> Built? {
    guard let op = Parser.binaryOperator(tokens[at].kind) else { return nil }
    let (l, r) = (left.expression, right.expression)
    return build(
      .binary(op, l, r), l.range.start, r.range.end, anchor: tokens[at].range, max(left.height, right.height))
  }

  // Each form has a function of its own, so that the ones that call each other keep small frames.
  mutating func parseUnary() -> Built? {
    switch kind {
    case .not: return parseNot()
    case .minus: return parseNegation()
    case .increment, .decrement: foreseeIncrement()
    default: break
    }
    guard let operand = parsePostfix() else { return nil }
    if kind == .increment || kind == .decrement { foreseeIncrement() }
    return operand
  }

  private mutating func foreseeIncrement() { foresee(advance()) }

  private mutating func parseNot() -> Built? {
    guard enter() else { return skipTooDeep() }
    defer { nesting -= 1 }
    let at = index
    advance()
    guard let operand = parseUnary() else { return nil }
    return makeUnary(.not, at, operand)
  }

  private mutating func parseNegation() -> Built? {
    let at = index
    advance()
    if let literal = makeSmallestInteger(at) { return parsePostfix(literal) }
    guard let operand = parsePostfix() else { return nil }
    return makeUnary(.negate, at, operand)
  }

  private mutating func makeUnary(_ op: UnaryOperator, _ at: Int, _ operand: Built) -> Built? {
    // As a receiver, what is negated officially loses its outermost parentheses.
    let e = op == .negate ? withoutOuterParenthesis(operand.expression) : operand.expression
    return build(.unary(op, e), tokens[at].start, e.range.end, anchor: tokens[at].range, operand.height)
  }

  /// The only literal with a sign: its magnitude alone has no value. Officially its place is the sign.
  private mutating func makeSmallestInteger(_ at: Int) -> Built? {
    guard kind == .integer, Literals.magnitude(bytes(peek())) == 1 << 63 else { return nil }
    advance()
    return build(.int(.min), tokens[at].start, tokens[at].end, anchor: tokens[at].range, 0)
  }

  mutating func parsePostfix() -> Built? {
    guard let primary = parsePrimary() else { return nil }
    return parsePostfix(primary)
  }

  mutating func parsePostfix(_ primary: Built) -> Built? {
    var left = primary
    while true {
      let made: Built?
      switch kind {
      case .dot: made = parseMember(left)
      case .leftBracket: made = parseSubscript(left)
      default: return left
      }
      guard let made else { return nil }
      left = made
    }
  }

  private mutating func parseMember(_ left: Built) -> Built? {
    advance()
    let at = index
    guard takePropertyName() else { return nil }
    // Words of the language may name a property, not a method.
    guard kind == .leftParenthesis, tokens[at].kind == .identifier else { return makeMember(left, at) }
    advance()
    guard let list = parseList(.rightParenthesis) else { return nil }
    return makeMethodCall(left, at, list)
  }

  private mutating func takePropertyName() -> Bool {
    guard peek().isPropertyName else {
      unexpected()
      return false
    }
    advance()
    return true
  }

  private mutating func makeMember(_ left: Built, _ at: Int) -> Built? {
    build(
      .member(withoutOuterParenthesis(left.expression), name(tokens[at])), left.expression.range.start,
      tokens[at].end, anchor: tokens[at].range, left.height)
  }

  private mutating func makeMethodCall(_ left: Built, _ at: Int, _ list: BuiltList) -> Built? {
    build(
      .methodCall(withoutOuterParenthesis(left.expression), name(tokens[at]), list.items),
      left.expression.range.start, list.items.last?.range.end ?? tokens[at].end, anchor: tokens[at].range,
      max(left.height, list.height))
  }

  private mutating func parseSubscript(_ left: Built) -> Built? {
    advance()
    var lower: Built?
    if kind != .colon {
      lower = parseTernary()
      if lower == nil { return nil }
    }
    guard kind == .colon else {
      guard let lower, take(orReport: .rightBracket) else { return nil }
      return makeIndex(left, lower)
    }
    advance()
    var upper: Built?
    if kind != .rightBracket {
      upper = parseTernary()
      if upper == nil { return nil }
    }
    guard take(orReport: .rightBracket) else { return nil }
    return makeSlice(left, lower, upper)
  }

  private mutating func makeIndex(_ left: Built, _ index: Built) -> Built? {
    let (e, i) = (left.expression, index.expression)
    return build(
      .index(withoutOuterParenthesis(e), i), e.range.start, i.range.end, anchor: firstToken(e),
      max(left.height, index.height))
  }

  private mutating func makeSlice(_ left: Built, _ lower: Built?, _ upper: Built?) -> Built? {
    let e = left.expression
    return build(
      .slice(withoutOuterParenthesis(e), lower: lower?.expression, upper: upper?.expression), e.range.start,
      upper?.expression.range.end ?? lower?.expression.range.end ?? e.range.end, anchor: firstToken(e),
      max(left.height, lower?.height ?? 0, upper?.height ?? 0))
  }

  /// Officially the place of a receiver or negated operand does not include the outermost parentheses around it.
  private func withoutOuterParenthesis(_ expression: Expression) -> Expression {
    guard expression.parentheses > 0, let inner = expression.rangeInsideParenthesis else { return expression }
    return Expression(
      expression.kind, range: inner, anchor: expression.anchor, id: expression.id,
      parentheses: expression.parentheses)
  }

  /// Expressions separated by commas up to `close`, which is consumed; a comma may end the list.
  mutating func parseList(_ close: Token.Kind) -> BuiltList? {
    var list = BuiltList()
    while kind != close {
      guard let item = parseTernary() else { return nil }
      list.items.append(item.expression)
      list.height = max(list.height, item.height)
      if kind == .comma {
        advance()
      } else if kind != close {
        unexpected()
        return nil
      }
    }
    advance()
    return list
  }
}

/// The official bound on the depth of expressions: one at depth 100 is reported and not entered. Operands of binary
/// operators, of `!`, `is` and `?:`, arguments, indexes, elements and what stands in parentheses are one deeper than
/// what they belong to; receivers and the operand of `-` are not. Observed on the official emulator 1.19.9.
struct DepthLaw {
  static let message = "Expression is too complex to evaluate safely."
  static let limit = 100
  /// Trees below this height cannot break the law.
  static let suspiciousHeight = 48
  /// The height that is left of a chain when its far end is cut off.
  static let cutHeight = 104

  private let parser: Parser
  private var found: [Diagnostic] = []

  init(_ parser: Parser) { self.parser = parser }

  func check(_ expression: Expression) -> [Diagnostic] {
    var law = self
    law.enter(expression, 1, parentheses: expression.parentheses, first: expression.range.start)
    if law.found.isEmpty, let range = parser.skippedAt { law.add(range) }
    return law.found
  }

  private mutating func add(_ range: SourceRange) {
    found.append(
      Diagnostic(id: "expression-too-complex", severity: .error, range: range, message: DepthLaw.message))
  }

  private mutating func enter(_ expression: Expression, _ depth: Int) {
    enter(expression, depth, parentheses: expression.parentheses, first: expression.range.start)
  }

  /// `parentheses`: how many still stand around the expression at `first`.
  private mutating func enter(_ expression: Expression, _ depth: Int, parentheses: Int, first: SourcePosition) {
    if depth + parentheses < DepthLaw.limit { return visit(expression, depth + parentheses) }
    let inside = DepthLaw.limit - depth
    if let index = parser.tokenIndex(at: first), index + inside < parser.tokens.count {
      add(parser.tokens[index + inside].range)
    } else {
      add(expression.anchor)
    }
  }

  /// A part that is no deeper than what it belongs to.
  private mutating func visitPart(_ expression: Expression, _ depth: Int) {
    if expression.parentheses == 0 { return visit(expression, depth) }
    // The receiver's own range starts behind its outermost parenthesis.
    enter(expression, depth + 1, parentheses: expression.parentheses - 1, first: expression.range.start)
  }

  private mutating func visit(_ expression: Expression, _ depth: Int) {
    let inner = depth + 1
    switch expression.kind {
    case .null, .bool, .int, .float, .string, .bytes, .identifier: break
    case .list(let items), .call(_, let items): for item in items { enter(item, inner) }
    case .map(let entries):
      for entry in entries {
        enter(entry.key, inner)
        enter(entry.value, inner)
      }
    case .path(let segments):
      for case .interpolation(let inside) in segments.map(\.kind) { enter(inside, inner) }
    case .member(let receiver, _): visitPart(receiver, depth)
    case .index(let receiver, let index):
      visitPart(receiver, depth)
      enter(index, inner)
    case .slice(let receiver, let lower, let upper):
      visitPart(receiver, depth)
      if let lower { enter(lower, inner) }
      if let upper { enter(upper, inner) }
    case .methodCall(let receiver, _, let arguments):
      visitPart(receiver, depth)
      for argument in arguments { enter(argument, inner) }
    case .unary(.negate, let operand): visitPart(operand, depth)
    case .unary(.not, let operand): enter(operand, inner)
    case .binary(_, let left, let right):
      enter(left, inner)
      enter(right, inner)
    case .typeTest(let operand, _): enter(operand, inner)
    case .ternary(let condition, let then, let other):
      enter(condition, inner)
      enter(then, inner)
      enter(other, inner)
    }
  }

  /// A chain without its far end: what is left of it is `cutHeight` links long.
  static func cut(_ expression: Expression) -> Expression {
    var links: [Expression] = []
    var end = expression
    while links.count < cutHeight, let receiver = end.chained {
      links.append(end)
      end = receiver
    }
    var result = end.replacing(.null)
    for link in links.reversed() { result = link.chaining(result) }
    return result
  }
}

extension Expression {
  /// What a link of a chain hangs on: its receiver or left operand.
  fileprivate var chained: Expression? {
    switch kind {
    case .member(let e, _), .index(let e, _), .slice(let e, _, _), .methodCall(let e, _, _), .binary(_, let e, _),
      .typeTest(let e, _), .ternary(let e, _, _):
      e
    default: nil
    }
  }

  fileprivate func chaining(_ e: Expression) -> Expression {
    switch kind {
    case .member(_, let name): replacing(.member(e, name))
    case .index(_, let index): replacing(.index(e, index))
    case .slice(_, let lower, let upper): replacing(.slice(e, lower: lower, upper: upper))
    case .methodCall(_, let name, let arguments): replacing(.methodCall(e, name, arguments))
    case .binary(let op, _, let right): replacing(.binary(op, e, right))
    case .typeTest(_, let type): replacing(.typeTest(e, type))
    case .ternary(_, let then, let other): replacing(.ternary(e, then, other))
    default: self
    }
  }

  fileprivate func replacing(_ kind: Kind) -> Expression {
    Expression(
      kind, range: range, anchor: anchor, id: id, parentheses: parentheses,
      rangeInsideParenthesis: rangeInsideParenthesis)
  }
}

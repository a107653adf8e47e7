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
    case .unary(.negate, let operand): visitNegated(operand, depth)
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

  private mutating func visitNegated(_ operand: Expression, _ depth: Int) {
    guard operand.parentheses > 0 else { return visit(operand, depth) }
    let inside = parser.tokenIndex(at: operand.range.start).map { parser.tokens[min($0 + 1, parser.tokens.count - 1)].start }
    enter(
      operand, depth + 1, parentheses: operand.parentheses - 1, first: inside ?? operand.range.start)
  }

  /// The expression without what lies deeper in it than `cutHeight`.
  static func cut(_ expression: Expression, _ height: Int = cutHeight) -> Expression {
    var kind = expression.kind
    if height <= 1 {
      kind = .null
    } else {
      func inner(_ e: Expression) -> Expression { cut(e, height - 1) }
      switch kind {
      case .null, .bool, .int, .float, .string, .bytes, .identifier: return expression
      case .list(let items): kind = .list(items.map(inner))
      case .call(let name, let items): kind = .call(name, items.map(inner))
      case .map(let entries): kind = .map(entries.map { .init(key: inner($0.key), value: inner($0.value)) })
      case .path(let segments):
        kind = .path(
          segments.map {
            if case .interpolation(let e) = $0.kind { .init(.interpolation(inner(e)), range: $0.range) } else { $0 }
          })
      case .member(let e, let name): kind = .member(inner(e), name)
      case .index(let e, let index): kind = .index(inner(e), inner(index))
      case .slice(let e, let lower, let upper):
        kind = .slice(inner(e), lower: lower.map(inner), upper: upper.map(inner))
      case .methodCall(let e, let name, let items): kind = .methodCall(inner(e), name, items.map(inner))
      case .unary(let op, let e): kind = .unary(op, inner(e))
      case .binary(let op, let left, let right): kind = .binary(op, inner(left), inner(right))
      case .typeTest(let e, let name): kind = .typeTest(inner(e), name)
      case .ternary(let a, let b, let c): kind = .ternary(inner(a), inner(b), inner(c))
      }
    }
    return Expression(
      kind, range: expression.range, anchor: expression.anchor, id: expression.id,
      parentheses: expression.parentheses, rangeInsideParenthesis: expression.rangeInsideParenthesis)
  }
}

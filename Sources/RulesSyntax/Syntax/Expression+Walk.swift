extension Expression {
  /// The operands of the node, in source order.
  public var operands: [Expression] {
    switch kind {
    case .null, .bool, .int, .float, .string, .bytes, .identifier: []
    case .list(let items): items
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .path(let segments):
      segments.compactMap { if case .interpolation(let e) = $0.kind { e } else { nil } }
    case .member(let receiver, _): [receiver]
    case .index(let receiver, let index): [receiver, index]
    case .slice(let receiver, let lower, let upper): [receiver] + [lower, upper].compactMap { $0 }
    case .call(_, let arguments): arguments
    case .methodCall(let receiver, _, let arguments): [receiver] + arguments
    case .unary(_, let operand): [operand]
    case .binary(_, let left, let right): [left, right]
    case .typeTest(let operand, _): [operand]
    case .ternary(let condition, let yes, let no): [condition, yes, no]
    }
  }

  /// Visits the node and all below it.
  public func forEachNode(_ body: (Expression) -> Void) {
    var pending = [self]
    while let e = pending.popLast() {
      body(e)
      pending.append(contentsOf: e.operands.reversed())
    }
  }
}

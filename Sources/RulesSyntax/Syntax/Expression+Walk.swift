extension Expression {
  /// Visits the direct operands in source order. The type word of `is` and the names of members are no operands.
  public func forEachChild(_ visit: (Expression) -> Void) {
    switch kind {
    case .null, .bool, .int, .float, .string, .bytes, .identifier: break
    case .list(let items): items.forEach(visit)
    case .map(let entries):
      for entry in entries {
        visit(entry.key)
        visit(entry.value)
      }
    case .path(let segments):
      for segment in segments {
        if case .interpolation(let e) = segment.kind { visit(e) }
      }
    case .member(let receiver, _), .unary(_, let receiver), .typeTest(let receiver, _): visit(receiver)
    case .index(let a, let b), .binary(_, let a, let b):
      visit(a)
      visit(b)
    case .slice(let receiver, let lower, let upper):
      visit(receiver)
      if let lower { visit(lower) }
      if let upper { visit(upper) }
    case .call(_, let arguments): arguments.forEach(visit)
    case .methodCall(let receiver, _, let arguments):
      visit(receiver)
      arguments.forEach(visit)
    case .ternary(let a, let b, let c):
      visit(a)
      visit(b)
      visit(c)
    }
  }

  /// The direct operands in source order.
  public var operands: [Expression] {
    var operands: [Expression] = []
    forEachChild { operands.append($0) }
    return operands
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

import RulesSyntax

extension Expression {
  /// Visits the direct operands in source order. The type word of `is` and the names of members are no operands.
  func forEachChild(_ visit: (Expression) -> Void) {
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

  /// The name of the package if this is the receiver of a package call such as `math.abs(1)`.
  var packageName: String? {
    if case .identifier(let name) = kind, parentheses == 0, Packages.names.contains(name) { name } else { nil }
  }
}

/// The namespaces whose names cannot be used as values or declared as variables.
enum Packages {
  static let names: Set<String> = ["duration", "hashing", "latlng", "math", "timestamp"]
}

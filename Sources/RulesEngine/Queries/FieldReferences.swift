import RulesSemantics
import RulesSyntax
import RulesValues

/// What parts of a condition speak of: walks the values that nodes took, through the calls of functions, and follows
/// parameters and `let` bindings back to the fields they stand for.
struct FieldReferences {
  /// The functions that a node lies in, innermost first, each with what it was called with.
  indirect enum Scope {
    case top
    case function(FunctionDeclaration, arguments: [Expression], caller: Scope)
  }

  /// Names of members, from `resource`, `request` or the id of the document on.
  enum Reference: Equatable {
    case resource([Text])
    case request([Text])
    case documentID

    /// The field of the document, where it is one.
    var field: QueryField? {
      guard case .resource(let names) = self, names.first == "data", names.count > 1 else { return nil }
      return QueryField(Array(names.dropFirst()))
    }

    fileprivate func member(_ name: Text) -> Reference? {
      switch self {
      case .resource(let names): .resource(names + [name])
      case .request(let names): .request(names + [name])
      case .documentID: nil
      }
    }
  }

  let ruleset: CheckedRuleset
  let machine: Machine
  /// Captures that a query leaves open.
  let openSlots: Set<Int>

  /// Calls `body` for every node of the trace with where it stands.
  func forEachNode(_ body: (Trace.Node, Scope, _ isNegated: Bool) -> Void) {
    for root in machine.trace.roots { walk(root, .top, false, body) }
  }

  // Depth is that of the evaluation, which the budget of 1,000 nodes bounds.
  private func walk(_ index: Int, _ scope: Scope, _ isNegated: Bool, _ body: (Trace.Node, Scope, Bool) -> Void) {
    guard machine.trace.nodes.indices.contains(index) else { return }
    let node = machine.trace.nodes[index]
    body(node, scope, isNegated)
    var within = scope
    var argumentCount = node.children.count
    if case .call(_, let arguments) = node.expression.kind,
      case .function(let number) = ruleset.callee(of: node.expression),
      let declaration = ruleset.declaration(of: number)
    {
      argumentCount = arguments.count
      within = .function(declaration, arguments: arguments, caller: scope)
    }
    var flips = false
    if case .unary(.not, _) = node.expression.kind { flips = true }
    for (i, child) in node.children.enumerated() {
      walk(child, i < argumentCount ? scope : within, isNegated != flips, body)
    }
  }

  /// What an expression speaks of; `nil` when it is none of these.
  func reference(_ e: Expression, _ scope: Scope, depth: Int = 0) -> Reference? {
    guard depth < 100 else { return nil }
    switch e.kind {
    case .identifier:
      switch ruleset.resolution(of: e) {
      case .resource: return .resource([])
      case .request: return .request([])
      case .wildcard(let slot): return openSlots.contains(slot) ? .documentID : nil
      case .parameter(let i):
        guard case .function(_, let arguments, let caller) = scope, arguments.indices.contains(i) else { return nil }
        return reference(arguments[i], caller, depth: depth + 1)
      case .letBinding(let i):
        guard case .function(let declaration, _, _) = scope, declaration.lets.indices.contains(i) else { return nil }
        return reference(declaration.lets[i].value, scope, depth: depth + 1)
      case .unknown: return nil
      }
    case .member(let receiver, let name):
      return reference(receiver, scope, depth: depth + 1)?.member(Text(name.text))
    case .index(let receiver, let index):
      return Self.key(index).flatMap { reference(receiver, scope, depth: depth + 1)?.member($0) }
    case .methodCall(let receiver, let name, let arguments) where name.text == "get" && arguments.count == 2:
      var found = reference(receiver, scope, depth: depth + 1)
      if case .list(let keys) = arguments[0].kind {
        for key in keys { found = Self.key(key).flatMap { found?.member($0) } }
        return found
      }
      return Self.key(arguments[0]).flatMap { found?.member($0) }
    default: return nil
    }
  }

  private static func key(_ e: Expression) -> Text? {
    if case .string(let bytes) = e.kind { Text(String(decoding: bytes, as: UTF8.self)) } else { nil }
  }
}

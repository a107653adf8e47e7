import JSON
import RulesEngine
import RulesSyntax

/// Where the emulator 1.19.9 loses its place among the values it keeps for the operators to come.
///
/// It lays operands on a stack, the last one first. A list or path literal stops taking its parts at the first one
/// that fails (or, in the pass without documents, is not known), and those behind it stay on the stack, below the
/// result. Nothing comes of that while the failure is handed on. Where it is absorbed (`||`, `&&`, a binding that is
/// never used, an argument), the next operator that laid its right operand down before takes what was left there
/// instead: `([1 / 0, 7] == [] || true) == true` is false. (Observed; `docs/parity.md`.)
enum LostPlaces {
  /// Does some operator of the condition take a wrong value, in either pass?
  static func matter(in condition: Explanation.Node) -> Bool {
    look(at: condition, withoutDocuments: false).isWrong || look(at: condition, withoutDocuments: true).isWrong
  }

  private struct Effect {
    /// Something is left on the stack below the result.
    var leaves = false
    /// Some operator took a wrong value.
    var isWrong = false
  }

  private static func look(at node: Explanation.Node, withoutDocuments: Bool) -> Effect {
    let effects = node.children.map { look(at: $0, withoutDocuments: withoutDocuments) }
    var effect = Effect(leaves: effects.contains(where: \.leaves), isWrong: effects.contains(where: \.isWrong))
    func fails(_ i: Int) -> Bool { Self.fails(node.children[i], withoutDocuments) }

    /// Operands that are all laid down before the node runs. Those behind one that left something are not where the
    /// node looks for them, which is nothing to a node that fails by then.
    func strict(_ operands: Range<Int>, hiddenLast: Bool = false) {
      for i in operands where effects[i].leaves && (hiddenLast || i < operands.upperBound - 1) {
        if !(operands.lowerBound...i).contains(where: fails) { effect.isWrong = true }
      }
    }

    switch node.expression.kind {
    case .list(let items):
      strict(node.children.indices)
      if node.children.prefix(max(0, items.count - 1)).contains(where: { mayFail($0, withoutDocuments) }) {
        effect.leaves = true
      }
    case .path(let segments):
      strict(node.children.indices, hiddenLast: true)
      let places = segments.indices.filter { if case .interpolation = segments[$0].kind { true } else { false } }
      for (place, child) in zip(places, node.children)
      where place < segments.count - 1 && mayFail(child, withoutDocuments) {
        effect.leaves = true
      }
      // A part that is known but none that a path may have fails in the path itself.
      if node.outcome.isError, places.contains(where: { $0 < segments.count - 1 }) { effect.leaves = true }
    case .binary(.and, _, let right), .binary(.or, _, let right):
      if effects.count == 2, effects[1].leaves { effect.isWrong = true }
      if effects.count == 1, withoutDocuments, mayFail(node.children[0], true), mayLeave(right) {
        effect.isWrong = true
      }
    case .ternary:
      if effects.dropFirst().contains(where: \.leaves) { effect.isWrong = true }
    case .call(_, let arguments) where node.children.count > arguments.count:
      // A function of the rules: it may do without an argument that fails.
      if effects.prefix(max(0, arguments.count - 1)).contains(where: \.leaves) { effect.isWrong = true }
    case .map:
      // It goes on with the next key and value all the same.
      if effects.dropLast().contains(where: \.leaves) { effect.isWrong = true }
    case .member, .typeTest, .slice: strict(node.children.indices, hiddenLast: true)
    default: strict(node.children.indices)
    }
    return effect
  }

  /// For certain.
  private static func fails(_ node: Explanation.Node, _ withoutDocuments: Bool) -> Bool {
    if node.outcome.isError { return true }
    guard withoutDocuments else { return false }
    switch node.expression.kind {
    case .identifier("resource"): return true
    case .binary(.and, _, _), .binary(.or, _, _), .ternary: return false
    case .call(let name, let arguments):
      if node.children.count > arguments.count { return false }
      return lookups.contains(name.text) || node.children.contains { fails($0, true) }
    default: return node.children.contains { fails($0, true) }
    }
  }

  private static func mayFail(_ node: Explanation.Node, _ withoutDocuments: Bool) -> Bool {
    if node.outcome.isError { return true }
    guard withoutDocuments else { return false }
    // What a name stands for may come of a document, unless it is a text, as captures are.
    if case .identifier = node.expression.kind, case .value(_, let json) = node.outcome, json["stringValue"] == nil {
      return true
    }
    return asksForDocuments(node.expression) || node.children.contains { mayFail($0, true) }
  }

  private static let lookups = ["get", "exists", "getAfter", "existsAfter"]

  private static func asksForDocuments(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .identifier("resource"): true
    case .member(_, let name): name.text == "resource"
    case .call(let name, _): lookups.contains(name.text)
    default: false
    }
  }

  /// Of an operand that ran without documents only: has it a literal that may leave something?
  private static func mayLeave(_ expression: Expression) -> Bool {
    var found = false
    expression.forEachNode { e in
      switch e.kind {
      case .list(let items): if items.dropLast().contains(where: { !isPlain($0) }) { found = true }
      case .path(let segments):
        for segment in segments.dropLast() {
          if case .interpolation(let part) = segment.kind, !isPlain(part) { found = true }
        }
      default: break
      }
    }
    return found
  }

  private static func isPlain(_ e: Expression) -> Bool {
    switch e.kind {
    case .null, .bool, .int, .float, .string, .bytes: true
    case .identifier(let name): name != "resource"
    default: false
    }
  }
}

import RulesEngine
import RulesSemantics
import RulesSyntax

/// A node of an explanation with its place in the whole: what is above it, and whether it decided.
final class TracedNode {
  let expression: Expression
  let outcome: Explanation.Outcome
  /// Operands and arguments, in source order.
  let operands: [TracedNode]
  /// Of a call of the rules' own function what ran in its body: the lets, then the result.
  let body: [TracedNode]
  /// The function called, of a call of the rules' own.
  let function: FunctionDeclaration?
  /// On the way from the whole condition to the cause of its outcome.
  let isOnPath: Bool
  /// On that way, below its end, or a part of a conjunction that held as a whole.
  let isInvolved: Bool
  /// The end of the way.
  let isCause: Bool

  init(_ node: Explanation.Node, in ruleset: CheckedRuleset, isOnPath: Bool = true, isInvolved: Bool = true) {
    expression = node.expression
    outcome = node.outcome
    self.isOnPath = isOnPath
    self.isInvolved = isInvolved
    let deciding = isOnPath ? node.decidingIndex : nil
    isCause = isOnPath && deciding == nil
    // All that is below the cause belongs to it; of what is beside the path only what decided there.
    let isAll = isInvolved && (node.decidingIndex == nil || !node.expression.isLogical)
    let children = node.children.enumerated().map { i, child in
      TracedNode(
        child, in: ruleset, isOnPath: i == deciding,
        isInvolved: isOnPath && deciding != nil ? i == deciding : isAll || (isInvolved && i == node.decidingIndex))
    }
    var arguments = children.count
    if case .call(_, let given) = node.expression.kind, case .function(let index) = ruleset.callee(of: node.expression),
      ruleset.functions.indices.contains(index)
    {
      function = ruleset.functions[index].declaration
      arguments = min(given.count, children.count)
    } else {
      function = nil
    }
    operands = Array(children[..<arguments])
    body = Array(children[arguments...])
  }

  var children: [TracedNode] { operands + body }
  var isError: Bool { outcome.isError }

  /// The value as text, or the error.
  var text: String {
    switch outcome {
    case .value(let text, _): text
    case .error(let message): SafeText.line(message)
    }
  }

  /// The value as it is shown under its parent: whether something is null needs no details of it.
  func text(under parent: TracedNode?) -> String {
    guard case .binary(let op, let left, let right) = parent?.expression.kind, op == .equal || op == .notEqual,
      left.isNull || right.isNull, !isError
    else { return text }
    return text.hasPrefix("{") && text != "{}" ? "{…}" : text
  }

  /// An error that only came up from below.
  var isPassedOn: Bool { isError && children.contains { $0.outcome == outcome } }

  /// The node at the end of the path.
  var cause: TracedNode { children.first(where: \.isOnPath)?.cause ?? self }

  /// Green for true, red for false and errors.
  var style: Style {
    switch outcome {
    case .error: .bad
    case .value(let text, _): text == "true" ? .good : text == "false" ? .bad : .value
    }
  }
}

extension Expression {
  /// Says its own value: showing it again would tell nothing.
  var isLiteral: Bool {
    switch kind {
    case .null, .bool, .int, .float, .string, .bytes: true
    case .list, .map: operands.allSatisfy(\.isLiteral)
    case .path(let segments): segments.allSatisfy { if case .interpolation = $0.kind { false } else { true } }
    case .unary(.negate, let operand): operand.isLiteral
    default: false
    }
  }

  var isNull: Bool { if case .null = kind { true } else { false } }

  /// Where the value of the node is hung up: a token that is its own.
  var hook: SourcePosition {
    switch kind {
    case .index(let receiver, let index):
      // The bracket, where it stands right before the index; `x` and `x[0]` begin at one place.
      let start = index.range.start
      guard start.column > 1, start.line == index.range.start.line, start.byte > receiver.range.end.byte - 1 else {
        return anchor.start
      }
      return SourcePosition(line: start.line, column: start.column - 1, offset: start.offset - 1, byte: start.byte - 1)
    default: return anchor.start
    }
  }
}

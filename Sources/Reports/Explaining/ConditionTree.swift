import RulesSyntax

/// A condition as a tree: a mark, a sub-expression and its value on each line.
struct ConditionTree {
  /// Beyond this depth lines are no longer indented, so that values keep some room.
  static let deepestIndent = 12
  /// The widest that sub-expressions get.
  static let widestSource = 64

  let source: ExpressionText
  let root: TracedNode

  private struct Row {
    let depth: Int
    let node: TracedNode
    let text: String
    let value: String
  }

  func lines(_ terminal: Terminal, indent: Int) -> [StyledLine] {
    var rows: [Row] = []
    collect(root, under: nil, depth: 0, title: "", &rows)
    let room = max(20, min(Self.widestSource, (terminal.width - indent) * 3 / 5))
    func left(_ row: Row) -> String {
      let shift = min(row.depth, Self.deepestIndent) * 2
      return String(repeating: " ", count: shift) + mark(row.node) + " " + SafeText.cut(row.text, max(16, room - shift - 2))
    }
    let column = (rows.map { SafeText.columns(left($0)) }.max() ?? 0) + 2
    let cause = root.cause
    return rows.flatMap { row in
      var line = StyledLine(String(repeating: " ", count: indent))
      let text = left(row)
      let markEnd = text.firstIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex
      line.add(String(text[..<markEnd]), row.node.style == .value ? .dim : row.node.style)
      line.add(String(text[markEnd...]))
      let isCause = row.node === cause
      if row.node.expression.isLiteral {
        if isCause { line.add(" ◀ decides", .bold) }
        return [line]
      }
      line.pad(to: indent + column)
      let style = isCause && row.node.style != .good ? .badBold : row.node.style
      let available = max(20, terminal.width - indent - column - (isCause ? 10 : 0))
      guard isCause, row.node.isError, SafeText.columns(row.value) > available else {
        line.add(SafeText.cut(row.value, available), style)
        if isCause { line.add(" ◀ decides", .bold) }
        return [line]
      }
      // The error that decided is shown whole.
      line.add("error", style)
      line.add(" ◀ decides", .bold)
      let shift = indent + min(row.depth, Self.deepestIndent) * 2 + 2
      return [line]
        + SafeText.wrapped(row.value, max(30, terminal.width - shift)).map { piece in
          var more = StyledLine(String(repeating: " ", count: shift))
          more.add(piece, style)
          return more
        }
    }
  }

  private func mark(_ node: TracedNode) -> String {
    if node.isError { return "!" }
    return node.text == "true" ? "✔" : node.text == "false" ? "✘" : "·"
  }

  private func collect(
    _ node: TracedNode, under parent: TracedNode?, depth: Int, title: String, _ rows: inout [Row]
  ) {
    rows.append(
      Row(
        depth: depth, node: node, text: title + source.text(node.expression),
        value: node.isPassedOn ? "error" : node.text(under: parent)))
    for operand in Self.parts(of: node) where isWorthALine(operand, of: node) {
      collect(operand, under: node, depth: depth + 1, title: "", &rows)
    }
    for (i, part) in node.body.enumerated() {
      let binding = node.function?.lets.first { $0.value === part.expression }
      // A let of which nothing went wrong and that did not decide is told by its name alone.
      collect(
        part, under: node, depth: depth + 1, title: i == node.body.count - 1 ? "return " : binding.map { "let \($0.name.text) = " } ?? "",
        &rows)
    }
  }

  /// The operands; of a chain of one operator all of them, so that `a && b && c` has three parts.
  private static func parts(of node: TracedNode) -> [TracedNode] {
    guard case .binary(let op, _, _) = node.expression.kind, op == .and || op == .or, let left = node.operands.first else {
      return node.operands
    }
    var parts = Array(node.operands.dropFirst())
    var first = left
    while case .binary(let inner, _, _) = first.expression.kind, inner == op, first.expression.parentheses == 0 {
      parts.insert(contentsOf: first.operands.dropFirst(), at: 0)
      guard let next = first.operands.first else { return parts }
      first = next
    }
    return [first] + parts
  }

  private func isWorthALine(_ node: TracedNode, of parent: TracedNode) -> Bool {
    if node === root.cause { return true }
    if node.expression.isLiteral, parent.expression.isLogical == false { return false }
    if case .identifier("request") = node.expression.kind, !parent.isError { return false }
    // `request.auth` of `request.auth.uid`, unless something is missing in it.
    if case .member(let receiver, _) = parent.expression.kind, receiver === node.expression, !parent.isError,
      node.text.hasPrefix("{")
    {
      return !node.expression.isPlainPath
    }
    return true
  }
}

extension Expression {
  var isLogical: Bool {
    if case .binary(let op, _, _) = kind { op == .and || op == .or } else { false }
  }

  /// `a.b.c` and nothing else.
  var isPlainPath: Bool {
    switch kind {
    case .identifier: true
    case .member(let receiver, _): receiver.isPlainPath
    default: false
    }
  }
}

import RulesEngine
import RulesSyntax

/// Chooses whose values stand under the source.
struct ValueMarks {
  /// How much is shown, from much to little.
  enum Level: CaseIterable {
    /// Every value that says something.
    case all
    /// The path to the cause, what stands beside it, and all below the cause.
    case near
    /// The path to the cause, and what the cause was made of.
    case path
  }

  /// A value to show.
  struct Mark {
    let node: TracedNode
    let text: String
    let position: SourcePosition

    init(_ node: TracedNode, under parent: TracedNode?) {
      self.node = node
      text = node.isError ? "error: " + node.text : node.text(under: parent)
      position = node.expression.hook
    }
  }

  /// A piece of source with the values that belong to it: the condition itself, or the body of a function.
  struct Section {
    /// `nil` for the condition.
    let call: TracedNode?
    /// Calls around it.
    let depth: Int
    /// Expressions whose lines are shown.
    let ranges: [SourceRange]
    let marks: [Mark]
  }

  let level: Level
  private var sections: [Section] = []

  static func sections(of root: TracedNode, _ level: Level) -> [Section] {
    var marks = ValueMarks(level: level)
    marks.addSection([root], call: nil, depth: 0)
    return marks.sections
  }

  private init(level: Level) { self.level = level }

  private mutating func addSection(_ roots: [TracedNode], call: TracedNode?, depth: Int) {
    var found: [Mark] = []
    var calls: [TracedNode] = []
    for root in roots { collect(root, parent: nil, isNear: level == .all || root.isInvolved, isBelowCause: false, &found, &calls) }
    if found.isEmpty, let root = roots.last { found.append(Mark(root, under: nil)) }
    let shown = roots.filter { root in
      root === roots.last || found.contains { $0.node === root || root.holds($0.node) }
    }
    sections.append(Section(call: call, depth: depth, ranges: shown.map(\.expression.range), marks: found))
    for call in calls { addSection(call.body, call: call, depth: depth + 1) }
  }

  private func collect(
    _ node: TracedNode, parent: TracedNode?, isNear: Bool, isBelowCause: Bool, _ marks: inout [Mark],
    _ calls: inout [TracedNode]
  ) {
    if isNear, says(node, under: parent) { marks.append(Mark(node, under: parent)) }
    if node.function != nil, level == .path ? node.isOnPath : node.isInvolved, !node.body.isEmpty { calls.append(node) }
    for child in node.operands {
      let near =
        switch level {
        case .all: true
        case .near: node.isInvolved || isBelowCause
        case .path: child.isOnPath || node.isCause
        }
      collect(
        child, parent: node, isNear: near, isBelowCause: isBelowCause || node.isCause, &marks, &calls)
    }
  }

  /// Whether the value tells a reader anything.
  private func says(_ node: TracedNode, under parent: TracedNode?) -> Bool {
    let e = node.expression
    if node.isCause { return true }
    if e.isLiteral || node.isPassedOn { return false }
    switch e.kind {
    case .ternary, .list, .map: return false
    case .binary(let op, _, _) where op == .and || op == .or:
      // The value of a whole condition or function is told above it.
      if level != .all || parent == nil { return false }
      // Of a chain the last operator is the whole.
      if case .binary(let outer, let left, _) = parent?.expression.kind, outer == op, left === e { return false }
    default: break
    }
    guard let parent, Self.isReceiver(e, of: parent.expression) else { return true }
    if case .identifier(let name) = e.kind, name == "request" || name == "resource", !parent.isError { return false }
    // Of a map the part that was asked for is enough, unless it was not there.
    return parent.isError || !node.text.hasPrefix("{")
  }

  private static func isReceiver(_ e: Expression, of parent: Expression) -> Bool {
    switch parent.kind {
    case .member(let receiver, _), .index(let receiver, _), .methodCall(let receiver, _, _): receiver === e
    default: false
    }
  }
}

extension TracedNode {
  /// Whether another node is below this one, not looking into functions.
  func holds(_ other: TracedNode) -> Bool { operands.contains { $0 === other || $0.holds(other) } }
}

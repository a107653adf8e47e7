import RulesSyntax
import RulesValues

/// The values that nodes took in an explained run, as the tree in which they were evaluated.
struct Trace {
  struct Node {
    let expression: Expression
    var value: Value = .null
    var children: [Int] = []
  }

  private(set) var nodes: [Node] = []
  private(set) var roots: [Int] = []
  private var open: [Int] = []

  mutating func clear() {
    nodes.removeAll(keepingCapacity: true)
    roots.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
  }

  mutating func enter(_ expression: Expression) {
    let index = nodes.count
    nodes.append(Node(expression: expression))
    if let parent = open.last { nodes[parent].children.append(index) } else { roots.append(index) }
    open.append(index)
  }

  mutating func leave(_ value: Value) {
    guard let index = open.popLast() else { return }
    nodes[index].value = value
  }
}

import RulesValues

/// All match blocks of a service as one tree of segments, so that finding those that cover a path costs about the
/// same for ten blocks as for a thousand.
///
/// A walk follows literal and capture edges side by side; a glob edge takes any number of segments (in version 1 at
/// least one) before what follows it. Blocks are found by number; callers sort them into file order.
struct PathTrie: Sendable {
  private struct Node: Sendable {
    var capture: Int32 = -1
    var glob: Int32 = -1
    var hasLiterals = false
    var blocks: [Int32] = []
  }

  private var nodes: [Node] = [Node()]
  private var literals = LiteralEdges()
  private let globTakesNone: Bool

  init(globTakesNone: Bool) { self.globTakesNone = globTakesNone }

  mutating func insert(_ pattern: [PatternSegment], block: Int32) {
    var node = 0
    for segment in pattern {
      switch segment {
      case .literal(let value, let text):
        nodes[node].hasLiterals = true
        if let next = literals.find(from: node, text) {
          node = next
        } else {
          let next = addNode()
          literals.insert(from: node, text, value, to: next)
          node = next
        }
      case .capture:
        if nodes[node].capture < 0 { nodes[node].capture = Int32(addNode()) }
        node = Int(nodes[node].capture)
      case .glob:
        if nodes[node].glob < 0 { nodes[node].glob = Int32(addNode()) }
        node = Int(nodes[node].glob)
      }
    }
    nodes[node].blocks.append(block)
  }

  private mutating func addNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  /// Appends the numbers of all blocks whose pattern takes the whole of `path`.
  func matches(_ path: Value, _ arena: Arena, into found: inout [Int32]) {
    walk(0, path, 0, arena, &found)
  }

  // Depth is bounded by the number of segments of a pattern, of which the official limit allows 100.
  private func walk(_ node: Int, _ path: Value, _ position: Int, _ arena: Arena, _ found: inout [Int32]) {
    if position == path.count {
      found.append(contentsOf: nodes[node].blocks)
    } else {
      if nodes[node].hasLiterals,
        let next = literals.find(from: node, arena.element(path, position), arena)
      {
        walk(next, path, position + 1, arena, &found)
      }
      if nodes[node].capture >= 0 { walk(Int(nodes[node].capture), path, position + 1, arena, &found) }
    }
    if nodes[node].glob >= 0 {
      var start = globTakesNone ? position : position + 1
      while start <= path.count {
        walk(Int(nodes[node].glob), path, start, arena, &found)
        start += 1
      }
    }
  }
}

/// The literal edges of a trie: (node, text) → node in one table with open addressing.
private struct LiteralEdges: Sendable {
  private struct Edge: Sendable {
    var from: Int32
    var to: Int32
    var hash: UInt64
    var text: Text
    var value: Value
  }

  private var edges: [Edge] = []
  /// Indices into `edges`, -1 where empty; a power of two long and at most half full.
  private var table = [Int32](repeating: -1, count: 16)

  private func slot(_ from: Int, _ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: (hash ^ UInt64(truncatingIfNeeded: from) &* 0x9E37_79B9_7F4A_7C15) >> 7) & (table.count - 1)
  }

  func find(from node: Int, _ text: Text) -> Int? {
    let hash = Self.hash(text)
    var i = slot(node, hash)
    while table[i] >= 0 {
      let edge = edges[Int(table[i])]
      if edge.from == node, edge.hash == hash, edge.text == text { return Int(edge.to) }
      i = (i + 1) & (table.count - 1)
    }
    return nil
  }

  func find(from node: Int, _ segment: Value, _ arena: Arena) -> Int? {
    let hash = arena.hash(segment)
    var i = slot(node, hash)
    while table[i] >= 0 {
      let edge = Int(table[i])
      if edges[edge].from == node, edges[edge].hash == hash, arena.sameBytes(edges[edge].value, segment) {
        return Int(edges[edge].to)
      }
      i = (i + 1) & (table.count - 1)
    }
    return nil
  }

  mutating func insert(from node: Int, _ text: Text, _ value: Value, to next: Int) {
    if (edges.count + 1) * 2 > table.count {
      table = [Int32](repeating: -1, count: table.count * 2)
      for (index, edge) in edges.enumerated() { place(index, Int(edge.from), edge.hash) }
    }
    let hash = Self.hash(text)
    edges.append(Edge(from: Int32(node), to: Int32(next), hash: hash, text: text, value: value))
    place(edges.count - 1, node, hash)
  }

  private mutating func place(_ index: Int, _ node: Int, _ hash: UInt64) {
    var i = slot(node, hash)
    while table[i] >= 0 { i = (i + 1) & (table.count - 1) }
    table[i] = Int32(index)
  }

  private static func hash(_ text: Text) -> UInt64 {
    var hash = ByteHash()
    for byte in text.string.utf8 { hash.add(byte) }
    return hash.value
  }
}

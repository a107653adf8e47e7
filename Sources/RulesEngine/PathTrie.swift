import RulesValues

/// All match blocks of a service as one tree of segments, so that finding those that cover a path costs about the
/// same for ten blocks as for a thousand.
///
/// A walk follows literal and capture edges side by side; a glob edge takes any number of segments (in version 1 at
/// least one) before what follows it. Blocks are found by number.
struct PathTrie: Sendable {
  fileprivate struct Node: Sendable {
    var capture: Int32 = -1
    var glob: Int32 = -1
    /// The one literal edge from here, or one of the two below.
    var literal = Node.noLiteral
    /// The last block whose pattern ends here; the others follow through `earlierBlocks`.
    var block: Int32 = -1

    static var noLiteral: Int32 { -1 }
    /// They are found by their hash.
    static var severalLiterals: Int32 { -2 }
  }

  private var nodes: [Node] = [Node()]
  /// For each block, another whose pattern ends at the same node, or -1.
  private var earlierBlocks: [Int32] = []
  private var literals = LiteralEdges()
  private let globTakesNone: Bool

  init(globTakesNone: Bool) { self.globTakesNone = globTakesNone }

  mutating func insert(_ pattern: [PatternSegment], block: Int32) {
    var node = 0
    for segment in pattern {
      switch segment {
      case .literal(let value, let text):
        if let next = literals.find(from: node, text) {
          node = next
        } else {
          let next = addNode()
          nodes[node].literal =
            nodes[node].literal == Node.noLiteral ? Int32(literals.edges.count) : Node.severalLiterals
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
    while earlierBlocks.count <= Int(block) { earlierBlocks.append(-1) }
    earlierBlocks[Int(block)] = nodes[node].block
    nodes[node].block = block
  }

  private mutating func addNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  func frozen() -> FrozenPathTrie {
    FrozenPathTrie(
      nodes: nodes, earlierBlocks: earlierBlocks, edges: literals.edges, table: literals.table,
      globTakesNone: globTakesNone)
  }
}

/// A trie that is complete. A class of constants: walking it counts no reference.
final class FrozenPathTrie: Sendable {
  private let nodes: [PathTrie.Node]
  private let earlierBlocks: [Int32]
  private let edges: [LiteralEdges.Edge]
  private let table: [Int32]
  private let globTakesNone: Bool

  fileprivate init(
    nodes: [PathTrie.Node], earlierBlocks: [Int32], edges: [LiteralEdges.Edge], table: [Int32], globTakesNone: Bool
  ) {
    self.nodes = nodes
    self.earlierBlocks = earlierBlocks
    self.edges = edges
    self.table = table
    self.globTakesNone = globTakesNone
  }

  /// The node that a literal edge leads to, or -1.
  @inline(__always)
  private func find(_ literal: Int32, from node: Int, _ path: Value, _ position: Int, _ arena: Arena) -> Int {
    if literal == PathTrie.Node.noLiteral { return -1 }
    let segment = arena.element(path, position)
    // An id that rules do not see is like no literal.
    guard segment.has(.string) else { return -1 }
    if literal < 0 { return find(from: node, segment, arena) }
    let edge = edges[Int(literal)]
    return arena.sameBytes(edge.value, segment) ? Int(edge.to) : -1
  }

  @inline(__always)
  private func find(from node: Int, _ segment: Value, _ arena: Arena) -> Int {
    let hash = arena.hash(segment)
    var i = LiteralEdges.slot(node, hash, table.count)
    while true {
      let index = Int(table[i])
      if index < 0 { return -1 }
      if edges[index].hash == hash, edges[index].from == node, arena.sameBytes(edges[index].value, segment) {
        return Int(edges[index].to)
      }
      i = (i &+ 1) & (table.count &- 1)
    }
  }

  /// The numbers of all blocks whose pattern takes the whole of `path`, ascending.
  func matches(_ path: Value, _ arena: Arena) -> BlockList {
    var found = BlockList(arena)
    guard path.has(.path) else { return found }
    walk(0, path, 0, arena, &found)
    found.sort()
    return found
  }

  // Depth is bounded by the number of segments of a pattern, of which the official limit allows 100. Where there is
  // only one way on, it is taken without a call.
  private func walk(_ start: Int, _ path: Value, _ from: Int, _ arena: Arena, _ found: inout BlockList) {
    var index = start
    var position = from
    while true {
      let node = nodes[index]
      if node.glob >= 0 { walkGlob(Int(node.glob), path, globTakesNone ? position : position &+ 1, arena, &found) }
      if position >= path.count {
        var block = node.block
        while block >= 0 {
          found.append(block)
          block = earlierBlocks[Int(block)]
        }
        return
      }
      let literal = find(node.literal, from: index, path, position, arena)
      position &+= 1
      if literal >= 0 {
        if node.capture >= 0 { walk(Int(node.capture), path, position, arena, &found) }
        index = literal
      } else if node.capture >= 0 {
        index = Int(node.capture)
      } else {
        return
      }
    }
  }

  @inline(never)
  private func walkGlob(_ node: Int, _ path: Value, _ from: Int, _ arena: Arena, _ found: inout BlockList) {
    var start = from
    while start <= path.count {
      walk(node, path, start, arena, &found)
      start &+= 1
    }
  }
}

/// Numbers of match blocks: one here, more in the memory of the request.
struct BlockList {
  private let arena: Arena
  private var first = 0
  private var row: Arena.Row?
  private(set) var count = 0

  init(_ arena: Arena) { self.arena = arena }

  @inline(__always)
  subscript(_ i: Int) -> Int {
    guard let row else { return first }
    return Int(arena.get(row, i).asInt)
  }

  /// Without memory for more, blocks stay out, which can only refuse.
  @inline(__always)
  mutating func append(_ block: Int32) {
    if count == 0 {
      first = Int(block)
      count = 1
    } else {
      appendToRow(block)
    }
  }

  @inline(never)
  private mutating func appendToRow(_ block: Int32) {
    var room = row
    if row.map({ count >= $0.count }) ?? true {
      room = arena.row(max(8, count &* 2))
      if let room { for i in 0..<count { arena.set(room, i, .int(Int64(self[i]))) } }
    }
    guard let room else { return }
    arena.set(room, count, .int(Int64(block)))
    row = room
    count &+= 1
  }

  mutating func sort() {
    guard count > 1, let row else { return }
    if count > 64 {
      for (i, block) in (0..<count).map({ self[$0] }).sorted().enumerated() { arena.set(row, i, .int(Int64(block))) }
      return
    }
    for i in 1..<count {
      let block = arena.get(row, i)
      var at = i
      while at > 0, arena.get(row, at &- 1).asInt > block.asInt {
        arena.set(row, at, arena.get(row, at &- 1))
        at &-= 1
      }
      arena.set(row, at, block)
    }
  }
}

/// The literal edges of a trie: (node, text) → node in one table with open addressing.
fileprivate struct LiteralEdges: Sendable {
  struct Edge: Sendable {
    var from: Int32
    var to: Int32
    var hash: UInt64
    var value: Value
  }

  private(set) var edges: [Edge] = []
  private var texts: [Text] = []
  /// Indices into `edges`, -1 where empty; a power of two long and at most half full.
  private(set) var table = [Int32](repeating: -1, count: 16)

  static func slot(_ from: Int, _ hash: UInt64, _ size: Int) -> Int {
    Int(truncatingIfNeeded: (hash ^ UInt64(truncatingIfNeeded: from) &* 0x9E37_79B9_7F4A_7C15) >> 7) & (size &- 1)
  }

  func find(from node: Int, _ text: Text) -> Int? {
    let hash = Arena.hash(of: text.string)
    var i = Self.slot(node, hash, table.count)
    while table[i] >= 0 {
      let edge = edges[Int(table[i])]
      if edge.hash == hash, edge.from == node, texts[Int(table[i])] == text { return Int(edge.to) }
      i = (i + 1) & (table.count - 1)
    }
    return nil
  }

  mutating func insert(from node: Int, _ text: Text, _ value: Value, to next: Int) {
    if (edges.count + 1) * 2 > table.count {
      table = [Int32](repeating: -1, count: table.count * 2)
      for (index, edge) in edges.enumerated() { place(index, Int(edge.from), edge.hash) }
    }
    let hash = Arena.hash(of: text.string)
    edges.append(Edge(from: Int32(node), to: Int32(next), hash: hash, value: value))
    texts.append(text)
    place(edges.count - 1, node, hash)
  }

  private mutating func place(_ index: Int, _ node: Int, _ hash: UInt64) {
    var i = Self.slot(node, hash, table.count)
    while table[i] >= 0 { i = (i + 1) & (table.count - 1) }
    table[i] = Int32(index)
  }
}

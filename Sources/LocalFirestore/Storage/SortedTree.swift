/// Entries in the order of their keys, as a B+ tree whose copies share what they have in common: a copy costs nothing
/// and is a snapshot; a change copies the few nodes on its way that others hold too.
///
/// Nodes are split when full. One that has become empty is taken out, others are not merged: trees that shrink a lot
/// keep some sparse nodes.
struct SortedTree<Value: Sendable>: Sendable {
  typealias Key = [UInt8]

  private static var capacity: Int { 32 }

  // Changed only through `unique`, when nobody else holds it.
  fileprivate final class Node: @unchecked Sendable {
    /// Of a leaf: its keys. Of an inner node: for each child a key not greater than any of its keys.
    var keys: [Key]
    var values: [Value]
    var children: [Node]

    init(keys: [Key], values: [Value], children: [Node]) {
      self.keys = keys
      self.values = values
      self.children = children
    }

    var isLeaf: Bool { children.isEmpty }

    /// The first index whose key is not less than the given one.
    func lowerBound(_ key: Key) -> Int {
      var low = 0
      var high = keys.count
      while low < high {
        let middle = (low + high) / 2
        if [UInt8].compare(keys[middle], key) < 0 { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// The child in which a key lies.
    func childIndex(_ key: Key) -> Int {
      let at = lowerBound(key)
      if at < keys.count, keys[at] == key { return at }
      return max(0, at - 1)
    }
  }

  private var root = Node(keys: [], values: [], children: [])
  private(set) var count = 0

  init() {}

  subscript(key: Key) -> Value? {
    var node = root
    while !node.isLeaf { node = node.children[node.childIndex(key)] }
    let at = node.lowerBound(key)
    return at < node.keys.count && node.keys[at] == key ? node.values[at] : nil
  }

  // MARK: Changing

  mutating func set(_ value: Value, for key: Key) {
    Self.makeUnique(&root)
    if Self.insert(value, key, into: root) { count += 1 }
    guard let right = Self.split(root) else { return }
    root = Node(keys: [root.keys.first ?? [], right.keys.first ?? []], values: [], children: [root, right])
  }

  mutating func remove(_ key: Key) {
    guard self[key] != nil else { return }
    Self.makeUnique(&root)
    Self.remove(key, from: root)
    count -= 1
    while root.children.count == 1 { root = root.children[0] }
    if root.keys.isEmpty { root = Node(keys: [], values: [], children: []) }
  }

  private static func makeUnique(_ node: inout Node) {
    if !isKnownUniquelyReferenced(&node) {
      node = Node(keys: node.keys, values: node.values, children: node.children)
    }
  }

  /// - Returns: whether the key is new.
  private static func insert(_ value: Value, _ key: Key, into node: Node) -> Bool {
    if node.isLeaf {
      let at = node.lowerBound(key)
      if at < node.keys.count, node.keys[at] == key {
        node.values[at] = value
        return false
      }
      node.keys.insert(key, at: at)
      node.values.insert(value, at: at)
      return true
    }
    let at = node.childIndex(key)
    if [UInt8].compare(key, node.keys[at]) < 0 { node.keys[at] = key }
    makeUnique(&node.children[at])
    let isNew = insert(value, key, into: node.children[at])
    if let right = split(node.children[at]) {
      node.keys.insert(right.keys[0], at: at + 1)
      node.children.insert(right, at: at + 1)
    }
    return isNew
  }

  /// Of a node that has become too large, the upper half.
  private static func split(_ node: Node) -> Node? {
    guard node.keys.count > capacity else { return nil }
    // Keys that come in order leave full nodes behind.
    let half = node.keys.count / 2
    let right = Node(
      keys: Array(node.keys[half...]), values: node.isLeaf ? Array(node.values[half...]) : [],
      children: node.isLeaf ? [] : Array(node.children[half...]))
    node.keys.removeSubrange(half...)
    if node.isLeaf { node.values.removeSubrange(half...) } else { node.children.removeSubrange(half...) }
    return right
  }

  private static func remove(_ key: Key, from node: Node) {
    if node.isLeaf {
      let at = node.lowerBound(key)
      guard at < node.keys.count, node.keys[at] == key else { return }
      node.keys.remove(at: at)
      node.values.remove(at: at)
      return
    }
    let at = node.childIndex(key)
    makeUnique(&node.children[at])
    remove(key, from: node.children[at])
    if node.children[at].keys.isEmpty {
      node.keys.remove(at: at)
      node.children.remove(at: at)
    }
  }

  // MARK: Walking

  /// Visits the entries of a range in order, or in reverse, until `body` answers false.
  func scan<Failure: Error>(
    _ range: KeyRange, descending: Bool = false, _ body: (Key, Value) throws(Failure) -> Bool
  ) throws(Failure) {
    if descending { _ = try Self.down(root, range, body) } else { _ = try Self.up(root, range, body) }
  }

  private static func up<Failure: Error>(
    _ node: Node, _ range: KeyRange, _ body: (Key, Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    if node.isLeaf {
      var i = node.lowerBound(range.lower)
      while i < node.keys.count {
        guard range.isBelowEnd(node.keys[i]), try body(node.keys[i], node.values[i]) else { return false }
        i += 1
      }
      return true
    }
    for i in node.childIndex(range.lower)..<node.children.count {
      guard i == 0 || range.isBelowEnd(node.keys[i]), try up(node.children[i], range, body) else { return false }
    }
    return true
  }

  private static func down<Failure: Error>(
    _ node: Node, _ range: KeyRange, _ body: (Key, Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    var i = (range.upper.map { node.lowerBound($0) } ?? node.keys.count) - 1
    while i >= 0 {
      if node.isLeaf {
        guard [UInt8].compare(node.keys[i], range.lower) >= 0, try body(node.keys[i], node.values[i]) else {
          return false
        }
      } else {
        guard try down(node.children[i], range, body) else { return false }
      }
      i -= 1
    }
    return true
  }
}

/// Keys from `lower` on, up to but without `upper`.
public struct KeyRange: Sendable, Equatable {
  public var lower: [UInt8]
  /// `nil`: no end.
  public var upper: [UInt8]?

  public init(from lower: [UInt8] = [], to upper: [UInt8]? = nil) {
    self.lower = lower
    self.upper = upper
  }

  /// All keys that begin so.
  init(prefix: [UInt8]) {
    lower = prefix
    upper = prefix.afterPrefix
  }

  func isBelowEnd(_ key: [UInt8]) -> Bool { upper.map { [UInt8].compare(key, $0) < 0 } ?? true }
  var isEmpty: Bool { !isBelowEnd(lower) }
}

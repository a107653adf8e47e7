import Testing

@testable import LocalFirestore

@Suite struct TreeTests {
  /// Numbers that look random, the same in each run.
  private struct Source {
    var state: UInt64
    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }

  private func key(_ n: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: n >> 8), UInt8(truncatingIfNeeded: n)] }

  private func entries(_ tree: SortedTree<Int>, _ range: KeyRange = KeyRange(), descending: Bool = false) -> [[Int]] {
    var all: [[Int]] = []
    tree.scan(range, descending: descending) { key, value in
      all.append([Int(key[0]) << 8 | Int(key[1]), value])
      return true
    }
    return all
  }

  @Test(arguments: [1, 2, 3]) func `a tree holds what a dictionary would, and its copies stay as they were`(
    _ seed: UInt64
  ) {
    var source = Source(state: seed)
    var tree = SortedTree<Int>()
    var model: [Int: Int] = [:]
    var copies: [(SortedTree<Int>, [Int: Int])] = []
    for step in 0..<6000 {
      let n = source.next(below: 900)
      // First it grows, then it shrinks to nothing.
      if source.next(below: 6000) > step {
        tree.set(step, for: key(n))
        model[n] = step
      } else {
        tree.remove(key(n))
        model[n] = nil
      }
      if step % 700 == 0 { copies.append((tree, model)) }
    }
    for n in 0..<900 where source.next(below: 10) > 0 {
      tree.remove(key(n))
      model[n] = nil
    }
    copies.append((tree, model))
    for (tree, model) in copies {
      #expect(tree.count == model.count)
      let expected = model.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
      #expect(entries(tree) == expected)
      #expect(entries(tree, descending: true) == expected.reversed())
      for n in 0..<900 { #expect(tree[key(n)] == model[n]) }
      let (low, high) = (source.next(below: 900), source.next(below: 900))
      let range = KeyRange(from: key(low), to: key(high))
      let within = expected.filter { $0[0] >= low && $0[0] < high }
      #expect(entries(tree, range) == within)
      #expect(entries(tree, range, descending: true) == within.reversed())
    }
  }

  @Test func `a walk ends when it is told to`() {
    var tree = SortedTree<Int>()
    for n in 0..<500 { tree.set(n, for: key(n)) }
    for descending in [false, true] {
      var seen = 0
      tree.scan(KeyRange(), descending: descending) { _, _ in
        seen += 1
        return seen < 40
      }
      #expect(seen == 40)
    }
  }

  @Test(arguments: [([1, 2], [1, 3]), ([1, 255], [2]), ([255], nil), ([], nil)] as [([UInt8], [UInt8]?)])
  func `behind all that begins so`(_ prefix: [UInt8], _ end: [UInt8]?) { #expect(prefix.afterPrefix == end) }
}

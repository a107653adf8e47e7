import RulesPatterns

/// What a pattern tree means, straight from its definition: the positions at which a match may end, given those at
/// which it may begin. Slow, and shares nothing with the engines.
struct ReferenceMatcher {
  private let units: [UInt16]
  private var stepsLeft = 20_000

  init(_ units: [UInt16]) { self.units = units }

  /// Whether the whole text matches; `nil` where that takes too long.
  mutating func matchesWhole(_ tree: PatternNode) -> Bool? {
    ends(tree, [0]).map { $0.contains(units.count) }
  }

  private mutating func ends(_ node: PatternNode, _ starts: Set<Int>) -> Set<Int>? {
    stepsLeft -= 1 + starts.count
    guard stepsLeft > 0 else { return nil }
    switch node {
    case .empty: return starts
    case .literal(let wanted): return step(starts) { $0 == wanted }
    case .set(let set): return step(starts) { set.contains($0) }
    case .assertion(let assertion): return starts.filter { holds(assertion, $0) }
    case .group(_, _, let body): return ends(body, starts)
    case .sequence(let items):
      var reached = starts
      for item in items {
        guard let next = ends(item, reached) else { return nil }
        reached = next
      }
      return reached
    case .choice(let items):
      var reached: Set<Int> = []
      for item in items {
        guard let next = ends(item, starts) else { return nil }
        reached.formUnion(next)
      }
      return reached
    case .repetition(let body, let minimum, let maximum, _):
      var reached = starts
      for _ in 0..<minimum {
        guard let next = ends(body, reached) else { return nil }
        if next == reached { break }
        reached = next
      }
      var all = reached
      var round = minimum
      while maximum.map({ round < $0 }) ?? true {
        guard let next = ends(body, reached) else { return nil }
        reached = next.subtracting(all)
        if reached.isEmpty { break }
        all.formUnion(reached)
        round += 1
      }
      return all
    }
  }

  private func step(_ starts: Set<Int>, _ isWanted: (UInt32) -> Bool) -> Set<Int> {
    var reached: Set<Int> = []
    for start in starts {
      if let (codePoint, width) = character(start), isWanted(codePoint) { reached.insert(start + width) }
    }
    return reached
  }

  private func character(_ position: Int) -> (UInt32, Int)? {
    guard position < units.count else { return nil }
    let first = UInt32(units[position])
    guard first & 0xFC00 == 0xD800, position + 1 < units.count, units[position + 1] & 0xFC00 == 0xDC00 else { return (first, 1) }
    return (0x10000 + ((first & 0x3FF) << 10 | UInt32(units[position + 1]) & 0x3FF), 2)
  }

  private func holds(_ assertion: PatternNode.Assertion, _ position: Int) -> Bool {
    func isWord(_ index: Int) -> Bool {
      guard units.indices.contains(index) else { return false }
      return switch units[index] {
      case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
      default: false
      }
    }
    return switch assertion {
    case .textStart: position == 0
    case .textEnd: position == units.count
    case .lineStart: position == 0 || units[position - 1] == 10
    case .lineEnd: position == units.count || units[position] == 10
    case .wordBoundary: isWord(position - 1) != isWord(position)
    case .noWordBoundary: isWord(position - 1) == isWord(position)
    }
  }
}

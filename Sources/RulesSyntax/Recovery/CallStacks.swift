/// Sets of stacks of calls, each a number. Stacks that end alike share what they have in common, so that a text of
/// many brackets, where each bracket doubles the stacks that are possible, takes no more than its length.
struct CallStacks: Sendable {
  /// One way to return.
  struct Return: Hashable, Sendable {
    /// -1 for the empty stack.
    var state: Int32
    /// The stacks below.
    var rest: Int32
  }

  /// The set of nothing but the empty stack.
  static let empty = 0

  // Of each set the ways to return, by state, each state once.
  private var returns: [Return] = [Return(state: -1, rest: 0)]
  private var firstReturns: [Int32] = [0, 1]
  private var pushed = NumberTable()
  private var several: [[Return]: Int] = [:]
  private var merged = NumberTable()

  /// How deep stacks are compared that differ far below.
  private static let maximumDepth = 64

  var count: Int { firstReturns.count - 1 }

  func returnsOf(_ set: Int) -> Range<Int> { Int(firstReturns[set])..<Int(firstReturns[set + 1]) }

  func way(_ at: Int) -> Return { returns[at] }

  func hasEmpty(_ set: Int) -> Bool { returns[Int(firstReturns[set])].state < 0 }

  /// The stacks with one more state to return to.
  mutating func push(_ set: Int, _ state: Int) -> Int {
    let key = UInt64(truncatingIfNeeded: set) << 16 | UInt64(truncatingIfNeeded: state)
    let number = pushed.value(of: key, orInsert: count)
    if number == count {
      append([Return(state: Int32(truncatingIfNeeded: state), rest: Int32(truncatingIfNeeded: set))])
    }
    return number
  }

  /// The stacks of both sets. `anyCaller`: the empty stack stands for every caller, so that it absorbs the others.
  mutating func merge(_ a: Int, _ b: Int, anyCaller: Bool, depth: Int = 0) throws(Prediction.Exhausted) -> Int {
    if a == b { return a }
    if anyCaller, a == CallStacks.empty || b == CallStacks.empty { return CallStacks.empty }
    guard depth < CallStacks.maximumDepth else { throw Prediction.Exhausted() }
    let key = UInt64(truncatingIfNeeded: min(a, b)) << 32 | UInt64(truncatingIfNeeded: max(a, b))
    if let known = merged.value(of: key) { return known }
    var ways: [Return] = []
    var (left, right) = (returnsOf(a), returnsOf(b))
    while let i = left.first, let j = right.first {
      var way = returns[i]
      if way.state == returns[j].state {
        let rest = try merge(Int(way.rest), Int(returns[j].rest), anyCaller: anyCaller, depth: depth + 1)
        way.rest = Int32(truncatingIfNeeded: rest)
        left = left.dropFirst()
        right = right.dropFirst()
      } else if way.state < returns[j].state {
        left = left.dropFirst()
      } else {
        way = returns[j]
        right = right.dropFirst()
      }
      ways.append(way)
    }
    ways += returns[left] + returns[right]
    return merged.value(of: key, orInsert: number(of: ways))
  }

  private mutating func number(of ways: [Return]) -> Int {
    if ways.count == 1, ways[0].state >= 0 { return push(Int(ways[0].rest), Int(ways[0].state)) }
    if let known = several[ways] { return known }
    several[ways] = count
    append(ways)
    return count - 1
  }

  private mutating func append(_ ways: [Return]) {
    returns += ways
    firstReturns.append(Int32(truncatingIfNeeded: returns.count))
  }
}

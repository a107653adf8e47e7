/// A pattern tree as a program for `PikeMachine`: the guaranteed way to an answer, in time
/// proportional to the size of the program times the length of the text.
///
/// Counted repetitions are unrolled the way RE2 does it, since that decides which match is preferred
/// when a repetition can be empty.
struct Automaton: Sendable {
  enum Instruction: Sendable {
    case literal(UInt32)
    /// Index into `sets`.
    case set(Int)
    case assertion(PatternNode.Assertion)
    /// Remembers the position in a slot: 2g for the start of group g, 2g + 1 for its end.
    case save(Int)
    /// Goes on at both, preferring the first.
    case split(Int, Int)
    case jump(Int)
    case accept
  }

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [CodePointSet] = []
  private var setIndices: [CodePointSet: Int] = [:]

  /// `nil` where the program would have more than `PatternLimits.instructions`.
  init?(_ tree: PatternNode) {
    guard let size = Automaton.size(tree), size < PatternLimits.instructions else { return nil }
    instructions.reserveCapacity(size + 1)
    emit(tree)
    instructions.append(.accept)
  }

  /// How many instructions a node takes; `nil` beyond the limit.
  private static func size(_ node: PatternNode) -> Int? {
    func bounded(_ size: Int) -> Int? { size <= PatternLimits.instructions ? size : nil }
    switch node {
    case .empty: return 0
    case .literal, .set, .assertion: return 1
    case .sequence(let items):
      var total = 0
      for item in items {
        guard let size = size(item), let sum = bounded(total + size) else { return nil }
        total = sum
      }
      return total
    case .choice(let items):
      var total = 0
      for item in items {
        guard let size = size(item), let sum = bounded(total + size + 2) else { return nil }
        total = sum
      }
      return total
    case .repetition(let body, let minimum, let maximum, _):
      guard let size = size(body) else { return nil }
      return bounded((size + 1) * max(maximum ?? minimum, 1) + 2)
    case .group(_, _, let body):
      guard let size = size(body) else { return nil }
      return bounded(size + 2)
    }
  }

  private mutating func emit(_ node: PatternNode) {
    switch node {
    case .empty: break
    case .literal(let codePoint): instructions.append(.literal(codePoint))
    case .set(let set): instructions.append(.set(index(of: set)))
    case .assertion(let assertion): instructions.append(.assertion(assertion))
    case .sequence(let items): for item in items { emit(item) }
    case .choice(let items): emitChoice(items)
    case .repetition(let body, let minimum, let maximum, let greedy):
      emitRepetition(body, minimum: minimum, maximum: maximum, greedy: greedy)
    case .group(let index, _, let body):
      instructions.append(.save(2 * index))
      emit(body)
      instructions.append(.save(2 * index + 1))
    }
  }

  private mutating func index(of set: CodePointSet) -> Int {
    if let known = setIndices[set] { return known }
    sets.append(set)
    setIndices[set] = sets.count - 1
    return sets.count - 1
  }

  private mutating func emitChoice(_ items: [PatternNode]) {
    var jumps: [Int] = []
    for (number, item) in items.enumerated() {
      guard number < items.count - 1 else {
        emit(item)
        break
      }
      let split = reserve()
      emit(item)
      jumps.append(reserve())
      instructions[split] = .split(split + 1, instructions.count)
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  private mutating func emitRepetition(_ body: PatternNode, minimum: Int, maximum: Int?, greedy: Bool) {
    guard let maximum else {
      // x{3,} is xxx+ and x* is (x+)?: a loop that could be entered without consuming would lose
      // the preferred empty iteration.
      for _ in 1..<max(minimum, 1) { emit(body) }
      let entry = minimum == 0 ? reserve() : nil
      let loop = instructions.count
      emit(body)
      instructions.append(split(into: loop, past: instructions.count + 1, greedy: greedy))
      if let entry { instructions[entry] = split(into: loop, past: instructions.count, greedy: greedy) }
      return
    }
    for _ in 0..<minimum { emit(body) }
    var exits: [Int] = []
    for _ in minimum..<maximum {
      exits.append(reserve())
      emit(body)
    }
    for exit in exits { instructions[exit] = split(into: exit + 1, past: instructions.count, greedy: greedy) }
  }

  /// A place for an instruction that is known later.
  private mutating func reserve() -> Int {
    instructions.append(.jump(0))
    return instructions.count - 1
  }

  private func split(into body: Int, past end: Int, greedy: Bool) -> Instruction {
    greedy ? .split(body, end) : .split(end, body)
  }
}

/// Runs an `Automaton` over UTF-16 units, all threads in step (Pike's simulation): one pass, no
/// backtracking. Threads are kept in order of preference, so the first to accept is the match a
/// backtracking engine would find first.
struct PikeMachine {
  private let automaton: Automaton
  private let units: [UInt16]
  /// How many positions each thread of a search remembers: two for the whole match and each group.
  private let slots: Int
  /// Units to look for where no thread is under way (`PatternNode.lowSurrogatePrefix`).
  private let prefix: [UInt16]
  /// Whether a thread consumed the character before this position. Such a thread may since have
  /// failed an assertion; the official implementation counts it all the same.
  private var isUnderWay = false
  private var stepsLeft: Int

  private var current = ThreadList()
  private var next = ThreadList()
  /// For each instruction the generation in which it was last added to a list.
  private var marks: [UInt32]
  private var generation: UInt32 = 0
  /// What `add` still has to do: an instruction to visit, or the old value of a slot and its `~` number.
  private var pending: [Int] = []

  private struct ThreadList {
    var instructions: [Int] = []
    /// The slots of all threads, one after the other.
    var slots: [Int] = []

    mutating func removeAll() {
      instructions.removeAll(keepingCapacity: true)
      slots.removeAll(keepingCapacity: true)
    }
  }

  /// - Parameter groups: how many groups `find` shall remember besides the whole match.
  init(_ automaton: Automaton, units: [UInt16], groups: Int = 0, prefix: [UInt16] = [], steps: Int = PatternLimits.steps) {
    self.automaton = automaton
    self.units = units
    self.slots = 2 * (max(groups, 0) + 1)
    self.prefix = prefix
    self.stepsLeft = steps
    self.marks = Array(repeating: 0, count: automaton.instructions.count)
  }

  /// Whether the automaton accepts the whole text.
  mutating func matchesWhole() throws(PatternFailure) -> Bool {
    next.removeAll()
    beginGeneration()
    try add(0, at: 0, slots: [])
    var position = 0
    while position < units.count {
      let (codePoint, width) = WTF8.codePoint(units[...], at: position)
      advance()
      if current.instructions.isEmpty { return false }
      position += width
      for thread in current.instructions where consumes(thread, codePoint) {
        try add(thread + 1, at: position, slots: [])
      }
    }
    return next.instructions.contains { isAccept($0) }
  }

  /// The first match that starts at `start` or later: its slots, -1 where a group took no part.
  mutating func find(from start: Int) throws(PatternFailure) -> [Int]? {
    var seed = Array(repeating: -1, count: slots)
    var found: [Int]?
    var position = start
    next.removeAll()
    isUnderWay = false
    beginGeneration()
    while true {
      if found == nil {
        if !isUnderWay, !prefix.isEmpty {
          guard let start = nextPrefix(from: position) else { return nil }
          position = start
        }
        // A new attempt comes last: matches that start further left are preferred.
        seed[0] = position
        try add(0, at: position, slots: seed)
      } else if next.instructions.isEmpty {
        return found
      }
      advance()
      let (codePoint, width) = position < units.count ? WTF8.codePoint(units[...], at: position) : (0, 0)
      for (index, thread) in current.instructions.enumerated() {
        if isAccept(thread) {
          found = slots(ofThread: index)
          found?[1] = position
          break
        }
        if width > 0, consumes(thread, codePoint) {
          isUnderWay = true
          try add(thread + 1, at: position + width, slots: slots(ofThread: index))
        }
      }
      if width == 0 { return found }
      position += width
    }
  }

  /// Where the prefix comes next. Not looked for when the character after this one begins like it.
  private func nextPrefix(from position: Int) -> Int? {
    if position < units.count {
      let following = position + WTF8.codePoint(units[...], at: position).1
      if following < units.count, WTF8.codePoint(units[...], at: following).0 == UInt32(prefix[0]) { return position }
    }
    var start = position
    while start + prefix.count <= units.count {
      if units[start..<(start + prefix.count)].elementsEqual(prefix) { return start }
      start += 1
    }
    return nil
  }

  /// Makes the threads just added the current ones and begins the list of the next position.
  private mutating func advance() {
    swap(&current, &next)
    next.removeAll()
    isUnderWay = false
    beginGeneration()
  }

  private func slots(ofThread index: Int) -> [Int] {
    Array(current.slots[(index * slots)..<((index + 1) * slots)])
  }

  /// All matches from left to right, as `Matcher.find` of the Java port gives them: after an empty
  /// match the search goes on one unit further, which may be the middle of a surrogate pair.
  mutating func matches() throws(PatternFailure) -> [[Range<Int>?]] {
    var found: [[Range<Int>?]] = []
    var start = 0
    while start <= units.count, let slots = try find(from: start) {
      var match: [Range<Int>?] = []
      for group in 0..<(slots.count / 2) {
        let (low, high) = (slots[2 * group], slots[2 * group + 1])
        match.append(low >= 0 && low <= high ? low..<high : nil)
      }
      guard let whole = match.first ?? nil else { break }
      found.append(match)
      start = whole.isEmpty ? whole.upperBound + 1 : whole.upperBound
    }
    return found
  }

  private mutating func beginGeneration() {
    generation &+= 1
    if generation == 0 {
      // The counter wrapped: old marks could look new.
      for index in marks.indices { marks[index] = 0 }
      generation = 1
    }
  }

  private func isAccept(_ instruction: Int) -> Bool {
    if case .accept = automaton.instructions[instruction] { true } else { false }
  }

  private func consumes(_ instruction: Int, _ codePoint: UInt32) -> Bool {
    switch automaton.instructions[instruction] {
    case .literal(let wanted): wanted == codePoint
    case .set(let index): automaton.sets[index].contains(codePoint)
    default: false
    }
  }

  /// Adds a thread and all it can reach without consuming to `next`, in order of preference.
  private mutating func add(_ instruction: Int, at position: Int, slots seed: [Int]) throws(PatternFailure) {
    var slots = seed
    var index = instruction
    pending.removeAll(keepingCapacity: true)
    while true {
      stepsLeft -= 1
      follow: while marks[index] != generation {
        marks[index] = generation
        stepsLeft -= 1 + slots.count / 8
        guard stepsLeft > 0 else { throw .tooComplex }
        switch automaton.instructions[index] {
        case .jump(let target): index = target
        case .split(let first, let second):
          pending.append(second)
          index = first
        case .assertion(let assertion):
          guard holds(assertion, at: position) else { break follow }
          index += 1
        case .save(let slot):
          if slot < slots.count {
            pending.append(slots[slot])
            pending.append(~slot)
            slots[slot] = position
          }
          index += 1
        case .literal, .set, .accept:
          next.instructions.append(index)
          next.slots.append(contentsOf: slots)
          break follow
        }
      }
      // What was put off: the less preferred way at a split, or a slot to give its old value back.
      while true {
        guard let item = pending.popLast() else { return }
        if item >= 0 {
          index = item
          break
        }
        slots[~item] = pending.popLast() ?? -1
      }
    }
  }

  private func holds(_ assertion: PatternNode.Assertion, at position: Int) -> Bool {
    func isWord(_ index: Int) -> Bool {
      index >= 0 && index < units.count && AsciiClass.word.contains(UInt32(units[index]))
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

/// Several patterns as one deterministic automaton: which of them can match one text at once, and how long such a
/// text can be. For proofs: a text is known to a solver by its class only.
///
/// Texts are taken for sequences of code points. That two surrogates which meet are one code point is not used: the
/// classes then hold texts that do not exist, never too few.
public struct JointAutomaton: Sendable {
  /// Texts that the same patterns match.
  public struct Class: Sendable {
    /// For each pattern, whether it matches the whole text.
    public let accepted: [Bool]
    /// Lengths in UTF-16 units; no longest where there is no bound.
    public let shortest: Int
    public let longest: Int?
    /// All texts of the class in WTF-8, where there are few; else `nil`.
    public let words: [[UInt8]]?
  }

  /// How many texts of a class are listed.
  public static let wordLimit = 16

  public private(set) var classes: [Class] = []
  private var states: [State] = []
  private var symbols: [Symbol] = []
  private let patternCount: Int

  /// Code points that no pattern tells apart.
  private struct Symbol: Sendable {
    let ranges: [ClosedRange<UInt32>]
    let kind: Kind
    /// UTF-16 units of one.
    let width: Int

    var count: Int { ranges.reduce(0) { $0 + $1.count } }
    var first: UInt32 { ranges[0].lowerBound }
  }

  /// What stands beside a position, as far as assertions look.
  private enum Kind: UInt8, Sendable { case edge, lineFeed, word, other }

  private struct State: Sendable {
    /// One for each symbol.
    var next: [Int32] = []
    var accepted: [Bool] = []
  }

  private struct Key: Hashable {
    let threads: [Int]
    let before: Kind
  }

  /// - Parameters:
  ///   - patterns: that are followed at once.
  ///   - limit: of states.
  /// - Returns: `nil` where a pattern or the whole is too large.
  public init?(_ patterns: [PatternNode], limit: Int = 4_000) {
    patternCount = patterns.count
    var program = Program()
    for pattern in patterns {
      guard let automaton = Automaton(pattern) else { return nil }
      program.add(automaton)
    }
    symbols = Self.symbols(program)
    var numbers: [Key: Int32] = [:]
    var keys: [Key] = []
    func number(_ threads: Set<Int>, before: Kind) -> Int32 {
      let settled = program.hasAssertions ? threads : program.closure(threads, before: .other, after: .other)
      let key = Key(threads: settled.sorted(), before: program.hasAssertions ? before : .other)
      if let known = numbers[key] { return known }
      numbers[key] = Int32(keys.count)
      keys.append(key)
      return Int32(keys.count - 1)
    }
    _ = number(Set(program.starts), before: .edge)
    var done = 0
    while done < keys.count {
      guard keys.count <= limit else { return nil }
      let key = keys[done]
      var state = State()
      var closures: [Kind: Set<Int>] = [:]
      for symbol in symbols {
        let active =
          closures[symbol.kind] ?? program.closure(Set(key.threads), before: key.before, after: symbol.kind)
        closures[symbol.kind] = active
        state.next.append(number(program.step(active, symbol.first), before: symbol.kind))
      }
      let last = program.closure(Set(key.threads), before: key.before, after: .edge)
      state.accepted = program.ends.map { last.contains($0) }
      states.append(state)
      done += 1
    }
    classes = makeClasses()
  }

  // MARK: The patterns' threads

  private struct Program {
    var instructions: [Automaton.Instruction] = []
    var sets: [CodePointSet] = []
    var starts: [Int] = []
    /// The `accept` of each pattern.
    var ends: [Int] = []
    var hasAssertions = false

    mutating func add(_ automaton: Automaton) {
      let base = instructions.count
      let setBase = sets.count
      starts.append(base)
      for instruction in automaton.instructions {
        switch instruction {
        case .set(let i): instructions.append(.set(setBase + i))
        case .split(let a, let b): instructions.append(.split(base + a, base + b))
        case .jump(let a): instructions.append(.jump(base + a))
        case .assertion:
          hasAssertions = true
          instructions.append(instruction)
        case .literal, .save, .accept: instructions.append(instruction)
        }
      }
      sets.append(contentsOf: automaton.sets)
      ends.append(instructions.count - 1)
    }

    /// Where threads come to without taking a character.
    func closure(_ threads: Set<Int>, before: Kind, after: Kind) -> Set<Int> {
      var seen: Set<Int> = []
      var waiting: Set<Int> = []
      var pending = Array(threads)
      while let at = pending.popLast() {
        guard at < instructions.count, seen.insert(at).inserted else { continue }
        switch instructions[at] {
        case .literal, .set, .accept: waiting.insert(at)
        case .assertion(let assertion): if holds(assertion, before, after) { pending.append(at + 1) }
        case .save: pending.append(at + 1)
        case .split(let a, let b):
          pending.append(a)
          pending.append(b)
        case .jump(let a): pending.append(a)
        }
      }
      return waiting
    }

    private func holds(_ assertion: PatternNode.Assertion, _ before: Kind, _ after: Kind) -> Bool {
      switch assertion {
      case .textStart: before == .edge
      case .textEnd: after == .edge
      case .lineStart: before == .edge || before == .lineFeed
      case .lineEnd: after == .edge || after == .lineFeed
      case .wordBoundary: (before == .word) != (after == .word)
      case .noWordBoundary: (before == .word) == (after == .word)
      }
    }

    func step(_ threads: Set<Int>, _ codePoint: UInt32) -> Set<Int> {
      var next: Set<Int> = []
      for at in threads {
        switch instructions[at] {
        case .literal(codePoint): next.insert(at + 1)
        case .set(let i): if sets[i].contains(codePoint) { next.insert(at + 1) }
        default: break
        }
      }
      return next
    }
  }

  /// All code points, those together that every set and literal treats alike.
  private static func symbols(_ program: Program) -> [Symbol] {
    var sets = Set(program.sets)
    for case .literal(let codePoint) in program.instructions { sets.insert(CodePointSet([codePoint...codePoint])) }
    let lineFeed = CodePointSet([10...10])
    let wide = CodePointSet([0x10000...CodePointSet.last])
    let all = Array(sets) + [lineFeed, AsciiClass.word, wide]
    var cuts: Set<UInt32> = [0, CodePointSet.last + 1]
    for set in all {
      for range in set.ranges {
        cuts.insert(range.lowerBound)
        cuts.insert(range.upperBound + 1)
      }
    }
    let places = cuts.sorted()
    var ranges: [[Bool]: [ClosedRange<UInt32>]] = [:]
    var order: [[Bool]] = []
    for (start, end) in zip(places, places.dropFirst()) {
      let signature = all.map { $0.contains(start) }
      if ranges[signature] == nil { order.append(signature) }
      ranges[signature, default: []].append(start...(end - 1))
    }
    return order.compactMap { signature in
      guard let ranges = ranges[signature], let first = ranges.first?.lowerBound else { return nil }
      let kind: Kind = lineFeed.contains(first) ? .lineFeed : AsciiClass.word.contains(first) ? .word : .other
      return Symbol(ranges: ranges, kind: kind, width: first >= 0x10000 ? 2 : 1)
    }
  }

  // MARK: Classes

  private func makeClasses() -> [Class] {
    var shortest = [Int](repeating: Int.max, count: states.count)
    shortest[0] = 0
    // Widths are 1 and 2: states by length, nearest first.
    var byLength: [[Int]] = [[0]]
    var length = 0
    while length < byLength.count {
      for state in byLength[length] where shortest[state] == length {
        for (i, next) in states[state].next.enumerated() {
          let reached = length + symbols[i].width
          guard reached < shortest[Int(next)] else { continue }
          shortest[Int(next)] = reached
          while byLength.count <= reached { byLength.append([]) }
          byLength[reached].append(Int(next))
        }
      }
      length += 1
    }
    var members: [[Bool]: [Int]] = [:]
    var order: [[Bool]] = []
    for (i, state) in states.enumerated() where shortest[i] < Int.max {
      if members[state.accepted] == nil { order.append(state.accepted) }
      members[state.accepted, default: []].append(i)
    }
    return order.map { accepted -> Class in
      let ends = Set(members[accepted] ?? [])
      let leading = statesLeading(to: ends)
      let longest = self.longest(from: 0, within: leading, ends)
      var words: [[UInt8]]?
      if let longest, longest <= 64 { words = self.words(leading, ends) }
      return Class(
        accepted: accepted, shortest: ends.map { shortest[$0] }.min() ?? 0, longest: longest, words: words)
    }
  }

  private func statesLeading(to ends: Set<Int>) -> Set<Int> {
    var sources = [[Int]](repeating: [], count: states.count)
    for (i, state) in states.enumerated() { for next in Set(state.next) { sources[Int(next)].append(i) } }
    var found = ends
    var pending = Array(ends)
    while let state = pending.popLast() {
      for source in sources[state] where found.insert(source).inserted { pending.append(source) }
    }
    return found
  }

  /// The length of the longest way to an end; `nil` where a circle makes ways of any length.
  private func longest(from start: Int, within states: Set<Int>, _ ends: Set<Int>) -> Int? {
    var longest: [Int: Int] = [:]
    var open: Set<Int> = []
    var pending: [(state: Int, isDone: Bool)] = [(start, false)]
    while let (state, isDone) = pending.popLast() {
      if isDone {
        open.remove(state)
        var best = ends.contains(state) ? 0 : -1
        for (i, next) in self.states[state].next.enumerated() where states.contains(Int(next)) {
          guard let rest = longest[Int(next)] else { return nil }
          if rest >= 0 { best = max(best, rest + symbols[i].width) }
        }
        longest[state] = best
      } else if longest[state] == nil {
        if open.contains(state) { return nil }
        open.insert(state)
        pending.append((state, true))
        for next in Set(self.states[state].next) where states.contains(Int(next)) && longest[Int(next)] == nil {
          if open.contains(Int(next)) { return nil }
          pending.append((Int(next), false))
        }
      }
    }
    return longest[start].flatMap { $0 >= 0 ? $0 : nil }
  }

  /// All texts that end in one of the states, or `nil` if they are many. There are no circles on the way.
  private func words(_ leading: Set<Int>, _ ends: Set<Int>) -> [[UInt8]]? {
    var found: [[UInt8]] = []
    var pending: [(state: Int, text: [UInt8])] = [(0, [])]
    var steps = 0
    while let (state, text) = pending.popLast() {
      steps += 1
      if ends.contains(state) { found.append(text) }
      guard found.count <= Self.wordLimit, pending.count <= 1_000, steps <= 10_000 else { return nil }
      for (i, next) in states[state].next.enumerated() where leading.contains(Int(next)) {
        guard symbols[i].count <= Self.wordLimit else { return nil }
        for range in symbols[i].ranges {
          for codePoint in range {
            var longer = text
            WTF8.append(codePoint, to: &longer)
            pending.append((Int(next), longer))
          }
        }
      }
    }
    return found
  }

  // MARK: Witnesses

  /// A text that some patterns match and others don't, in WTF-8.
  /// - Parameters:
  ///   - accepted: for each pattern, whether it must match; `nil` where it does not matter.
  ///   - length: in UTF-16 units; `nil` for any.
  ///   - avoiding: texts that it must not be.
  public func text(accepted: [Bool?], length: Int?, avoiding: Set<[UInt8]> = []) -> [UInt8]? {
    guard accepted.count == patternCount else { return nil }
    let fitting = classes.filter { zip($0.accepted, accepted).allSatisfy { $1 == nil || $0 == $1 } }
    let ends = Set(
      states.indices.filter { i in fitting.contains { $0.accepted == states[i].accepted } })
    guard let shortest = fitting.map(\.shortest).min() else { return nil }
    let lengths = length.map { [$0] } ?? Array(shortest...(shortest + 8))
    for length in lengths where length <= 200_000 {
      if let text = text(of: length, ends, avoiding) { return text }
    }
    return nil
  }

  private func text(of length: Int, _ ends: Set<Int>, _ avoiding: Set<[UInt8]>) -> [UInt8]? {
    // States from which an end is exactly so many units away; long texts repeat themselves.
    var near: [Set<Int>] = [ends]
    var sources = [[(Int, Int)]](repeating: [], count: states.count)
    for (i, state) in states.enumerated() {
      for (s, next) in state.next.enumerated() { sources[Int(next)].append((i, symbols[s].width)) }
    }
    for distance in 1..<max(1, length + 1) {
      var here: Set<Int> = []
      for width in 1...2 where distance >= width {
        for state in near[distance - width] {
          for (source, w) in sources[state] where w == width { here.insert(source) }
        }
      }
      near.append(here)
    }
    guard near[length].contains(0) else { return nil }
    // Letters before other characters, so that texts can be read; further tries take other characters.
    let order = symbols.indices.sorted { rank(symbols[$0]) < rank(symbols[$1]) }
    for attempt in 0..<(avoiding.count + 1) * 8 {
      var text: [UInt8] = []
      var state = 0
      var left = length
      var place = 0
      while left > 0 {
        let usable = order.filter {
          symbols[$0].width <= left && near[left - symbols[$0].width].contains(Int(states[state].next[$0]))
        }
        guard let first = usable.first else { return nil }
        // The bits of the attempt say where another character is taken.
        let other = place < 16 ? (attempt >> place) & 1 : 0
        let symbol = symbols[first].count > other ? first : usable[min(other, usable.count - 1)]
        WTF8.append(Self.letter(symbols[symbol], other), to: &text)
        left -= symbols[symbol].width
        state = Int(states[state].next[symbol])
        place += 1
      }
      if !avoiding.contains(text) { return text }
    }
    return nil
  }

  private func rank(_ symbol: Symbol) -> Int {
    let first = Self.letter(symbol, 0)
    if (0x61...0x7A).contains(first) { return 0 }
    if (0x30...0x39).contains(first) || (0x41...0x5A).contains(first) { return 1 }
    if (0x21...0x7E).contains(first) { return 2 }
    return (0xD800...0xDFFF).contains(first) ? 5 : first < 0x20 ? 4 : 3
  }

  /// One of the code points, a letter if there is one.
  private static func letter(_ symbol: Symbol, _ n: Int) -> UInt32 {
    var usable: [UInt32] = []
    for wanted in [0x61...0x7A, 0x30...0x39, 0x41...0x5A, 0x21...0x7E] as [ClosedRange<UInt32>] {
      for range in symbol.ranges where range.overlaps(wanted) && usable.count <= n {
        usable += range.clamped(to: wanted)
      }
    }
    if !usable.isEmpty { return usable[n % usable.count] }
    let range = symbol.ranges.first { !(0xD800...0xDFFF).contains($0.lowerBound) } ?? symbol.ranges[0]
    return range.lowerBound + UInt32(n % range.count)
  }
}

/// Reads RE2 syntax as the Java port of RE2 does and builds the tree. Every rule was checked against
/// the official emulator 1.19.9 (`Corpus/patterns.jsonl`). No recursion: open groups lie on a stack.
struct PatternParser {
  /// The code points of the pattern and the byte each starts at (and, last, the length in bytes).
  let source: [UInt32]
  let offsets: [Int]
  var position = 0

  /// The flags in force.
  struct Flags: Equatable {
    var foldCase = false
    var dotMatchesLineFeed = false
    var multiline = false
    var ungreedy = false
  }
  var flags = Flags()

  /// A group being read: the finished alternatives and the items of the current one.
  struct Frame {
    /// What the group becomes when it closes.
    enum Kind { case whole, plain, capturing(index: Int, name: String?) }
    let kind: Kind
    /// Flags to restore when the group closes.
    let outerFlags: Flags
    let start: Int
    var alternatives: [PatternNode] = []
    var items: [PatternNode] = []

    var node: PatternNode {
      let all = alternatives + [sequence]
      let body = all.count == 1 ? all[0] : .choice(all)
      return switch kind {
      case .whole, .plain: body
      case .capturing(let index, let name): .group(index: index, name: name, body)
      }
    }

    var sequence: PatternNode {
      switch items.count {
      case 0: .empty
      case 1: items[0]
      default: .sequence(items)
      }
    }
  }
  var stack: [Frame] = [Frame(kind: .whole, outerFlags: Flags(), start: 0)]
  var groupCount = 0
  var groupNames: [String: Int] = [:]
  /// Where the last repetition (or literal `{`) ended: another one directly behind it is refused.
  var endOfRepetition: Int?

  init(wtf8 bytes: [UInt8]) throws(PatternError) {
    var source: [UInt32] = []
    var offsets: [Int] = []
    source.reserveCapacity(bytes.count)
    offsets.reserveCapacity(bytes.count + 1)
    var position = 0
    var length = 0
    while position < bytes.count {
      let (codePoint, width) = WTF8.decode(bytes, at: position)
      guard let codePoint else { throw PatternError("The pattern is not valid UTF-8.", offset: position) }
      length += codePoint > 0xFFFF ? 2 : 1
      guard length <= PatternLimits.length else {
        throw PatternError(.tooLong, "The pattern is longer than \(PatternLimits.length) UTF-16 units.", offset: position)
      }
      source.append(codePoint)
      offsets.append(position)
      position += width
    }
    offsets.append(bytes.count)
    self.source = source
    self.offsets = offsets
  }

  /// The parsed tree and the names of its groups.
  static func parse(wtf8 bytes: [UInt8]) throws(PatternError) -> (tree: PatternNode, groups: Int, names: [String: Int]) {
    var parser = try PatternParser(wtf8: bytes)
    try parser.checkParentheses()
    while parser.position < parser.source.count { try parser.readItem() }
    guard parser.stack.count == 1 else {
      throw parser.failure("This group is not closed.", at: parser.stack[parser.stack.count - 1].start)
    }
    return (parser.stack[0].node, parser.groupCount, parser.groupNames)
  }

  /// The official implementation counts parentheses before it parses, without regard to classes and
  /// quotes: `[(]` and `\Q(\E` are refused, `[()]` and `[\(]` are not.
  func checkParentheses() throws(PatternError) {
    var depth = 0
    var groupings = 0
    var index = 0
    while index < source.count {
      switch source[index] {
      case "\\": index += 1
      case "(":
        depth += 1
        groupings += 1
        guard depth <= PatternLimits.nestedGroupings else {
          throw failure(.tooNested, "More than \(PatternLimits.nestedGroupings) groups lie in each other.", at: index)
        }
        guard groupings <= PatternLimits.groupings else {
          throw failure(.tooManyGroupings, "The pattern has more than \(PatternLimits.groupings) groups.", at: index)
        }
      case ")":
        depth -= 1
        guard depth >= 0 else { throw failure("This parenthesis closes nothing.", at: index) }
      default: break
      }
      index += 1
    }
    guard depth == 0 else { throw failure("A parenthesis is not closed.", at: source.count) }
  }

  /// Reads one item: a character, class, escape, group mark, or a repetition of the item before it.
  mutating func readItem() throws(PatternError) {
    let start = position
    let codePoint = source[position]
    switch codePoint {
    case "(": try openGroup()
    case ")": try closeGroup()
    case "|":
      position += 1
      let last = stack.count - 1
      stack[last].alternatives.append(stack[last].sequence)
      stack[last].items = []
    case "*", "+", "?":
      position += 1
      try repeatLast(from: start, minimum: codePoint == "+" ? 1 : 0, maximum: codePoint == "?" ? 1 : nil)
    case "{":
      if let (minimum, maximum, end) = try counts() {
        position = end
        try repeatLast(from: start, minimum: minimum, maximum: maximum)
      } else {
        position += 1
        append(literal(codePoint))
        // The official parser takes even this brace for a repetition when another one follows.
        endOfRepetition = position
      }
    case "[": append(try readClass())
    case "\\": try readEscape()
    case ".":
      position += 1
      append(.set(flags.dotMatchesLineFeed ? .everything : .everythingButLineFeed))
    case "^":
      position += 1
      append(.assertion(flags.multiline ? .lineStart : .textStart))
    case "$":
      position += 1
      append(.assertion(flags.multiline ? .lineEnd : .textEnd))
    default:
      position += 1
      append(literal(codePoint))
    }
  }

  mutating func append(_ node: PatternNode) { stack[stack.count - 1].items.append(node) }

  /// A class of one character is that character.
  mutating func append(_ set: CodePointSet) {
    if let range = set.ranges.first, set.ranges.count == 1, range.lowerBound == range.upperBound {
      append(.literal(range.lowerBound))
    } else {
      append(.set(set))
    }
  }

  /// A character, under `(?i)` together with all that fold to the same one.
  func literal(_ codePoint: UInt32) -> PatternNode {
    if flags.foldCase, let others = CaseFolding.orbit(of: codePoint) {
      return .set(CodePointSet(others.map { $0...$0 }))
    }
    return .literal(codePoint)
  }

  /// `{n}`, `{n,}` or `{n,m}` at the position, and where it ends; `nil`: the brace is a character.
  func counts() throws(PatternError) -> (minimum: Int, maximum: Int?, end: Int)? {
    var index = position + 1
    /// A number without leading zeros; large ones stay large, but do not overflow.
    func number() -> Int? {
      let start = index
      var value = 0
      while index < source.count, case "0"..."9" = source[index] {
        value = min(value * 10 + Int(source[index] - 0x30), 1_000_000)
        index += 1
      }
      if index == start || index - start > 1 && source[start] == "0" { return nil }
      return value
    }
    guard let minimum = number(), index < source.count else { return nil }
    var maximum: Int? = minimum
    if source[index] == "," {
      index += 1
      guard index < source.count else { return nil }
      if source[index] == "}" {
        maximum = nil
      } else {
        guard let upper = number() else { return nil }
        maximum = upper
      }
    }
    guard index < source.count, source[index] == "}" else { return nil }
    guard minimum <= PatternLimits.repetition, maximum ?? minimum <= PatternLimits.repetition else {
      throw failure("A repetition count is at most \(PatternLimits.repetition).", at: position)
    }
    guard minimum <= maximum ?? minimum else { throw failure("The counts of this repetition are in the wrong order.", at: position) }
    return (minimum, maximum, index + 1)
  }

  /// Applies a repetition whose text starts at `start` and ends at the position to the last item.
  mutating func repeatLast(from start: Int, minimum: Int, maximum: Int?) throws(PatternError) {
    guard endOfRepetition != start else { throw failure("A repetition cannot be repeated.", at: start) }
    var greedy = !flags.ungreedy
    if position < source.count, source[position] == "?" {
      position += 1
      greedy.toggle()
    }
    guard let body = stack[stack.count - 1].items.popLast() else { throw failure("There is nothing to repeat here.", at: start) }
    append(.repetition(body, minimum: minimum, maximum: maximum, greedy: greedy))
    endOfRepetition = position
  }

  func failure(_ message: String, at index: Int) -> PatternError { failure(.syntax, message, at: index) }

  func failure(_ kind: PatternError.Kind, _ message: String, at index: Int) -> PatternError {
    PatternError(kind, message, offset: offsets[min(index, offsets.count - 1)])
  }

  /// Whether the text at a position reads so.
  func reads(_ text: StaticString, at index: Int) -> Bool {
    guard index + text.utf8CodeUnitCount <= source.count else { return false }
    var index = index
    return text.withUTF8Buffer { buffer in
      for byte in buffer {
        guard source[index] == UInt32(byte) else { return false }
        index += 1
      }
      return true
    }
  }
}

/// Lets code points be compared with character literals.
extension UInt32 {
  static func ~= (pattern: Unicode.Scalar, value: UInt32) -> Bool { pattern.value == value }
  static func == (value: UInt32, scalar: Unicode.Scalar) -> Bool { value == scalar.value }
  static func != (value: UInt32, scalar: Unicode.Scalar) -> Bool { value != scalar.value }
  static func ~= (pattern: ClosedRange<Unicode.Scalar>, value: UInt32) -> Bool {
    pattern.lowerBound.value <= value && value <= pattern.upperBound.value
  }
}

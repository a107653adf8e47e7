/// Writes a pattern tree as a PCRE2 pattern. Nothing of the source text passes through: characters,
/// ranges and groups are written anew, in the few forms whose meaning both engines share.
///
/// Classes are written as ranges, also where PCRE2 has a name for them: its Unicode tables are of
/// another version than the official ones. A wrong answer about one letter could allow a request.
struct PCRE2Translation {
  private var text: [UInt8] = []
  /// Whether groups capture: `replace` needs them, `matches` does not.
  private let capturing: Bool
  /// Beyond this the program would be larger than PCRE2 can address; the automaton takes over.
  private static let maximumLength = 1 << 20

  private init(capturing: Bool) { self.capturing = capturing }

  /// A pattern for the whole text.
  static func wholeMatch(_ tree: PatternNode) -> [UInt8]? {
    var translation = PCRE2Translation(capturing: false)
    translation.write("\\A(?:")
    translation.write(tree)
    translation.write(")\\z")
    return translation.finished
  }

  /// A pattern to be searched for, with the same group numbers.
  static func search(_ tree: PatternNode) -> [UInt8]? {
    var translation = PCRE2Translation(capturing: true)
    translation.write(tree)
    return translation.finished
  }

  private var finished: [UInt8]? { text.count > Self.maximumLength ? nil : text }

  private mutating func write(_ string: StaticString) {
    string.withUTF8Buffer { text.append(contentsOf: $0) }
  }

  private mutating func write(_ node: PatternNode) {
    guard text.count <= Self.maximumLength else { return }
    switch node {
    case .empty: write("(?:)")
    case .literal(let codePoint):
      if CodePointSet.surrogates.contains(codePoint) {
        // A lone surrogate never occurs in a text that PCRE2 is given.
        write("(*FAIL)")
      } else {
        write(codePoint)
      }
    case .set(let set): write(set)
    case .assertion(let assertion): write(assertion)
    case .sequence(let items): for item in items { write(grouping: item, if: isChoice(item)) }
    case .choice(let items):
      for (index, item) in items.enumerated() {
        if index > 0 { write("|") }
        write(item)
      }
    case .repetition(let body, let minimum, let maximum, let greedy):
      write(grouping: body, if: !isSingle(body))
      writeCounts(minimum, maximum)
      if !greedy { write("?") }
    case .group(_, _, let body):
      write(capturing ? "(" : "(?:")
      write(body)
      write(")")
    }
  }

  private func isChoice(_ node: PatternNode) -> Bool {
    if case .choice = node { true } else { false }
  }

  /// Whether a quantifier can follow without a group around.
  private func isSingle(_ node: PatternNode) -> Bool {
    switch node {
    case .literal(let codePoint): !CodePointSet.surrogates.contains(codePoint)
    case .set(let set): !set.subtracting(.surrogates).isEmpty
    case .group: true
    default: false
    }
  }

  private mutating func write(grouping node: PatternNode, if isNeeded: Bool) {
    if isNeeded { write("(?:") }
    write(node)
    if isNeeded { write(")") }
  }

  private mutating func writeCounts(_ minimum: Int, _ maximum: Int?) {
    switch (minimum, maximum) {
    case (0, nil): write("*")
    case (1, nil): write("+")
    case (0, 1): write("?")
    default:
      text.append(contentsOf: "{\(minimum)".utf8)
      if maximum != minimum { write(",") }
      if let maximum, maximum != minimum { text.append(contentsOf: "\(maximum)".utf8) }
      write("}")
    }
  }

  private mutating func write(_ assertion: PatternNode.Assertion) {
    switch assertion {
    case .textStart: write("\\A")
    case .textEnd: write("\\z")
    case .lineStart: write("(?m:^)")
    case .lineEnd: write("(?m:$)")
    case .wordBoundary: write("\\b")
    case .noWordBoundary: write("\\B")
    }
  }

  private mutating func write(_ set: CodePointSet) {
    if set == .everything { return write("(?s:.)") }
    if set == .everythingButLineFeed { return write(".") }
    let ranges = set.subtracting(.surrogates).ranges
    guard !ranges.isEmpty else { return write("(*FAIL)") }
    write("[")
    for range in ranges {
      write(range.lowerBound)
      guard range.upperBound > range.lowerBound else { continue }
      if range.upperBound > range.lowerBound + 1 { write("-") }
      write(range.upperBound)
    }
    write("]")
  }

  /// ASCII letters and digits stand for themselves, everything else is written by number.
  private mutating func write(_ codePoint: UInt32) {
    if AsciiClass.alphanumeric.contains(codePoint) {
      text.append(UInt8(truncatingIfNeeded: codePoint))
    } else {
      write("\\x{")
      for shift in stride(from: 20, through: 0, by: -4) where shift == 0 || codePoint >> UInt32(shift) > 0 {
        let digit = UInt8(truncatingIfNeeded: codePoint >> UInt32(shift) & 0xF)
        text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
      write("}")
    }
  }
}

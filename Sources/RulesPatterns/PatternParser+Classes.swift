/// Bracketed classes.
extension PatternParser {
  /// Reads `[…]`. Under `(?i)` single characters and ranges are closed under folding, before a `^`
  /// takes the complement.
  mutating func readClass() throws(PatternError) -> CodePointSet {
    let start = position
    position += 1
    var negated = false
    if position < source.count, source[position] == "^" {
      negated = true
      position += 1
    }
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    while true {
      guard position < source.count else { throw failure("This class is not closed with ']'.", at: start) }
      // A `]` that comes first is a character.
      if source[position] == "]", !isFirst { break }
      isFirst = false
      if let set = try readNamedClass() {
        ranges += set.ranges
      } else if source[position] == "\\", let set = try readSetEscape() {
        ranges += set.ranges
      } else {
        ranges += try readRange(start: start)
      }
    }
    position += 1
    let set = CodePointSet(ranges)
    return negated ? set.complement : set
  }

  /// `[:alpha:]` or `[:^alpha:]` inside a class; without a `:]` the bracket is a character. The `:]`
  /// may share its colon with the `[:`, so that `[[:]` names an unknown class.
  private mutating func readNamedClass() throws(PatternError) -> CodePointSet? {
    guard reads("[:", at: position) else { return nil }
    var end = position + 1
    while end + 1 < source.count, !(source[end] == ":" && source[end + 1] == "]") { end += 1 }
    guard end + 1 < source.count else { return nil }
    var name = ""
    for codePoint in source[(position + 2)..<max(position + 2, end)] {
      name.unicodeScalars.append(Unicode.Scalar(codePoint) ?? "\u{FFFD}")
    }
    let negated = name.hasPrefix("^")
    guard let set = AsciiClass.posix(negated ? String(name.dropFirst()) : name) else {
      throw failure("There is no class [:\(name):].", at: position)
    }
    position = end + 2
    let folded = flags.foldCase ? CaseFolding.close(set) : set
    return negated ? folded.complement : folded
  }

  /// One character or `a-z`.
  private mutating func readRange(start: Int) throws(PatternError) -> [ClosedRange<UInt32>] {
    let begin = position
    let low = try readClassCharacter(start: start)
    var high = low
    if position + 1 < source.count, source[position] == "-", source[position + 1] != "]" {
      position += 1
      high = try readClassCharacter(start: start)
      guard low <= high else { throw failure("This range is in the wrong order.", at: begin) }
    }
    guard flags.foldCase else { return [low...high] }
    return CaseFolding.close(CodePointSet([low...high])).ranges
  }

  private mutating func readClassCharacter(start: Int) throws(PatternError) -> UInt32 {
    guard position < source.count else { throw failure("This class is not closed with ']'.", at: start) }
    if source[position] == "\\" { return try readCharacterEscape() }
    position += 1
    return source[position - 1]
  }
}

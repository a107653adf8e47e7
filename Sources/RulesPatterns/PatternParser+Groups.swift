/// Groups and flags.
extension PatternParser {
  /// Reads `(`, `(?:`, `(?P<name>`, `(?<name>`, `(?flags)` or `(?flags:`. Everything else that
  /// starts with `(?` is refused; so are lookaround, comments and references.
  mutating func openGroup() throws(PatternError) {
    let start = position
    position += 1
    guard position < source.count, source[position] == "?" else {
      groupCount += 1
      return push(.capturing(index: groupCount, name: nil), start: start, outerFlags: flags)
    }
    position += 1
    if reads("P<", at: position) || reads("<", at: position) {
      position += source[position] == "P" ? 2 : 1
      let name = try readName()
      groupCount += 1
      groupNames[name] = groupCount
      return push(.capturing(index: groupCount, name: name), start: start, outerFlags: flags)
    }
    try readFlags(start: start)
  }

  private mutating func push(_ kind: Frame.Kind, start: Int, outerFlags: Flags) {
    stack.append(Frame(kind: kind, outerFlags: outerFlags, start: start))
  }

  /// Closes the innermost group and puts the flags back that were in force before it.
  mutating func closeGroup() throws(PatternError) {
    guard stack.count > 1, let frame = stack.popLast() else {
      throw failure("This parenthesis closes nothing.", at: position)
    }
    position += 1
    flags = frame.outerFlags
    append(frame.node)
  }

  /// A group name, ASCII word characters up to `>`, never seen before in this pattern.
  private mutating func readName() throws(PatternError) -> String {
    let start = position
    var name = ""
    while position < source.count, source[position] != ">" {
      guard AsciiClass.word.contains(source[position]), let scalar = Unicode.Scalar(source[position]) else {
        throw failure("A group name holds only ASCII letters, digits and underscores.", at: position)
      }
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard position < source.count else { throw failure("This group name is not closed with '>'.", at: start) }
    guard !name.isEmpty else { throw failure("A group name cannot be empty.", at: start) }
    guard groupNames[name] == nil else { throw failure("Two groups are named \(name).", at: start) }
    position += 1
    return name
  }

  /// `i`, `m`, `s`, `U`, at most one `-`, then `)` for the rest of the group around, or `:`.
  private mutating func readFlags(start: Int) throws(PatternError) {
    var new = flags
    var value = true
    var sawFlag = false
    while position < source.count {
      switch source[position] {
      case "i":
        new.foldCase = value
        sawFlag = true
      case "m":
        new.multiline = value
        sawFlag = true
      case "s":
        new.dotMatchesLineFeed = value
        sawFlag = true
      case "U":
        new.ungreedy = value
        sawFlag = true
      case "-":
        guard value else { throw failure("A flag group has at most one '-'.", at: position) }
        value = false
        sawFlag = false
      case ":", ")":
        guard value || sawFlag else { throw failure("A flag must follow the '-'.", at: position) }
        if source[position] == ":" { push(.plain, start: start, outerFlags: flags) }
        flags = new
        position += 1
        return
      default:
        throw failure("This kind of group is not known.", at: start)
      }
      position += 1
    }
    throw failure("This group is not closed.", at: start)
  }
}

/// What follows a backslash outside a class.
extension PatternParser {
  mutating func readEscape() throws(PatternError) {
    guard position + 1 < source.count else { throw failure("A backslash cannot be last.", at: position) }
    switch source[position + 1] {
    case "A": return appendAssertion(.textStart)
    case "z": return appendAssertion(.textEnd)
    case "b": return appendAssertion(.wordBoundary)
    case "B": return appendAssertion(.noWordBoundary)
    case "Q": return readQuotation()
    default: break
    }
    if let set = try readSetEscape() { return append(set) }
    append(literal(try readCharacterEscape()))
  }

  private mutating func appendAssertion(_ assertion: PatternNode.Assertion) {
    position += 2
    append(.assertion(assertion))
  }

  /// `\Q…\E`, or to the end. A repetition behind it binds to its last character, and where it is
  /// empty to what stood before it.
  private mutating func readQuotation() {
    position += 2
    while position < source.count {
      if reads("\\E", at: position) {
        position += 2
        return
      }
      append(literal(source[position]))
      position += 1
    }
  }

  /// `\d`, `\pL` and their like at the position; `nil`: something else is there.
  mutating func readSetEscape() throws(PatternError) -> CodePointSet? {
    guard position + 1 < source.count else { return nil }
    let letter = source[position + 1]
    if letter == "p" || letter == "P" { return try readUnicodeClass() }
    guard let (set, isNegated) = AsciiClass.escape(letter) else { return nil }
    position += 2
    // The set is folded before it is negated: `(?i)\W` has neither K nor the Kelvin sign.
    let folded = flags.foldCase ? CaseFolding.close(set) : set
    return isNegated ? folded.complement : folded
  }

  /// `\pL`, `\p{Greek}`, `\p{^Lu}`, `\PL`, …
  private mutating func readUnicodeClass() throws(PatternError) -> CodePointSet {
    let start = position
    var negated = source[position + 1] == "P"
    position += 2
    guard position < source.count else { throw failure("The class name is missing.", at: start) }
    var name = ""
    if source[position] == "{" {
      guard let end = source[position...].firstIndex(where: { $0 == "}" }) else {
        throw failure("This class name is not closed with '}'.", at: start)
      }
      position += 1
      if position < end, source[position] == "^" {
        negated.toggle()
        position += 1
      }
      for codePoint in source[position..<end] {
        name.unicodeScalars.append(Unicode.Scalar(codePoint) ?? "\u{FFFD}")
      }
      position = end + 1
    } else {
      name.unicodeScalars.append(Unicode.Scalar(source[position]) ?? "\u{FFFD}")
      position += 1
    }
    guard let set = UnicodeClasses.set(named: name, foldCase: flags.foldCase) else {
      throw failure("There is no Unicode class \(name).", at: start)
    }
    return negated ? set.complement : set
  }

  /// An escape that means one character: `\n`, `\x41`, `\x{1F600}`, `\012`, `\.`
  mutating func readCharacterEscape() throws(PatternError) -> UInt32 {
    let start = position
    position += 1
    guard position < source.count else { throw failure("A backslash cannot be last.", at: start) }
    let codePoint = source[position]
    position += 1
    switch codePoint {
    case "a": return 7
    case "f": return 12
    case "n": return 10
    case "r": return 13
    case "t": return 9
    case "v": return 11
    case "0": return octal(from: 0, digits: 2)
    case "1"..."7":
      // One digit alone would be a reference to a group, which RE2 does not have.
      guard position < source.count, case "0"..."7" = source[position] else { break }
      return octal(from: codePoint - 0x30, digits: 2)
    case "x": return try readHexadecimal(start: start)
    default:
      if !AsciiClass.alphanumeric.contains(codePoint) { return codePoint }
    }
    throw failure("This escape is not known.", at: start)
  }

  private mutating func octal(from first: UInt32, digits: Int) -> UInt32 {
    var value = first
    for _ in 0..<digits {
      guard position < source.count, case "0"..."7" = source[position] else { break }
      value = value * 8 + source[position] - 0x30
      position += 1
    }
    return value
  }

  private mutating func readHexadecimal(start: Int) throws(PatternError) -> UInt32 {
    func digit(_ index: Int) -> UInt32? {
      guard index < source.count, let scalar = Unicode.Scalar(source[index]), scalar.isASCII else { return nil }
      return Character(scalar).hexDigitValue.map(UInt32.init)
    }
    if position < source.count, source[position] == "{" {
      var index = position + 1
      var value: UInt32 = 0
      while let next = digit(index) {
        value = value * 16 + next
        guard value <= CodePointSet.last else { throw failure("There is no code point as large as this.", at: start) }
        index += 1
      }
      guard index > position + 1, index < source.count, source[index] == "}" else {
        throw failure("Hexadecimal digits and a '}' belong here.", at: start)
      }
      position = index + 1
      return value
    }
    guard let high = digit(position), let low = digit(position + 1) else {
      throw failure("Two hexadecimal digits belong behind \\x.", at: start)
    }
    position += 2
    return high * 16 + low
  }
}

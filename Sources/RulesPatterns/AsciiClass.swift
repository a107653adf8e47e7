/// The classes that know only ASCII: `\d \s \w`, their complements, and `[:name:]`.
enum AsciiClass {
  static let digit = CodePointSet([0x30...0x39])
  /// Tab, line feed, form feed, carriage return, blank; no vertical tab.
  static let perlSpace = CodePointSet([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
  static let word = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let alphanumeric = CodePointSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])

  /// What `\d` and its like mean, for a capital letter the set to negate; `nil` where the letter names
  /// no class.
  static func escape(_ letter: UInt32) -> (set: CodePointSet, isNegated: Bool)? {
    switch letter {
    case "d": (digit, false)
    case "D": (digit, true)
    case "s": (perlSpace, false)
    case "S": (perlSpace, true)
    case "w": (word, false)
    case "W": (word, true)
    default: nil
    }
  }

  /// What `[:name:]` means; `nil` for an unknown name.
  static func posix(_ name: String) -> CodePointSet? {
    switch name {
    case "alnum": alphanumeric
    case "alpha": CodePointSet([0x41...0x5A, 0x61...0x7A])
    case "ascii": CodePointSet([0...0x7F])
    case "blank": CodePointSet([0x09...0x09, 0x20...0x20])
    case "cntrl": CodePointSet([0...0x1F, 0x7F...0x7F])
    case "digit": digit
    case "graph": CodePointSet([0x21...0x7E])
    case "lower": CodePointSet([0x61...0x7A])
    case "print": CodePointSet([0x20...0x7E])
    case "punct": CodePointSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
    case "space": CodePointSet([0x09...0x0D, 0x20...0x20])
    case "upper": CodePointSet([0x41...0x5A])
    case "word": word
    case "xdigit": CodePointSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
    default: nil
    }
  }
}

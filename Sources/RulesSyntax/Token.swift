/// One word of a rules file. Never spans lines; white space and comments lie between tokens.
public struct Token: Sendable, Equatable {
  public enum Kind: UInt8, Sendable, CaseIterable {
    // In the order of the official token numbers, in which messages list them.
    case and, colon, comma, decrement, dot, equal, greater, greaterOrEqual, increment
    case leftBrace, leftBracket, leftParenthesis, less, lessOrEqual, minus, percent, notEqual, not, or, plus
    case rightBrace, rightBracket, rightParenthesis, semicolon, slash, star, question
    case assign, doubleStar, dollar, at
    /// A word kept back that nothing uses, e.g. `else`.
    case reservedWord
    /// Words of the language; `as` is one only in texts that embed it.
    case allow, `as`, `false`, function, `if`, `import`, `in`, `is`, `let`, match, null, `return`, service
    case rulesVersion, `true`
    /// A slash with the characters of a segment directly behind it, e.g. `/users` or `/(default)`.
    case pathSegment
    case identifier, integer, float
    /// A quote that is not closed on its line, with what follows it.
    case unpairedDoubleQuote, unpairedSingleQuote
    case string, bytes
    /// What follows `service`: letters, digits, `-` and dots.
    case serviceName
    case endOfFile
  }

  public let kind: Kind
  // 32 bits keep the token small; `Lexer` refuses larger sources.
  let startByte: Int32
  let endByte: Int32
  let startOffset: Int32
  let scalars: Int32
  let line: Int32
  let column: Int32

  init(
    kind: Kind, startByte: Int, endByte: Int, startOffset: Int, scalars: Int, line: Int, column: Int
  ) {
    self.kind = kind
    self.startByte = Int32(truncatingIfNeeded: startByte)
    self.endByte = Int32(truncatingIfNeeded: endByte)
    self.startOffset = Int32(truncatingIfNeeded: startOffset)
    self.scalars = Int32(truncatingIfNeeded: scalars)
    self.line = Int32(truncatingIfNeeded: line)
    self.column = Int32(truncatingIfNeeded: column)
  }

  public var start: SourcePosition {
    SourcePosition(line: Int(line), column: Int(column), offset: Int(startOffset), byte: Int(startByte))
  }

  public var end: SourcePosition {
    SourcePosition(
      line: Int(line), column: Int(column) + Int(scalars), offset: Int(startOffset) + Int(scalars), byte: Int(endByte))
  }

  public var range: SourceRange { SourceRange(start, end) }

  /// Whether the token is a word that may be the name of a property behind a dot.
  public var isPropertyName: Bool {
    switch kind {
    case .identifier, .allow, .as, .false, .function, .if, .import, .in, .is, .let, .match, .null, .return, .true,
      .reservedWord, .service: true
    default: false
    }
  }
}

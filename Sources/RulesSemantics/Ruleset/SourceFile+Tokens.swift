import RulesSyntax

extension SourceFile {
  /// The place of the next character after `position` that is neither white space nor in a comment.
  func nextToken(after position: SourcePosition) -> SourcePosition {
    var p = position
    func byte(_ ahead: Int) -> UInt8? {
      let i = p.byte + ahead
      return i >= 0 && i < utf8.count ? utf8[i] : nil
    }
    func advance() {
      let isNewline = byte(0) == 0x0A
      p.byte += 1
      while let next = byte(0), next & 0xC0 == 0x80 { p.byte += 1 }
      p.offset += 1
      p.line += isNewline ? 1 : 0
      p.column = isNewline ? 1 : p.column + 1
    }
    while let current = byte(0) {
      switch (current, byte(1)) {
      case (0x20, _), (0x09, _), (0x0A, _), (0x0C, _), (0x0D, _): advance()
      case (0x2F, 0x2F): while let c = byte(0), c != 0x0A { advance() }
      case (0x2F, 0x2A):
        advance()
        advance()
        while let c = byte(0), !(c == 0x2A && byte(1) == 0x2F) { advance() }
        advance()
        advance()
      default: return p
      }
    }
    return p
  }

  /// Where an expression starts without the parentheses directly around it.
  func start(insideParenthesesOf expression: Expression) -> SourcePosition {
    var p = expression.range.start
    // The range of a receiver leaves out the outermost pair.
    let isStripped = expression.parentheses > 0 && expression.rangeInsideParenthesis == nil
    for _ in 0..<(expression.parentheses - (isStripped ? 1 : 0)) { p = nextToken(after: p.advancedOverASCII()) }
    return p
  }

  /// The `?` of a ternary operation with this condition.
  func questionMark(after condition: Expression) -> SourceRange {
    var p = nextToken(after: condition.lastOperandEnd)
    while p.byte < utf8.count, Self.closing.contains(utf8[p.byte]) {
      p = nextToken(after: p.advancedOverASCII())
    }
    return SourceRange(p, p.advancedOverASCII())
  }

  /// `)`, `]`, `}`, a comma before one of them, `(` of an empty list of arguments, and `:` of a slice without an end.
  private static let closing: Set<UInt8> = [0x28, 0x29, 0x5D, 0x7D, 0x2C, 0x3A]
}

extension Expression {
  /// The end of the last token that is not closing punctuation. (The end of `range` comes before it where
  /// parentheses stand around a single token.)
  fileprivate var lastOperandEnd: SourcePosition {
    var end = max(range.end, anchor.end)
    forEachChild { end = max(end, $0.lastOperandEnd) }
    return end
  }
}

extension SourcePosition {
  fileprivate func advancedOverASCII() -> SourcePosition {
    SourcePosition(line: line, column: column + 1, offset: offset + 1, byte: byte + 1)
  }
}

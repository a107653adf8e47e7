/// Our own words beside the official ones.
enum SyntaxAdvice {
  /// The stable name of an official message.
  static func identifier(_ message: String) -> String {
    for (part, id) in identifiers where message.contains(part) { return id }
    return "syntax-error"
  }

  private static let identifiers: [(String, String)] = [
    ("Unexpected '", "unexpected-token"), ("mismatched input", "mismatched-input"), ("missing ", "missing-token"),
    ("Missing 'match'", "missing-match"), ("Forward slash", "stray-slash"), (" closing '}'", "extra-brace-in-path"), ("Extra closing ')'", "extra-parenthesis"),
    ("Missing ':'", "missing-colon"), ("Missing 'if'", "missing-if"), ("Missing conditional", "missing-condition"),
    ("Expected at least one", "missing-method"), ("Missing 'function' body", "missing-function-body"),
    ("Missing 'function' id", "missing-function-name"), ("Missing 'function' signature", "missing-function-signature"), ("body must contain", "empty-body"),
    ("Missing a closing", "unclosed-quote"), ("Increment (++)", "increment"), ("is' operator", "unknown-type"),
    ("Import statement with alias", "import-alias"), ("Cannot use keyword", "service-name"),
  ]

  /// What helps with a token that cannot stand where it does.
  static func advice(_ at: Int, _ parser: Parser) -> (notes: [String], fix: Diagnostic.Fix?) {
    let token = parser.tokens[at]
    let before = at > 0 ? parser.tokens[at - 1] : nil
    let isInMatch = at > 1 && parser.tokens[at - 2].kind == .match
    switch token.kind {
    case .identifier where before?.kind == .match:
      let place = SourceRange(token.start, token.start)
      return (["A path begins with '/'."], .init(message: "Add '/'", range: place, replacement: "/"))
    case .pathSegment where isInMatch: break
    case .assign:
      return (["Values are compared with '=='."], .init(message: "Compare", range: token.range, replacement: "=="))
    case .pathSegment where before.map(endsOperand) == true:
      let slash = SourceRange(token.start, token.start.advanced(1))
      return (
        ["A slash directly before a name or number begins a path. A space behind it divides."],
        .init(message: "Divide", range: slash, replacement: "/ ")
      )
    case .integer, .float:
      guard let before, before.kind == .integer, before.end == token.start, parser.text(before) == "0" else { break }
      let zero = SourceRange(before.start, before.end)
      return (["Numbers have no leading zeros."], .init(message: "Remove the zero", range: zero, replacement: ""))
    default: break
    }
    if let before, before.kind == .unpairedSingleQuote || before.kind == .unpairedDoubleQuote,
      parser.file.utf8.indices.contains(before.end.byte), parser.file.utf8[before.end.byte] == 0x5C
    {
      let place = SourceRange(before.end, before.end)
      return (
        ["A backslash that is meant to stay, as in a pattern, is written twice: '\\\\d'."],
        .init(message: "Double the backslash", range: place, replacement: "\\")
      )
    }
    if let before, before.kind == .unpairedSingleQuote || before.kind == .unpairedDoubleQuote {
      let start = before.start
      return (["The text that begins in line \(start.line), column \(start.column) is not closed in its line."], nil)
    }
    return ([], nil)
  }

  private static func endsOperand(_ token: Token) -> Bool {
    switch token.kind {
    case .identifier, .integer, .float, .string, .bytes, .rightParenthesis, .rightBracket, .null, .true, .false: true
    default: false
    }
  }
}

extension SourcePosition {
  /// Some ASCII characters further on the same line.
  func advanced(_ count: Int) -> SourcePosition {
    SourcePosition(line: line, column: column + count, offset: offset + count, byte: byte + count)
  }
}

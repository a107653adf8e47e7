import RulesSyntax

/// Reads a test file. The grammar looks one token ahead; expressions, functions and maps are read by the parser of
/// the rules language on the same tokens. After a mistake reading goes on with the next statement, so that several
/// are found in one go.
public struct TestParser {
  var parser: Parser
  /// Mistakes of the test language itself; those inside expressions are in `parser.diagnostics`.
  var diagnostics: [Diagnostic] = []
  /// Index of the first token of the statement being read: where recovery counts braces from.
  var statementStart = 0
  var syntax: TestFileSyntax

  init(_ file: SourceFile) {
    parser = Parser(file)
    syntax = TestFileSyntax(file: file)
  }

  /// What could be read, and everything that could not, in source order.
  public static func parse(_ file: SourceFile) -> (syntax: TestFileSyntax, diagnostics: [Diagnostic]) {
    var parser = TestParser(file)
    if file.utf8.count > Lexer.maximumSourceBytes {
      parser.report("file-too-large", nil, "The test file is larger than 64 MiB.")
    } else {
      parser.parseFile()
    }
    return (parser.syntax, parser.allDiagnostics)
  }

  var allDiagnostics: [Diagnostic] {
    let all = parser.diagnostics + diagnostics
    // Stable: a sort by position alone could swap two findings at one place.
    return all.enumerated().sorted { a, b in
      let x = a.element.range?.start.byte ?? -1
      let y = b.element.range?.start.byte ?? -1
      return x == y ? a.offset < b.offset : x < y
    }.map(\.element)
  }

  // MARK: Cursor

  var token: Token { parser.peek() }
  var word: String { parser.text(token) }

  /// The end of the token before the current one.
  var previousEnd: SourcePosition {
    parser.index > 0 ? parser.tokens[parser.index - 1].end : .start
  }

  func isWord(_ text: String) -> Bool {
    switch token.kind {
    case .string, .bytes, .pathSegment, .endOfFile: false
    default: word == text
    }
  }

  mutating func takeWord(_ text: String) -> Bool {
    guard isWord(text) else { return false }
    parser.advance()
    return true
  }

  // MARK: Reporting

  mutating func report(
    _ id: String, _ range: SourceRange?, _ message: String, notes: [String] = [], fix: Diagnostic.Fix? = nil
  ) {
    diagnostics.append(
      Diagnostic(id: id, severity: .error, range: range, message: message, notes: notes, fix: fix))
  }

  /// Reports the current token as one that stands where something else is needed.
  mutating func expected(_ what: String, notes: [String] = []) {
    let found =
      switch token.kind {
      case .endOfFile: "the end of the file"
      case .string: word
      default: "'\(word)'"
      }
    report("unexpected-token", token.range, "Expected \(what), found \(found).", notes: notes)
  }

  mutating func expectName(_ what: String) -> Name? {
    guard token.kind == .identifier else {
      expected(what)
      return nil
    }
    let token = parser.advance()
    return Name(parser.text(token), token.range)
  }

  /// A quoted text; its range includes the quotes.
  mutating func expectString(_ what: String) -> Name? {
    guard token.kind == .string else {
      expected(what)
      return nil
    }
    let range = token.range
    guard let expression = parser.parseExpression() else { return nil }
    guard case .string(let bytes) = expression.kind else {
      report("not-a-plain-string", expression.range, "Expected \(what), found an expression.")
      return nil
    }
    return Name(String(decoding: bytes, as: UTF8.self), range)
  }

  mutating func expect(_ kind: Token.Kind, _ what: String) -> Bool {
    if parser.take(kind) != nil { return true }
    expected(what)
    return false
  }

  /// The semicolon of a statement. A missing one is reported where it belongs.
  mutating func expectSemicolon(after what: String) -> Bool {
    if parser.take(.semicolon) != nil { return true }
    let end = SourceRange(previousEnd, previousEnd)
    if startsStatement {
      report(
        "missing-semicolon", end, "Expected ';' after this \(what).",
        fix: Diagnostic.Fix(message: "Add ';'.", range: end, replacement: ";"))
      return true
    }
    expected("';' after the \(what)")
    return false
  }

  /// Whether the next statement may begin here: only the semicolon is missing then.
  private var startsStatement: Bool {
    switch token.kind {
    case .endOfFile, .rightBrace: true
    default: isFirstOnLine(parser.index)
    }
  }

  func isFirstOnLine(_ index: Int) -> Bool {
    index == 0 || parser.tokens[index - 1].start.line < parser.tokens[index].start.line
  }

  // MARK: Recovery

  /// Skips the rest of a statement that could not be read. Inside a test (`inTest`) it stops at the brace that
  /// closes the test; everywhere at a statement that begins a line.
  mutating func recover(inTest: Bool) {
    let errorIndex = parser.index
    var depth = 0
    var i = statementStart
    scan: while i < parser.tokens.count {
      let token = parser.tokens[i]
      if i > statementStart, i >= errorIndex, isFirstOnLine(i) {
        let word = parser.text(token)
        let isTopLevel = TestParser.declarationWords.contains(word) || TestParser.invariantWords.contains(word)
        // A word at the very left is trusted even if braces before it do not close.
        if isTopLevel, token.start.column == 1 || (depth == 0 && !inTest) { break scan }
        if inTest, depth == 0, TestParser.statementWords.contains(word) { break scan }
      }
      switch token.kind {
      case .endOfFile: break scan
      case .leftBrace: depth += 1
      case .rightBrace:
        if depth == 0, inTest, i >= errorIndex { break scan }
        depth = max(0, depth - 1)
        if depth == 0, !inTest, i >= errorIndex, i + 1 < parser.tokens.count, parser.tokens[i + 1].kind != .semicolon,
          isFirstOnLine(i + 1)
        {
          i += 1
          break scan
        }
      case .semicolon where depth == 0 && i >= errorIndex:
        i += 1
        break scan
      default: break
      }
      i += 1
    }
    while parser.index < i, parser.kind != .endOfFile { parser.advance() }
    // Nothing may be read twice.
    if parser.index == errorIndex, i <= errorIndex, parser.index == statementStart { parser.advance() }
  }
}

/// What became of a source text.
public struct ParseResult: Sendable {
  /// The tree. There is none when the grammar could not make sense of the text. There is one beside errors when the
  /// mistakes were such that the official compiler reads on (a slash too much, a missing `if`, `x++`, an unclosed
  /// quote, a bad number, too deep an expression …): it then still reports package names, path templates and types
  /// behind `is`, and stops before it looks at names and warnings.
  public let syntax: RulesetSyntax?
  /// In the order in which the official compiler prints them: by place, then by text.
  public let diagnostics: [Diagnostic]
  /// Whether any of the diagnostics is an error: then the ruleset must not be used to decide anything.
  public let syntaxErrors: Bool

  public init(syntax: RulesetSyntax?, diagnostics: [Diagnostic]) {
    self.syntax = syntax
    self.diagnostics = diagnostics
    syntaxErrors = syntax == nil || diagnostics.contains { $0.severity == .error }
  }
}

/// A cursor over the tokens of a source, with one function for each form of the grammar. A function returns `nil`
/// when its form is not there; then `diagnostics` says why, and the cursor stands at the offending token.
///
/// The test language uses the same cursor for the expressions, paths and functions inside its steps.
public struct Parser {
  /// How deep a tree can get, and how deep the parser calls itself. Officially an expression ends at a depth of 99,
  /// which `DepthLaw` watches; only chains of members, indexes and calls may be deeper, and end at this bound of our
  /// own.
  public static let maximumTreeDepth = 110

  /// How deep match blocks can stand in each other for the official compiler to build its tree. (Observed on the
  /// official emulator 1.19.9. Far fewer are allowed, which the checker watches.)
  public static let maximumMatchDepth = 63

  public let file: SourceFile
  public let tokens: [Token]
  /// Index of the current token.
  public internal(set) var index = 0
  /// What was found so far, in the order of finding.
  public internal(set) var diagnostics: [Diagnostic]
  /// The number the next expression node gets.
  public internal(set) var expressionCount = 0
  /// Nesting of the form being parsed.
  var nesting = 0
  /// Nesting of match blocks.
  var matchNesting = 0
  /// Whether an expression seen so far may break the depth law.
  var sawDeepTree = false
  /// The first place where the text was too deep to be read on.
  var skippedAt: SourceRange?
  /// The first mistake that was read over because the official grammar foresees it.
  var foreseenMistake: SourceRange?
  /// Whether bare words are keys in maps, as in the test language.
  var bareKeys = false
  /// Findings that the official compiler makes after parsing, about literals and statements.
  var lateDiagnostics: [Diagnostic] = []

  /// A parser for expressions, paths and functions inside a text of another kind.
  public init(_ file: SourceFile) { self.init(file, .embedded) }

  init(_ file: SourceFile, _ mode: Lexer.Mode) {
    let output = Lexer.tokenize(file, mode)
    self.init(file, tokens: output.tokens, diagnostics: output.errors)
  }

  init(_ file: SourceFile, tokens: [Token], diagnostics: [Diagnostic]) {
    self.file = file
    self.tokens = tokens
    self.diagnostics = diagnostics
    kind = tokens[0].kind
  }

  // MARK: Cursor

  /// The token `ahead` places behind the current one; the end of the file goes on for ever.
  public func peek(_ ahead: Int = 0) -> Token {
    let i = index + ahead
    return i < tokens.count ? tokens[i] : tokens[tokens.count - 1]
  }

  /// The kind of the current token. Stored, since it is asked all the time.
  public private(set) var kind: Token.Kind

  @discardableResult
  public mutating func advance() -> Token {
    let token = tokens[index]
    if index + 1 < tokens.count { index += 1 }
    kind = tokens[index].kind
    return token
  }

  /// Consumes the current token if it is of this kind.
  public mutating func take(_ kind: Token.Kind) -> Token? {
    self.kind == kind ? advance() : nil
  }

  /// Consumes a token of this kind, or reports the one that stands there instead.
  public mutating func expect(_ kind: Token.Kind) -> Token? {
    if self.kind == kind { return advance() }
    unexpected()
    return nil
  }

  /// The text of a token as written; `<EOF>` at the end.
  public func text(_ token: Token) -> String {
    token.kind == .endOfFile ? "<EOF>" : String(decoding: bytes(token), as: UTF8.self)
  }

  func bytes(_ token: Token) -> ArraySlice<UInt8> { file.utf8[Int(token.startByte)..<Int(token.endByte)] }

  func name(_ token: Token) -> Name { Name(text(token), token.range) }

  /// Reports the current token as one that cannot stand there.
  public mutating func unexpected(notes: [String] = []) {
    let token = peek()
    report("unexpected-token", token.range, "Unexpected '\(text(token))'.", notes: notes)
  }

  public mutating func report(_ id: String, _ range: SourceRange, _ message: String, notes: [String] = []) {
    diagnostics.append(Diagnostic(id: id, severity: .error, range: range, message: message, notes: notes))
  }

  /// Reads over a mistake the official grammar foresees. Outside of rules files it is an error like any other.
  mutating func foresee(_ token: Token) {
    if foreseenMistake == nil { foreseenMistake = token.range }
  }

  mutating func reportLate(_ id: String, _ range: SourceRange, _ message: String) {
    lateDiagnostics.append(Diagnostic(id: id, severity: .error, range: range, message: message))
  }

  mutating func makeExpression(
    _ kind: Expression.Kind, _ start: SourcePosition, _ end: SourcePosition, anchor: SourceRange
  ) -> Expression {
    defer { expressionCount += 1 }
    return Expression(kind, range: SourceRange(start, end), anchor: anchor, id: expressionCount)
  }
}

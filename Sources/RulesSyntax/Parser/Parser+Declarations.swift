extension Parser {
  /// The tree of a rules file, with every error the official compiler finds before it looks at meaning.
  public static func parse(_ file: SourceFile) -> ParseResult {
    var parser = Parser(file)
    let syntax = parser.parseRuleset()
    return ParseResult(syntax: syntax, diagnostics: parser.diagnostics)
  }

  mutating func parseRuleset() -> RulesetSyntax? {
    var version: VersionStatement?
    if let start = take(.rulesVersion) {
      guard expect(.assign) != nil, let value = expect(.string) else { return nil }
      version = VersionStatement(value: unquoted(value), range: SourceRange(start.start, value.end))
      _ = take(.semicolon)
    }
    var imports: [ImportStatement] = []
    while kind == .import {
      guard let statement = parseImport() else { return nil }
      imports.append(statement)
    }
    var items: [RulesetSyntax.Item] = []
    repeat {
      switch kind {
      case .function:
        guard let function = parseFunction() else { return nil }
        items.append(.function(function))
      case .service:
        guard let service = parseService() else { return nil }
        items.append(.service(service))
      default:
        unexpected()
        return nil
      }
    } while kind != .endOfFile
    return RulesetSyntax(
      version: version, imports: imports, items: items, expressionCount: expressionCount, end: peek().start)
  }

  func unquoted(_ token: Token) -> String {
    String(decoding: bytes(token).dropFirst().dropLast(), as: UTF8.self)
  }

  private mutating func parseImport() -> ImportStatement? {
    let start = advance()
    guard let module = expect(.string) else { return nil }
    var alias: Name?
    if take(.as) != nil {
      guard let token = expect(.identifier) else { return nil }
      alias = name(token)
    }
    guard let end = expect(.semicolon) else { return nil }
    return ImportStatement(module: unquoted(module), alias: alias, range: SourceRange(start.start, end.end))
  }

  private mutating func parseService() -> ServiceDeclaration? {
    let start = advance()
    guard let first = expect(.identifier) else { return nil }
    var text = text(first)
    var end = first.end
    while take(.dot) != nil {
      guard let part = expect(.identifier) else { return nil }
      text += "." + self.text(part)
      end = part.end
    }
    guard expect(.leftBrace) != nil else { return nil }
    var functions: [FunctionDeclaration] = []
    var matches: [MatchDeclaration] = []
    while true {
      switch kind {
      case .function:
        guard let function = parseFunction() else { return nil }
        functions.append(function)
      case .match:
        guard let match = parseMatch() else { return nil }
        matches.append(match)
      case .rightBrace where !functions.isEmpty || !matches.isEmpty:
        let close = advance()
        return ServiceDeclaration(
          name: Name(text, SourceRange(first.start, end)), functions: functions, matches: matches,
          range: SourceRange(start.start, close.end))
      default:
        unexpected()
        return nil
      }
    }
  }

  mutating func parseMatch() -> MatchDeclaration? {
    guard enter() else { return nil }
    defer { nesting -= 1 }
    let start = advance()
    let pathStart = peek().start
    guard let path = parseSegments(inPattern: true) else { return nil }
    let pathEnd = path.segments.last?.range.end ?? pathStart
    guard expect(.leftBrace) != nil else { return nil }
    var functions: [FunctionDeclaration] = []
    var allows: [AllowStatement] = []
    var matches: [MatchDeclaration] = []
    while true {
      switch kind {
      case .allow:
        guard let allow = parseAllow() else { return nil }
        allows.append(allow)
      case .function:
        guard let function = parseFunction() else { return nil }
        functions.append(function)
      case .match:
        guard let match = parseMatch() else { return nil }
        matches.append(match)
      case .rightBrace where !functions.isEmpty || !matches.isEmpty || !allows.isEmpty:
        let close = advance()
        return MatchDeclaration(
          path: path.segments, pathRange: SourceRange(pathStart, pathEnd), functions: functions, allows: allows,
          matches: matches, range: SourceRange(start.start, close.end))
      default:
        unexpected()
        return nil
      }
    }
  }

  private mutating func parseAllow() -> AllowStatement? {
    let start = advance()
    var methods: [Name] = []
    repeat {
      guard let method = expect(.identifier) else { return nil }
      methods.append(name(method))
    } while take(.comma) != nil
    var condition: Expression?
    if take(.colon) != nil {
      guard expect(.if) != nil, let expression = parseExpression() else { return nil }
      condition = expression
    }
    _ = take(.semicolon)
    return AllowStatement(
      methods: methods, condition: condition, range: SourceRange(start.start, previousEnd))
  }

  /// The end of the token before the current one.
  var previousEnd: SourcePosition { index > 0 ? tokens[index - 1].end : peek().start }

  /// `function name(a, b) { let x = …; return …; }`, from the word `function`. `nil` after an error.
  public mutating func parseFunction() -> FunctionDeclaration? {
    let start = advance()
    guard let token = expect(.identifier), expect(.leftParenthesis) != nil else { return nil }
    var parameters: [Name] = []
    if take(.rightParenthesis) == nil {
      repeat {
        guard let parameter = expect(.identifier) else { return nil }
        parameters.append(name(parameter))
      } while take(.comma) != nil
      guard expect(.rightParenthesis) != nil else { return nil }
    }
    guard expect(.leftBrace) != nil else { return nil }
    var lets: [FunctionDeclaration.Let] = []
    while let letToken = take(.let) {
      guard let variable = expect(.identifier), expect(.assign) != nil, let value = parseExpression() else { return nil }
      let range = SourceRange(letToken.start, previousEnd)
      guard expect(.semicolon) != nil else { return nil }
      lets.append(.init(name: name(variable), value: value, range: range))
    }
    guard expect(.return) != nil, let result = parseExpression() else { return nil }
    _ = take(.semicolon)
    guard let close = expect(.rightBrace) else { return nil }
    return FunctionDeclaration(
      name: name(token), parameters: parameters, lets: lets, result: result,
      range: SourceRange(start.start, close.end))
  }
}

extension Parser {
  /// The tree of a rules file, with every error the official compiler finds before it looks at meaning.
  public static func parse(_ file: SourceFile) -> ParseResult {
    if file.utf8.isEmpty {
      let nowhere = SourcePosition(line: 0, column: 0, offset: 0, byte: 0)
      return ParseResult(
        syntax: nil,
        diagnostics: [
          Diagnostic(
            id: "empty-file", severity: .error, range: SourceRange(nowhere, nowhere),
            message: "Rules content empty. Compilation aborted.")
        ])
    }
    if file.utf8.count > Lexer.maximumSourceBytes {
      return ParseResult(
        syntax: nil,
        diagnostics: [
          Diagnostic(
            id: "file-too-large", severity: .error, range: SourceRange(.start, .start),
            message: "The file is larger than \(Lexer.maximumSourceBytes) bytes.")
        ])
    }
    var parser = Parser(file, .rules)
    let syntax = parser.parseRuleset()
    if let syntax, parser.diagnostics.isEmpty, parser.foreseenMistake == nil {
      return ParseResult(syntax: parser.skippedAt == nil ? syntax : nil, diagnostics: sorted(parser.lateDiagnostics(of: syntax)))
    }
    return parser.recovered(syntax)
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
        guard let function = parseFunctionForm() else { return nil }
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
    let content = Literals.unescape(bytes(token).dropFirst().dropLast(), asBytes: false) ?? []
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func parseImport() -> ImportStatement? {
    let start = advance()
    guard let module = expect(.string) else { return nil }
    var alias: Name?
    if let word = take(.identifier) {
      if text(word) != "as" { foresee(word) }
      guard let token = expect(.identifier) else { return nil }
      alias = name(token)
    }
    guard let end = expect(.semicolon) else { return nil }
    return ImportStatement(module: unquoted(module), alias: alias, range: SourceRange(start.start, end.end))
  }

  private mutating func parseService() -> ServiceDeclaration? {
    let start = advance()
    guard let name = expect(.serviceName) else { return nil }
    if Grammar.wordsNotNamingServices.contains(text(name)) { foresee(name) }
    guard expect(.leftBrace) != nil else { return nil }
    var functions: [FunctionDeclaration] = []
    var matches: [MatchDeclaration] = []
    while true {
      switch kind {
      case .function:
        guard let function = parseFunctionForm() else { return nil }
        functions.append(function)
      case .match, .slash, .pathSegment:
        guard let match = parseMatch() else { return nil }
        matches.append(match)
      case .rightBrace:
        if functions.isEmpty && matches.isEmpty { foresee(peek()) }
        let close = advance()
        return ServiceDeclaration(
          name: self.name(name), functions: functions, matches: matches,
          range: SourceRange(start.start, close.end))
      default:
        unexpected()
        return nil
      }
    }
  }

  mutating func parseMatch() -> MatchDeclaration? {
    guard matchNesting < Parser.maximumMatchDepth else {
      report("nesting-too-deep", peek().range, "Rule hierarchy is too complex to evaluate safely.")
      return nil
    }
    matchNesting += 1
    defer { matchNesting -= 1 }
    let start = peek()
    if take(.match) == nil { foresee(start) }
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
        guard let function = parseFunctionForm() else { return nil }
        functions.append(function)
      case .match, .slash, .pathSegment:
        guard start.kind == .match, let match = parseMatch() else {
          unexpected()
          return nil
        }
        matches.append(match)
      case .rightBrace:
        if functions.isEmpty && matches.isEmpty && allows.isEmpty { foresee(peek()) }
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
    while let method = take(.identifier) {
      methods.append(name(method))
      guard kind == .comma else { break }
      let comma = advance()
      if kind != .identifier {
        foresee(comma)
        break
      }
    }
    var condition: Expression?
    if methods.isEmpty {
      foresee(peek())
      return AllowStatement(methods: [], condition: nil, range: start.range)
    }
    let colon = take(.colon)
    if let word = take(.if) {
      if colon == nil { foresee(word) }
      if colon != nil, kind == .semicolon || kind == .rightBrace {
        foresee(peek())
      } else {
        guard let expression = parseWholeExpression() else { return nil }
        condition = expression
      }
    } else if colon != nil {
      foresee(peek())
      guard let expression = parseWholeExpression() else { return nil }
      condition = expression
    }
    _ = take(.semicolon)
    return AllowStatement(
      methods: methods, condition: condition, range: SourceRange(start.start, previousEnd))
  }

  /// The end of the token before the current one.
  var previousEnd: SourcePosition { index > 0 ? tokens[index - 1].end : peek().start }

  /// `function name(a, b) { let x = …; return …; }`, from the word `function`. `nil` after an error.
  public mutating func parseFunction() -> FunctionDeclaration? { strictly { $0.parseFunctionForm() } }

  mutating func parseFunctionForm() -> FunctionDeclaration? {
    let start = advance()
    var token = peek()
    if kind == .leftParenthesis {
      foresee(token)
      token = start
    } else if take(.identifier) == nil {
      unexpected()
      return nil
    }
    var parameters: [Name] = []
    if kind == .leftBrace {
      foresee(peek())
    } else {
      guard expect(.leftParenthesis) != nil else { return nil }
      if take(.rightParenthesis) == nil {
        repeat {
          guard let parameter = expect(.identifier) else { return nil }
          parameters.append(name(parameter))
        } while take(.comma) != nil
        guard expect(.rightParenthesis) != nil else { return nil }
      }
      if let extra = take(.rightParenthesis) { foresee(extra) }
    }
    guard let open = expect(.leftBrace) else { return nil }
    if kind == .rightBrace {
      foresee(advance())
      let missing = makeExpression(.null, open.start, open.end, anchor: open.range)
      return FunctionDeclaration(
        name: name(token), parameters: parameters, lets: [], result: missing,
        range: SourceRange(start.start, open.end))
    }
    var lets: [FunctionDeclaration.Let] = []
    while let letToken = take(.let) {
      guard let variable = expect(.identifier), expect(.assign) != nil, let value = parseWholeExpression() else { return nil }
      let range = SourceRange(letToken.start, previousEnd)
      guard expect(.semicolon) != nil else { return nil }
      lets.append(.init(name: name(variable), value: value, range: range))
    }
    guard expect(.return) != nil, let result = parseWholeExpression() else { return nil }
    _ = take(.semicolon)
    guard let close = expect(.rightBrace) else { return nil }
    return FunctionDeclaration(
      name: name(token), parameters: parameters, lets: lets, result: result,
      range: SourceRange(start.start, close.end))
  }
}

import RulesSyntax

extension TestParser {
  /// One statement inside a test; `nil` after a mistake.
  mutating func parseStatement() -> TestDeclaration.Statement? {
    switch word {
    case "given": return parseFixture().map { .given($0) }
    case "at":
      parser.advance()
      guard let time = parser.parseDataExpression(), expectSemicolon(after: "statement") else { return nil }
      return .at(time)
    case "allow", "deny": return parseStep().map { .step($0) }
    case "delete": return parseDeletion().map { .action($0) }
    case let word where TestParser.actionWords.contains(word) && token.kind == .identifier:
      return parseAction().map { .action($0) }
    case "user", "test", "now", "rules", "database", "function":
      report("misplaced-statement", token.range, "'\(word)' cannot stand inside a test.")
      return nil
    default:
      if token.kind == .identifier {
        if StepRequest.words.contains(word) {
          report(
            "missing-expectation", token.range, "Expected 'allow' or 'deny' before '\(word)'.")
        } else {
          let question = Suggestion.question(word, TestParser.statementWords)
          let users = UserAction.words.joined(separator: ", ")
          report(
            "unknown-statement", token.range, "Unknown statement '\(word)'.\(question)",
            notes: question.isEmpty ? ["A test consists of allow, deny, given, at, and for users \(users)."] : [])
        }
      } else {
        expected("a step: allow or deny, an operation, a path, as a user")
      }
      return nil
    }
  }

  /// `allow update /path { … } as alice, bob because '…';`
  private mutating func parseStep() -> StepDeclaration? {
    let first = parser.advance()
    let expectation: Expectation = first.kind == .allow ? .allow : .deny
    guard let request = parseRequest(), let users = parseUsers() else { return nil }
    var because: Name?
    if isWord("because") {
      let word = parser.advance()
      guard let reason = expectString("a part of the denial's message in quotes") else { return nil }
      if expectation == .allow {
        report(
          "because-of-allow", SourceRange(word.start, reason.range.end),
          "Only a 'deny' has a reason: an allowed request has no message.")
      } else {
        because = reason
      }
    }
    if isWord("as") {
      report("misplaced-as", token.range, "'as' comes before 'because'.")
      return nil
    }
    if ["where", "order", "limit", "offset"].contains(where: { isWord($0) }) {
      report("misplaced-query", token.range, "'\(word)' belongs to 'list', before 'as'.")
      return nil
    }
    guard expectSemicolon(after: "step") else { return nil }
    return StepDeclaration(
      expectation: expectation, request: request, users: users, because: because,
      range: SourceRange(first.start, previousEnd))
  }

  private mutating func parseRequest() -> StepRequest? {
    if let kind = BatchDeclaration.Kind(rawValue: word) { return parseBatch(kind).map { .batch($0) } }
    if isWord("list") || Aggregate.Kind(rawValue: word) != nil { return parseQuery().map { .query($0) } }
    return parseDocumentRequest(among: StepRequest.words).map { .document($0) }
  }

  /// `update /path { … }`
  private mutating func parseDocumentRequest(among words: [String]) -> DocumentRequest? {
    guard let operation = parseOperation(among: words), let path = parsePath(inPattern: false) else { return nil }
    var data: Expression?
    if operation.takesData {
      guard let map = parseMap(of: "the document") else { return nil }
      data = map
    } else if token.kind == .leftBrace {
      report("unexpected-data", token.range, "'\(operation.rawValue)' takes no data.")
      return nil
    }
    return DocumentRequest(operation: operation, path: path, data: data)
  }

  private mutating func parseOperation(among words: [String]) -> StepOperation? {
    guard token.kind == .identifier else {
      expected("an operation: \(Suggestion.alternatives(words))")
      return nil
    }
    if let operation = StepOperation(rawValue: word), words.contains(word) {
      parser.advance()
      return operation
    }
    if StepRequest.words.contains(word) {
      report(
        "misplaced-operation", token.range,
        "'\(word)' cannot stand here: expected \(Suggestion.alternatives(words)).")
      return nil
    }
    let notes =
      word == "read" || word == "write"
      ? ["'read' is get or list, 'write' is create, update or delete: say which."] : []
    let question = notes.isEmpty ? Suggestion.question(word, words) : ""
    report("unknown-operation", token.range, "Unknown operation '\(word)'.\(question)", notes: notes)
    return nil
  }

  // MARK: Batches

  /// `batch { create /a/b { }; delete /c/d; }`
  private mutating func parseBatch(_ kind: BatchDeclaration.Kind) -> BatchDeclaration? {
    let first = parser.advance()
    let name = Name(kind.rawValue, first.range)
    let contents = kind == .batch ? "writes" : "reads and writes"
    guard expect(.leftBrace, "'{' and the \(contents) of the \(kind.rawValue)") else { return nil }
    let words = StepOperation.allCases.map(\.rawValue).filter { kind == .transaction || $0 != "get" }
    var requests: [DocumentRequest] = []
    while token.kind != .rightBrace {
      let start = token
      guard let request = parseDocumentRequest(among: words) else { return nil }
      if request.operation == .get, let last = requests.last, last.operation != .get {
        report("read-after-write", start.range, "In a transaction all reads come before the first write.")
        return nil
      }
      requests.append(request)
      // The last one may do without.
      if token.kind == .rightBrace { break }
      guard expectSemicolon(after: "write") else { return nil }
    }
    parser.advance()
    if requests.isEmpty {
      report("empty-batch", name.range, "This \(kind.rawValue) holds nothing.")
      return nil
    }
    return BatchDeclaration(kind: kind, word: name, requests: requests)
  }

  /// `as alice, bob`
  private mutating func parseUsers() -> [Name]? {
    guard isWord("as") else {
      if isWord("because") {
        report("missing-user", token.range, "Say who asks before 'because': as alice, or as nobody.")
      } else if token.kind == .semicolon || token.kind == .endOfFile || token.kind == .rightBrace {
        report("missing-user", SourceRange(previousEnd, previousEnd), "Say who asks: as alice, or as nobody.")
      } else {
        expected("'as' and a user")
      }
      return nil
    }
    parser.advance()
    return parseUserNames()
  }
}

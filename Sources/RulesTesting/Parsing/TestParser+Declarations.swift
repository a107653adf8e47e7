import RulesSyntax

extension TestParser {
  static let declarationWords = ["rules", "database", "now", "user", "given", "test", "function"]
  static let invariantWords = InvariantDeclaration.Form.allCases.map(\.rawValue)
  static let statementWords = ["allow", "deny", "given", "at"] + actionWords
  private static let statementsOfAFile = "A test file consists of \(declarationWords.joined(separator: ", ")), never …"

  mutating func parseFile() {
    while parser.kind != .endOfFile {
      statementStart = parser.index
      if !parseDeclaration() { recover(inTest: false) }
    }
  }

  /// One statement of the file; `false` after a mistake behind which reading cannot go on.
  private mutating func parseDeclaration() -> Bool {
    switch word {
    case "rules": return parseRules()
    case "database": return parseDatabase()
    case "now": return parseNow()
    case "user": return parseUser()
    case "given":
      guard let fixture = parseFixture() else { return false }
      syntax.fixtures.append(fixture)
      return true
    case "test": return parseTest()
    case "function":
      guard let function = parser.parseFunction() else { return false }
      syntax.functions.append(function)
      return true
    case let word where TestParser.invariantWords.contains(word) && token.kind == .identifier:
      return parseInvariant()
    case let word where ["allow", "deny", "at", "delete"].contains(word) || TestParser.actionWords.contains(word):
      report(
        "step-outside-test", token.range, "'\(word)' stands inside a test: test 'what is shown' { … }")
      return false
    default:
      let all = TestParser.declarationWords + TestParser.invariantWords
      if token.kind == .identifier {
        let question = Suggestion.question(word, all)
        report(
          "unknown-statement", token.range, "Unknown statement '\(word)'.\(question)",
          notes: question.isEmpty ? [TestParser.statementsOfAFile] : [])
      } else if token.kind == .rulesVersion {
        report(
          "unknown-statement", token.range, "A test file has no 'rules_version': it is always read as version 2.")
      } else if token.kind == .rightBrace {
        report("stray-brace", token.range, "This '}' closes nothing.")
      } else {
        expected("a statement", notes: [TestParser.statementsOfAFile])
      }
      return false
    }
  }

  private mutating func parseRules() -> Bool {
    let start = parser.advance()
    guard let name = expectString("the name of the rules file in quotes") else { return false }
    if syntax.rules != nil {
      report("repeated-statement", start.range, "The rules file is already named above.")
    } else {
      syntax.rules = name
    }
    return expectSemicolon(after: "statement")
  }

  private mutating func parseDatabase() -> Bool {
    let start = parser.advance()
    guard let name = expectString("the id of a database in quotes") else { return false }
    if syntax.database != nil {
      report("repeated-statement", start.range, "The database is already named above.")
    } else {
      syntax.database = name
    }
    return expectSemicolon(after: "statement")
  }

  private mutating func parseNow() -> Bool {
    let start = parser.advance()
    guard let time = parser.parseDataExpression() else { return false }
    if syntax.now != nil {
      report(
        "repeated-statement", start.range, "The clock is already set above.",
        notes: ["Inside a test, 'at' moves it."])
    } else {
      syntax.now = time
    }
    return expectSemicolon(after: "statement")
  }

  /// `user alice = password({ … });`
  private mutating func parseUser() -> Bool {
    let start = parser.advance()
    guard let name = expectName("the name of a user"), expect(.assign, "'='") else { return false }
    guard let call = parseProviderCall() else { return false }
    syntax.users.append(
      UserDeclaration(
        name: name, provider: call.provider, arguments: call.arguments, range: SourceRange(start.start, previousEnd)))
    return expectSemicolon(after: "user")
  }

  /// `given /path { … };`
  mutating func parseFixture() -> FixtureDeclaration? {
    let start = parser.advance()
    guard let path = parsePath(inPattern: false) else { return nil }
    guard let data = parseMap(of: "the fixture") else { return nil }
    let end = previousEnd
    guard expectSemicolon(after: "fixture") else { return nil }
    return FixtureDeclaration(path: path, data: data, range: SourceRange(start.start, end))
  }

  /// The fields of a document.
  mutating func parseMap(of what: String) -> Expression? {
    guard token.kind == .leftBrace else {
      expected("the fields of \(what): { name: value, … }")
      return nil
    }
    guard let data = parser.parseDataExpression() else { return nil }
    guard case .map = data.kind else {
      report("not-a-map", data.range, "Expected the fields of \(what), found an expression.")
      return nil
    }
    return data
  }

  private mutating func parseTest() -> Bool {
    let start = parser.advance()
    guard let name = expectString("the name of the test in quotes"), expect(.leftBrace, "'{'") else { return false }
    var statements: [TestDeclaration.Statement] = []
    while true {
      statementStart = parser.index
      switch parser.kind {
      case .rightBrace:
        parser.advance()
        syntax.tests.append(
          TestDeclaration(name: name, statements: statements, range: SourceRange(start.start, previousEnd)))
        _ = parser.take(.semicolon)
        return true
      case .endOfFile:
        report("unclosed-test", name.range, "The test '\(name.text)' is not closed: expected '}'.")
        return true
      default:
        // A declaration at the very left: the brace before it is missing.
        let isDeclaration = TestParser.declarationWords.contains(word) || TestParser.invariantWords.contains(word)
        if isDeclaration, token.start.column == 1, isFirstOnLine(parser.index) {
          report("unclosed-test", name.range, "The test '\(name.text)' is not closed: expected '}'.")
          return true
        }
        if let statement = parseStatement() { statements.append(statement) } else { recover(inTest: true) }
      }
    }
  }
}

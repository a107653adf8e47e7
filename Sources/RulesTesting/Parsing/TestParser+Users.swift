import RulesSyntax

/// What users do between two steps.
extension TestParser {
  /// First words that only such statements begin with. `delete` is a request, too: see `parseDeletion`.
  static let actionWords = ["sign", "reinstall", "refresh", "revoke", "link", "change"]

  /// `sign in alice, bob;`
  mutating func parseAction() -> UserAction? {
    let first = parser.advance()
    switch parser.text(first) {
    case "sign":
      if takeWord("in") { return parseAction(.signIn, from: first) }
      if takeWord("out") { return parseAction(.signOut, from: first) }
      expected("'in' or 'out': sign in alice; sign out alice;")
      return nil
    case "reinstall": return parseAction(.reinstall, from: first)
    case "refresh": return parseAction(.refresh, from: first)
    case "revoke": return parseAction(.revoke, from: first)
    case "link": return parseLink(from: first)
    default: return parseChange(from: first)
    }
  }

  /// `delete alice;`, but not `delete /users/alice;`, which somebody has to ask for.
  mutating func parseDeletion() -> UserAction? {
    let first = parser.advance()
    guard token.kind == .identifier else {
      report(
        "missing-expectation", first.range, "Expected 'allow' or 'deny' before 'delete'.",
        notes: ["The account of a user is deleted by its name: delete alice;"])
      return nil
    }
    return parseAction(.delete, from: first)
  }

  private mutating func parseAction(_ kind: UserAction.Kind, from first: Token) -> UserAction? {
    guard let users = parseUserNames() else { return nil }
    return finish(kind, users, from: first)
  }

  private mutating func finish(_ kind: UserAction.Kind, _ users: [Name], from first: Token) -> UserAction? {
    guard expectSemicolon(after: "statement") else { return nil }
    return UserAction(kind: kind, users: users, range: SourceRange(first.start, previousEnd))
  }

  /// `link guest with apple({ email: '…' });`
  private mutating func parseLink(from first: Token) -> UserAction? {
    guard let user = parseSingleUser(of: "link") else { return nil }
    guard takeWord("with") else {
      expected("'with' and a provider such as apple()")
      return nil
    }
    guard let call = parseProviderCall() else { return nil }
    return finish(.link(call), [user], from: first)
  }

  /// `change alice { claims: { admin: true } };`
  private mutating func parseChange(from first: Token) -> UserAction? {
    guard let user = parseSingleUser(of: "change") else { return nil }
    guard token.kind == .leftBrace else {
      expected("what changes: { claims: { admin: true } }")
      return nil
    }
    guard let changes = parser.parseDataExpression() else { return nil }
    guard case .map = changes.kind else {
      report("not-a-map", changes.range, "Expected what changes in braces, found an expression.")
      return nil
    }
    return finish(.change(changes), [user], from: first)
  }

  private mutating func parseSingleUser(of word: String) -> Name? {
    guard let user = expectName("the name of a user") else { return nil }
    if token.kind == .comma {
      report("one-user", token.range, "'\(word)' is about one user: write a statement for each.")
      return nil
    }
    return user
  }

  /// `password({ … })`
  mutating func parseProviderCall() -> ProviderCall? {
    guard token.kind == .identifier else {
      expected("a provider such as password(…) or anonymous()")
      return nil
    }
    guard let expression = parser.parseDataExpression() else { return nil }
    guard case .call(let provider, let arguments) = expression.kind else {
      let text = parser.file.text(expression.range)
      report("not-a-provider", expression.range, "Expected a provider such as \(text)(…), found an expression.")
      return nil
    }
    return ProviderCall(provider: provider, arguments: arguments, range: expression.range)
  }

  /// `alice, bob`
  mutating func parseUserNames() -> [Name]? {
    var users: [Name] = []
    repeat {
      guard let user = expectName("the name of a user") else { return nil }
      users.append(user)
    } while parser.take(.comma) != nil
    return users
  }
}

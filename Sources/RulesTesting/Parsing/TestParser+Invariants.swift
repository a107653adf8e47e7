import RulesSyntax

extension TestParser {
  /// `never M P unless C;` and the short forms.
  mutating func parseInvariant() -> Bool {
    let start = parser.advance()
    guard let form = InvariantDeclaration.Form(rawValue: parser.text(start)) else { return false }
    var methods: [Name] = []
    switch form {
    case .never, .allows:
      guard let names = parseMethods() else { return false }
      methods = names
    case .public:
      guard isWord("read") else {
        expected("'read': public read /path")
        return false
      }
      methods = [Name("read", token.range)]
      parser.advance()
    default: break
    }
    guard let path = parsePath(inPattern: true) else { return false }
    var condition: InvariantDeclaration.Condition?
    var owner: Expression?
    var fields: [Name] = []
    var user: Name?
    switch form {
    case .never:
      guard let parsed = parseCondition() else { return false }
      condition = parsed
    case .assume:
      guard takeWord("if") else {
        expected("'if' and a condition")
        return false
      }
      guard let expression = parser.parseExpression() else { return false }
      condition = .if(expression)
    case .isolate, .tenant:
      guard takeWord("by") else {
        expected("'by' and whom the documents belong to")
        return false
      }
      guard let expression = parser.parseExpression() else { return false }
      owner = expression
    case .immutable, .server:
      guard let names = parseFields() else { return false }
      fields = names
    case .allows:
      guard takeWord("as") else {
        expected("'as' and a user")
        return false
      }
      guard let name = expectName("the name of a user") else { return false }
      user = name
    case .private, .public, .readonly: break
    }
    let end = previousEnd
    syntax.invariants.append(
      InvariantDeclaration(
        form: form, methods: methods, path: path, condition: condition, owner: owner, fields: fields, user: user,
        range: SourceRange(start.start, end)))
    return expectSemicolon(after: "invariant")
  }

  private mutating func parseCondition() -> InvariantDeclaration.Condition? {
    let isIf = isWord("if")
    guard isIf || isWord("unless") else {
      expected("'unless' or 'if' and a condition", notes: ["What must never happen at all: never … if true;"])
      return nil
    }
    parser.advance()
    guard let expression = parser.parseExpression() else { return nil }
    return isIf ? .if(expression) : .unless(expression)
  }

  private mutating func parseMethods() -> [Name]? {
    var methods: [Name] = []
    let known = InvariantDeclaration.methodNames
    repeat {
      guard token.kind == .identifier else {
        expected("a method: \(Suggestion.alternatives(known))")
        return nil
      }
      guard known.contains(word) else {
        report("unknown-method", token.range, "Unknown method '\(word)'.\(Suggestion.question(word, known))")
        return nil
      }
      let method = Name(word, token.range)
      parser.advance()
      if methods.contains(where: { $0.text == method.text }) {
        report("repeated-method", method.range, "'\(method.text)' is named twice.")
      } else {
        methods.append(method)
      }
    } while parser.take(.comma) != nil
    return methods
  }

  /// `fields owner, 'address.city'`
  private mutating func parseFields() -> [Name]? {
    guard takeWord("fields") else {
      expected("'fields' and the names of fields")
      return nil
    }
    var fields: [Name] = []
    repeat {
      if token.kind == .string {
        guard let name = expectString("the name of a field") else { return nil }
        fields.append(name)
      } else {
        guard let name = expectName("the name of a field") else { return nil }
        fields.append(name)
      }
    } while parser.take(.comma) != nil
    return fields
  }
}

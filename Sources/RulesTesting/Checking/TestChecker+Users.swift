import Identity
import JSON
import RulesEngine
import RulesSyntax
import RulesValues

extension TestChecker {
  /// Builds the users in source order; the options of one may mention those above.
  mutating func workOutUsers() {
    for declaration in syntax.users {
      if let user = user(declaration) { users.append(user) }
    }
  }

  private mutating func user(_ declaration: UserDeclaration) -> User? {
    let word = declaration.provider.text
    guard Provider.words.contains(word) else {
      error(
        "unknown-provider", declaration.provider.range,
        "Unknown provider '\(word)'.\(Suggestion.question(word, Provider.words))",
        notes: ["Providers are \(Provider.words.joined(separator: ", "))."])
      return nil
    }
    var arguments = declaration.arguments[...]
    var id: String?
    if let first = arguments.first, case .string(let bytes) = first.kind {
      id = String(decoding: bytes, as: UTF8.self)
      arguments.removeFirst()
    }
    let options = arguments.popFirst()
    if let extra = arguments.first ?? options, !arguments.isEmpty || !isMap(extra) {
      error(
        "wrong-arguments", extra.range,
        "Expected a map of options: \(word)(\(id == nil ? "" : "'\(id ?? "")', "){ email: '…' })")
      return nil
    }
    let provider: Provider
    do {
      provider = try Provider(word: word, id: id)
    } catch {
      self.error("wrong-provider", declaration.arguments.first?.range ?? declaration.provider.range, error.sentence)
      return nil
    }
    guard let object = optionValues(options) else { return nil }
    do {
      let profile = try UserProfile(provider: provider, name: declaration.name.text, options: object)
      return try User(declaration.name.text, profile, now: now, project: project)
    } catch {
      self.error("wrong-user", place(of: error, in: options) ?? declaration.range, error.sentence)
      return nil
    }
  }

  private func isMap(_ expression: Expression) -> Bool {
    if case .map = expression.kind { true } else { false }
  }

  private func entry(named name: String, in options: Expression?) -> Expression.MapEntry? {
    guard let options, case .map(let entries) = options.kind else { return nil }
    return entries.first { $0.key.stringValue == name }
  }

  /// The option that an error is about, as far as its code tells.
  private func place(of error: IdentityError, in options: Expression?) -> SourceRange? {
    let words = error.code.split(separator: " ").map(String.init)
    if let named = entry(named: words.last ?? "", in: options) { return named.value.range }
    let code = words.first ?? ""
    let option =
      UserProfile.optionNames.first { code.contains($0.uppercased()) }
      ?? (code.contains("CLAIM") ? "claims" : code.contains("LOCAL_ID") ? "uid" : "")
    return entry(named: option, in: options)?.value.range
  }

  /// The options as JSON, each known by name.
  private mutating func optionValues(_ options: Expression?) -> JSONObject? {
    guard let options, case .map(let entries) = options.kind else { return [:] }
    var isWrong = false
    for entry in entries {
      guard let name = entry.key.stringValue else {
        error("computed-option", entry.key.range, "The name of an option is a plain word.")
        isWrong = true
        continue
      }
      guard UserProfile.optionNames.contains(name) else {
        isWrong = true
        let alias = ["phone_number": "phone", "emailVerified": "email_verified", "displayName": "name"][name]
        let question =
          alias.map { " Did you mean '\($0)'?" } ?? Suggestion.question(name, UserProfile.optionNames)
        let shown = name.utf8.allSatisfy { $0 != 0x27 && $0 != 0x5C && $0 >= 0x20 } ? name : "…"
        error(
          "unknown-option", entry.key.range, "A user has no option '\(name)'.\(question)",
          notes: [
            "A custom claim is written as claims: { \(shown): … }",
            "Options are \(UserProfile.optionNames.joined(separator: ", ")).",
          ])
        continue
      }
    }
    if isWrong { return nil }
    var variables = TestFile.variables(users, time: now)
    variables["request"] = .map(["time": .timestamp(now)])
    let evaluator = ExpressionEvaluator(functions: syntax.functions, variables: variables)
    var object = JSONObject()
    for entry in entries {
      guard let name = entry.key.stringValue else { continue }
      do throws(TestMistake) {
        let data = try DataBuilder(evaluator: evaluator, database: "", functions: functions).value(entry.value)
        guard let value = JSONValue(claim: data) else {
          throw TestMistake(
            "not-json", entry.value.range, "A token is JSON: a claim is null, a bool, a number, a string, a list or a map.")
        }
        object[name] = value
      } catch {
        diagnostics.append(error.diagnostic)
        isWrong = true
      }
    }
    return isWrong ? nil : object
  }
}

extension IdentityError {
  /// The message by itself. The identity room begins its messages in lower case, as parts of longer ones, or with a
  /// word of the test language, which stays as it is.
  var sentence: String {
    let text = message + (message.hasSuffix(".") ? "" : ".")
    let first = String(text.prefix { $0 != " " })
    if Provider.words.contains(first) || UserProfile.optionNames.contains(first) {
      return "'\(first)'" + text.dropFirst(first.count)
    }
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension Expression {
  /// The text of a string literal.
  var stringValue: String? {
    if case .string(let bytes) = kind { String(decoding: bytes, as: UTF8.self) } else { nil }
  }
}

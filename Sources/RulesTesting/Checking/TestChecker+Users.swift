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
    let call = ProviderCall(
      provider: declaration.provider, arguments: declaration.arguments, range: declaration.range)
    guard let (provider, options) = provider(of: call) else { return nil }
    guard checkOptions(options, UserProfile.optionNames, of: "A user") else { return nil }
    guard let object = optionValues(options) else { return nil }
    do {
      let profile = try UserProfile(provider: provider, name: declaration.name.text, options: object)
      return try User(declaration.name.text, profile, now: now, project: project)
    } catch {
      self.error("wrong-user", TestChecker.place(of: error, in: options) ?? declaration.range, error.sentence)
      return nil
    }
  }

  /// The provider of a call such as `oidc('oidc.line', { … })`, and the map of its options; `nil` where it is none,
  /// which is reported.
  mutating func provider(of call: ProviderCall) -> (Provider, options: Expression?)? {
    let word = call.provider.text
    guard Provider.words.contains(word) else {
      error(
        "unknown-provider", call.provider.range,
        "Unknown provider '\(word)'.\(Suggestion.question(word, Provider.words))",
        notes: ["Providers are \(Provider.words.joined(separator: ", "))."])
      return nil
    }
    var arguments = call.arguments[...]
    var id: String?
    if let first = arguments.first, let text = first.stringValue {
      id = text
      arguments.removeFirst()
    }
    let options = arguments.popFirst()
    if let extra = arguments.first ?? options, !arguments.isEmpty || !isMap(extra) {
      error(
        "wrong-arguments", extra.range,
        "Expected a map of options: \(word)(\(id == nil ? "" : "'\(id ?? "")', "){ email: '…' })")
      return nil
    }
    do {
      return (try Provider(word: word, id: id), options)
    } catch {
      self.error("wrong-provider", call.arguments.first?.range ?? call.provider.range, error.sentence)
      return nil
    }
  }

  private func isMap(_ expression: Expression) -> Bool {
    if case .map = expression.kind { true } else { false }
  }

  private static func entry(named name: String, in options: Expression?) -> Expression.MapEntry? {
    guard let options, case .map(let entries) = options.kind else { return nil }
    return entries.first { $0.key.stringValue == name }
  }

  /// The option that an error is about, as far as its code tells.
  static func place(of error: IdentityError, in options: Expression?) -> SourceRange? {
    let words = error.code.split(separator: " ").map(String.init)
    if let named = entry(named: words.last ?? "", in: options) { return named.value.range }
    let code = words.first ?? ""
    let option =
      UserProfile.optionNames.first { code.contains($0.uppercased()) }
      ?? (code.contains("CLAIM") ? "claims" : code.contains("LOCAL_ID") ? "uid" : "")
    return entry(named: option, in: options)?.value.range
  }

  /// Whether all options are known by name; which are not is reported.
  mutating func checkOptions(_ options: Expression?, _ known: [String], of what: String) -> Bool {
    guard let options, case .map(let entries) = options.kind else { return true }
    var isRight = true
    for entry in entries {
      guard let name = entry.key.stringValue else {
        error("computed-option", entry.key.range, "The name of an option is a plain word.")
        isRight = false
        continue
      }
      if known.contains(name) { continue }
      isRight = false
      let alias = ["phone_number": "phone", "emailVerified": "email_verified", "displayName": "name"][name]
      let question =
        alias.map { " Did you mean '\($0)'?" } ?? Suggestion.question(name, known)
      let shown = name.utf8.allSatisfy { $0 != 0x27 && $0 != 0x5C && $0 >= 0x20 } ? name : "…"
      let claim = "A custom claim is written as claims: { \(shown): … }"
      error(
        "unknown-option", entry.key.range, "\(what) has no option '\(name)'.\(question)",
        notes: (known.contains("claims") ? [claim] : [])
          + ["Options are \(known.joined(separator: ", "))."])
    }
    return isRight
  }

  /// The options as JSON; what cannot be worked out is reported.
  private mutating func optionValues(_ options: Expression?) -> JSONObject? {
    let evaluator = ExpressionEvaluator(
      functions: syntax.functions, variables: TestFile.variables(users, time: now))
    let (object, mistakes) = DataBuilder(evaluator: evaluator, database: "", functions: functions).options(options)
    diagnostics += mistakes.map(\.diagnostic)
    return mistakes.isEmpty ? object : nil
  }
}

extension DataBuilder {
  /// The options of a user as JSON, and what is wrong with them.
  func options(_ options: Expression?) -> (JSONObject, [TestMistake]) {
    guard let options, case .map(let entries) = options.kind else { return ([:], []) }
    var object = JSONObject()
    var mistakes: [TestMistake] = []
    for entry in entries {
      guard let name = entry.key.stringValue else { continue }
      do throws(TestMistake) {
        guard let value = JSONValue(claim: try value(entry.value)) else {
          throw TestMistake(
            "not-json", entry.value.range,
            "A token is JSON: a claim is null, a bool, a number, a string, a list or a map.")
        }
        object[name] = value
      } catch {
        mistakes.append(error)
      }
    }
    return (object, mistakes)
  }
}

extension IdentityError {
  /// The message by itself. The identity room begins its messages in lower case, as parts of longer ones, or with a
  /// word of the test language, which stays as it is.
  var sentence: String {
    let text = message + (message.hasSuffix(".") ? "" : ".")
    let first = String(text.prefix { $0 != " " })
    if Provider.words.contains(first) || (UserProfile.optionNames + Persona.changeNames).contains(first) {
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

import Identity
import JSON
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// The users of a test that does something with them between steps: each has an account at one server, and a device,
/// whose token the rules see.
struct People {
  private let server: AuthServer
  private var personas: [String: Persona] = [:]
  /// Who is signed in now, with the token that the device holds.
  private(set) var auths: [String: Auth] = [:]
  /// The same, but of whoever is signed out as they were last: what their name means in an expression.
  private(set) var lastAuths: [String: Auth] = [:]
  /// From which `lastAuths` were read.
  private var lastTokens: [String: String] = [:]

  /// How many users that a test says nothing of have accounts in it, so that many tests of many users end.
  private static let mostBystanders = 200

  /// Production, but with answers that tell what is wrong, providers that need no configuration, and nobody who has to
  /// sign in again for something sensitive.
  private static let settings: AuthSettings = {
    var settings = AuthSettings.articles
    settings.recentLogin = nil
    settings.requiresProviderConfiguration = false
    settings.passwordCost = .none
    return settings
  }()

  /// - Throws: if two of the users whom the test is about cannot be there together.
  init(of declaration: TestDeclaration, in test: TestFile, clock: ManualClock) throws(TestMistake) {
    server = AuthServer(project: test.project, settings: Self.settings, clock: AccountClock(clock: clock), seed: 1)
    let users = Dictionary(test.users.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for name in declaration.actions.flatMap(\.users) where personas[name.text] == nil {
      guard let user = users[name.text] else {
        throw TestMistake("unknown-user", name.range, "Unknown user '\(name.text)'.")
      }
      do {
        personas[name.text] = try Persona(user.profile, on: server)
      } catch {
        throw TestMistake(
          "refused-by-identity", name.range,
          "'\(name.text)' cannot have an account beside the others: \(error.sentence)")
      }
      try look(at: name.text, name.range)
    }
    guard declaration.actions.contains(where: \.kind.claimsIdentity) else { return }
    // The others have what they have, so that nobody else can take it. Two users of a file may well be one person.
    for user in test.users.prefix(Self.mostBystanders) where personas[user.name] == nil {
      _ = try? Persona(user.profile, on: server)
    }
  }

  func knows(_ name: String) -> Bool { personas[name] != nil }

  /// Looks who is signed in when time has passed: tokens are renewed five minutes before their end.
  mutating func look(_ range: SourceRange) throws(TestMistake) {
    for name in personas.keys.sorted() { try look(at: name, range) }
  }

  private mutating func look(at name: String, _ range: SourceRange) throws(TestMistake) {
    do {
      guard let token = try personas[name]?.token() else {
        auths[name] = nil
        return
      }
      if token != lastTokens[name] {
        lastAuths[name] = try Auth(idToken: token)
        lastTokens[name] = token
      }
      auths[name] = lastAuths[name]
    } catch {
      throw TestMistake("refused-by-identity", range, error.sentence)
    }
  }

  mutating func act(_ action: UserAction, _ builder: DataBuilder) throws(TestMistake) {
    for name in action.users {
      guard var persona = personas[name.text] else {
        throw TestMistake("unknown-user", name.range, "Unknown user '\(name.text)'.")
      }
      try checkPresence(persona, name, action.kind)
      try act(action.kind, &persona, name, builder)
      personas[name.text] = persona
      try look(at: name.text, name.range)
    }
  }

  private func checkPresence(_ persona: Persona, _ name: Name, _ kind: UserAction.Kind) throws(TestMistake) {
    switch kind {
    case .signIn:
      if persona.isSignedIn {
        throw TestMistake(
          "signed-in", name.range, "'\(name.text)' is signed in already.",
          notes: ["Users are, when a test begins. Before this: sign out \(name.text);"])
      }
    case .signOut, .refresh, .delete, .link:
      if !persona.isSignedIn {
        throw TestMistake(
          "signed-out", name.range, "'\(name.text)' is signed out.", notes: ["Before this: sign in \(name.text);"])
      }
    case .reinstall, .revoke, .change: break
    }
  }

  private func act(
    _ kind: UserAction.Kind, _ persona: inout Persona, _ name: Name, _ builder: DataBuilder
  ) throws(TestMistake) {
    var options: Expression?
    do {
      switch kind {
      case .signIn: try persona.signIn()
      case .signOut: persona.signOut()
      case .reinstall: persona.reinstall()
      case .refresh: try persona.refresh()
      case .delete: try persona.delete()
      case .revoke: try persona.revoke()
      case .link(let call):
        let id = call.arguments.first?.stringValue
        options = call.arguments.dropFirst(id == nil ? 0 : 1).first
        let provider = try Provider(word: call.provider.text, id: id)
        try persona.link(provider, options: try values(options, builder))
      case .change(let changes):
        options = changes
        try persona.change(try values(changes, builder))
      }
    } catch let mistake as TestMistake {
      throw mistake
    } catch {
      let refusal = error as? IdentityError
      let range = refusal.flatMap { TestChecker.place(of: $0, in: options) } ?? name.range
      throw TestMistake("refused-by-identity", range, refusal?.sentence ?? "\(error)")
    }
  }

  private func values(_ options: Expression?, _ builder: DataBuilder) throws(TestMistake) -> JSONObject {
    let (object, mistakes) = builder.options(options)
    if let first = mistakes.first { throw first }
    return object
  }
}

/// The clock of a test, for accounts.
private struct AccountClock: AuthClock {
  let clock: ManualClock

  var milliseconds: Int64 {
    let time = clock.now
    return time.seconds * 1000 + Int64(time.nanos) / 1_000_000
  }
}

extension UserAction.Kind {
  /// Whether it can meet an identity that somebody else has.
  fileprivate var claimsIdentity: Bool {
    switch self {
    case .signIn, .link: true
    case .signOut, .reinstall, .refresh, .delete, .revoke, .change: false
    }
  }
}

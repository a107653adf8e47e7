import Identity
import RulesSyntax

/// What is wrong with what users do between steps, as far as it shows without running the test.
extension TestChecker {
  mutating func checkAction(_ action: UserAction) {
    for user in action.users where user.text == "nobody" {
      error(
        "no-account", user.range, "'nobody' is the caller who is signed out: there is no account.",
        notes: ["Users are declared at the top: user guest = anonymous();"])
    }
    useUsers(action.users)
    switch action.kind {
    case .signIn, .signOut, .reinstall, .refresh, .delete, .revoke: break
    case .link(let call): checkLink(call)
    case .change(let changes):
      checkNames(changes, .step)
      _ = checkOptions(changes, Persona.changeNames, of: "An account")
    }
  }

  private mutating func checkLink(_ call: ProviderCall) {
    for argument in call.arguments { checkNames(argument, .step) }
    guard let (provider, options) = provider(of: call) else { return }
    let known = Persona.linkOptionNames(provider)
    guard !known.isEmpty else {
      error(
        "wrong-provider", call.provider.range,
        "'\(call.provider.text)' is no way to sign in that an account can be linked with.")
      return
    }
    _ = checkOptions(options, known, of: "What '\(call.provider.text)' links")
  }

  // MARK: Providers in conditions

  /// Warns of a comparison of `….firebase.sign_in_provider` with what no token says there.
  mutating func checkProviderIDs(_ expression: Expression) {
    var found: [Expression] = []
    expression.forEachNode { node in
      guard case .binary(let op, let a, let b) = node.kind else { return }
      switch op {
      case .equal, .notEqual:
        if a.isSignInProvider { found.append(b) } else if b.isSignInProvider { found.append(a) }
      case .in:
        if a.isSignInProvider, case .list(let items) = b.kind { found += items }
      default: break
      }
    }
    for literal in found {
      guard let id = literal.stringValue, !Provider.isSignInProvider(id) else { continue }
      let known = Provider.signInProviders
      let nearest = known.first { $0 == id + ".com" } ?? Suggestion.nearest(to: id, among: known)
      warn(
        "unknown-sign-in-provider", literal.range,
        "No token has the sign_in_provider '\(id)'." + (nearest.map { " Did you mean '\($0)'?" } ?? ""),
        notes: id == Provider.emailLink.word
          ? ["Who came by e-mail link is a 'password' user, too: the token does not tell them apart."] : [])
    }
  }
}

extension Expression {
  /// `….firebase.sign_in_provider`
  fileprivate var isSignInProvider: Bool {
    guard case .member(let receiver, let last) = kind, case .member(_, let first) = receiver.kind else { return false }
    return last.text == "sign_in_provider" && first.text == "firebase"
  }
}

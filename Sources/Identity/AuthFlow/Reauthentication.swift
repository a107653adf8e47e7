/// How somebody has to prove again who they are.
public enum ReauthenticationContext: Sendable, Equatable {
  case oauth(uid: String, providerID: String, name: String)
  case email(uid: String, email: String)
  case emailLink(uid: String, email: String)
  case phone(uid: String, number: String)

  public var uid: String {
    switch self {
    case .oauth(let uid, _, _), .email(let uid, _), .emailLink(let uid, _), .phone(let uid, _): uid
    }
  }

  /// What a screen says.
  public var displayMessage: String {
    switch self {
    case .oauth(_, _, let name): "Sign in with \(name) again to continue."
    case .email(_, let email): "Enter the password of \(email) again to continue."
    case .emailLink(_, let email): "Open the link that was sent to \(email) to continue."
    case .phone(_, let number): "Enter the code that was sent to \(number) to continue."
    }
  }

  /// Whether a credential is of the kind that is asked for.
  func accepts(_ credential: AuthCredential) -> Bool {
    switch (self, credential) {
    case (.oauth(_, let id, _), .provider(let credential)): credential.providerID == id
    case (.email, .password), (.emailLink, .emailLink), (.phone, .phone): true
    default: false
    }
  }

  static func name(of providerID: String) -> String {
    switch providerID {
    case ProviderID.apple: "Apple"
    case ProviderID.google: "Google"
    case ProviderID.facebook: "Facebook"
    case ProviderID.twitter: "Twitter"
    case ProviderID.github: "GitHub"
    case ProviderID.microsoft: "Microsoft"
    case ProviderID.yahoo: "Yahoo"
    default: providerID
    }
  }
}

extension AuthFlow {
  /// Does something that may need a recent login: deleting the account, a new password, another address, second
  /// factors.
  /// - Throws: `reauthenticationRequired` where it does, or where the session was ended; `refused` for everything else.
  public func perform<Answer>(_ operation: (Device) throws(IdentityError) -> Answer) throws(AuthFlowError) -> Answer {
    guard let user = device.currentUser else { throw .noCurrentUser }
    let context = context(of: user)
    defer { settle() }
    do throws(IdentityError) {
      return try operation(device)
    } catch {
      if let context, [.requiresRecentLogin, .userTokenExpired].contains(error.clientCode) {
        throw .reauthenticationRequired(context)
      }
      throw .refused(error)
    }
  }

  /// Proves who it is, and tries the operation again.
  /// - Throws: `refused` with `USER_MISMATCH` if it is somebody else, or another way than the one asked for.
  public func retry<Answer>(
    _ context: ReauthenticationContext, with credential: AuthCredential,
    _ operation: (Device) throws(IdentityError) -> Answer
  ) throws(AuthFlowError) -> Answer {
    let mismatch = IdentityError(
      code: ClientOnly.userMismatch, message: "another user, or another way to sign in, was asked for")
    defer { settle() }
    do throws(IdentityError) {
      guard context.accepts(credential) else { throw mismatch }
      if device.currentUser == nil {
        // The session was ended: a sign-in is what is left, and it must be the same user's.
        let result = try device.signIn(with: credential)
        guard result.user.uid.isExactly(context.uid) else {
          device.signOut()
          throw mismatch
        }
      } else {
        try device.reauthenticate(with: credential)
      }
      return try operation(device)
    } catch {
      throw .refused(error)
    }
  }

  /// By what the token says about the sign-in; nil for users who cannot prove who they are.
  func context(of user: User) -> ReauthenticationContext? {
    guard let token = device.heldToken, let result = try? IDTokenResult(token: token) else { return nil }
    switch result.signInProvider {
    case ProviderID.password:
      let email = user.email ?? ""
      return state.withLock { $0.signedInByLink }
        ? .emailLink(uid: user.uid, email: email)
        : .email(uid: user.uid, email: email)
    case ProviderID.phone: return .phone(uid: user.uid, number: user.phoneNumber ?? "")
    case ProviderID.anonymous, ProviderID.custom: return nil
    case let id: return .oauth(uid: user.uid, providerID: id, name: ReauthenticationContext.name(of: id))
    }
  }
}

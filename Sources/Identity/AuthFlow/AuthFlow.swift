import Synchronization

/// The states of a sign-in screen without the screen, as FirebaseUI for SwiftUI has them: what an app shows while
/// somebody signs in, is asked for a second factor, meets an account of theirs, or has to prove again who they are.
public final class AuthFlow: Sendable {
  public enum Phase: Sendable, Equatable { case unauthenticated, authenticating, authenticated }

  public struct Configuration: Sendable, Equatable {
    /// Every sign-in of an anonymous user becomes a link, so that the uid, and with it the data, stays.
    public var upgradesAnonymousUsers = false
    /// Where the link of a mail leads.
    public var continueURL = "https://example.com/finish"

    public init() {}
  }

  public enum Outcome: Sendable {
    case signedIn(AuthDataResult)
    case mfaRequired(MultiFactorResolver)
  }

  struct State: Sendable {
    var phase: Phase
    var pendingCredential: AuthCredential?
    var rememberedEmail: String?
    /// The token says `password` for a link too: so it is remembered here.
    var signedInByLink = false
  }

  public let device: Device
  public let configuration: Configuration
  let state: Mutex<State>

  public init(device: Device, configuration: Configuration = Configuration()) {
    self.device = device
    self.configuration = configuration
    state = Mutex(State(phase: device.currentUser == nil ? .unauthenticated : .authenticated))
  }

  public var phase: Phase { state.withLock { $0.phase } }
  /// Waits to be linked after the next sign-in.
  public var pendingCredential: AuthCredential? { state.withLock { $0.pendingCredential } }
  /// To which address the last sign-in link went.
  public var rememberedEmail: String? { state.withLock { $0.rememberedEmail } }

  // MARK: Sign-in

  /// - Throws: `accountConflict` with what is needed to go on; `refused` for everything else.
  @discardableResult
  public func signIn(with credential: AuthCredential) throws(AuthFlowError) -> Outcome {
    let isLink = if case .emailLink = credential { true } else { false }
    return try authenticate(credential, byLink: isLink) { (device) throws(IdentityError) in
      if self.upgrades { return try device.link(with: credential) }
      return try device.signIn(with: credential)
    }
  }

  @discardableResult
  public func createUser(email: String, password: String) throws(AuthFlowError) -> Outcome {
    let credential = AuthCredential.password(email: email, password: password)
    return try authenticate(credential, byLink: false) { (device) throws(IdentityError) in
      if self.upgrades { return try device.link(with: credential) }
      return try device.createUser(email: email, password: password)
    }
  }

  @discardableResult
  public func signInAnonymously() throws(AuthFlowError) -> Outcome {
    try authenticate(nil, byLink: false) { (device) throws(IdentityError) in try device.signInAnonymously() }
  }

  /// Whether the next sign-in is an upgrade of an anonymous user.
  private var upgrades: Bool { configuration.upgradesAnonymousUsers && device.currentUser?.isAnonymous == true }

  private func authenticate(
    _ credential: AuthCredential?, byLink: Bool, _ body: (Device) throws(IdentityError) -> AuthDataResult
  ) throws(AuthFlowError) -> Outcome {
    let isUpgrade = upgrades
    state.withLock { $0.phase = .authenticating }
    do throws(IdentityError) {
      return .signedIn(finish(try body(device), byLink: byLink))
    } catch {
      if let pending = error.details?.pendingSecondFactor {
        // Still authenticating, until the second factor is there or given up.
        return .mfaRequired(MultiFactorResolver(flow: self, pending: pending, byLink: byLink))
      }
      settle()
      throw failure(error, credential, isUpgrade: isUpgrade)
    }
  }

  /// Somebody is signed in: what waited is linked, and if that cannot be, it is let go.
  func finish(_ result: AuthDataResult, byLink: Bool) -> AuthDataResult {
    let pending = state.withLock { state in
      defer { state.pendingCredential = nil }
      state.signedInByLink = byLink
      return state.pendingCredential
    }
    var result = result
    if let pending, let linked = try? device.link(with: pending) { result = linked }
    settle()
    return result
  }

  func settle() {
    let isSignedIn = device.currentUser != nil
    state.withLock { $0.phase = isSignedIn ? .authenticated : .unauthenticated }
  }

  private func failure(_ error: IdentityError, _ credential: AuthCredential?, isUpgrade: Bool) -> AuthFlowError {
    let kind: AccountConflict.Kind
    switch error.clientCode {
    case .accountExistsWithDifferentCredential: kind = .accountExistsWithDifferentCredential
    case .credentialAlreadyInUse: kind = .credentialAlreadyInUse
    case .emailAlreadyInUse: kind = .emailAlreadyInUse
    default: return .refused(error)
    }
    let conflict = AccountConflict(
      kind: isUpgrade ? .anonymousUpgradeConflict : kind, credential: error.details?.credential ?? credential,
      email: error.details?.email, underlying: error)
    // An upgrade is settled by signing in with the credential, anything else by another sign-in and then linking it.
    if !isUpgrade { state.withLock { $0.pendingCredential = conflict.credential } }
    return .accountConflict(conflict)
  }

  /// Settles the conflict of an upgrade: the anonymous user is left behind, with its data, for the account that there
  /// is.
  @discardableResult
  public func signInAfterConflict(_ conflict: AccountConflict) throws(AuthFlowError) -> Outcome {
    guard let credential = conflict.credential else { throw .refused(conflict.underlying) }
    device.signOut()
    settle()
    return try signIn(with: credential)
  }

  public func signOut() {
    device.signOut()
    state.withLock {
      $0.pendingCredential = nil
      $0.signedInByLink = false
    }
    settle()
  }

  // MARK: E-mail links

  /// Sends a link, and remembers for whom: whoever opens it on this device need not type the address again.
  public func sendSignInLink(to email: String) throws(AuthFlowError) {
    var url = configuration.continueURL
    if upgrades, let uid = device.currentUser?.uid {
      url += (url.contains("?") ? "&" : "?") + "ui_auid=" + FormEncoding.encode(uid)
    }
    do throws(IdentityError) {
      try device.sendSignInLink(to: email, continueURL: url)
    } catch {
      throw .refused(error)
    }
    state.withLock { $0.rememberedEmail = email }
  }

  /// Opens the link of a mail.
  /// - Parameters:
  ///   - url: as it stands in the mail.
  ///   - email: as typed in, where another device asked for the link.
  /// - Throws: `invalidEmailLink` if this is none, nobody is remembered, or it is for another anonymous user than this
  ///   one.
  @discardableResult
  public func handleSignInLink(_ url: String, email: String? = nil) throws(AuthFlowError) -> Outcome {
    guard device.isSignInLink(url), let email = email ?? rememberedEmail else { throw .invalidEmailLink }
    let anonymous = FormEncoding.query("continueUrl", in: url).flatMap { FormEncoding.query("ui_auid", in: $0) }
    if let anonymous, upgrades, anonymous != device.currentUser?.uid { throw .invalidEmailLink }
    let outcome = try signIn(with: .emailLink(email: email, link: url))
    state.withLock { $0.rememberedEmail = nil }
    return outcome
  }
}

/// What stops a flow.
public enum AuthFlowError: Error, Sendable, Equatable {
  case accountConflict(AccountConflict)
  case reauthenticationRequired(ReauthenticationContext)
  case invalidEmailLink
  case noCurrentUser
  case refused(IdentityError)
}

/// Somebody met an account that is there already.
public struct AccountConflict: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case accountExistsWithDifferentCredential, credentialAlreadyInUse, emailAlreadyInUse, anonymousUpgradeConflict
  }

  public let kind: Kind
  /// Signs in to that account, or waits to be linked to it.
  public let credential: AuthCredential?
  public let email: String?
  public let underlying: IdentityError
}

/// The second half of a sign-in.
public struct MultiFactorResolver: Sendable {
  let flow: AuthFlow
  let pending: PendingSecondFactor
  let byLink: Bool

  public var hints: [SecondFactorHint] { pending.hints }

  /// - Returns: the verification id.
  public func sendSMS(_ hint: SecondFactorHint) throws(AuthFlowError) -> String {
    try refusing { (device) throws(IdentityError) in try device.sendSecondFactorSMS(pending, hint: hint) }
  }

  @discardableResult
  public func resolve(verificationID: String, code: String) throws(AuthFlowError) -> AuthDataResult {
    let result = try refusing { (device) throws(IdentityError) in
      try device.resolveSignIn(pending, verificationID: verificationID, code: code)
    }
    return flow.finish(result, byLink: byLink)
  }

  @discardableResult
  public func resolve(_ hint: SecondFactorHint, totp code: String) throws(AuthFlowError) -> AuthDataResult {
    let result = try refusing { (device) throws(IdentityError) in
      try device.resolveSignIn(pending, hint: hint, totp: code)
    }
    return flow.finish(result, byLink: byLink)
  }

  /// Gives up.
  public func cancel() { flow.settle() }

  private func refusing<Answer>(_ body: (Device) throws(IdentityError) -> Answer) throws(AuthFlowError) -> Answer {
    do throws(IdentityError) {
      return try body(flow.device)
    } catch {
      throw .refused(error)
    }
  }
}

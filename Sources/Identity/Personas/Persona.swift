import JSON

/// Somebody whom a test declares: with an account at a server, a device, and all it takes to sign in again.
///
/// What a persona does goes through the same flows as what an app does; only what they need from outside (a password, a
/// mailbox, a phone, the person at the identity provider) is at hand.
public struct Persona: Sendable {
  public let device: Device
  /// How they sign in next: the way in which they signed in, or linked, last.
  public internal(set) var way: UserProfile
  /// Of the account they were signed in to last.
  public internal(set) var uid: String
  /// The uid at the beginning, from which their secrets follow.
  let root: String

  /// Gives a user an account with all that the profile says, and a device on which they are signed in.
  /// - Throws: for a profile that cannot be; `DUPLICATE_LOCAL_ID`, `EMAIL_EXISTS`, … where somebody else has something
  ///   of it.
  public init(_ profile: UserProfile, on server: AuthServer) throws(IdentityError) {
    let profile = try profile.completed()
    device = server.device(tenant: profile.tenant)
    way = profile
    uid = profile.uid
    root = profile.uid
    let tokens = try server.run { (core) throws(IdentityError) in try core.settle(profile) }
    _ = try device.adopt(tokens, [(.signedIn, profile.provider.signInProvider)])
  }

  /// Whether somebody is signed in on the device.
  public var isSignedIn: Bool { device.currentUser != nil }

  // MARK: What they do

  public mutating func signIn() throws(IdentityError) {
    do throws(IdentityError) {
      uid = try enter().user.uid
    } catch {
      guard error.plainCode == ClientOnly.secondFactorRequired, let pending = error.details?.pendingSecondFactor,
        let hint = pending.hints.first
      else { throw error }
      uid = try prove(pending, hint).user.uid
    }
  }

  public func signOut() { device.signOut() }
  public func reinstall() { device.reinstall() }

  /// Asks for a new ID token. Who is refused one because the session was ended is signed out, which is no error here.
  /// - Throws: what else it is refused for.
  public func refresh() throws(IdentityError) { _ = try token(forcingRefresh: true) }

  /// The token of a request that is made now, after a refresh where one is due; nil for somebody who is signed out, and
  /// who is so now because the session was ended.
  public func token(forcingRefresh: Bool = false) throws(IdentityError) -> String? {
    guard isSignedIn else { return nil }
    do throws(IdentityError) {
      return try device.idToken(forcingRefresh: forcingRefresh)
    } catch {
      if isSignedIn { throw error }
      return nil
    }
  }

  public func delete() throws(IdentityError) { try device.deleteUser() }

  /// Gives the account another way to sign in.
  /// - Parameters:
  ///   - provider: not `anonymous` and not `custom`.
  ///   - options: of those that `linkOptionNames` lists.
  public mutating func link(_ provider: Provider, options: JSONObject) throws(IdentityError) {
    var way = try UserProfile(provider: provider, name: uid, options: options)
    way.tenant = self.way.tenant
    if way.email == nil, provider == .password || provider == .emailLink { way.email = device.currentUser?.email }
    way = try way.completed()
    let credential = try credential(way, isFirst: true)
    do throws(IdentityError) {
      try device.link(with: credential)
    } catch {
      // What an app is told is how to go on from there.
      guard error.plainCode == "FEDERATED_USER_ID_ALREADY_LINKED" else { throw error }
      throw IdentityError(
        code: error.code, message: "another account has this identity of \(provider.signInProvider)",
        details: error.details)
    }
    self.way = way
  }

  /// The options of a way to sign in that can be linked; none for one that cannot be.
  public static func linkOptionNames(_ provider: Provider) -> [String] {
    switch provider {
    case .anonymous, .custom: []
    case .password, .emailLink: ["email"]
    case .phone: ["phone"]
    case .oidc, .saml: ["email", "email_verified", "name", "picture", "raw_id", "sign_in_attributes"]
    default: ["email", "email_verified", "name", "picture", "raw_id"]
    }
  }

  // MARK: What is done to them

  /// What `change` can change.
  public static let changeNames = ["claims", "disabled", "email_verified", "name", "picture"]

  /// Changes the account, as an administrator does; tokens show it once they are renewed.
  /// - Parameter changes: of those that `changeNames` lists. `null` takes name and picture away.
  public func change(_ changes: JSONObject) throws(IdentityError) {
    try device.server.run { (core) throws(IdentityError) in
      try core.change(uid) { (account, _) throws(IdentityError) in
        for (key, value) in changes.members { try Self.set(key, value, of: &account) }
      }
    }
  }

  private static func set(_ key: String, _ value: JSONValue, of account: inout Account) throws(IdentityError) {
    func flag() throws(IdentityError) -> Bool {
      guard let flag = value.boolValue else { throw UserProfile.wrong(key, "true or false", value) }
      return flag
    }
    func text() throws(IdentityError) -> String? { value.isNull ? nil : try UserProfile.string(value, key) }
    switch key {
    case "claims": account.customClaims = try CustomClaims.claims(from: value).withWholeNumbers
    case "disabled": account.isDisabled = try flag()
    case "email_verified":
      guard account.email != nil else {
        throw IdentityError(
          code: "MISSING_EMAIL : email_verified", message: "the account has no address that could be verified")
      }
      account.emailVerified = try flag()
    case "name": account.displayName = try text()
    case "picture": account.photoURL = try text()
    default:
      throw IdentityError(
        code: "UNEXPECTED_PARAMETER : \(key)",
        message: "'\(key)' cannot be changed; what can is \(changeNames.joined(separator: ", "))")
    }
  }

  /// Ends all sessions of the account that there are. `AuthAdmin.revokeRefreshTokens` spares those that began in the
  /// same second; in a test, whose clock stands still, nothing would be left to end.
  public func revoke() throws(IdentityError) {
    try device.server.run { (core) throws(IdentityError) in
      var account = try core.known(uid)
      account.validSince = core.seconds
      _ = try core.storage.remove(account)
      try core.storage.put(account, replacing: nil)
    }
  }
}

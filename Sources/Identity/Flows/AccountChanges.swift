/// What a signed-in user changes of their account. What is nil stays.
public struct AccountChanges: Sendable, Equatable {
  public enum Attribute: String, Sendable { case displayName = "DISPLAY_NAME", photoURL = "PHOTO_URL" }

  public var email: String?
  public var password: String?
  public var displayName: String?
  public var photoURL: String?
  public var deletedAttributes: [Attribute] = []
  /// Providers to unlink.
  public var deletedProviders: [String] = []
  /// The ids of passkeys that are no longer wanted.
  public var deletedPasskeys: [String] = []

  public init() {}
}

extension ServerCore {
  /// Changes the account of an ID token.
  /// - Returns: tokens where the change ended all sessions.
  mutating func update(_ idToken: String, _ changes: AccountChanges) throws(IdentityError) -> IssuedTokens? {
    let bearer = try bearer(idToken)
    let old = bearer.account
    var account = old
    var endsSessions = false

    if let email = changes.email {
      let address = try Self.canonical(email)
      try checkRecentLogin(bearer)
      guard !settings.hidesEmails || address.isExactly(old.email) else {
        throw IdentityError(
          code: "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.",
          message: "with e-mail enumeration protection an address changes only through a mail to the new one")
      }
      if let owner = try self.account(email: address, tenant: old.tenant), !owner.uid.isExactly(old.uid) {
        throw Self.emailExists(address)
      }
      if !address.isExactly(old.email) {
        account.initialEmail = account.initialEmail ?? old.email
        account.setEmail(address, verified: false)
        endsSessions = true
      }
    }
    if let password = changes.password {
      try checkProvider(ProviderID.password)
      try checkNew(password: password)
      try checkRecentLogin(bearer)
      guard account.email != nil else {
        throw IdentityError(code: "MISSING_EMAIL", message: "the account has no address for its password")
      }
      account.setPassword(try PasswordHash(password, cost: settings.passwordCost, random: &random), at: now)
      endsSessions = true
    }
    account.displayName = changes.displayName ?? account.displayName
    account.photoURL = changes.photoURL ?? account.photoURL
    for attribute in changes.deletedAttributes {
      switch attribute {
      case .displayName: account.displayName = nil
      case .photoURL: account.photoURL = nil
      }
    }
    for id in changes.deletedProviders { account.unlink(id) }
    account.passkeys.removeAll { changes.deletedPasskeys.contains($0.credentialID) }
    // An account without an address cannot have second factors: there would be nobody to recover it.
    if account.email == nil { account.secondFactors = [] }

    if endsSessions { account.validSince = seconds }
    try storage.put(account, replacing: old)
    if let email = old.email, let new = account.email, !new.isExactly(email) {
      _ = makeCode(.recoverEmail, email: email, newEmail: new, uid: account.uid, tenant: account.tenant)
    }
    guard endsSessions else { return nil }
    // The session goes on, with a login that is as new as the tokens; else they would be revoked with the others.
    var session = continued(bearer, as: bearer.signInProvider)
    if settings.authTimeIsLastLogin { session.authTime = AuthTime.seconds(milliseconds: account.lastLoginAt) }
    return try issue(account, session)
  }

  /// Deletes the account of an ID token.
  /// - Returns: its uid.
  @discardableResult
  mutating func delete(_ idToken: String) throws(IdentityError) -> String {
    let bearer = try bearer(idToken)
    try checkRecentLogin(bearer)
    try remove(bearer.account)
    return bearer.account.uid
  }

  /// What leads to the account goes with it, so that the same person gets a new one next time.
  mutating func remove(_ account: Account) throws(IdentityError) {
    for key in try storage.remove(account) { goneSessions.put(GoneSession(), key: key, at: now) }
    forgetPending(of: account.uid)
  }

  /// Takes back what waits for somebody to act for an account: who asked for it may be a stranger by now.
  /// - Parameter keepsRecovery: the ways back to an address that was changed stay.
  mutating func forgetPending(of uid: String, keepsRecovery: Bool = false) {
    emailCodes.removeAll { uid.isExactly($0.uid) && !(keepsRecovery && $0.purpose == .recoverEmail) }
    pendingSignIns.removeAll { uid.isExactly($0.session.uid) }
    enrolments.removeAll { uid.isExactly($0.uid) }
  }

  /// A new ID token: what the session began with, and what the account is now.
  mutating func refresh(_ refreshToken: String) throws(IdentityError) -> IssuedTokens {
    guard !refreshToken.isEmpty else {
      throw IdentityError(code: "MISSING_REFRESH_TOKEN", message: "a refresh token is needed")
    }
    let unknown = IdentityError(
      code: "INVALID_REFRESH_TOKEN", message: "nobody was given this refresh token, or its account is gone")
    let key = SecretTable<GoneSession>.key(refreshToken)
    guard let session = try storage.session(key) else {
      guard settings.tellsDeletedFromUnknown, goneSessions.contains(key: key) else { throw unknown }
      throw IdentityError(code: "USER_NOT_FOUND", message: "the account of this session was deleted")
    }
    guard let account = try storage.account(session.uid) else { throw unknown }
    try checkEnabled(account)
    if settings.refreshChecksRevocation, session.authTime < account.validSince {
      throw IdentityError(code: "TOKEN_EXPIRED", message: "the session was ended: sign in again")
    }
    let tokens = IssuedTokens(uid: account.uid, idToken: try idToken(account, session), refreshToken: refreshToken)
    var refreshed = account
    refreshed.lastRefreshAt = now
    try storage.put(refreshed, replacing: account)
    return tokens
  }

  /// Tells the identity provider that its token is no longer wanted. The account may be gone already: apps delete it
  /// first.
  mutating func revoke(providerID: String, code: String, idToken: String) throws(IdentityError) {
    guard settings.offersRevocation else {
      throw IdentityError(code: "NOT_IMPLEMENTED", message: "the emulator does not revoke tokens")
    }
    guard providerID == ProviderID.apple else {
      throw IdentityError(
        code: "INVALID_PROVIDER_ID", message: "only tokens of apple.com can be revoked, not of '\(providerID)'")
    }
    guard let uid = try decode(idToken)["sub"]?.stringValue else {
      throw IdentityError(code: "INVALID_ID_TOKEN", message: "the token lacks sub")
    }
    let exists = try storage.account(uid) != nil
    guard apple.revoke(code) || settings.takesUnknownAppleCodes && !code.isEmpty else {
      throw IdentityError(
        code: "INVALID_IDP_RESPONSE : invalid_grant",
        message: "Apple does not know the authorization code, or it was used")
    }
    record(Revocation(providerID: providerID, uid: uid, code: code, time: now, accountExisted: exists))
  }
}

import JSON

/// What needs a service account.
public struct AuthAdmin: Sendable {
  let server: AuthServer

  /// - Throws: `USER_NOT_FOUND`.
  public func account(_ uid: String) throws(IdentityError) -> Account {
    try server.run { (core) throws(IdentityError) in try core.known(uid) }
  }

  /// Whose identity this is.
  public func account(for key: AccountKey) throws(IdentityError) -> Account? {
    try server.run { (core) throws(IdentityError) in try core.account(for: key) }
  }

  public func account(email: String, tenant: String? = nil) throws(IdentityError) -> Account? {
    try server.run { (core) throws(IdentityError) in try core.account(email: email, tenant: tenant) }
  }

  /// A page of accounts, in the order of their uids.
  public func accounts(after uid: String? = nil, limit: Int = 1000) throws(IdentityError) -> [Account] {
    try server.run { (core) throws(IdentityError) in
      var accounts: [Account] = []
      for uid in try core.storage.uids(after: uid, limit: limit) {
        if let account = try core.storage.account(uid) { accounts.append(account) }
      }
      return accounts
    }
  }

  public func accountCount() throws(IdentityError) -> Int {
    try server.run { (core) throws(IdentityError) in try core.storage.accountCount }
  }

  /// - Throws: `EMAIL_EXISTS`, `DUPLICATE_LOCAL_ID`, `PHONE_NUMBER_EXISTS`, `WEAK_PASSWORD`, `INVALID_EMAIL`, ….
  @discardableResult
  public func create(_ account: NewAccount) throws(IdentityError) -> Account {
    try server.run { (core) throws(IdentityError) in try core.create(account) }
  }

  /// Replaces the account's custom claims; its users see them with the next token.
  /// - Throws: `USER_NOT_FOUND`, `CLAIMS_TOO_LARGE`, `FORBIDDEN_CLAIM : name`.
  public func setCustomClaims(_ claims: JSONObject, of uid: String) throws(IdentityError) {
    try CustomClaims.check(claims)
    try server.run { (core) throws(IdentityError) in
      try core.change(uid) { (account, _) throws(IdentityError) in account.customClaims = claims.withWholeNumbers }
    }
  }

  /// Tokens that were issued stay good where nobody asks the server: in rules, until they expire.
  public func setDisabled(_ isDisabled: Bool, _ uid: String) throws(IdentityError) {
    try server.run { (core) throws(IdentityError) in
      try core.change(uid) { (account, _) throws(IdentityError) in account.isDisabled = isDisabled }
    }
  }

  public func setEmailVerified(_ verified: Bool, _ uid: String) throws(IdentityError) {
    try server.run { (core) throws(IdentityError) in
      try core.change(uid) { (account, _) throws(IdentityError) in
        guard account.email != nil else {
          throw IdentityError(code: "MISSING_EMAIL", message: "the account has no address")
        }
        account.emailVerified = verified
      }
    }
  }

  /// Ends all sessions that began before this second.
  public func revokeRefreshTokens(of uid: String) throws(IdentityError) {
    try server.run { (core) throws(IdentityError) in
      try core.change(uid) { (account, seconds) throws(IdentityError) in account.validSince = seconds }
    }
  }

  /// - Throws: `USER_NOT_FOUND`.
  public func delete(_ uid: String) throws(IdentityError) {
    try server.run { (core) throws(IdentityError) in try core.remove(try core.known(uid)) }
  }

  /// Makes `oidc.*` and `saml.*` known.
  /// - Throws: `INVALID_PROVIDER_ID`.
  public func configure(_ configuration: ProviderConfiguration) throws(IdentityError) {
    try (configuration.id.hasPrefix("saml.") ? Provider.saml(configuration.id) : .oidc(configuration.id)).check()
    try server.run { (core) throws(IdentityError) in core.configurations[configuration.id] = configuration }
  }

  public var configurations: [ProviderConfiguration] {
    server.read { $0.configurations.values.sorted { $0.id < $1.id } }
  }

  /// Checks an ID token as `verifyIdToken(checkRevoked: true)` does.
  /// - Throws: why it is refused.
  public func verify(
    _ idToken: String, rule: TokenVerifier.RevocationRule = .issuedAt
  ) throws(IdentityError) -> JSONObject {
    try server.run { (core) throws(IdentityError) in
      let payload = try core.decode(idToken)
      guard let uid = payload["sub"]?.stringValue, let account = try core.storage.account(uid) else {
        throw TokenFault.userNotFound.error
      }
      guard !account.isDisabled else { throw TokenFault.userDisabled.error }
      guard (payload[rule == .issuedAt ? "iat" : "auth_time"]?.intValue ?? .min) >= account.validSince else {
        throw TokenFault.revoked.error
      }
      return payload
    }
  }
}

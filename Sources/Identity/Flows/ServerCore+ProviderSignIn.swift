// Signing in and linking with an identity provider.
extension ServerCore {
  /// - Parameters:
  ///   - idToken: of the account that is to get the identity; nil to sign in.
  ///   - autoCreate: whether somebody unknown gets an account; not when reauthenticating.
  mutating func signIn(
    _ credential: ProviderCredential, idToken: String?, autoCreate: Bool, tenant: String?
  ) throws(IdentityError) -> SignInAnswer {
    let bearer: Bearer? = if let idToken { try self.bearer(idToken) } else { nil }
    if let bearer { try checkTenant(bearer.account, tenant) }
    let profile = try profile(of: credential)
    if let bearer { return try link(profile, credential, to: bearer) }

    let extras = SignInExtras(profile: profile.raw, email: profile.email)
    if let owner = try account(for: .provider(profile.providerID, profile.rawID, tenant)) {
      try checkEnabled(owner)
      return try complete(signedIn(owner, with: profile), replacing: owner, profile, credential, extras)
    }
    if settings.oneAccountPerEmail, let email = profile.email, let owner = try account(email: email, tenant: tenant) {
      try checkEnabled(owner)
      guard isVerified(profile) else {
        // The attempt has used the nonce up; what is pending takes its place.
        spend(credential)
        let providers = settings.hidesEmails ? [] : owner.providerIDs
        return .needsConfirmation(
          email: email, providers: providers, pendingToken: keep(profile), profile: profile.raw)
      }
      if !owner.emailVerified { forgetPending(of: owner.uid) }
      return try complete(merged(owner, profile), replacing: owner, profile, credential, extras)
    }
    guard autoCreate else {
      throw IdentityError(code: "USER_NOT_FOUND", message: "nobody has this identity of \(profile.providerID)")
    }
    var account = try newAccount(tenant: tenant)
    account.displayName = profile.name
    account.photoURL = profile.picture
    if settings.oneAccountPerEmail, let email = profile.email { account.setEmail(email, verified: isVerified(profile)) }
    account.link(profile.link)
    return try complete(account, replacing: nil, profile, credential, extras)
  }

  private mutating func complete(
    _ account: Account, replacing old: Account?, _ profile: ProviderProfile, _ credential: ProviderCredential,
    _ extras: SignInExtras
  ) throws(IdentityError) -> SignInAnswer {
    var session = newSession(account, profile.providerID)
    session.attributes = profile.attributes
    let answer = try finish(account, replacing: old, session, extras: extras)
    spend(credential)
    return answer
  }

  /// Whether the address counts as proved.
  private func isVerified(_ profile: ProviderProfile) -> Bool {
    guard profile.email != nil, profile.claimsVerified else { return false }
    guard let trusted = settings.trustedEmailProviders else { return true }
    return trusted.contains(profile.providerID) || profile.providerID.hasPrefix("saml.")
  }

  /// The owner of the identity comes back: what the provider says is renewed, the account's own is not.
  private func signedIn(_ owner: Account, with profile: ProviderProfile) -> Account {
    var account = owner
    var link = profile.link
    // Apple says the name once, and the address only when asked for: what is known stays known.
    let known = owner.provider(profile.providerID)
    link.email = link.email ?? known?.email
    link.displayName = link.displayName ?? known?.displayName
    link.photoURL = link.photoURL ?? known?.photoURL
    account.link(link)
    if let email = profile.email, email.isExactly(account.email), isVerified(profile) { account.emailVerified = true }
    return account
  }

  /// A provider that vouches for the address joins the account that has it. If nobody had proved the address before,
  /// the account may be somebody else's who only claimed it: everything they could come back with is removed.
  private func merged(_ owner: Account, _ profile: ProviderProfile) -> Account {
    var account = owner
    if !owner.emailVerified {
      let email = owner.email
      for id in owner.providerIDs { account.unlink(id) }
      account.password = nil
      account.passwordUpdatedAt = nil
      account.passkeys = []
      account.secondFactors = []
      if let email { account.setEmail(email, verified: true) }
      account.validSince = seconds
    }
    account.emailVerified = true
    account.link(profile.link)
    account.displayName = account.displayName ?? profile.name
    account.photoURL = account.photoURL ?? profile.picture
    return account
  }

  private mutating func link(
    _ profile: ProviderProfile, _ credential: ProviderCredential, to bearer: Bearer
  ) throws(IdentityError) -> SignInAnswer {
    let old = bearer.account
    if try account(for: .provider(profile.providerID, profile.rawID, old.tenant)) != nil {
      spend(credential)
      var updated = ProviderCredential(providerID: profile.providerID)
      updated.pendingToken = keep(profile)
      throw IdentityError(
        code: "FEDERATED_USER_ID_ALREADY_LINKED",
        message: "an account has this identity of \(profile.providerID) already: "
          + "sign in to it with the credential that comes with this error",
        details: ErrorDetails(email: profile.email, credential: .provider(updated), profile: profile.raw))
    }
    if settings.oneAccountPerEmail, let email = profile.email,
      let owner = try account(email: email, tenant: old.tenant),
      !owner.uid.isExactly(old.uid) {
      var taken = Self.emailExists(email)
      taken.details?.profile = profile.raw
      throw taken
    }
    var account = old
    account.link(profile.link)
    if settings.oneAccountPerEmail, let email = profile.email {
      if account.email == nil { account.setEmail(email, verified: isVerified(profile)) }
      if email.isExactly(account.email), isVerified(profile) { account.emailVerified = true }
    }
    var session = continued(bearer, as: profile.providerID)
    session.attributes = profile.attributes
    let answer = try finish(
      account, replacing: old, session, extras: SignInExtras(profile: profile.raw, email: profile.email),
      isSignIn: false, asksSecondFactor: false)
    spend(credential)
    return answer
  }

  private mutating func keep(_ profile: ProviderProfile) -> String {
    let token = random.letters(64)
    pendingTokens.put(PendingCredential(profile: profile, expiry: expiry(\.pendingCredential)), for: token, at: now)
    return token
  }
}

extension ServerCore {
  /// Makes an anonymous account, or one with address and password; with an ID token gives those to its account.
  mutating func signUp(
    email: String?, password: String?, displayName: String?, idToken: String?, tenant: String?
  ) throws(IdentityError) -> SignInAnswer {
    let bearer: Bearer? = if let idToken { try self.bearer(idToken) } else { nil }
    if let bearer { try checkTenant(bearer.account, tenant) }
    guard email != nil || password != nil else {
      guard bearer == nil else {
        throw IdentityError(code: "MISSING_EMAIL", message: "to link a password, give address and password")
      }
      return try signUpAnonymously(displayName: displayName, tenant: tenant)
    }
    try checkProvider(ProviderID.password)
    let address = try Self.canonical(email ?? "")
    try checkNew(password: password ?? "")
    if let owner = try account(email: address, tenant: tenant), !owner.uid.isExactly(bearer?.account.uid) {
      throw Self.emailExists(address)
    }

    let old = bearer?.account
    var account: Account
    if let old { account = old } else { account = try newAccount(tenant: tenant) }
    if !address.isExactly(account.email) { account.setEmail(address, verified: false) }
    account.displayName = displayName ?? account.displayName
    account.setPassword(try PasswordHash(password ?? "", cost: settings.passwordCost, random: &random), at: now)
    account.validSince = seconds
    let session = bearer.map { continued($0, as: ProviderID.password) } ?? newSession(account, ProviderID.password)
    return try finish(account, replacing: old, session, isSignIn: bearer == nil, asksSecondFactor: false)
  }

  private mutating func signUpAnonymously(displayName: String?, tenant: String?) throws(IdentityError) -> SignInAnswer {
    guard !settings.disabledProviders.contains(ProviderID.anonymous) else {
      throw IdentityError(code: "ADMIN_ONLY_OPERATION", message: "anonymous sign-in is switched off for this project")
    }
    var account = try newAccount(tenant: tenant)
    account.displayName = displayName
    return try finish(account, replacing: nil, newSession(account, ProviderID.anonymous), isSignIn: false)
  }

  static func emailExists(_ email: String) -> IdentityError {
    IdentityError(
      code: "EMAIL_EXISTS", message: "another account has the address '\(email)'", details: ErrorDetails(email: email))
  }

  /// - Throws: `OPERATION_NOT_ALLOWED`, or for passwords `PASSWORD_LOGIN_DISABLED`.
  func checkProvider(_ id: String) throws(IdentityError) {
    guard settings.disabledProviders.contains(id) else { return }
    throw IdentityError(
      code: id == ProviderID.password ? "PASSWORD_LOGIN_DISABLED" : "OPERATION_NOT_ALLOWED",
      message: "sign-in with \(id) is switched off for this project")
  }

  mutating func signIn(email: String, password: String, tenant: String?) throws(IdentityError) -> SignInAnswer {
    try checkProvider(ProviderID.password)
    let address = try Self.canonical(email)
    guard !password.isEmpty else { throw IdentityError(code: "MISSING_PASSWORD", message: "a password is needed") }
    let wrong = IdentityError(code: "INVALID_LOGIN_CREDENTIALS", message: "address and password do not go together")
    guard let account = try account(email: address, tenant: tenant) else {
      if settings.hidesEmails {
        PasswordHash.waste(password, settings.passwordCost)
        throw wrong
      }
      throw IdentityError(code: "EMAIL_NOT_FOUND", message: "no account has the address '\(address)'")
    }
    // Who does not know the password is not told that the account is disabled, where answers are to tell nothing.
    if !settings.hidesEmails { try checkEnabled(account) }
    if settings.hidesEmails, account.password == nil { PasswordHash.waste(password, settings.passwordCost) }
    guard let hash = account.password, hash.matches(password) else {
      if settings.hidesEmails { throw wrong }
      throw IdentityError(
        code: "INVALID_PASSWORD",
        message: account.hasPassword
          ? "the password is wrong"
          : "the account has no password; it signs in with \(account.providerIDs.joined(separator: ", "))")
    }
    try checkEnabled(account)
    return try finish(account, replacing: account, newSession(account, ProviderID.password))
  }

  /// How the owner of an address can sign in; nothing where answers are not to tell.
  func signInMethods(email: String, tenant: String?) throws(IdentityError) -> [String] {
    guard !email.isEmpty, (try? UserProfile.check(email: email)) != nil else {
      throw IdentityError(code: "INVALID_IDENTIFIER", message: "'\(email)' is no e-mail address")
    }
    guard !settings.hidesEmails, let account = try account(email: email, tenant: tenant) else { return [] }
    var methods: [String] = []
    for id in account.providerIDs {
      guard id == ProviderID.password else {
        methods.append(id)
        continue
      }
      if account.hasPassword { methods.append(ProviderID.password) }
      if account.emailLinkSignIn { methods.append(ProviderID.emailLink) }
    }
    return methods
  }
}

/// What a mail is sent for.
package enum MailRequest: Sendable {
  case passwordReset(email: String)
  case verifyEmail(idToken: String)
  case signIn(email: String, continueURL: String?)
  case changeEmail(idToken: String, newEmail: String)
}

extension ServerCore {
  /// Makes a code and "sends" it: `EmailCode`s can be looked at. Nil where nobody gets one and nobody is to know.
  /// - Parameter continueURL: where the page of the link goes on to.
  mutating func sendCode(
    _ request: MailRequest, tenant: String?, continueURL: String? = nil
  ) throws(IdentityError) -> EmailCode? {
    switch request {
    case .passwordReset(let email):
      let address = try Self.canonical(email)
      guard let account = try account(email: address, tenant: tenant) else {
        if settings.hidesEmails { return nil }
        throw IdentityError(
          code: "EMAIL_NOT_FOUND", message: "no account has the address '\(address)', so no mail goes out")
      }
      if account.isDisabled {
        if settings.hidesEmails { return nil }
        try checkEnabled(account)
      }
      return makeCode(
        .passwordReset, email: address, uid: account.uid, tenant: tenant, continueURL: continueURL)
    case .verifyEmail(let idToken):
      let account = try bearer(idToken).account
      guard let email = account.email else {
        throw IdentityError(code: "MISSING_EMAIL", message: "the account has no address to verify")
      }
      return makeCode(
        .verifyEmail, email: email, uid: account.uid, tenant: account.tenant, continueURL: continueURL)
    case .signIn(let email, let continueURL):
      try checkProvider(ProviderID.emailLink)
      return makeCode(.signIn, email: try Self.canonical(email), uid: nil, tenant: tenant, continueURL: continueURL)
    case .changeEmail(let idToken, let newEmail):
      let bearer = try bearer(idToken)
      try checkRecentLogin(bearer)
      guard !newEmail.isEmpty else {
        throw IdentityError(code: "MISSING_NEW_EMAIL", message: "say which address it shall be")
      }
      let address = try Self.canonical(newEmail)
      if let owner = try account(email: address, tenant: bearer.account.tenant),
        !owner.uid.isExactly(bearer.account.uid)
      {
        if settings.hidesEmails { return nil }
        throw Self.emailExists(address)
      }
      return makeCode(
        .changeEmail, email: bearer.account.email ?? "", newEmail: address, uid: bearer.account.uid,
        tenant: bearer.account.tenant, continueURL: continueURL)
    }
  }

  mutating func makeCode(
    _ purpose: EmailCode.Purpose, email: String, newEmail: String? = nil, uid: String?, tenant: String?,
    continueURL: String? = nil
  ) -> EmailCode {
    let code = random.letters(54)
    let expiry = expiry {
      switch purpose {
      case .passwordReset: $0.passwordReset
      case .signIn: $0.emailLink
      case .verifyEmail, .changeEmail, .recoverEmail: $0.verification
      }
    }
    var link = "https://\(project).firebaseapp.com/__/auth/action?mode=\(purpose.mode)&oobCode=\(code)&apiKey=local"
    if let continueURL { link += "&continueUrl=" + FormEncoding.encode(continueURL) }
    let made = EmailCode(
      code: code, purpose: purpose, email: email, newEmail: newEmail, tenant: tenant,
      continueURL: continueURL, uid: uid, expiry: expiry, link: link, number: nextNumber())
    emailCodes.put(made, for: code, at: now)
    return made
  }

  /// A code that is there and not too old.
  /// - Throws: `INVALID_OOB_CODE`, `EXPIRED_OOB_CODE`.
  func emailCode(_ code: String, _ purposes: Set<EmailCode.Purpose>? = nil) throws(IdentityError) -> EmailCode {
    guard let found = emailCodes[code], purposes?.contains(found.purpose) ?? true else {
      throw IdentityError(code: "INVALID_OOB_CODE", message: "the code was used, never sent, or is for something else")
    }
    if let expiry = found.expiry, now >= expiry {
      throw IdentityError(code: "EXPIRED_OOB_CODE", message: "the code is too old: send a new one")
    }
    return found
  }

  /// Does what the code in a mail is for: all purposes but signing in and setting a password.
  /// - Returns: the account's uid.
  @discardableResult
  mutating func applyCode(_ code: String) throws(IdentityError) -> String {
    let found = try emailCode(code, [.verifyEmail, .changeEmail, .recoverEmail])
    let old = try account(of: found)
    var account = old
    switch found.purpose {
    case .verifyEmail:
      // The mail went to an address that it no longer has.
      guard found.email.isExactly(account.email) else { throw Self.staleCode }
      account.emailVerified = true
    case .changeEmail:
      guard found.email.isExactly(account.email ?? ""), let address = found.newEmail else { throw Self.staleCode }
      if let owner = try self.account(email: address, tenant: account.tenant), !owner.uid.isExactly(account.uid) {
        throw Self.emailExists(address)
      }
      account.setEmail(address, verified: true)
      account.validSince = seconds
    case .recoverEmail:
      if let owner = try self.account(email: found.email, tenant: account.tenant), !owner.uid.isExactly(account.uid) {
        throw Self.emailExists(found.email)
      }
      account.setEmail(found.email, verified: true)
      account.validSince = seconds
    case .passwordReset, .signIn: break
    }
    try storage.put(account, replacing: old)
    emailCodes.remove(code)
    if found.purpose == .recoverEmail {
      // Who took the address away cannot take this back with a later code; who had it before them still can.
      forgetPending(of: account.uid, keepsRecovery: true)
      emailCodes.removeAll { account.uid.isExactly($0.uid) && $0.number > found.number }
    }
    if found.purpose == .changeEmail, !found.email.isEmpty {
      _ = makeCode(
        .recoverEmail, email: found.email, newEmail: found.newEmail, uid: account.uid, tenant: account.tenant)
    }
    return account.uid
  }

  /// Sets the password that somebody who got the mail chose. That proves the address, ends all sessions, and removes
  /// what others may have linked meanwhile.
  @discardableResult
  mutating func resetPassword(_ code: String, newPassword: String) throws(IdentityError) -> String {
    let found = try emailCode(code, [.passwordReset])
    try checkNew(password: newPassword)
    let old = try account(of: found)
    guard found.email.isExactly(old.email) else { throw Self.staleCode }
    var account = old
    if settings.resetUnlinksProviders {
      for id in account.providerIDs where id != ProviderID.password { account.unlink(id) }
      account.passkeys = []
    }
    account.setPassword(try PasswordHash(newPassword, cost: settings.passwordCost, random: &random), at: now)
    account.emailVerified = true
    account.validSince = seconds
    try storage.put(account, replacing: old)
    emailCodes.remove(code)
    // Nobody had proved the address: whoever made the account may have had another one before, and a way back to it.
    forgetPending(of: account.uid, keepsRecovery: old.emailVerified)
    return account.uid
  }

  private func account(of code: EmailCode) throws(IdentityError) -> Account {
    guard let uid = code.uid, let account = try storage.account(uid) else {
      throw IdentityError(code: "USER_NOT_FOUND", message: "the account that the code was sent for is gone")
    }
    try checkEnabled(account)
    return account
  }

  private static let staleCode = IdentityError(
    code: "INVALID_OOB_CODE", message: "the account's address has changed since the code was sent")

  /// Signs in with the link in a mail, or with an ID token lets its account do so from now on.
  mutating func signIn(
    email: String, code: String, idToken: String?, autoCreate: Bool = true, tenant: String?
  ) throws(IdentityError) -> SignInAnswer {
    try checkProvider(ProviderID.emailLink)
    let found = try emailCode(code, [.signIn])
    let address = try Self.canonical(email)
    guard address.isExactly(found.email) else {
      throw IdentityError(
        code: "INVALID_EMAIL : The email provided does not match the sign-in email address.",
        message: "the link was sent to another address than '\(address)'")
    }
    guard found.tenant == tenant else { throw Self.tenantMismatch }
    let owner = try account(email: address, tenant: tenant)
    let answer: SignInAnswer
    if let idToken {
      let bearer = try bearer(idToken)
      try checkTenant(bearer.account, tenant)
      if let owner, !owner.uid.isExactly(bearer.account.uid) { throw Self.emailExists(address) }
      var account = bearer.account
      if !address.isExactly(account.email) { account.setEmail(address, verified: true) }
      account.allowEmailLink()
      answer = try finish(
        account, replacing: bearer.account, continued(bearer, as: ProviderID.password),
        extras: SignInExtras(email: address), isSignIn: false, asksSecondFactor: false)
    } else {
      if let owner {
        try checkEnabled(owner)
      } else if !autoCreate {
        throw IdentityError(code: "USER_NOT_FOUND", message: "no account has the address '\(address)'")
      }
      var account: Account
      if let owner { account = owner } else { account = try newAccount(tenant: tenant) }
      if owner == nil { account.setEmail(address, verified: true) }
      account.allowEmailLink()
      answer = try finish(
        account, replacing: owner, newSession(account, ProviderID.password), extras: SignInExtras(email: address))
    }
    emailCodes.remove(code)
    return answer
  }
}

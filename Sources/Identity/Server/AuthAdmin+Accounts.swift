import JSON

extension AuthAdmin {
  /// - Throws: `USER_NOT_FOUND`, and what the new values are refused for.
  @discardableResult
  public func update(_ uid: String, _ edit: AccountEdit) throws(IdentityError) -> Account {
    try server.run { (core) throws(IdentityError) in try core.edit(uid, edit) }
  }

  /// Stores an account as it is; one of that uid is replaced.
  public func importAccount(_ account: ImportedAccount) throws(IdentityError) {
    try server.run { (core) throws(IdentityError) in try core.importAccount(account) }
  }

  /// The account, or nil.
  public func find(_ uid: String) throws(IdentityError) -> Account? {
    try server.run { (core) throws(IdentityError) in try core.storage.account(uid) }
  }

  /// Deletes all accounts and sessions, and takes back all codes.
  public func deleteAllAccounts() throws(IdentityError) {
    try server.run { (core) throws(IdentityError) in
      while true {
        let uids = try core.storage.uids(after: nil, limit: 1000)
        guard !uids.isEmpty else { break }
        for uid in uids {
          guard let account = try core.storage.account(uid) else { continue }
          _ = try core.storage.remove(account)
        }
      }
      core.forgetEverythingPending()
    }
  }

  /// A link for somebody, without a mail: what `generatePasswordResetLink` and its like ask for.
  /// - Throws: `EMAIL_NOT_FOUND` for a reset, `USER_NOT_FOUND` otherwise, `USER_DISABLED`, `EMAIL_EXISTS`.
  public func makeCode(
    _ purpose: EmailCode.Purpose, email: String, newEmail: String? = nil, continueURL: String? = nil,
    tenant: String? = nil
  ) throws(IdentityError) -> EmailCode {
    try server.run { (core) throws(IdentityError) in
      try core.makeCode(purpose, email: email, newEmail: newEmail, continueURL: continueURL, tenant: tenant)
    }
  }

  /// - Parameters:
  ///   - idToken: of the session.
  ///   - lifetime: seconds, five minutes to two weeks.
  /// - Throws: `INVALID_DURATION`, `MISSING_ID_TOKEN`, and what an ID token is refused for.
  public func sessionCookie(
    idToken: String, lifetime: Int64 = SessionCookie.longest
  ) throws(IdentityError) -> String {
    try server.run { (core) throws(IdentityError) in try core.sessionCookie(idToken, lifetime: lifetime) }
  }

  /// Forgets a provider's configuration.
  /// - Returns: what it was.
  @discardableResult
  public func removeConfiguration(_ id: String) -> ProviderConfiguration? {
    server.change { $0.configurations.removeValue(forKey: id) }
  }
}

extension ServerCore {
  /// Nothing waits any longer: no mail, no SMS, no half sign-in, no enrolment.
  mutating func forgetEverythingPending() {
    emailCodes.removeAll { _ in true }
    smsSessions.removeAll { _ in true }
    phoneProofs.removeAll { _ in true }
    pendingTokens.removeAll { _ in true }
    pendingSignIns.removeAll { _ in true }
    enrolments.removeAll { _ in true }
  }

  mutating func makeCode(
    _ purpose: EmailCode.Purpose, email: String, newEmail: String?, continueURL: String?, tenant: String?
  ) throws(IdentityError) -> EmailCode {
    let address = try Self.canonical(email)
    if purpose == .signIn {
      try checkProvider(ProviderID.emailLink)
      return makeCode(.signIn, email: address, uid: nil, tenant: tenant, continueURL: continueURL)
    }
    guard let account = try account(email: address, tenant: tenant) else {
      throw IdentityError(
        code: purpose == .passwordReset ? "EMAIL_NOT_FOUND" : "USER_NOT_FOUND",
        message: "no account has the address '\(address)'")
    }
    try checkEnabled(account)
    var target: String?
    if purpose == .changeEmail {
      guard let newEmail, !newEmail.isEmpty else {
        throw IdentityError(code: "MISSING_NEW_EMAIL", message: "say which address it shall be")
      }
      let new = try Self.canonical(newEmail)
      if let owner = try self.account(email: new, tenant: tenant), !owner.uid.isExactly(account.uid) {
        throw Self.emailExists(new)
      }
      target = new
    }
    return makeCode(
      purpose, email: address, newEmail: target, uid: account.uid, tenant: tenant, continueURL: continueURL)
  }
}

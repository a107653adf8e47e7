// What a signed-in user does with their account.
extension Device {
  /// Gives the account another way to sign in; its uid stays.
  /// - Throws: `PROVIDER_ALREADY_LINKED` without a call; `EMAIL_EXISTS`, and `FEDERATED_USER_ID_ALREADY_LINKED` or
  ///   `TEMPORARY_PROOF` with a credential in `details` that signs in to the other account.
  @discardableResult
  public func link(with credential: AuthCredential) throws(IdentityError) -> AuthDataResult {
    guard let user = currentUser else { throw Self.nobody }
    if isLinked(credential, user) {
      throw IdentityError(
        code: ClientOnly.providerAlreadyLinked, message: "the account has \(credential.providerID) already")
    }
    let (server, tenant) = (server, tenant)
    let signedIn: SignedIn
    do throws(IdentityError) {
      signedIn = try authenticatedCall { (_, token) throws(IdentityError) in
        try Self.signedIn(try server.signIn(with: credential, idToken: token, tenant: tenant), credential)
      }.answer
    } catch {
      guard error.plainCode == "EMAIL_EXISTS" else { throw error }
      var withCredential = error
      withCredential.details?.credential = credential
      throw withCredential
    }
    let linked = try adopt(signedIn.tokens, [(.linked, credential.providerID)])
    return AuthDataResult(
      user: linked, isNewUser: false, signInProvider: signedIn.signInProvider, extras: signedIn.extras)
  }

  /// An e-mail link and a password are one provider in the list, and two ways to sign in.
  private func isLinked(_ credential: AuthCredential, _ user: User) -> Bool {
    user.providerData.contains { $0.id == credential.providerID }
  }

  /// Takes a way to sign in from the account.
  /// - Throws: `NO_SUCH_PROVIDER` without a call.
  public func unlink(_ providerID: String) throws(IdentityError) {
    guard let user = currentUser else { throw Self.nobody }
    guard user.providerData.contains(where: { $0.id == providerID }) else {
      throw IdentityError(code: ClientOnly.noSuchProvider, message: "the account does not have \(providerID)")
    }
    var changes = AccountChanges()
    changes.deletedProviders = [providerID]
    try update(changes, .unlinked, providerID)
  }

  /// Proves again who it is: fresh tokens with a new `auth_time`.
  /// - Throws: `USER_MISMATCH` if it is somebody else, or nobody.
  @discardableResult
  public func reauthenticate(with credential: AuthCredential) throws(IdentityError) -> AuthDataResult {
    guard let user = currentUser else { throw Self.nobody }
    let mismatch = IdentityError(
      code: ClientOnly.userMismatch, message: "the credential is not that of the signed-in user")
    let (server, tenant) = (server, tenant)
    let signedIn: SignedIn
    do throws(IdentityError) {
      signedIn = try call { () throws(IdentityError) in
        try Self.signedIn(try server.signIn(with: credential, autoCreate: false, tenant: tenant), credential)
      }
    } catch {
      throw error.clientCode == .userNotFound ? mismatch : error
    }
    guard signedIn.uid.isExactly(user.uid) else {
      log(.refused, mismatch.plainCode)
      throw mismatch
    }
    let again = try adopt(signedIn.tokens, [(.reauthenticated, signedIn.signInProvider)])
    return AuthDataResult(
      user: again, isNewUser: false, signInProvider: signedIn.signInProvider, extras: signedIn.extras)
  }

  /// Asks the server what the account is now. Rules go on seeing the old token.
  public func reload() throws(IdentityError) {
    let server = server
    let (account, session) = try authenticatedCall { (_, token) throws(IdentityError) in
      try server.lookup(idToken: token)
    }
    replace(User(account), in: session)
  }

  /// Nil leaves a field; `.some(nil)` clears it.
  public func updateProfile(displayName: String?? = nil, photoURL: String?? = nil) throws(IdentityError) {
    var changes = AccountChanges()
    if let displayName {
      changes.displayName = displayName
      if displayName == nil { changes.deletedAttributes.append(.displayName) }
    }
    if let photoURL {
      changes.photoURL = photoURL
      if photoURL == nil { changes.deletedAttributes.append(.photoURL) }
    }
    try update(changes, .profileChanged, nil)
  }

  /// - Throws: `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`, `EMAIL_EXISTS`; `OPERATION_NOT_ALLOWED` where answers are to tell
  ///   nothing.
  public func updateEmail(to email: String) throws(IdentityError) {
    var changes = AccountChanges()
    changes.email = email
    try update(changes, .profileChanged, "email")
  }

  /// - Throws: `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`, `WEAK_PASSWORD`.
  public func updatePassword(to password: String) throws(IdentityError) {
    var changes = AccountChanges()
    changes.password = password
    try update(changes, .profileChanged, "password")
  }

  private func update(_ changes: AccountChanges, _ event: DeviceEvent.Name, _ detail: String?) throws(IdentityError) {
    let server = server
    let (tokens, session) = try authenticatedCall { (_, token) throws(IdentityError) in
      try server.update(idToken: token, changes)
    }
    if let tokens {
      _ = try adopt(tokens, [(event, detail)])
    } else {
      log(event, detail)
      replace(User(try server.lookup(idToken: session.idToken)), in: session)
    }
  }

  private func replace(_ user: User, in session: Session) {
    var session = session
    session.user = user
    change(session, [])
  }

  public func sendEmailVerification() throws(IdentityError) {
    let server = server
    _ = try authenticatedCall { (_, token) throws(IdentityError) in try server.sendEmailVerification(idToken: token) }
  }

  /// The address changes once somebody has followed the link in the mail to the new one.
  public func sendEmailVerification(beforeUpdatingEmail newEmail: String) throws(IdentityError) {
    let server = server
    _ = try authenticatedCall { (_, token) throws(IdentityError) in
      try server.sendEmailChange(to: newEmail, idToken: token)
    }
  }

  /// Deletes the account and signs out.
  /// - Throws: `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`.
  public func deleteUser() throws(IdentityError) {
    let server = server
    _ = try authenticatedCall { (_, token) throws(IdentityError) in try server.delete(idToken: token) }
    change(nil, [(.accountDeleted, nil)])
  }

  /// Ends what Apple gave to this account. Works for a token that the caller kept, also after the account was deleted.
  public func revokeToken(authorizationCode: String, idToken: String? = nil) throws(IdentityError) {
    let token: String
    if let idToken { token = idToken } else { token = try self.idToken() }
    let server = server
    try call { () throws(IdentityError) in try server.revokeToken(code: authorizationCode, idToken: token) }
  }

  // MARK: Without a session

  public func sendPasswordReset(to email: String) throws(IdentityError) {
    let (server, tenant) = (server, tenant)
    try call { () throws(IdentityError) in try server.sendPasswordReset(to: email, tenant: tenant) }
  }

  public func confirmPasswordReset(code: String, newPassword: String) throws(IdentityError) {
    let server = server
    try call { () throws(IdentityError) in _ = try server.resetPassword(code: code, newPassword: newPassword) }
  }

  public func applyActionCode(_ code: String) throws(IdentityError) {
    let server = server
    try call { () throws(IdentityError) in _ = try server.applyCode(code) }
  }

  public func sendSignInLink(to email: String, continueURL: String? = nil) throws(IdentityError) {
    let (server, tenant) = (server, tenant)
    try call { () throws(IdentityError) in
      try server.sendSignInLink(to: email, continueURL: continueURL, tenant: tenant)
    }
  }

  /// Whether a URL that the app was opened with is a sign-in link.
  public func isSignInLink(_ url: String) -> Bool {
    FormEncoding.query("mode", in: url) == EmailCode.Purpose.signIn.mode
      && FormEncoding.query("oobCode", in: url) != nil
  }

  /// - Returns: the verification id; the code comes by SMS.
  public func verifyPhoneNumber(_ number: String) throws(IdentityError) -> String {
    let (server, tenant) = (server, tenant)
    return try call { () throws(IdentityError) in try server.sendSMS(to: number, tenant: tenant) }
  }

  public func fetchSignInMethods(for email: String) throws(IdentityError) -> [String] {
    let (server, tenant) = (server, tenant)
    return try call { () throws(IdentityError) in try server.signInMethods(email: email, tenant: tenant) }
  }
}

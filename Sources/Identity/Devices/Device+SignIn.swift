import JSON

extension Device {
  /// - Throws: `EMAIL_EXISTS`, `WEAK_PASSWORD`, `INVALID_EMAIL`, ….
  @discardableResult
  public func createUser(email: String, password: String) throws(IdentityError) -> AuthDataResult {
    try signIn(nil) { (server, tenant) throws(IdentityError) in
      try server.signUp(email: email, password: password, tenant: tenant)
    }
  }

  /// Who is anonymous already stays who they are, without a call.
  @discardableResult
  public func signInAnonymously() throws(IdentityError) -> AuthDataResult {
    if let user = currentUser, user.isAnonymous {
      return AuthDataResult(user: user, isNewUser: false, signInProvider: ProviderID.anonymous, extras: SignInExtras())
    }
    return try signIn(nil) { (server, tenant) throws(IdentityError) in try server.signUp(tenant: tenant) }
  }

  @discardableResult
  public func signIn(email: String, password: String) throws(IdentityError) -> AuthDataResult {
    try signIn(with: .password(email: email, password: password))
  }

  /// - Throws: what the provider's flow is refused for, `SECOND_FACTOR_REQUIRED` and `NEED_CONFIRMATION`, with what is
  ///   needed to go on in `details`.
  @discardableResult
  public func signIn(with credential: AuthCredential) throws(IdentityError) -> AuthDataResult {
    try signIn(credential) { (server, tenant) throws(IdentityError) in
      try server.signIn(with: credential, tenant: tenant)
    }
  }

  @discardableResult
  public func signIn(customToken: String) throws(IdentityError) -> AuthDataResult {
    try signIn(nil) { (server, tenant) throws(IdentityError) in
      try server.signIn(customToken: customToken, tenant: tenant)
    }
  }

  private func signIn(
    _ credential: AuthCredential?, _ body: (AuthServer, String?) throws(IdentityError) -> SignInAnswer
  ) throws(IdentityError) -> AuthDataResult {
    let (server, tenant) = (server, tenant)
    let signedIn = try call { () throws(IdentityError) in try Self.signedIn(try body(server, tenant), credential) }
    let user = try adopt(signedIn.tokens, [(.signedIn, signedIn.signInProvider)])
    return AuthDataResult(
      user: user, isNewUser: signedIn.isNewUser, signInProvider: signedIn.signInProvider, extras: signedIn.extras)
  }

  /// What a client makes of an answer without tokens.
  static func signedIn(_ answer: SignInAnswer, _ credential: AuthCredential?) throws(IdentityError) -> SignedIn {
    switch answer {
    case .signedIn(let signedIn): return signedIn
    case .secondFactorRequired(let pending):
      throw IdentityError(
        code: ClientOnly.secondFactorRequired, message: "the first factor is right; the second is asked for",
        details: ErrorDetails(pendingSecondFactor: pending))
    case .needsConfirmation(let email, let providers, let token, _):
      var pending = ProviderCredential(providerID: credential?.providerID ?? "")
      pending.pendingToken = token
      throw IdentityError(
        code: ClientOnly.needConfirmation,
        message: "an account has the address '\(email)' and another way to sign in; "
          + "sign in that way, then link the credential that comes with this error",
        details: ErrorDetails(email: email, credential: .provider(pending), verifiedProviders: providers))
    case .phoneNumberInUse(let number, let proof):
      throw IdentityError(
        code: ClientOnly.phoneNumberInUse, message: "another account has the number \(number)",
        details: ErrorDetails(credential: .phoneProof(phoneNumber: number, temporaryProof: proof)))
    }
  }

  // MARK: Second factors

  /// Sends the SMS of a second factor.
  /// - Returns: the verification id.
  public func sendSecondFactorSMS(
    _ pending: PendingSecondFactor, hint: SecondFactorHint
  ) throws(IdentityError) -> String {
    let server = server
    return try call { () throws(IdentityError) in try server.startSecondFactor(pending.credential, enrolment: hint.id) }
  }

  /// Finishes a sign-in with the code of an SMS.
  @discardableResult
  public func resolveSignIn(
    _ pending: PendingSecondFactor, verificationID: String, code: String
  ) throws(IdentityError) -> AuthDataResult {
    let server = server
    return try resolve(
      try call { () throws(IdentityError) in
        try server.finishSecondFactor(pending.credential, sessionInfo: verificationID, code: code)
      })
  }

  /// Finishes a sign-in with the code of an authenticator app.
  @discardableResult
  public func resolveSignIn(
    _ pending: PendingSecondFactor, hint: SecondFactorHint, totp code: String
  ) throws(IdentityError) -> AuthDataResult {
    let server = server
    return try resolve(
      try call { () throws(IdentityError) in
        try server.finishSecondFactor(pending.credential, enrolment: hint.id, totp: code)
      })
  }

  private func resolve(_ signedIn: SignedIn) throws(IdentityError) -> AuthDataResult {
    let user = try adopt(signedIn.tokens, [(.signedIn, signedIn.signInProvider)])
    return AuthDataResult(
      user: user, isNewUser: false, signInProvider: signedIn.signInProvider, extras: signedIn.extras)
  }

  /// Sends the SMS with which a number becomes a second factor.
  /// - Returns: the verification id.
  public func startEnrolment(phoneNumber: String) throws(IdentityError) -> String {
    let server = server
    return try authenticatedCall { (_, token) throws(IdentityError) in
      try server.startEnrolment(phoneNumber: phoneNumber, idToken: token)
    }.answer
  }

  public func startTOTPEnrolment() throws(IdentityError) -> TOTPSecret {
    let server = server
    return try authenticatedCall { (_, token) throws(IdentityError) in
      try server.startTOTPEnrolment(idToken: token)
    }.answer
  }

  /// Ends an enrolment with the code of the SMS or of the authenticator app.
  public func finishEnrolment(sessionInfo: String, code: String, displayName: String? = nil) throws(IdentityError) {
    let server = server
    let tokens = try authenticatedCall { (_, token) throws(IdentityError) in
      try server.finishEnrolment(sessionInfo: sessionInfo, code: code, displayName: displayName, idToken: token)
    }.answer
    _ = try adopt(tokens, [(.secondFactorEnrolled, nil)])
  }

  public func withdrawSecondFactor(_ id: String) throws(IdentityError) {
    let server = server
    let tokens = try authenticatedCall { (_, token) throws(IdentityError) in
      try server.withdraw(id, idToken: token)
    }.answer
    _ = try adopt(tokens, [(.secondFactorWithdrawn, id)])
  }
}

extension AuthServer {
  /// Gives the account of an ID token a passkey, of which nothing is checked but that nobody has it.
  /// - Throws: `PASSKEY_ALREADY_ENROLLED`, and what an ID token is refused for.
  public func enrolPasskey(
    _ credentialID: String, name: String? = nil, idToken: String
  ) throws(IdentityError) -> IssuedTokens {
    try run { (core) throws(IdentityError) in
      try core.enrolPasskey(credentialID, name: name, idToken: idToken)
    }
  }

  /// - Throws: `PASSKEY_CREDENTIAL_NOT_FOUND`, `USER_DISABLED`.
  public func signIn(passkey credentialID: String, tenant: String? = nil) throws(IdentityError) -> SignInAnswer {
    try runSigningIn { (core) throws(IdentityError) in try core.signIn(passkey: credentialID, tenant: tenant) }
  }

  /// Letters and digits that nobody can foresee: for challenges and ids of sessions.
  public func randomText(_ count: Int) -> String {
    (try? run { (core) throws(IdentityError) in core.random.letters(min(max(count, 0), 1024)) }) ?? ""
  }
}

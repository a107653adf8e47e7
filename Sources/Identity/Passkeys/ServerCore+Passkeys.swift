import JSON

// Passkeys, as far as the official emulator takes them: by the credential's id. Nobody checks an attestation or a
// signature here.
extension ServerCore {
  /// Gives the account of an ID token a passkey.
  mutating func enrolPasskey(
    _ credentialID: String, name: String?, idToken: String
  ) throws(IdentityError) -> IssuedTokens {
    let bearer = try bearer(idToken)
    guard (1...1024).contains(credentialID.utf8.count) else { throw Self.noAuthenticator }
    if let owner = try storage.uid(for: .passkey(credentialID, bearer.account.tenant)) {
      throw IdentityError(
        code: "PASSKEY_ALREADY_ENROLLED",
        message: owner.isExactly(bearer.account.uid)
          ? "the account has this passkey already" : "another account has this passkey")
    }
    var account = bearer.account
    account.passkeys.append(Passkey(credentialID: credentialID, name: name ?? "Unnamed Passkey"))
    guard account.passkeys.count <= 10 else {
      throw IdentityError(code: "PASSKEY_ENROLLMENT_LIMIT_EXCEEDED", message: "an account has at most 10 passkeys")
    }
    try storage.put(account, replacing: bearer.account)
    return try issue(account, continued(bearer, as: bearer.signInProvider))
  }

  /// Signs in who has a passkey.
  mutating func signIn(passkey credentialID: String, tenant: String?) throws(IdentityError) -> SignInAnswer {
    guard let account = try account(for: .passkey(credentialID, tenant)) else {
      throw IdentityError(code: "PASSKEY_CREDENTIAL_NOT_FOUND", message: "no account has this passkey")
    }
    try checkEnabled(account)
    // A passkey is two factors in one.
    return try finish(account, replacing: account, newSession(account, ProviderID.passkey), asksSecondFactor: false)
  }

  private static let noAuthenticator = IdentityError(
    code: "MISSING_AUTHENTICATOR_RESPONSE", message: "the credential's id is missing, or too long")
}

import JSON

/// The token that a project's own server makes, with which its user signs in as whoever the server says.
public enum CustomToken {
  /// For whom it is. An ID token has the project's id there.
  public static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

  /// An unsigned token, as the Admin SDKs make it for the emulator; good for an hour.
  /// - Parameters:
  ///   - uid: the user's uid.
  ///   - claims: custom claims.
  ///   - tenant: the id of a tenant; `nil`: none.
  ///   - seconds: since 1970, when it is made.
  ///   - account: the address of the service account.
  /// - Throws: `INVALID_LOCAL_ID`, `FORBIDDEN_CLAIM : name`.
  public static func make(
    uid: String, claims: JSONObject = [:], tenant: String? = nil, at seconds: Int64,
    account: String = "firebase-auth-emulator@example.com"
  ) throws(IdentityError) -> String {
    guard (1...128).contains(uid.utf16.count) else {
      throw IdentityError(
        code: "INVALID_LOCAL_ID", message: "a uid has 1 to 128 characters, this one has \(uid.utf16.count)")
    }
    try CustomClaims.checkNames(claims)
    let expiry = seconds.addingReportingOverflow(3600)
    var payload: JSONObject = [
      "iss": .string(account), "sub": .string(account), "aud": .string(audience), "iat": .int(seconds),
      "exp": .int(expiry.overflow ? .max : expiry.partialValue), "uid": .string(uid),
    ]
    payload["tenant_id"] = tenant.map(JSONValue.string)
    if !claims.isEmpty { payload["claims"] = .object(claims) }
    return UnsignedToken.encode(payload)
  }
}

extension ServerCore {
  /// Signs in as the uid that a custom token names. Its signature is not checked: the keys of service accounts are not
  /// ours.
  mutating func signIn(customToken token: String, tenant: String?) throws(IdentityError) -> SignInAnswer {
    try checkProvider(ProviderID.custom)
    guard !token.isEmpty else { throw IdentityError(code: "MISSING_CUSTOM_TOKEN", message: "a custom token is needed") }
    let payload = try customPayload(token)
    guard let uid = (payload["uid"] ?? payload["user_id"])?.stringValue, !uid.isEmpty else {
      throw IdentityError(code: "MISSING_IDENTIFIER", message: "the custom token names no uid")
    }
    guard uid.utf16.count <= 128 else {
      throw invalid("a uid has 1 to 128 characters, this one has \(uid.utf16.count)")
    }
    guard payload["tenant_id"]?.stringValue == tenant else { throw Self.tenantMismatch }
    var claims = JSONObject()
    if let value = payload["claims"], !value.isNull {
      guard let object = value.objectValue else { throw invalid("the claims are \(value.kind); expected an object") }
      try CustomClaims.checkNames(object)
      claims = object.withWholeNumbers
    }
    let old = try storage.account(uid)
    if let old {
      try checkTenant(old, tenant)
      try checkEnabled(old)
    }
    var account: Account
    if let old { account = old } else { account = try newAccount(uid: uid, tenant: tenant) }
    account.isCustomAuth = true
    var session = newSession(account, ProviderID.custom)
    session.claims = claims
    return try finish(account, replacing: old, session, isSignIn: false, asksSecondFactor: false)
  }

  private func customPayload(_ token: String) throws(IdentityError) -> JSONObject {
    if token.first == "{" {
      guard settings.takesPlainCustomTokens else { throw invalid("plain JSON is taken by the emulator alone") }
      guard let object = (try? JSONValue(parsing: token, limits: JSONLimits(duplicateKeys: .lastWins)))?.objectValue
      else {
        throw invalid("the text is neither a JSON object nor a JSON Web Token")
      }
      return object
    }
    let payload: JSONObject
    do throws(IdentityError) {
      payload = try UnsignedToken.decode(token)
    } catch {
      throw invalid(error.message)
    }
    guard payload["aud"]?.stringValue == CustomToken.audience else {
      throw invalid(
        "the audience (aud) is \(payload["aud"]?.serialized() ?? "missing"); expected \(CustomToken.audience)")
    }
    if settings.checksExpiry, let expires = payload["exp"]?.intValue, seconds >= expires {
      throw invalid("the token has expired")
    }
    return payload
  }

  private func invalid(_ message: String) -> IdentityError {
    IdentityError(code: "INVALID_CUSTOM_TOKEN : \(message)", message: message)
  }
}

import JSON

// Who a provider's credential is about.
extension ServerCore {
  /// - Throws: `INVALID_CREDENTIAL_OR_PROVIDER_ID`, `OPERATION_NOT_ALLOWED`, `INVALID_IDP_RESPONSE`,
  ///   `INVALID_PENDING_TOKEN`, `MISSING_OR_INVALID_NONCE`.
  mutating func profile(of credential: ProviderCredential) throws(IdentityError) -> ProviderProfile {
    let id = credential.providerID
    try checkKnown(id)
    try checkProvider(id)
    if let pending = credential.pendingToken {
      guard let waiting = pendingTokens[pending], waiting.profile.providerID.isExactly(id),
        waiting.expiry.map({ now < $0 }) ?? true
      else {
        throw IdentityError(code: "INVALID_PENDING_TOKEN", message: "the pending credential was used, or never given")
      }
      return waiting.profile
    }
    let claims = try self.claims(of: credential)
    try checkOrigin(id, claims)
    try checkConfiguration(id, claims)
    var profile = try ProviderProfile(providerID: id, claims: claims)
    if id == ProviderID.apple, settings.takesAppleName, let name = credential.fullName, !name.isEmpty {
      profile.name = name
    }
    try checkNonce(credential, claims)
    return profile
  }

  /// Once a credential has been used, its nonce and its pending token are spent.
  mutating func spend(_ credential: ProviderCredential) {
    if let nonce = credential.rawNonce, settings.checksNonce {
      let claims = credential.idToken.flatMap(Self.claims)
      let expiry = claims?["exp"]?.intValue.map(AuthTime.milliseconds)
      usedNonces.put(UsedNonce(expiry: expiry), for: credential.providerID + " " + nonce, at: now)
    }
    if let pending = credential.pendingToken { pendingTokens.remove(pending) }
  }

  private func checkKnown(_ id: String) throws(IdentityError) {
    guard !ProviderID.federated.contains(id) else { return }
    if id.hasPrefix("oidc."), (try? Provider.oidc(id).check()) != nil { return }
    if id.hasPrefix("saml."), (try? Provider.saml(id).check()) != nil { return }
    throw IdentityError(
      code: "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: \(id)",
      message: "'\(id)' is no identity provider; those of your own begin with 'oidc.' or 'saml.'")
  }

  private func checkConfiguration(_ id: String, _ claims: JSONObject) throws(IdentityError) {
    guard !ProviderID.federated.contains(id), settings.requiresProviderConfiguration else { return }
    guard let configuration = configurations[id], configuration.isEnabled else {
      throw IdentityError(
        code: "OPERATION_NOT_ALLOWED", message: "'\(id)' is not configured: give its client id and issuer first")
    }
    if let issuer = claims["iss"], issuer.stringValue != configuration.issuer {
      throw invalid("the issuer of the ID token is not \(configuration.issuer)")
    }
    if let audience = claims["aud"] {
      let all = audience.arrayValue ?? [audience]
      guard all.contains(.string(configuration.clientID)) else {
        throw invalid("the ID token is not for the client \(configuration.clientID)")
      }
    }
  }

  /// Whose tokens carry which issuer. Microsoft's goes on with the tenant.
  private static let issuers: [String: [String]] = [
    ProviderID.apple: ["https://appleid.apple.com"],
    ProviderID.google: ["https://accounts.google.com", "accounts.google.com"],
    ProviderID.facebook: ["https://www.facebook.com", "https://facebook.com"],
    ProviderID.yahoo: ["https://api.login.yahoo.com"],
  ]

  /// A token that says whose it is must be this provider's, and not too old. Else what one provider says could be shown
  /// as the word of another, whose addresses are believed.
  private func checkOrigin(_ id: String, _ claims: JSONObject) throws(IdentityError) {
    guard settings.checksProviderTokens else { return }
    if let expires = claims["exp"]?.intValue, expires <= seconds { throw invalid("the ID token has expired") }
    guard let issuer = claims["iss"] else { return }
    let isRight =
      if let known = Self.issuers[id] {
        known.contains { $0.isExactly(issuer.stringValue) }
      } else if id == ProviderID.microsoft {
        issuer.stringValue?.hasPrefix("https://login.microsoftonline.com/") ?? false
      } else {
        // The other ones make no ID tokens, or are configured.
        id.hasPrefix("oidc.") || id.hasPrefix("saml.")
      }
    guard isRight else { throw invalid("the ID token is not of \(id): its issuer is \(issuer.serialized())") }
  }

  /// An ID token, a JSON object in its place, or what the provider answers to an access token.
  private func claims(of credential: ProviderCredential) throws(IdentityError) -> JSONObject {
    if let idToken = credential.idToken {
      guard let claims = Self.claims(in: idToken) else {
        throw invalid("the id_token is neither a JSON Web Token nor a JSON object")
      }
      return claims
    }
    guard let token = credential.accessToken, !token.isEmpty else {
      throw invalid("there is neither id_token nor access_token")
    }
    if let claims = providers.profile(credential.providerID, accessToken: token, secret: credential.secret) {
      return claims
    }
    guard let claims = Self.claims(in: token) else {
      throw invalid("\(credential.providerID) does not know the access token")
    }
    return claims
  }

  private static func claims(in text: String) -> JSONObject? {
    if text.first == "{" {
      return (try? JSONValue(parsing: text, limits: JSONLimits(duplicateKeys: .lastWins)))?.objectValue
    }
    return try? UnsignedToken.decode(text)
  }

  private func invalid(_ message: String) -> IdentityError {
    IdentityError(code: "INVALID_IDP_RESPONSE : \(message)", message: message)
  }

  /// The token carries the SHA-256 of a number that only the app that asked for it knows; and each is good once. So who
  /// steals a token cannot use it.
  private func checkNonce(_ credential: ProviderCredential, _ claims: JSONObject) throws(IdentityError) {
    guard settings.checksNonce else { return }
    func refused(_ message: String) -> IdentityError {
      IdentityError(code: "MISSING_OR_INVALID_NONCE : \(message)", message: message)
    }
    let inToken = claims["nonce"]?.stringValue
    guard let raw = credential.rawNonce, !raw.isEmpty else {
      if inToken == nil { return }
      throw refused("Nonce is missing in the request.")
    }
    let hashed = AppleNonce.hash(raw)
    guard let inToken, LibCrypto.areEqual(Array(inToken.utf8), Array(hashed.utf8)) else {
      throw refused(
        "The nonce in ID Token \"\(inToken ?? "")\" does not match "
          + "the SHA256 hash of the raw nonce \"\(hashed)\" in the request.")
    }
    guard usedNonces[credential.providerID + " " + raw] == nil else {
      throw refused("Duplicate credential received. Please try again with a new credential.")
    }
  }
}

/// The number that binds an Apple token to the app that asked for it.
public enum AppleNonce {
  /// What goes to Apple: the SHA-256 in lower-case hexadecimal. The raw nonce goes to Firebase.
  public static func hash(_ raw: String) -> String {
    Hexadecimal.encode(LibCrypto.digest(.sha256, Array(raw.utf8)))
  }
}

import JSON

/// Who somebody is, as an identity provider says.
struct ProviderProfile: Sendable, Equatable {
  let providerID: String
  /// The provider's own id of the account.
  let rawID: String
  var email: String?
  /// What the provider claims. Whether that counts is the settings' to say.
  var claimsVerified: Bool
  var name: String?
  var picture: String?
  /// The claim `firebase.sign_in_attributes`.
  var attributes: JSONObject?
  /// Everything that it said.
  let raw: JSONObject

  /// Claims of an OpenID Connect token that say nothing beyond what the other fields have.
  private static let standardClaims: Set<String> = [
    "iss", "sub", "aud", "exp", "iat", "nbf", "jti", "nonce", "nonce_supported", "auth_time", "azp", "acr", "amr",
    "at_hash",
    "c_hash", "email", "email_verified", "is_private_email", "name", "given_name", "family_name", "middle_name",
    "nickname",
    "preferred_username", "profile", "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "phone_number",
    "phone_number_verified", "address", "updated_at",
  ]

  /// - Throws: `INVALID_IDP_RESPONSE` without an id.
  init(providerID: String, claims: JSONObject) throws(IdentityError) {
    // GitHub's and Twitter's ids are numbers, under another name.
    let id = claims["sub"] ?? claims["rawId"] ?? claims["id"]
    let text: String? = switch id {
    case .string(let text): text
    case .int(let number): String(number)
    default: nil
    }
    guard let text, !text.isEmpty, text.utf16.count <= 256 else {
      throw IdentityError(
        code: "INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields.",
        message: "\(providerID) must say who it is about: \"sub\", 1 to 256 characters")
    }
    self.providerID = providerID
    rawID = text
    if let address = claims["email"]?.stringValue, !address.isEmpty {
      try UserProfile.check(email: address)
      email = address.lowercased()
    }
    // Apple writes it as text.
    claimsVerified = claims["email_verified"] == true || claims["email_verified"] == "true"
      || providerID.hasPrefix("saml.")
    name = claims["name"]?.stringValue ?? claims["displayName"]?.stringValue
    picture = claims["picture"]?.stringValue ?? claims["photoUrl"]?.stringValue
    if providerID.hasPrefix("saml.") {
      attributes = claims["attributes"]?.objectValue
    } else if providerID.hasPrefix("oidc.") {
      var extras = JSONObject()
      for (name, value) in claims.members where !Self.standardClaims.contains(name) { extras[name] = value }
      attributes = extras.isEmpty ? nil : extras
    }
    raw = claims
  }

  /// How an account remembers it.
  var link: LinkedProvider {
    LinkedProvider(id: providerID, rawID: rawID, email: email, displayName: name, photoURL: picture)
  }
}

/// An OpenID Connect or SAML provider of the project's own.
public struct ProviderConfiguration: Sendable, Equatable {
  /// `oidc.line`, `saml.acme`.
  public var id: String
  public var clientID: String
  /// The `iss` of its tokens.
  public var issuer: String
  public var clientSecret: String?
  public var isEnabled = true

  public init(id: String, clientID: String, issuer: String, clientSecret: String? = nil) {
    self.id = id
    self.clientID = clientID
    self.issuer = issuer
    self.clientSecret = clientSecret
  }
}

extension ProviderCredential {
  /// Reads what a client sends as `postBody`:
  /// `providerId=apple.com&id_token=…&nonce=…&user={"name":{"firstName":"A","lastName":"B"}}`.
  /// - Throws: `INVALID_CREDENTIAL_OR_PROVIDER_ID` without a provider.
  public init(postBody: String) throws(IdentityError) {
    var fields: [String: String] = [:]
    for (name, value) in FormEncoding.fields(postBody) where !value.isEmpty { fields[name] = value }
    guard let providerID = fields["providerId"] else {
      throw IdentityError(
        code: "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: \(postBody)",
        message: "providerId is missing")
    }
    self.init(
      providerID: providerID, idToken: fields["id_token"], accessToken: fields["access_token"],
      secret: fields["oauth_token_secret"], rawNonce: fields["nonce"])
    pendingToken = fields["pendingToken"]
    // Play Games gives an app a code for its server; that is asked about like an access token.
    if accessToken == nil { accessToken = fields["serverAuthCode"] ?? fields["code"] }
    if let response = fields["SAMLResponse"] {
      idToken = try Self.claims(ofSAML: response, of: providerID).serialized()
    }
    if let user = fields["user"], let value = try? JSONValue(parsing: user), let name = value["name"] {
      let names = [name["firstName"]?.stringValue, name["lastName"]?.stringValue]
        .compactMap { $0 }.filter { !$0.isEmpty }
      fullName = names.isEmpty ? nil : names.joined(separator: " ")
    }
  }

  /// What an assertion says: as the official emulator takes it, JSON and not the signed XML of a real provider,
  /// `{"assertion":{"subject":{"nameId":"alice"},"attributeStatements":{"role":"admin"}}}`.
  private static func claims(ofSAML response: String, of providerID: String) throws(IdentityError) -> JSONObject {
    let limits = JSONLimits(maxDepth: 100, maxBytes: 1 << 20, duplicateKeys: .lastWins)
    guard let value = try? JSONValue(parsing: response, limits: limits) else {
      throw IdentityError(
        code: "INVALID_IDP_RESPONSE : ((The SAMLResponse is expected as a JSON object.))",
        message: "the SAMLResponse of \(providerID) is not JSON; the XML of a real provider cannot be read here")
    }
    guard let name = value["assertion"]?["subject"]?["nameId"]?.stringValue, !name.isEmpty else {
      throw IdentityError(
        code: "INVALID_IDP_RESPONSE : ((Missing assertion.subject.nameId in SAMLResponse.))",
        message: "the SAMLResponse of \(providerID) lacks assertion.subject.nameId")
    }
    var claims: JSONObject = ["sub": .string(name)]
    if (try? UserProfile.check(email: name)) != nil { claims["email"] = .string(name) }
    claims["attributes"] = value["assertion"]?["attributeStatements"]?.objectValue.map(JSONValue.object)
    return claims
  }
}

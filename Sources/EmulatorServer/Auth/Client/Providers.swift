import Identity
import JSON

/// Signing in with an identity provider.
enum ProviderEndpoints {
  static let routes: [AuthRoute] = AuthRoutes.client("accounts:signInWithIdp", "verifyAssertion", signIn)

  private static let kind: JSONValue = "identitytoolkit#VerifyAssertionResponse"

  private static func signIn(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    let address = try body.needed("requestUri", else: "MISSING_REQUEST_URI")
    guard let uri = WebAddress(address) else {
      throw IdentityError(code: "INVALID_REQUEST_URI", message: "'\(address)' is no absolute address")
    }
    var credential = try credential(call, uri)
    if let pending = try body.filled("pendingToken") { credential.pendingToken = pending }
    let wantsCredential = try body.flag("returnIdpCredential") ?? false
    let answer: SignInAnswer
    do throws(IdentityError) {
      answer = try call.server.signIn(
        with: .provider(credential), idToken: body.filled("idToken"), autoCreate: body.flag("autoCreate") ?? true,
        tenant: call.tenant)
    } catch {
      return try conflict(error, credential, wantsCredential)
    }
    switch answer {
    case .signedIn(let session):
      var reply = base(credential, session.extras.profile, returning: wantsCredential)
      reply["localId"] = .string(session.uid)
      reply["isNewUser"] = .bool(session.isNewUser)
      if let account = try call.account(session.uid) { complete(&reply, account) }
      reply.add(AccountJSON.tokens(session.tokens))
      return reply
    case .secondFactorRequired(let pending):
      var reply = base(credential, nil, returning: wantsCredential)
      reply.add(AccountJSON.pending(pending))
      return reply
    case .needsConfirmation(let email, let providers, let pendingToken, let profile):
      var reply = base(credential, profile, returning: wantsCredential)
      reply["needConfirmation"] = true
      reply["email"] = .string(email)
      reply["verifiedProvider"] = .array(providers.map(JSONValue.string))
      reply["pendingToken"] = .string(pendingToken)
      return reply
    case .phoneNumberInUse: return try SignInEndpoints.reply(answer, [:], isNewUser: true)
    }
  }

  /// What the provider said: in `postBody`, or in the query of the address to which its page went back.
  private static func credential(_ call: AuthCall, _ uri: WebAddress) throws(IdentityError) -> ProviderCredential {
    if let post = try call.body.filled("postBody") { return try ProviderCredential(postBody: post) }
    if try call.body.filled("pendingToken") != nil, let id = WebFields(uri.query)["providerId"] {
      return ProviderCredential(providerID: id)
    }
    return try ProviderCredential(postBody: uri.query)
  }

  /// Two refusals come as an answer where the client asked for the credential, so that it can go on with it.
  private static func conflict(
    _ error: IdentityError, _ credential: ProviderCredential, _ wantsCredential: Bool
  ) throws(IdentityError) -> JSONObject {
    guard wantsCredential, ["FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS"].contains(error.plainCode) else {
      throw error
    }
    var reply = base(credential, error.details?.profile, returning: true)
    reply["errorMessage"] = .string(error.plainCode)
    if let email = error.details?.email { reply["email"] = .string(email) }
    if case .provider(let updated) = error.details?.credential, let token = updated.pendingToken {
      reply["pendingToken"] = .string(token)
    }
    return reply
  }

  private static func base(
    _ credential: ProviderCredential, _ profile: JSONObject?, returning wantsCredential: Bool
  ) -> JSONObject {
    let id = credential.providerID
    var reply: JSONObject = ["kind": kind, "context": "", "providerId": .string(id)]
    if let profile {
      if let rawID = rawID(profile) {
        reply["federatedId"] = .string(AccountJSON.federatedID(id, rawID))
        reply["rawUserInfo"] = .string(raw(id, rawID, profile).serialized())
      }
      reply["email"] = profile["email"]?.stringValue.map { .string($0.lowercased()) }
      if profile.contains("email") {
        reply["emailVerified"] = .bool(isTrue(profile["email_verified"]) || id.hasPrefix("saml."))
      }
      let name = profile["name"]?.stringValue ?? profile["displayName"]?.stringValue
      reply["displayName"] = name.map(JSONValue.string)
      reply["fullName"] = name.map(JSONValue.string)
      reply["firstName"] = profile["given_name"]?.stringValue.map(JSONValue.string)
      reply["lastName"] = profile["family_name"]?.stringValue.map(JSONValue.string)
      reply["screenName"] = profile["screen_name"]?.stringValue.map(JSONValue.string)
      reply["photoUrl"] = (profile["picture"] ?? profile["photoUrl"])?.stringValue.map(JSONValue.string)
    }
    if wantsCredential {
      reply["oauthIdToken"] = credential.idToken.map(JSONValue.string)
      reply["oauthAccessToken"] = credential.accessToken.map(JSONValue.string)
      reply["oauthTokenSecret"] = credential.secret.map(JSONValue.string)
      if credential.accessToken != nil { reply["oauthExpireIn"] = 3600 }
    }
    return reply
  }

  private static func isTrue(_ value: JSONValue?) -> Bool { value == true || value == "true" }

  private static func rawID(_ profile: JSONObject) -> String? {
    switch profile["sub"] ?? profile["rawId"] ?? profile["id"] {
    case .string(let text): text
    case .int(let number): String(number)
    default: nil
    }
  }

  /// What the provider's own answer would be. Google's is known; of the others it is what they said.
  private static func raw(_ id: String, _ rawID: String, _ profile: JSONObject) -> JSONObject {
    guard id == ProviderID.google else { return profile }
    var raw: JSONObject = ["id": .string(rawID)]
    var scopes = ["openid", "https://www.googleapis.com/auth/userinfo.profile"]
    if let email = profile["email"] {
      raw["email"] = email
      raw["verified_email"] = .bool(isTrue(profile["email_verified"]))
      scopes.append("https://www.googleapis.com/auth/userinfo.email")
    }
    raw["granted_scopes"] = .string(scopes.joined(separator: " "))
    raw["locale"] = profile["locale"] ?? "en"
    for name in ["name", "given_name", "family_name", "picture"] { raw[name] = profile[name] }
    return raw
  }

  /// What the account is called, where the provider did not say.
  private static func complete(_ reply: inout JSONObject, _ account: Account) {
    if reply["displayName"] == nil { reply["displayName"] = account.displayName.map(JSONValue.string) }
    if reply["photoUrl"] == nil { reply["photoUrl"] = account.photoURL.map(JSONValue.string) }
    if reply["email"] == nil, let email = account.email {
      reply["email"] = .string(email)
      reply["emailVerified"] = .bool(account.emailVerified)
    }
  }
}

/// The fields of a query or a form; of a name that comes twice the last one counts.
struct WebFields {
  private var values: [String: String] = [:]

  init(_ text: String) { for (name, value) in FormEncoding.fields(text) { values[name] = value } }

  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}

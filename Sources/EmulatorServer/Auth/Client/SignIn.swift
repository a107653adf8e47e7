import Identity
import JSON

/// Signing in with a password, a link, a custom token; and asking how somebody can.
enum SignInEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.client("accounts:signInWithPassword", "verifyPassword", password)
    + AuthRoutes.client("accounts:signInWithEmailLink", "emailLinkSignin", emailLink)
    + AuthRoutes.client("accounts:signInWithCustomToken", "verifyCustomToken", customToken)
    + AuthRoutes.client("accounts:createAuthUri", "createAuthUri", createAuthURI)
    + AuthRoutes.client("accounts:signInWithGameCenter", "signInWithGameCenter", gameCenter)

  /// The tokens of a sign-in, or what is asked for instead.
  /// - Parameter fields: what goes with both.
  static func reply(_ answer: SignInAnswer, _ fields: JSONObject, isNewUser: Bool) throws(IdentityError) -> JSONObject {
    var reply = fields
    switch answer {
    case .signedIn(let session):
      if isNewUser { reply["isNewUser"] = .bool(session.isNewUser) }
      reply.add(AccountJSON.tokens(session.tokens))
    case .secondFactorRequired(let pending): reply.add(AccountJSON.pending(pending))
    case .needsConfirmation, .phoneNumberInUse:
      throw IdentityError(code: "INTERNAL_ERROR", message: "a conflict where there can be none")
    }
    return reply
  }

  private static func password(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    guard let email = try call.body.text("email") else {
      throw IdentityError(code: "MISSING_EMAIL", message: "an e-mail address is needed")
    }
    let password = try call.body.text("password") ?? ""
    let answer = try call.server.signIn(with: .password(email: email, password: password), tenant: call.tenant)
    var fields: JSONObject = ["kind": "identitytoolkit#VerifyPasswordResponse", "registered": true]
    if let account = try call.admin.account(email: email, tenant: call.tenant) {
      fields["localId"] = .string(account.uid)
      fields["email"] = account.email.map(JSONValue.string)
      fields["displayName"] = account.displayName.map(JSONValue.string)
      fields["profilePicture"] = account.photoURL.map(JSONValue.string)
    }
    return try reply(answer, fields, isNewUser: false)
  }

  private static func emailLink(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let code = try call.body.needed("oobCode", else: "MISSING_OOB_CODE")
    let email = try call.body.needed("email", else: "MISSING_EMAIL")
    let answer = try call.server.signIn(
      with: .emailLink(email: email, link: code), idToken: call.body.filled("idToken"), tenant: call.tenant)
    var fields: JSONObject = ["kind": "identitytoolkit#EmailLinkSigninResponse"]
    if let account = try call.admin.account(email: email, tenant: call.tenant) {
      fields["email"] = account.email.map(JSONValue.string)
      fields["localId"] = .string(account.uid)
    }
    return try reply(answer, fields, isNewUser: true)
  }

  private static func customToken(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let token = try call.body.needed("token", else: "MISSING_CUSTOM_TOKEN")
    let answer = try call.server.signIn(customToken: token, tenant: call.tenant)
    return try reply(answer, ["kind": "identitytoolkit#VerifyCustomTokenResponse"], isNewUser: true)
  }

  private static func createAuthURI(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let identifier = try call.body.needed("identifier", else: "MISSING_IDENTIFIER")
    let address = try call.body.needed("continueUri", else: "MISSING_CONTINUE_URI")
    let methods = try call.server.signInMethods(email: identifier, tenant: call.tenant)
    guard WebAddress(address) != nil else {
      throw IdentityError(code: "INVALID_CONTINUE_URI", message: "'\(address)' is no absolute address")
    }
    var reply: JSONObject = ["kind": "identitytoolkit#CreateAuthUriResponse"]
    if !call.server.settings.hidesEmails {
      let account = try call.admin.account(email: identifier, tenant: call.tenant)
      reply["registered"] = .bool(account != nil)
      if let account {
        // Where an address can have several accounts, only what proves the address itself counts.
        let isOne = call.server.settings.oneAccountPerEmail
        let listed = { (id: String) in isOne || id == ProviderID.password || id == ProviderID.emailLink }
        reply["allProviders"] = .array(account.providerIDs.filter(listed).map(JSONValue.string))
        reply["signinMethods"] = .array(methods.filter(listed).map(JSONValue.string))
      }
    }
    reply["sessionId"] = .string(try call.body.filled("sessionId") ?? call.server.randomText(27))
    return reply
  }

  /// Game Center of Apple: who plays. The signature over the player's ids cannot be checked without Apple's key.
  private static func gameCenter(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    let player = try body.filled("playerId")
    let team = try body.filled("teamPlayerId")
    guard let id = team ?? player else {
      throw IdentityError(code: "MISSING_PLAYER_ID", message: "playerId or teamPlayerId is needed")
    }
    for (name, code) in [
      ("publicKeyUrl", "MISSING_PUBLIC_KEY_URL"), ("signature", "MISSING_SIGNATURE"), ("salt", "MISSING_SALT"),
      ("timestamp", "MISSING_TIMESTAMP"),
    ] { _ = try body.needed(name, else: code) }
    var claims: JSONObject = ["sub": .string(id)]
    claims["name"] = try body.filled("displayName").map(JSONValue.string)
    let credential = ProviderCredential(providerID: ProviderID.gameCenter, idToken: claims.serialized())
    let answer = try call.server.signIn(
      with: .provider(credential), idToken: body.filled("idToken"), tenant: call.tenant)
    var fields = JSONObject()
    if let account = try call.admin.account(for: .provider(ProviderID.gameCenter, id, call.tenant)) {
      fields["localId"] = .string(account.uid)
      fields["displayName"] = account.displayName.map(JSONValue.string)
    }
    for name in ["playerId", "teamPlayerId", "gamePlayerId"] {
      fields[name] = try body.filled(name).map(JSONValue.string)
    }
    return try reply(answer, fields, isNewUser: true)
  }
}

import Identity
import JSON

/// Making accounts.
enum SignUpEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.client("accounts:signUp", "signupNewUser", signUp) + AuthRoutes.admin("POST", "accounts", signUp)

  static func signUp(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    if call.isAdmin, !call.body.has("idToken") { return try create(call) }
    guard !call.body.has("localId") else {
      throw IdentityError(code: "UNEXPECTED_PARAMETER : User ID", message: "only a service account chooses a uid")
    }
    let answer: SignInAnswer
    do throws(IdentityError) {
      answer = try call.server.signUp(
        email: call.body.text("email"), password: call.body.text("password"),
        displayName: call.body.filled("displayName"), idToken: call.body.filled("idToken"), tenant: call.tenant)
    } catch {
      // The same switch, but another word where there is nobody to sign in yet.
      guard error.code == "PASSWORD_LOGIN_DISABLED" else { throw error }
      throw IdentityError(code: "OPERATION_NOT_ALLOWED", message: error.message)
    }
    guard case .signedIn(let session) = answer else {
      throw IdentityError(code: "INTERNAL_ERROR", message: "a sign-up asked for more")
    }
    var reply: JSONObject = ["kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(session.uid)]
    if let account = try call.account(session.uid) {
      reply["email"] = account.email.map(JSONValue.string)
      reply["displayName"] = account.displayName.map(JSONValue.string)
    }
    reply.add(AccountJSON.tokens(session.tokens))
    return reply
  }

  /// A service account makes an account: nobody is signed in by it.
  private static func create(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    var new = NewAccount(uid: try body.filled("localId"), email: try body.filled("email"))
    new.tenant = call.tenant
    new.emailVerified = try body.flag("emailVerified") ?? false
    new.password = try body.text("password")
    new.phoneNumber = try body.filled("phoneNumber")
    new.displayName = try body.filled("displayName")
    new.photoURL = try body.filled("photoUrl")
    new.isDisabled = try body.flag("disabled") ?? false
    new.secondFactors = try UpdateEndpoints.factors(body.parts("mfaInfo"))
    if let claims = try body.filled("customAttributes") { new.customClaims = try UpdateEndpoints.claims(claims) }
    let account = try call.admin.create(new)
    var reply: JSONObject = ["kind": "identitytoolkit#SignupNewUserResponse", "localId": .string(account.uid)]
    reply["email"] = account.email.map(JSONValue.string)
    reply["displayName"] = account.displayName.map(JSONValue.string)
    return reply
  }
}

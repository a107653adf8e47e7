import Identity
import JSON

/// Passkeys, as the official emulator takes them: by the credential's id, of which nothing is proved.
enum PasskeyEndpoints {
  static let routes: [AuthRoute] = [
    AuthRoute("POST", AuthRoutes.v2 + "accounts/passkeyEnrollment:start", .key, startEnrolment),
    AuthRoute("POST", AuthRoutes.v2 + "accounts/passkeyEnrollment:finalize", .key, finishEnrolment),
    AuthRoute("POST", AuthRoutes.v2 + "accounts/passkeySignIn:start", .key, startSignIn),
    AuthRoute("POST", AuthRoutes.v2 + "accounts/passkeySignIn:finalize", .key, finishSignIn),
  ]

  private static func startEnrolment(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let idToken = try call.body.needed("idToken", else: "MISSING_ID_TOKEN")
    let account = try call.server.lookup(idToken: idToken)
    let name = JSONValue.string(account.email ?? account.uid)
    let known = account.passkeys.map { JSONValue.object(["type": "public-key", "id": .string($0.credentialID)]) }
    return [
      "credentialCreationOptions": [
        "rp": ["id": "localhost", "name": .string(call.project.id)],
        "user": [
          "id": .string(Base64URL.encode(account.uid.utf8)), "name": name,
          "displayName": account.displayName.map(JSONValue.string) ?? name,
        ],
        "challenge": .string(challenge(call)),
        // ES256 and RS256, by their COSE numbers.
        "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
        "excludeCredentials": .array(known),
        "authenticatorSelection": ["userVerification": "required", "residentKey": "required"],
      ]
    ]
  }

  private static func challenge(_ call: AuthCall) -> String { Base64URL.encode(call.server.randomText(43).utf8) }

  private static func finishEnrolment(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    let response = try body.part("authenticatorRegistrationResponse")
    if response != nil || !body.has("idToken") { _ = try body.needed("idToken", else: "MISSING_ID_TOKEN") }
    guard let id = try response?.filled("id") else { throw noResponse }
    let displayName = try body.filled("displayName")
    let name = try body.filled("name") ?? displayName
    let tokens = try call.server.enrolPasskey(id, name: name, idToken: body.filled("idToken") ?? "")
    var reply: JSONObject = ["localId": .string(tokens.uid)]
    reply.add(AccountJSON.tokens(tokens))
    return reply
  }

  private static func startSignIn(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "credentialRequestOptions": [
        "challenge": .string(challenge(call)), "rpId": "localhost", "userVerification": "required",
      ]
    ]
  }

  private static func finishSignIn(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    guard let id = try call.body.part("authenticatorAuthenticationResponse")?.filled("id") else { throw noResponse }
    let answer = try call.server.signIn(passkey: id, tenant: call.tenant)
    var fields = JSONObject()
    if case .signedIn(let session) = answer { fields["localId"] = .string(session.uid) }
    return try SignInEndpoints.reply(answer, fields, isNewUser: false)
  }

  private static let noResponse = IdentityError(
    code: "MISSING_AUTHENTICATOR_RESPONSE", message: "the authenticator's response with its id is missing")
}

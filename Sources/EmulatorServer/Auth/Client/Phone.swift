import Identity
import JSON

/// Signing in by SMS.
enum PhoneEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.client("accounts:sendVerificationCode", "sendVerificationCode", send)
    + AuthRoutes.client("accounts:signInWithPhoneNumber", "verifyPhoneNumber", signIn)

  private static func send(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let number = try call.body.text("phoneNumber") ?? ""
    if let account = try call.admin.account(for: .phone(number, call.tenant)), !account.secondFactors.isEmpty {
      throw IdentityError(
        code: "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an SMS based MFA user.",
        message: "an account with a second factor cannot sign in by phone")
    }
    return ["sessionInfo": .string(try call.server.sendSMS(to: number, tenant: call.tenant))]
  }

  private static let operations = ["VERIFY_OP_UNSPECIFIED", "SIGN_UP_OR_IN", "REAUTH", "UPDATE", "LINK"]

  private static func signIn(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    let isReauthentication = try body.word("operation", of: operations) == "REAUTH"
    let credential: AuthCredential
    if let proof = try body.filled("temporaryProof") {
      let number = try body.needed("phoneNumber", else: "MISSING_PHONE_NUMBER")
      credential = .phoneProof(phoneNumber: number, temporaryProof: proof)
    } else {
      credential = .phone(
        verificationID: try body.needed("sessionInfo", else: "MISSING_SESSION_INFO"),
        code: try body.needed("code", else: "MISSING_CODE"))
    }
    let answer = try call.server.signIn(
      with: credential, idToken: body.filled("idToken"), autoCreate: !isReauthentication, tenant: call.tenant)
    switch answer {
    case .phoneNumberInUse(let number, let proof):
      return [
        "phoneNumber": .string(number), "temporaryProof": .string(proof), "temporaryProofExpiresIn": "3600",
      ]
    case .signedIn(let session):
      var reply: JSONObject = ["localId": .string(session.uid), "isNewUser": .bool(session.isNewUser)]
      reply["phoneNumber"] = try call.account(session.uid)?.phoneNumber.map(JSONValue.string)
      reply.add(AccountJSON.tokens(session.tokens))
      return reply
    default: return try SignInEndpoints.reply(answer, [:], isNewUser: true)
    }
  }
}

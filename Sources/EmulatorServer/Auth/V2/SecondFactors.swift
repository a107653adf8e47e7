import Identity
import JSON

/// Second factors: enrolment, sign-in, withdrawal.
enum SecondFactorEndpoints {
  static let routes: [AuthRoute] = [
    AuthRoute("POST", AuthRoutes.v2 + "accounts/mfaEnrollment:start", .key, startEnrolment),
    AuthRoute("POST", AuthRoutes.v2 + "accounts/mfaEnrollment:finalize", .key, finishEnrolment),
    AuthRoute("POST", AuthRoutes.v2 + "accounts/mfaEnrollment:withdraw", .key, withdraw),
    AuthRoute("POST", AuthRoutes.v2 + "accounts/mfaSignIn:start", .key, startSignIn),
    AuthRoute("POST", AuthRoutes.v2 + "accounts/mfaSignIn:finalize", .key, finishSignIn),
    AuthRoute("POST", AuthRoutes.v2 + "accounts:revokeToken", .key, revoke),
  ]

  private static func configuration(_ call: AuthCall) throws(IdentityError) -> SecondFactorConfiguration {
    guard let tenant = call.tenant else { return call.project.configuration.secondFactors }
    return try call.project.tenant(tenant).secondFactors
  }

  private static func checkPhone(_ call: AuthCall) throws(IdentityError) {
    guard try configuration(call).takesPhones else {
      throw IdentityError(
        code: "OPERATION_NOT_ALLOWED : SMS based MFA not enabled.", message: "second factors by SMS are switched off")
    }
  }

  private static func checkOn(_ call: AuthCall) throws(IdentityError) {
    guard try configuration(call).isOn else {
      throw IdentityError(
        code: "OPERATION_NOT_ALLOWED : Multi-factor authentication not enabled.",
        message: "second factors are switched off")
    }
  }

  private static func missing(_ part: String) -> IdentityError {
    IdentityError(code: "INVALID_ARGUMENT : ((Missing \(part).))", message: "'\(part)' is missing")
  }

  // MARK: Enrolment

  private static func startEnrolment(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    if call.body.has("totpEnrollmentInfo") {
      try checkOn(call)
      let idToken = try call.body.needed("idToken", else: "MISSING_ID_TOKEN")
      let secret = try call.server.startTOTPEnrolment(idToken: idToken)
      // A server whose codes do not end names an end all the same: clients show it.
      let end = secret.finalizeEnrollmentTime ?? call.server.clock.milliseconds + 600_000
      return [
        "totpSessionInfo": [
          "sharedSecretKey": .string(secret.sharedSecretKey),
          "verificationCodeLength": .int(Int64(secret.verificationCodeLength)),
          "hashingAlgorithm": .string(secret.hashingAlgorithm), "periodSec": .int(secret.periodSeconds),
          "sessionInfo": .string(secret.sessionInfo), "finalizeEnrollmentTime": .string(AccountJSON.time(end)),
        ]
      ]
    }
    try checkPhone(call)
    let idToken = try call.body.needed("idToken", else: "MISSING_ID_TOKEN")
    guard let info = try call.body.part("phoneEnrollmentInfo") else { throw missing("phoneEnrollmentInfo") }
    let session = try call.server.startEnrolment(phoneNumber: info.text("phoneNumber") ?? "", idToken: idToken)
    return ["phoneSessionInfo": ["sessionInfo": .string(session)]]
  }

  private static func finishEnrolment(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    let name = try body.filled("displayName")
    let session: String
    let code: String
    let kind: String
    if let info = try body.part("totpVerificationInfo") {
      try checkOn(call)
      session = try info.needed("sessionInfo", else: "MISSING_SESSION_INFO")
      code = try info.needed("verificationCode", else: "MISSING_CODE")
      kind = "totpAuthInfo"
    } else {
      try checkPhone(call)
      _ = try body.needed("idToken", else: "MISSING_ID_TOKEN")
      guard let info = try body.part("phoneVerificationInfo") else { throw missing("phoneVerificationInfo") }
      session = try info.needed("sessionInfo", else: "MISSING_SESSION_INFO")
      code = try info.needed("code", else: "MISSING_CODE")
      kind = "phoneAuthInfo"
    }
    let idToken = try body.needed("idToken", else: "MISSING_ID_TOKEN")
    let tokens = try call.server.finishEnrolment(
      sessionInfo: session, code: code, displayName: name, idToken: idToken)
    return ["idToken": .string(tokens.idToken), "refreshToken": .string(tokens.refreshToken), kind: [:]]
  }

  private static func withdraw(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let idToken = try call.body.needed("idToken", else: "MISSING_ID_TOKEN")
    let enrolment = try call.body.needed("mfaEnrollmentId", else: "MISSING_MFA_ENROLLMENT_ID")
    return AccountJSON.tokens(try call.server.withdraw(enrolment, idToken: idToken))
  }

  // MARK: Sign-in

  private static func startSignIn(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    try checkPhone(call)
    let pending = try call.body.needed("mfaPendingCredential", else: "MISSING_MFA_PENDING_CREDENTIAL")
    let enrolment = try call.body.needed("mfaEnrollmentId", else: "MISSING_MFA_ENROLLMENT_ID")
    let session = try call.server.startSecondFactor(pending, enrolment: enrolment)
    return ["phoneResponseInfo": ["sessionInfo": .string(session)]]
  }

  private static func finishSignIn(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    let session: SignedIn
    if let info = try body.part("totpVerificationInfo") {
      try checkOn(call)
      let pending = try body.needed("mfaPendingCredential", else: "MISSING_MFA_PENDING_CREDENTIAL")
      let enrolment = try body.needed("mfaEnrollmentId", else: "MISSING_MFA_ENROLLMENT_ID")
      let code = try info.needed("verificationCode", else: "MISSING_CODE")
      session = try call.server.finishSecondFactor(pending, enrolment: enrolment, totp: code)
    } else {
      try checkPhone(call)
      let pending = try body.needed("mfaPendingCredential", else: "MISSING_MFA_PENDING_CREDENTIAL")
      guard let info = try body.part("phoneVerificationInfo") else { throw missing("phoneVerificationInfo") }
      session = try call.server.finishSecondFactor(
        pending, sessionInfo: info.needed("sessionInfo", else: "MISSING_SESSION_INFO"),
        code: info.needed("code", else: "MISSING_CODE"))
    }
    return ["idToken": .string(session.tokens.idToken), "refreshToken": .string(session.tokens.refreshToken)]
  }

  // MARK: Revocation

  /// Ends what Apple's authorization code gave. The account may be gone already.
  private static func revoke(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let id = try call.body.needed("providerId", else: "MISSING_PROVIDER_ID")
    let token = try call.body.needed("token", else: "MISSING_TOKEN")
    let idToken = try call.body.needed("idToken", else: "MISSING_ID_TOKEN")
    try call.server.revokeToken(providerID: id, code: token, idToken: idToken)
    return [:]
  }
}

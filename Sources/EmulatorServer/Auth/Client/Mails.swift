import Identity
import JSON

/// Codes that go out by mail, and what can be asked about them.
enum MailEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.client("accounts:sendOobCode", "getOobConfirmationCode", send)
    + AuthRoutes.admin("POST", "accounts:sendOobCode", send)
    + AuthRoutes.client("accounts:resetPassword", "resetPassword", reset)

  private static let requestTypes = [
    "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL",
    "RECOVER_EMAIL",
    "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
  ]

  private static func send(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    guard let type = try body.word("requestType", of: requestTypes) else {
      throw IdentityError(code: "MISSING_REQ_TYPE", message: "say what the mail is for")
    }
    let wantsLink = try body.flag("returnOobLink") ?? false
    if wantsLink { try call.mustBeAdmin(for: "returnOobLink") }
    let continueURL = try body.filled("continueUrl")
    if let continueURL, WebAddress(continueURL)?.isSafeToVisit != true {
      throw IdentityError(
        code: "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))",
        message: "'\(continueURL)' is no address that one could go on to")
    }
    guard let purpose = EmailCode.Purpose(rawValue: type), purpose != .recoverEmail else {
      throw IdentityError(code: "INVALID_REQ_TYPE", message: "mails of the type \(type) are not sent on request")
    }
    let idToken = try body.filled("idToken")
    let code: EmailCode?
    let email = try body.text("email")
    if wantsLink, idToken == nil {
      guard let address = email, !address.isEmpty else {
        throw IdentityError(code: "MISSING_EMAIL", message: "an e-mail address is needed")
      }
      code = try makeForAdmin(call, purpose, address, continueURL)
    } else {
      let request: MailRequest
      switch purpose {
      case .passwordReset: request = .passwordReset(email: email ?? "")
      case .signIn: request = .signIn(email: email ?? "", continueURL: continueURL)
      case .verifyEmail: request = .verifyEmail(idToken: try bearer(idToken))
      case .changeEmail, .recoverEmail:
        request = .changeEmail(idToken: try bearer(idToken), newEmail: try body.text("newEmail") ?? "")
      }
      code = try call.server.mail(request, continueURL: continueURL, tenant: call.tenant)
    }
    var reply: JSONObject = ["kind": "identitytoolkit#GetOobConfirmationCodeResponse"]
    reply["email"] = (code?.email ?? email).flatMap { $0.isEmpty ? nil : .string($0) }
    if wantsLink, let code {
      reply["oobCode"] = .string(code.code)
      reply["oobLink"] = .string(EmailLink.link(code, call))
    }
    return reply
  }

  private static func bearer(_ idToken: String?) throws(IdentityError) -> String {
    guard let idToken else { throw IdentityError(code: "INVALID_ID_TOKEN", message: "an ID token is needed") }
    return idToken
  }

  /// A link is asked for: nobody has to be signed in, and with hidden addresses none is made for one nobody has.
  private static func makeForAdmin(
    _ call: AuthCall, _ purpose: EmailCode.Purpose, _ email: String, _ continueURL: String?
  ) throws(IdentityError) -> EmailCode? {
    do throws(IdentityError) {
      return try call.admin.makeCode(
        purpose, email: email, newEmail: call.body.text("newEmail"), continueURL: continueURL, tenant: call.tenant)
    } catch {
      if call.server.settings.hidesEmails, error.code == "EMAIL_NOT_FOUND" { return nil }
      throw error
    }
  }

  /// With a new password sets it; without only says what the code is for.
  private static func reset(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    guard !call.server.settings.disabledProviders.contains(ProviderID.password) else {
      throw IdentityError(code: "PASSWORD_LOGIN_DISABLED", message: "passwords are switched off for this tenant")
    }
    let code = try call.body.needed("oobCode", else: "MISSING_OOB_CODE")
    let found = try call.server.checkCode(code)
    if let password = try call.body.filled("newPassword") {
      guard found.purpose == .passwordReset else {
        throw IdentityError(code: "INVALID_OOB_CODE", message: "the code is not for a password")
      }
      try call.server.resetPassword(code: code, newPassword: password)
    }
    var reply: JSONObject = [
      "kind": "identitytoolkit#ResetPasswordResponse", "requestType": .string(found.purpose.rawValue),
    ]
    // Whoever has the link must know to which address it went.
    if found.purpose != .signIn { reply["email"] = .string(found.email) }
    reply["newEmail"] = found.newEmail.map(JSONValue.string)
    return reply
  }
}

/// The addresses that mails would carry.
enum EmailLink {
  static func link(_ code: EmailCode, _ call: AuthCall) -> String {
    var fields = [
      ("mode", code.purpose.mode), ("lang", "en"), ("oobCode", code.code),
      ("apiKey", call.query("key") ?? "fake-api-key"),
    ]
    if let url = code.continueURL { fields.append(("continueUrl", url)) }
    if let tenant = code.tenant { fields.append(("tenantId", tenant)) }
    return WebAddress.adding(fields, to: call.base + "/emulator/action")
  }
}

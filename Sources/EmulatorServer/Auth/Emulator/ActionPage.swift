import Identity
import JSON

/// Where the links in mails lead: what they are for is done, and said as JSON, or to a browser as a page.
enum ActionPage {
  static let routes: [AuthRoute] = [
    AuthRoute("GET", "/emulator/action", .open, needsAuth: false, reply: action)
  ]

  private static func action(_ call: AuthCall) throws(IdentityError) -> HTTPResponse {
    guard call.query("apiKey") != nil else {
      return missing("apiKey", "...&apiKey=YOUR_API_KEY", call)
    }
    guard let code = call.query("oobCode") else {
      return missing("oobCode", "...&oobCode=YOUR_OOB_CODE", call)
    }
    let tenant = call.query("tenantId")
    let server = tenant == nil ? call.server : try call.project.server(tenant)
    switch call.query("mode") {
    case "resetPassword": return try resetPassword(code, server, call)
    case "verifyEmail":
      return try apply(
        code, .verifyEmail, server, call, done: "The email has been successfully verified.",
        stale: "Your request to verify your email has expired or the link has already been used.",
        next: "Try verifying your email again.")
    case "verifyAndChangeEmail":
      return try apply(
        code, .changeEmail, server, call, done: "The email has been successfully changed.",
        stale: "Your request to change your email has expired or the link has already been used.",
        next: "Try changing your email again.")
    case "recoverEmail":
      return try apply(
        code, .recoverEmail, server, call, done: "The email has been successfully reset.",
        stale: "Your request to revert your email has expired or the link has already been used.",
        next: "To test taking a change back, change the email again: that makes a new link.")
    case "signIn": return signIn(call)
    default: return failure("Invalid mode", "The mode in the link is not one that there is.", call)
    }
  }

  // MARK: What links are for

  private static func apply(
    _ code: String, _ purpose: EmailCode.Purpose, _ server: AuthServer, _ call: AuthCall, done: String, stale: String,
    next: String
  ) throws(IdentityError) -> HTTPResponse {
    let found: EmailCode
    do throws(IdentityError) {
      found = try server.checkCode(code)
      guard found.purpose == purpose else {
        return failure("Requested mode does not match the OOB code provided.", next, call)
      }
      try server.applyCode(code)
    } catch {
      guard ["INVALID_OOB_CODE", "EXPIRED_OOB_CODE"].contains(error.plainCode) else { throw error }
      return failure(stale, next, call)
    }
    let field = purpose == .changeEmail ? ("newEmail", found.newEmail ?? "") : ("email", found.email)
    return success(done, field, call)
  }

  private static func resetPassword(
    _ code: String, _ server: AuthServer, _ call: AuthCall
  ) throws(IdentityError) -> HTTPResponse {
    guard let found = try? server.checkCode(code), found.purpose == .passwordReset else {
      return failure(
        "Your request to reset your password has expired or the link has already been used.",
        "Try resetting your password again.", call)
    }
    let template = EmailLink.link(found, call) + "&newPassword=NEW_PASSWORD_HERE"
    guard let password = call.query("newPassword") else {
      if call.request.wantsPage { return form(found, nil, call) }
      return HTTPResponse(
        status: 400,
        json: [
          "authEmulator": [
            "error": "missing newPassword query parameter",
            "instructions": .string(
              "To reset the password for \(found.email), send an HTTP GET request to the following URL."),
            "urlTemplate": .string(template),
          ]
        ])
    }
    guard password != "NEW_PASSWORD_HERE" else {
      return HTTPResponse(
        status: 400,
        json: [
          "authEmulator": [
            "error": "newPassword must be something other than 'NEW_PASSWORD_HERE'",
            "instructions": "The string 'NEW_PASSWORD_HERE' stands for the new password.",
            "urlTemplate": .string(template),
          ]
        ])
    }
    do throws(IdentityError) {
      try server.resetPassword(code: code, newPassword: password)
    } catch {
      guard call.request.wantsPage else { throw error }
      return form(found, error.message, call)
    }
    return success("The password has been successfully updated.", ("email", found.email), call)
  }

  /// Asks for the new password.
  private static func form(_ code: EmailCode, _ complaint: String?, _ call: AuthCall) -> HTTPResponse {
    var content = HTMLPage.paragraph("A new password for \(code.email):")
    if let complaint { content += "\n<p class=\"note\" role=\"alert\">\(Encoded.html(complaint))</p>" }
    content += "\n<form method=\"get\" action=\"/emulator/action\">\n"
    for (name, value) in call.fields where name != "newPassword" { content += HTMLPage.hidden(name, value) + "\n" }
    content += HTMLPage.field(
      "New password", "newPassword", type: "password", "required minlength=\"6\" autocomplete=\"new-password\"")
    content += "\n<button>Set password</button>\n</form>"
    return HTMLPage("Reset your password", content).reply(status: complaint == nil ? 200 : 400)
  }

  /// Goes on to the app, which signs in with what is in its address.
  private static func signIn(_ call: AuthCall) -> HTTPResponse {
    guard let target = call.query("continueUrl") else {
      return failure(
        "Missing continueUrl query parameter", "To sign in, append &continueUrl=YOUR_APP_URL to the link.", call)
    }
    guard WebAddress(target)?.isSafeToVisit == true else { return badTarget(call) }
    let rest = call.fields.filter { $0.name != "continueUrl" }.map { ($0.name, $0.value) }
    return HTTPResponse(redirectingTo: WebAddress.adding(rest, to: target))
  }

  // MARK: Answers

  private static func success(_ text: String, _ field: (String, String), _ call: AuthCall) -> HTTPResponse {
    if let target = call.query("continueUrl") {
      guard WebAddress(target)?.isSafeToVisit == true else { return badTarget(call) }
      return HTTPResponse(redirectingTo: target)
    }
    if call.request.wantsPage {
      return HTMLPage("Done", HTMLPage.paragraph(text) + "\n" + HTMLPage.paragraph(field.1)).reply()
    }
    return HTTPResponse(json: ["authEmulator": ["success": .string(text), field.0: .string(field.1)]])
  }

  private static func failure(_ error: String, _ instructions: String, _ call: AuthCall) -> HTTPResponse {
    if call.request.wantsPage {
      return HTMLPage(
        "This link does not work", HTMLPage.paragraph(error) + "\n" + HTMLPage.paragraph(instructions)
      ).reply(status: 400)
    }
    return HTTPResponse(
      status: 400, json: ["authEmulator": ["error": .string(error), "instructions": .string(instructions)]])
  }

  private static func missing(_ name: String, _ example: String, _ call: AuthCall) -> HTTPResponse {
    failure(
      "missing \(name) query parameter", "Please modify the URL to specify an \(name), such as \(example)", call)
  }

  private static func badTarget(_ call: AuthCall) -> HTTPResponse {
    failure("Invalid continueUrl", "The address to go on to must be absolute: https://… or that of an app.", call)
  }
}

import Identity
import JSON

/// What emulators alone have: codes to read, accounts to throw away.
enum EmulatorEndpoints {
  private static let project = "/emulator/v1/projects/{project}/"
  private static let tenant = "/emulator/v1/projects/{project}/tenants/{tenant}/"

  static let routes: [AuthRoute] =
    [AuthRoute("GET", "/", .open, needsAuth: false, ready)]
    + [project, tenant].flatMap { parent in
      [
        AuthRoute("DELETE", parent + "accounts", .open, needsAuth: false, deleteAll),
        AuthRoute("GET", parent + "oobCodes", .open, needsAuth: false, mails),
        AuthRoute("GET", parent + "verificationCodes", .open, needsAuth: false, messages),
        AuthRoute("GET", parent + "revocations", .open, needsAuth: false, revocations),
      ]
    }
    + [
      AuthRoute("GET", project + "config", .open, needsAuth: false, configuration),
      AuthRoute("PATCH", project + "config", .open, needsAuth: false, configure),
      AuthRoute("GET", "/emulator/openapi.json", .open, needsAuth: false, description),
    ]

  private static func ready(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "authEmulator": [
        "ready": true, "docs": "https://firebase.google.com/docs/emulator-suite",
        "apiSpec": "/emulator/openapi.json",
      ]
    ]
  }

  private static func deleteAll(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    try call.admin.deleteAllAccounts()
    return [:]
  }

  private static func mails(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "oobCodes": .array(
        call.server.emailCodes.map { code in
          var item: JSONObject = ["email": .string(code.email)]
          item["newEmail"] = code.newEmail.map(JSONValue.string)
          item["requestType"] = .string(code.purpose.rawValue)
          item["oobCode"] = .string(code.code)
          item["oobLink"] = .string(EmailLink.link(code, call))
          return .object(item)
        })
    ]
  }

  private static func messages(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "verificationCodes": .array(
        call.server.pendingSMS.map {
          [
            "phoneNumber": .string($0.phoneNumber), "code": .string($0.code), "sessionInfo": .string($0.sessionInfo),
          ]
        })
    ]
  }

  /// The tokens of Apple that were revoked, so that a test can see it. No other emulator has this.
  private static func revocations(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "revocations": .array(
        call.server.revocations.map {
          [
            "providerId": .string($0.providerID), "localId": .string($0.uid), "token": .string($0.code),
            "time": .string(AccountJSON.time($0.time)), "accountExisted": .bool($0.accountExisted),
          ]
        })
    ]
  }

  private static func configuration(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    call.project.configuration.short
  }

  private static func configure(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    // Only these two, and only what is there.
    let mask = ["signIn", "emailPrivacyConfig"].filter(call.body.has)
    return try call.project.configure { (configuration) throws(IdentityError) in
      try configuration.merge(call.body, mask: mask, mayCallFunctions: false)
    }.short
  }

  /// The endpoints that there are, as OpenAPI describes such.
  private static func description(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    var paths = JSONObject()
    for route in call.emulator.routes.all {
      var item = paths[route.path]?.objectValue ?? [:]
      let names = route.segments.compactMap { if case .variable(let name, _) = $0 { name } else { nil } }
      var operation: JSONObject = ["responses": ["200": ["description": "OK"]]]
      if !names.isEmpty {
        operation["parameters"] = .array(
          names.map { ["name": .string($0), "in": "path", "required": true, "schema": ["type": "string"]] })
      }
      item[route.method.lowercased()] = .object(operation)
      paths[route.path] = .object(item)
    }
    return [
      "openapi": "3.0.0", "info": ["title": "Authentication server of rules-test", "version": "1"],
      "paths": .object(paths),
    ]
  }
}

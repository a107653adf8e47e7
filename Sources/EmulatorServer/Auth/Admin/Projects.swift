import Identity
import JSON

/// What a project has configured.
enum ProjectEndpoints {
  static let routes: [AuthRoute] =
    [
      AuthRoute("GET", AuthRoutes.v1 + "projects", .key, needsAuth: false, clientConfiguration),
      AuthRoute("GET", AuthRoutes.v3 + "getProjectConfig", .key, needsAuth: false, clientConfiguration),
      AuthRoute("GET", AuthRoutes.v1 + "recaptchaParams", .key, needsAuth: false, recaptcha),
      AuthRoute("GET", AuthRoutes.v3 + "getRecaptchaParam", .key, needsAuth: false, recaptcha),
      AuthRoute("GET", AuthRoutes.v2 + "recaptchaConfig", .key, needsAuth: false, recaptchaStates),
      AuthRoute("GET", AuthRoutes.v2 + "passwordPolicy", .key, needsAuth: false, passwordPolicy),
      AuthRoute("GET", AuthRoutes.v2 + "projects/{project}/config", .admin, needsAuth: false, configuration),
      AuthRoute("PATCH", AuthRoutes.v2 + "projects/{project}/config", .admin, needsAuth: false, configure),
    ]

  private static func clientConfiguration(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    ["projectId": "12345", "authorizedDomains": ["localhost", "127.0.0.1"]]
  }

  /// Nobody is asked to prove to be a person here.
  private static func recaptcha(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "kind": "identitytoolkit#GetRecaptchaParamResponse", "recaptchaStoken": "not-used-by-this-server",
      "recaptchaSiteKey": "not-used-by-this-server",
    ]
  }

  private static func recaptchaStates(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "recaptchaKey": "",
      "recaptchaEnforcementState": [
        ["provider": "EMAIL_PASSWORD_PROVIDER", "enforcementState": "OFF"],
        ["provider": "PHONE_PROVIDER", "enforcementState": "OFF"],
      ],
    ]
  }

  private static func passwordPolicy(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    guard let tenant = call.query("tenantId") else {
      return PasswordPolicyJSON.shown(call.server.settings.passwordPolicy)
    }
    return PasswordPolicyJSON.shown(try call.project.server(tenant).settings.passwordPolicy)
  }

  private static func configuration(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    call.project.configuration.json(call.project.id)
  }

  private static func configure(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let mayCall = call.emulator.options.functionCaller != nil
    return try call.project.configure { (configuration) throws(IdentityError) in
      try configuration.merge(call.body, mask: call.mask, mayCallFunctions: mayCall)
    }.json(call.project.id)
  }
}

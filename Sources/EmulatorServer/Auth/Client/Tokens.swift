import Identity
import JSON

/// Refreshing tokens, session cookies, and what tokens are checked with.
enum TokenEndpoints {
  static let routes: [AuthRoute] =
    [
      AuthRoute("POST", "/securetoken.googleapis.com/v1/token", .key, refresh),
      AuthRoute("POST", AuthRoutes.v1 + "projects/{project}:createSessionCookie", .admin, cookie),
      AuthRoute("POST", AuthRoutes.v1 + "projects/{project}/tenants/{tenant}:createSessionCookie", .admin, cookie),
      AuthRoute("GET", AuthRoutes.v1 + "sessionCookiePublicKeys", .open, needsAuth: false, certificates),
      AuthRoute("GET", AuthRoutes.v3 + "publicKeys", .open, needsAuth: false, certificates),
      AuthRoute(
        "GET", "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", .open,
        needsAuth: false, certificates),
    ]

  private static func refresh(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let grant = try call.body.needed("grantType", else: "MISSING_GRANT_TYPE")
    guard grant == "refresh_token" else {
      throw IdentityError(code: "INVALID_GRANT_TYPE", message: "the grant type is refresh_token, not '\(grant)'")
    }
    let token = try call.body.needed("refreshToken", else: "MISSING_REFRESH_TOKEN")
    // A client does not say whose tenant it is of.
    let server: AuthServer
    if let tenant = call.project.tenant(ofRefreshToken: token) {
      if let named = call.tenant, named != tenant {
        throw IdentityError(code: "TENANT_ID_MISMATCH", message: "the session belongs to another tenant")
      }
      server = try call.project.server(tenant)
      if let tenant, try call.project.tenant(tenant).isDisabled {
        throw IdentityError(code: "PROJECT_DISABLED", message: "the tenant '\(tenant)' is switched off")
      }
    } else {
      server = call.server
    }
    let tokens = try server.refresh(token)
    return [
      "id_token": .string(tokens.idToken), "access_token": .string(tokens.idToken),
      "expires_in": .string(String(tokens.expiresIn)), "refresh_token": .string(tokens.refreshToken),
      "token_type": "Bearer", "user_id": .string(tokens.uid),
      // The number of a project that has none: clients only hand it on.
      "project_id": "12345",
    ]
  }

  private static func cookie(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let idToken = try call.body.needed("idToken", else: "MISSING_ID_TOKEN")
    let lifetime = try call.body.integer("validDuration") ?? SessionCookie.longest
    return ["sessionCookie": .string(try call.admin.sessionCookie(idToken: idToken, lifetime: lifetime))]
  }

  /// By key id: what signed tokens are checked with. Empty while tokens are unsigned.
  private static func certificates(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    call.server.settings.tokens == .signed ? call.server.keys.certificates : [:]
  }
}

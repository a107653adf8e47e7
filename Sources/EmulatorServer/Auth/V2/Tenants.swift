import Identity
import JSON

/// The tenants of a project.
enum TenantEndpoints {
  private static let collection = AuthRoutes.v2 + "projects/{project}/tenants"

  static let routes: [AuthRoute] = [
    AuthRoute("POST", collection, .admin, needsAuth: false, create),
    AuthRoute("GET", collection, .admin, needsAuth: false, list),
    AuthRoute("GET", collection + "/{tenantId}", .admin, needsAuth: false, get),
    AuthRoute("PATCH", collection + "/{tenantId}", .admin, needsAuth: false, update),
    AuthRoute("DELETE", collection + "/{tenantId}", .admin, needsAuth: false, delete),
  ]

  private static func create(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    // As Firebase names them: what it is called, and something that nobody else has.
    let name = try call.body.filled("displayName") ?? "tenant"
    let word = String(
      name.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic || $0 == "-" }.prefix(14).map(
        Character.init))
    var tenant = Tenant(
      (word.isEmpty ? "tenant" : word) + "-" + call.server.randomText(5).lowercased(), project: call.project.id)
    try tenant.merge(call.body, mask: nil)
    try call.project.put(tenant)
    return tenant.json
  }

  private static func list(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let asked = try call.number("pageSize") ?? 20
    guard asked > 0 else { throw IdentityError(code: "INVALID_PAGE_SIZE", message: "a page has at least one tenant") }
    let limit = min(asked, 1000)
    let after = call.query("pageToken")
    let rest = call.project.tenants.filter { tenant in
      after.map { $0.utf8.lexicographicallyPrecedes(tenant.id.utf8) } ?? true
    }
    let page = rest.prefix(limit)
    var reply: JSONObject = ["tenants": .array(page.map { .object($0.json) })]
    if page.count >= limit { reply["nextPageToken"] = page.last.map { .string($0.id) } }
    return reply
  }

  private static func get(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    try call.project.tenant(call.variable("tenantId")).json
  }

  private static func update(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    var tenant = try call.project.tenant(call.variable("tenantId"))
    try tenant.merge(call.body, mask: call.mask)
    try call.project.put(tenant)
    return tenant.json
  }

  private static func delete(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    try call.project.remove(tenant: call.variable("tenantId"))
    return [:]
  }
}

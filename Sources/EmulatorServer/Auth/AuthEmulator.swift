import Identity
import JSON
import Synchronization

/// The Authentication server over HTTP: what clients of Firebase call, over the accounts of the room `Identity`.
///
/// A request goes in and a response comes out; nothing here knows of sockets. It may be used from many threads.
public final class AuthEmulator: HTTPHandler {
  public let options: AuthOptions
  let clock: DrivenClock
  let routes: AuthRoutes
  public let providers = ProviderDirectory()
  public let apple = AppleService()
  private let projects = Mutex<[String: AuthProject]>([:])

  /// How many projects there can be at a time.
  static let mostProjects = 1000

  public init(_ options: AuthOptions = AuthOptions()) {
    clock = DrivenClock(options.clock)
    var options = options
    if options.hasTestHooks { options.clock = clock }
    self.options = options
    routes = AuthRoutes(hasTestHooks: options.hasTestHooks)
  }

  /// The project of that id; it is made if nobody asked for it before.
  /// - Throws: `INVALID_PROJECT_ID`.
  public func project(_ id: String? = nil) throws(IdentityError) -> AuthProject {
    let id = id ?? options.project
    guard (1...128).contains(id.utf8.count), id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw IdentityError(code: "INVALID_PROJECT_ID", message: "a project's id has 1 to 128 ASCII characters")
    }
    let found: AuthProject? = projects.withLock { projects in
      if let project = projects[id] { return project }
      guard projects.count < Self.mostProjects else { return nil }
      let project = AuthProject(id, options, providers, apple)
      projects[id] = project
      return project
    }
    guard let found else {
      throw IdentityError(
        code: "PROJECT_NOT_FOUND", message: "there are \(Self.mostProjects) projects already, the most there can be")
    }
    return found
  }

  /// Empties every project.
  func reset() throws(IdentityError) {
    for project in projects.withLock({ Array($0.values) }) { try project.reset() }
    clock.reset()
  }

  // MARK: Requests

  /// Blocking functions are other programs, and may ask this very server before they answer.
  public func mayWait(for request: HTTPRequest) -> Bool {
    projects.withLock { $0.values.contains(where: \.callsFunctions) }
  }

  /// Answers a request. Bad input of any kind gets the error that is documented for it.
  public func answer(_ request: HTTPRequest) -> HTTPResponse {
    let parts = request.names
    guard let (route, variables) = routes.find(request.method, parts) else { return AuthFailure.notFoundPath }
    guard let isAdmin = Self.isAdmin(request) else { return AuthFailure.badBearer }
    let fields = request.parameters
    switch route.access {
    case .open: break
    case .admin: if !isAdmin { return AuthFailure.missingBearer }
    case .key:
      let hasKey = fields.contains { $0.name == "key" && !$0.value.isEmpty } || request.headers["x-goog-api-key"] != nil
      if !isAdmin, !hasKey { return AuthFailure.missingKey }
    }
    do throws(IdentityError) {
      if options.hasTestHooks, let text = request.headers[AuthTestHooks.timeHeader] {
        let time = try AuthTestHooks.time(text)
        return DrivenClock.$instant.withValue(time) {
          do throws(IdentityError) {
            return try route.handle(call(request, route, variables, fields, isAdmin))
          } catch {
            return AuthFailure.reply(error)
          }
        }
      }
      return try route.handle(call(request, route, variables, fields, isAdmin))
    } catch {
      return AuthFailure.reply(error)
    }
  }

  /// Whether the caller is a service account; nil for a bearer that is none.
  private static func isAdmin(_ request: HTTPRequest) -> Bool? {
    guard let header = request.headers["authorization"] else { return false }
    let words = header.split(separator: " ", maxSplits: 1).map { $0.lowercased() }
    guard words.first == "bearer" else { return false }
    guard words.count == 2 else { return nil }
    // The second form is an access token of Google's, of which nothing but its look is known here.
    let token = words[1].drop { $0 == " " }
    return token == "owner" || token.hasPrefix("ya29.") ? true : nil
  }

  private func call(
    _ request: HTTPRequest, _ route: AuthRoute, _ variables: [String: String],
    _ fields: [(name: String, value: String)], _ isAdmin: Bool
  ) throws(IdentityError) -> AuthCall {
    let body = request.method == "GET" ? AuthBody() : try AuthBody(parsing: request.body[...], isForm: request.isForm)
    let named = try body.filled("targetProjectId")
    if named != nil, !isAdmin {
      throw IdentityError(
        code: "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.",
        message: "targetProjectId needs a service account")
    }
    let project = try project(variables["project"] ?? named)
    let tenant = try Self.tenant(body, variables, fields)
    let server = try project.server(tenant)
    if route.needsAuth, let tenant, try project.tenant(tenant).isDisabled {
      throw IdentityError(code: "PROJECT_DISABLED", message: "the tenant '\(tenant)' is switched off")
    }
    return AuthCall(
      emulator: self, request: request, variables: variables, fields: fields, body: body, isAdmin: isAdmin,
      project: project, tenant: tenant, server: server)
  }

  /// The tenant that path, body and ID token agree on.
  /// - Throws: `TENANT_ID_MISMATCH`.
  private static func tenant(
    _ body: AuthBody, _ variables: [String: String], _ fields: [(name: String, value: String)]
  ) throws(IdentityError) -> String? {
    let mismatch = IdentityError(code: "TENANT_ID_MISMATCH", message: "the call names two tenants")
    let inPath = variables["tenant"]
    let inBody = try body.filled("tenantId")
    if let inPath, let inBody, inPath != inBody { throw mismatch }
    let named = inPath ?? inBody
    if let idToken = try body.filled("idToken"), let payload = try? UnsignedToken.decode(idToken) {
      let inToken = payload["firebase"]?["tenant"]?.stringValue
      if let named, named != inToken { throw mismatch }
      return inToken
    }
    return named
  }
}

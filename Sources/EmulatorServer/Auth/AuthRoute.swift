import Identity
import JSON

/// One endpoint.
struct AuthRoute: Sendable {
  enum Access: Sendable {
    /// Anybody.
    case open
    /// Who has an API key, be it what it may, or a service account.
    case key
    /// A service account.
    case admin
  }

  /// One segment of a path.
  enum Segment: Sendable, Equatable {
    case literal(String)
    /// A part with a name, and what follows it in the segment: `{project}:createSessionCookie`.
    case variable(String, suffix: String)
  }

  let method: String
  /// `/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:lookup`
  let path: String
  let access: Access
  /// Whether it is refused where a tenant is switched off.
  let needsAuth: Bool
  let segments: [Segment]
  let handle: @Sendable (AuthCall) throws(IdentityError) -> HTTPResponse

  init(
    _ method: String, _ path: String, _ access: Access, needsAuth: Bool = true,
    reply: @escaping @Sendable (AuthCall) throws(IdentityError) -> HTTPResponse
  ) {
    self.method = method
    self.path = path
    self.access = access
    self.needsAuth = needsAuth
    segments = path.split(separator: "/").map(Self.segment)
    handle = reply
  }

  init(
    _ method: String, _ path: String, _ access: Access, needsAuth: Bool = true,
    _ answer: @escaping @Sendable (AuthCall) throws(IdentityError) -> JSONObject
  ) {
    self.init(method, path, access, needsAuth: needsAuth) { (call) throws(IdentityError) in
      HTTPResponse(json: .object(try answer(call)))
    }
  }

  private static func segment(_ text: Substring) -> Segment {
    guard text.hasPrefix("{"), let end = text.firstIndex(of: "}") else { return .literal(String(text)) }
    return .variable(
      String(text[text.index(after: text.startIndex)..<end]), suffix: String(text[text.index(after: end)...]))
  }

  /// The named parts of a path; nil for a path of another endpoint.
  func variables(in parts: [String]) -> [String: String]? {
    guard parts.count == segments.count else { return nil }
    var variables: [String: String] = [:]
    for (segment, part) in zip(segments, parts) {
      switch segment {
      case .literal(let text):
        guard text == part else { return nil }
      case .variable(let name, let suffix):
        guard part.hasSuffix(suffix) else { return nil }
        let value = String(part.dropLast(suffix.count))
        guard !value.isEmpty, !value.contains(":") else { return nil }
        variables[name] = value
      }
    }
    return variables
  }
}

/// All endpoints, found by method and path.
struct AuthRoutes: Sendable {
  let all: [AuthRoute]
  /// Those without named parts, by method and path.
  private let literal: [String: Int]
  private let named: [Int]

  static let v1 = "/identitytoolkit.googleapis.com/v1/"
  static let v2 = "/identitytoolkit.googleapis.com/v2/"
  static let v3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"

  init(hasTestHooks: Bool) {
    var all: [AuthRoute] = []
    all += SignUpEndpoints.routes + SignInEndpoints.routes + ProviderEndpoints.routes + PhoneEndpoints.routes
    all += MailEndpoints.routes + AccountEndpoints.routes + UpdateEndpoints.routes + TokenEndpoints.routes
    all += BatchEndpoints.routes + ProjectEndpoints.routes
    all += SecondFactorEndpoints.routes + PasskeyEndpoints.routes + TenantEndpoints.routes
    all += ProviderConfigurationEndpoints.routes
    all += EmulatorEndpoints.routes + ActionPage.routes + ProviderPage.routes
    all += UnansweredEndpoints.routes
    if hasTestHooks { all += AuthTestHooks.routes }
    var literal: [String: Int] = [:]
    var named: [Int] = []
    for (index, route) in all.enumerated() {
      if route.segments.allSatisfy({ if case .literal = $0 { true } else { false } }) {
        literal[route.method + " " + route.segments.map(Self.text).joined(separator: "/")] = index
      } else {
        named.append(index)
      }
    }
    self.all = all
    self.literal = literal
    self.named = named
  }

  private static func text(_ segment: AuthRoute.Segment) -> String {
    if case .literal(let text) = segment { text } else { "" }
  }

  func find(_ method: String, _ parts: [String]) -> (route: AuthRoute, variables: [String: String])? {
    if let index = literal[method + " " + parts.joined(separator: "/")] { return (all[index], [:]) }
    for index in named where all[index].method == method {
      if let variables = all[index].variables(in: parts) { return (all[index], variables) }
    }
    return nil
  }

  /// An endpoint of the API for clients under its name of today and that of before, which the iOS SDK uses.
  static func client(
    _ name: String, _ old: String?, _ answer: @escaping @Sendable (AuthCall) throws(IdentityError) -> JSONObject
  ) -> [AuthRoute] {
    var routes = [AuthRoute("POST", v1 + name, .key, answer)]
    if let old { routes.append(AuthRoute("POST", v3 + old, .key, answer)) }
    return routes
  }

  /// An endpoint for service accounts, of a project and of its tenants.
  static func admin(
    _ method: String, _ name: String,
    _ answer: @escaping @Sendable (AuthCall) throws(IdentityError) -> JSONObject
  ) -> [AuthRoute] {
    [
      AuthRoute(method, v1 + "projects/{project}/" + name, .admin, answer),
      AuthRoute(method, v1 + "projects/{project}/tenants/{tenant}/" + name, .admin, answer),
    ]
  }
}

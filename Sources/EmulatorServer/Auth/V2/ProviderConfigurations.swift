import Identity
import JSON

/// The OpenID Connect and SAML providers of a project's own, and those that everybody knows. The official emulator
/// answers none of these.
enum ProviderConfigurationEndpoints {
  /// One kind of provider.
  enum Collection: String, Sendable, CaseIterable {
    case oidc = "oauthIdpConfigs"
    case saml = "inboundSamlConfigs"
    case known = "defaultSupportedIdpConfigs"

    /// The query field in which a new one's id comes.
    var idField: String {
      switch self {
      case .oidc: "oauthIdpConfigId"
      case .saml: "inboundSamlConfigId"
      case .known: "idpId"
      }
    }

    /// What clients may set.
    var fields: [String] {
      switch self {
      case .oidc: ["clientId", "issuer", "displayName", "enabled", "clientSecret", "responseType"]
      case .saml: ["displayName", "enabled", "idpConfig", "spConfig"]
      case .known: ["enabled", "clientId", "clientSecret"]
      }
    }
  }

  static let routes: [AuthRoute] =
    Collection.allCases.flatMap(routes) + [
      AuthRoute("GET", AuthRoutes.v2 + "defaultSupportedIdps", .admin, needsAuth: false, supported)
    ]

  private static func routes(_ collection: Collection) -> [AuthRoute] {
    ["projects/{project}/", "projects/{project}/tenants/{tenant}/"].flatMap { parent in
      let path = AuthRoutes.v2 + parent + collection.rawValue
      return [
        AuthRoute("POST", path, .admin, needsAuth: false) { (call) throws(IdentityError) in
          try create(call, collection)
        },
        AuthRoute("GET", path, .admin, needsAuth: false) { (call) throws(IdentityError) in
          try list(call, collection)
        },
        AuthRoute("GET", path + "/{id}", .admin, needsAuth: false) { (call) throws(IdentityError) in
          try known(call, collection)
        },
        AuthRoute("PATCH", path + "/{id}", .admin, needsAuth: false) { (call) throws(IdentityError) in
          try update(call, collection)
        },
        AuthRoute("DELETE", path + "/{id}", .admin, needsAuth: false) { (call) throws(IdentityError) in
          _ = try known(call, collection)
          call.project.put(nil, key: key(collection, call.variable("id")), tenant: call.tenant)
          call.admin.removeConfiguration(call.variable("id"))
          return [:]
        },
      ]
    }
  }

  private static func key(_ collection: Collection, _ id: String) -> String { collection.rawValue + "/" + id }

  private static let mostConfigurations = 1000

  private static func name(_ call: AuthCall, _ collection: Collection, _ id: String) -> String {
    let tenant = call.tenant.map { "/tenants/" + $0 } ?? ""
    return "projects/\(call.project.id)\(tenant)/\(collection.rawValue)/\(id)"
  }

  private static func known(_ call: AuthCall, _ collection: Collection) throws(IdentityError) -> JSONObject {
    let id = call.variable("id")
    guard let found = call.project.providerConfigurations(call.tenant)[key(collection, id)] else {
      throw AuthFailure.notFound("CONFIGURATION_NOT_FOUND", "'\(id)' is not configured")
    }
    return found
  }

  private static func list(_ call: AuthCall, _ collection: Collection) throws(IdentityError) -> JSONObject {
    let limit = min(max(try call.number("pageSize") ?? 100, 1), 100)
    let prefix = collection.rawValue + "/"
    let after = call.query("pageToken").map { prefix + $0 } ?? ""
    let all = call.project.providerConfigurations(call.tenant)
      .filter { $0.key.hasPrefix(prefix) && after.utf8.lexicographicallyPrecedes($0.key.utf8) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let page = all.prefix(limit)
    var reply = JSONObject()
    if !page.isEmpty { reply[collection.rawValue] = .array(page.map { .object($0.value) }) }
    if all.count > limit { reply["nextPageToken"] = page.last.map { .string(String($0.key.dropFirst(prefix.count))) } }
    return reply
  }

  private static func create(_ call: AuthCall, _ collection: Collection) throws(IdentityError) -> JSONObject {
    guard let id = call.query(collection.idField) else {
      throw IdentityError(
        code: "INVALID_CONFIG_ID : '\(collection.idField)' is missing in the query.", message: "give the new one's id")
    }
    try check(id, collection)
    let all = call.project.providerConfigurations(call.tenant)
    guard all[key(collection, id)] == nil else {
      throw IdentityError(code: "DUPLICATE_CONFIG_ID : \(id)", message: "'\(id)' is configured already")
    }
    guard all.count < mostConfigurations else {
      throw IdentityError(
        code: "QUOTA_EXCEEDED : Exceeded the number of provider configurations.",
        message: "at most \(mostConfigurations) are kept")
    }
    let new: JSONObject = ["name": .string(name(call, collection, id))]
    return try store(try merge(new, call.body, collection, mask: nil), id, call, collection)
  }

  private static func update(_ call: AuthCall, _ collection: Collection) throws(IdentityError) -> JSONObject {
    let changed = try merge(try known(call, collection), call.body, collection, mask: call.mask)
    return try store(changed, call.variable("id"), call, collection)
  }

  private static func check(_ id: String, _ collection: Collection) throws(IdentityError) {
    switch collection {
    case .oidc: try Provider.oidc(id).check()
    case .saml: try Provider.saml(id).check()
    case .known:
      guard suppliers.contains(where: { $0.id == id }) else {
        throw IdentityError(code: "INVALID_PROVIDER_ID", message: "'\(id)' is not among the providers that all know")
      }
    }
  }

  private static func merge(
    _ old: JSONObject, _ body: AuthBody, _ collection: Collection, mask: [String]?
  ) throws(IdentityError) -> JSONObject {
    var new = old
    for field in collection.fields {
      let paths = mask?.filter { $0 == field || $0.hasPrefix(field + ".") }
      if paths?.isEmpty == true { continue }
      let value = body[field]
      if let parts = paths, !parts.contains(field), var object = old[field]?.objectValue ?? JSONObject?.some([:]) {
        for path in parts {
          let name = String(path.dropFirst(field.count + 1))
          object[name] = value?[name]
        }
        new[field] = .object(object)
      } else {
        new[field] = value
      }
    }
    return new
  }

  /// Checks it, and makes it known to the sign-in.
  private static func store(
    _ value: JSONObject, _ id: String, _ call: AuthCall, _ collection: Collection
  ) throws(IdentityError) -> JSONObject {
    let body = AuthBody(value)
    var configuration: ProviderConfiguration?
    switch collection {
    case .oidc:
      let client = try body.needed("clientId", else: "MISSING_OAUTH_CLIENT_ID")
      let issuer = try body.needed("issuer", else: "MISSING_ISSUER")
      guard WebAddress(issuer) != nil else {
        throw IdentityError(code: "INVALID_ISSUER", message: "'\(issuer)' is no absolute address")
      }
      configuration = ProviderConfiguration(
        id: id, clientID: client, issuer: issuer, clientSecret: try body.filled("clientSecret"))
    case .saml:
      guard let provider = try body.part("idpConfig"), let entity = try provider.filled("idpEntityId") else {
        throw IdentityError(code: "MISSING_SAML_ENTITY_ID", message: "idpConfig.idpEntityId is missing")
      }
      _ = try provider.parts("idpCertificates")
      let service = try body.part("spConfig")?.filled("spEntityId") ?? ""
      configuration = ProviderConfiguration(id: id, clientID: service, issuer: entity)
    case .known: break
    }
    if var configuration {
      configuration.isEnabled = try body.flag("enabled") ?? false
      try call.admin.configure(configuration)
    }
    call.project.put(value, key: key(collection, id), tenant: call.tenant)
    return value
  }

  // MARK: What everybody knows

  private static let suppliers: [(id: String, name: String)] = [
    (ProviderID.apple, "Apple"), (ProviderID.facebook, "Facebook"), (ProviderID.gameCenter, "Game Center"),
    (ProviderID.github, "GitHub"), (ProviderID.google, "Google"), (ProviderID.microsoft, "Microsoft"),
    (ProviderID.playGames, "Play Games"), (ProviderID.twitter, "Twitter"), (ProviderID.yahoo, "Yahoo"),
  ]

  private static func supported(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    [
      "defaultSupportedIdps": .array(
        suppliers.map { ["idpId": .string($0.id), "description": .string($0.name)] })
    ]
  }
}

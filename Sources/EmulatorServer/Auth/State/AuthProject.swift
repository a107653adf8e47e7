import Identity
import JSON
import Synchronization

/// A project: its configuration, its tenants, and the accounts of each. Tenants share no account.
public final class AuthProject: Sendable {
  public let id: String
  private let options: AuthOptions
  private let providers: ProviderDirectory
  private let apple: AppleService

  private struct State {
    var configuration: ProjectConfiguration
    var tenants: [String: Tenant] = [:]
    /// By tenant; the project's own under "".
    var servers: [String: AuthServer] = [:]
    /// By tenant, then by collection and id; the project's own under "".
    var providerConfigurations: [String: [String: JSONObject]] = [:]
  }
  private let state: Mutex<State>

  /// How many tenants a project can have here.
  static let mostTenants = 1000

  init(_ id: String, _ options: AuthOptions, _ providers: ProviderDirectory, _ apple: AppleService) {
    self.id = id
    self.options = options
    self.providers = providers
    self.apple = apple
    state = Mutex(State(configuration: ProjectConfiguration(options.settings)))
  }

  /// Whether a call may have to wait for a function.
  var callsFunctions: Bool {
    options.functionCaller != nil && state.withLock { !$0.configuration.triggers.isEmpty }
  }

  // MARK: Accounts

  /// The accounts of the project, or of a tenant; a tenant that nobody made is made, with all that can be switched on.
  /// - Throws: `TENANT_NOT_FOUND` when there are too many, and what the storage says.
  public func server(_ tenant: String? = nil) throws(IdentityError) -> AuthServer {
    let found: Result<AuthServer, IdentityError> = state.withLock { state in
      do throws(IdentityError) {
        return .success(try server(tenant, &state))
      } catch {
        return .failure(error)
      }
    }
    return try found.get()
  }

  private func server(_ tenant: String?, _ state: inout State) throws(IdentityError) -> AuthServer {
    if let server = state.servers[tenant ?? ""] { return server }
    if let tenant, state.tenants[tenant] == nil {
      try checkRoom(tenant, state)
      state.tenants[tenant] = Tenant.open(tenant, project: id)
    }
    let server = AuthServer(
      project: id, settings: settings(tenant, state), clock: options.clock, seed: seed(tenant),
      storage: try options.storage(id, tenant), keys: options.keys, providers: providers, apple: apple)
    server.blockingFunctions = functions(tenant, state)
    state.servers[tenant ?? ""] = server
    return server
  }

  /// Another one for each, so that no two accounts get one uid.
  private func seed(_ tenant: String?) -> UInt64? {
    options.seed.map { seed in
      guard let tenant else { return seed }
      return tenant.utf8.reduce(seed ^ 0x9E37_79B9_7F4A_7C15) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
  }

  private func checkRoom(_ tenant: String, _ state: State) throws(IdentityError) {
    guard Tenant.isID(tenant) else {
      throw IdentityError(code: "INVALID_TENANT_ID", message: "'\(tenant)' cannot be a tenant's id")
    }
    guard state.tenants.count < Self.mostTenants else {
      throw IdentityError(
        code: "TENANT_NOT_FOUND", message: "the project has \(Self.mostTenants) tenants already, the most there can be")
    }
  }

  private func settings(_ tenant: String?, _ state: State) -> AuthSettings {
    var settings = options.settings
    state.configuration.apply(to: &settings)
    if let tenant, let configuration = state.tenants[tenant] { configuration.apply(to: &settings) }
    return settings
  }

  private func functions(_ tenant: String?, _ state: State) -> (any BlockingFunctions)? {
    guard let caller = options.functionCaller, !state.configuration.triggers.isEmpty else { return nil }
    return CalledFunctions(
      project: id, tenant: tenant, triggers: state.configuration.triggers, caller: caller)
  }

  /// All accounts there are, tenant by tenant.
  var servers: [AuthServer] { state.withLock { Array($0.servers.values) } }

  /// Whose a refresh token is.
  func tenant(ofRefreshToken token: String) -> String?? {
    let servers = state.withLock { $0.servers }
    for (tenant, server) in servers where server.knows(refreshToken: token) {
      return .some(tenant.isEmpty ? nil : tenant)
    }
    return .none
  }

  // MARK: Configuration

  public var configuration: ProjectConfiguration { state.withLock { $0.configuration } }

  func configure(_ change: (inout ProjectConfiguration) throws(IdentityError) -> Void) throws(IdentityError)
    -> ProjectConfiguration
  {
    let result: Result<ProjectConfiguration, IdentityError> = state.withLock { state in
      var changed = state.configuration
      do throws(IdentityError) { try change(&changed) } catch { return .failure(error) }
      state.configuration = changed
      refresh(&state)
      return .success(changed)
    }
    return try result.get()
  }

  private func refresh(_ state: inout State) {
    for (tenant, server) in state.servers {
      let tenant = tenant.isEmpty ? nil : tenant
      server.settings = settings(tenant, state)
      server.blockingFunctions = functions(tenant, state)
    }
  }

  // MARK: Tenants

  /// In the order of their ids.
  var tenants: [Tenant] {
    state.withLock { $0.tenants.values.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) } }
  }

  /// The tenant; it is made if nobody did.
  func tenant(_ tenant: String) throws(IdentityError) -> Tenant {
    _ = try server(tenant)
    return state.withLock { $0.tenants[tenant] } ?? Tenant.open(tenant, project: id)
  }

  func put(_ tenant: Tenant) throws(IdentityError) {
    let fault: IdentityError? = state.withLock { state in
      if state.tenants[tenant.id] == nil {
        do throws(IdentityError) { try checkRoom(tenant.id, state) } catch { return error }
      }
      state.tenants[tenant.id] = tenant
      refresh(&state)
      return nil
    }
    if let fault { throw fault }
  }

  /// Its accounts go with it.
  func remove(tenant: String) throws(IdentityError) {
    let server = state.withLock { state in
      state.tenants[tenant] = nil
      state.providerConfigurations[tenant] = nil
      return state.servers.removeValue(forKey: tenant)
    }
    try server?.admin.deleteAllAccounts()
  }

  // MARK: Providers

  func providerConfigurations(_ tenant: String?) -> [String: JSONObject] {
    state.withLock { $0.providerConfigurations[tenant ?? ""] ?? [:] }
  }

  /// - Parameter value: nil to remove it.
  func put(_ value: JSONObject?, key: String, tenant: String?) {
    state.withLock { $0.providerConfigurations[tenant ?? "", default: [:]][key] = value }
  }

  /// As if it had just been made.
  func reset() throws(IdentityError) {
    let servers = state.withLock { state in
      state.configuration = ProjectConfiguration(options.settings)
      state.tenants = [:]
      state.providerConfigurations = [:]
      let servers = Array(state.servers.values)
      state.servers = state.servers.filter { $0.key.isEmpty }
      refresh(&state)
      return servers
    }
    for server in servers { try server.admin.deleteAllAccounts() }
  }
}

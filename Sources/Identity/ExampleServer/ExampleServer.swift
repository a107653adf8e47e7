import JSON
import Synchronization

/// A request to the example server. Header names are compared without regard to case.
public struct ExampleRequest: Sendable {
  public var method: String
  public var path: String
  public var headers: [String: String]
  public var body: JSONObject

  public init(_ method: String, _ path: String, headers: [String: String] = [:], body: JSONObject = [:]) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name }?.value }
}

public struct ExampleResponse: Sendable, Equatable {
  public var status: Int
  public var body: JSONObject

  public init(_ status: Int, _ body: JSONObject) {
    self.status = status
    self.body = body
  }

  static func error(_ status: Int, _ message: String) -> ExampleResponse {
    ExampleResponse(status, ["error": .string(message)])
  }
}

/// What a server of one's own does with the ID tokens of its users: a function from requests to answers, without
/// sockets.
///
/// `GET v1/me` · `GET v1/agents`, `POST v1/agents {name}`, `DELETE v1/agents/{id}` · `DELETE v1/account
/// {authorizationCode}`
public final class ExampleServer: Sendable {
  /// Who asks, and how they proved it.
  public struct Caller: Sendable, Equatable {
    public let uid: String
    public let isAgent: Bool
    let idToken: String?
  }

  /// The steps of a deletion, in the order in which they were done.
  public enum DeletionStep: String, Sendable { case data, user, revocation }

  public let auth: AuthServer
  public let agents: AgentTokens
  private let deleteData: @Sendable (String) throws -> Void
  private let steps = Mutex<[DeletionStep]>([])

  /// - Parameters:
  ///   - auth: where users sign in.
  ///   - agents: the tokens of agents.
  ///   - deleteData: removes everything that a uid owns.
  public init(
    auth: AuthServer, agents: AgentTokens, deleteData: @escaping @Sendable (String) throws -> Void = { _ in }
  ) {
    self.auth = auth
    self.agents = agents
    self.deleteData = deleteData
  }

  /// What deletions have done so far.
  public var deletionSteps: [DeletionStep] { steps.withLock { $0 } }

  public func handle(_ request: ExampleRequest) -> ExampleResponse {
    authenticated(request) { caller in route(request, caller) }
  }

  /// The middleware: a handler behind it always has a uid.
  public func authenticated(_ request: ExampleRequest, _ handler: (Caller) -> ExampleResponse) -> ExampleResponse {
    guard let token = Self.bearerToken(request) else { return .error(401, "missing bearer token") }
    if token.hasPrefix(AgentTokens.prefix) {
      guard let uid = agents.uid(of: token) else { return .error(401, "invalid id token") }
      return handler(Caller(uid: uid, isAgent: true, idToken: nil))
    }
    guard let payload = try? auth.verifyIDToken(token), let uid = payload["sub"]?.stringValue, !uid.isEmpty else {
      return .error(401, "invalid id token")
    }
    return handler(Caller(uid: uid, isAgent: false, idToken: token))
  }

  private static func bearerToken(_ request: ExampleRequest) -> String? {
    guard let value = request.header("authorization"), value.lowercased().hasPrefix("bearer ") else { return nil }
    let token = value.dropFirst(7).drop { $0 == " " }
    return token.isEmpty ? nil : String(token)
  }

  private func route(_ request: ExampleRequest, _ caller: Caller) -> ExampleResponse {
    let path = request.path.split(separator: "/").map(String.init)
    switch (request.method, path) {
    case ("GET", ["v1", "me"]): return ExampleResponse(200, ["uid": .string(caller.uid)])
    case ("GET", ["v1", "agents"]):
      let entries = agents.entries(of: caller.uid).map { entry -> JSONValue in
        ["id": .string(entry.id), "name": .string(entry.name)]
      }
      return ExampleResponse(200, ["agents": .array(entries)])
    case (_, ["v1", "agents"]), (_, ["v1", "account"]):
      // Whoever finds an agent's token must not make more of them, nor delete the account.
      guard !caller.isAgent else { return .error(403, "agents may not do this") }
      if request.method == "POST", path[1] == "agents" { return makeAgent(request, caller) }
      if request.method == "DELETE", path[1] == "account" { return deleteAccount(request, caller) }
      return .error(405, "method not allowed")
    case ("DELETE", _) where path.count == 3 && path[0] == "v1" && path[1] == "agents":
      guard !caller.isAgent else { return .error(403, "agents may not do this") }
      return agents.withdraw(path[2], of: caller.uid) ? ExampleResponse(200, [:]) : .error(404, "no such agent")
    default: return .error(404, "not found")
    }
  }

  private func makeAgent(_ request: ExampleRequest, _ caller: Caller) -> ExampleResponse {
    guard let name = request.body["name"]?.stringValue, (1...100).contains(name.utf16.count) else {
      return .error(400, "name: 1 to 100 characters")
    }
    do throws(IdentityError) {
      return ExampleResponse(201, ["token": .string(try agents.make(for: caller.uid, name: name))])
    } catch {
      return error.code == "TOO_MANY_AGENTS" ? .error(409, "too many agents") : .error(404, "no such account")
    }
  }

  /// Data, then user, then Apple's consent. What fails first keeps the account, with which the rest can be tried again;
  /// a revocation that fails is not worth keeping it for.
  private func deleteAccount(_ request: ExampleRequest, _ caller: Caller) -> ExampleResponse {
    do {
      try deleteData(caller.uid)
      done(.data)
      try auth.admin.delete(caller.uid)
      agents.removeAll(of: caller.uid)
      done(.user)
    } catch {
      return .error(500, "the account was not deleted")
    }
    var isRevoked = false
    if let code = request.body["authorizationCode"]?.stringValue, let token = caller.idToken,
      (try? auth.revokeToken(code: code, idToken: token)) != nil
    {
      isRevoked = true
      done(.revocation)
    }
    return ExampleResponse(200, ["deleted": true, "revoked": .bool(isRevoked)])
  }

  private func done(_ step: DeletionStep) { steps.withLock { $0.append(step) } }
}

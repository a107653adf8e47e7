import Identity
import JSON
import Synchronization
import Testing

/// Article 002: an app with Sign in with Apple alone, which splits its data by uid, and its server.
@Suite("Article 002: Apple alone, data by uid")
struct Article002 {
  /// The server's data: lists by uid.
  final class Lists: Sendable {
    private let lists = Mutex<[String: [String]]>([:])
    let fails = Mutex(false)

    func add(_ list: String, of uid: String) { lists.withLock { $0[uid, default: []].append(list) } }
    func of(_ uid: String) -> [String] { lists.withLock { $0[uid] ?? [] } }

    func delete(_ uid: String) throws {
      if fails.withLock({ $0 }) { throw IdentityError(code: "UNAVAILABLE", message: "no disk") }
      lists.withLock { $0[uid] = nil }
    }
  }

  struct Scene {
    let world: World
    let lists = Lists()
    let server: ExampleServer
    let device: Device
    let code: String

    init(_ settings: AuthSettings = .articles, _ change: (inout AuthSettings) -> Void = { _ in }) throws {
      let world = World(settings, change)
      let lists = lists
      self.world = world
      server = ExampleServer(auth: world.server, agents: AgentTokens(auth: world.server, seed: 7)) { try lists.delete($0) }
      device = world.device()
      let authorization = world.apple.authorize(World.alice, nonce: AppleNonce.hash("n"), at: world.now)
      try device.signIn(with: .apple(idToken: authorization.idToken, rawNonce: "n"))
      code = authorization.authorizationCode
    }

    func ask(_ method: String, _ path: String, token: String?, body: JSONObject = [:]) -> ExampleResponse {
      server.handle(
        ExampleRequest(method, path, headers: token.map { ["authorization": "Bearer " + $0] } ?? [:], body: body))
    }
  }

  @Test("scene 1: no scopes are asked for, so there is a uid and nothing else")
  func noScopes() throws {
    let scene = try Scene()
    #expect(
      try scene.device.payload.keys.sorted() == ["aud", "auth_time", "exp", "firebase", "iat", "iss", "sub", "user_id"])
    #expect(scene.device.currentUser?.email == nil)
  }

  @Test(
    "scene 2: the middleware answers 401 without a token, and with one that is none; else the handler has the uid",
    arguments: [AuthSettings.TokenFormat.unsigned, .signed])
  func middleware(format: AuthSettings.TokenFormat) throws {
    let scene = try Scene { $0.tokens = format }
    let missing = ExampleResponse(401, ["error": "missing bearer token"])
    let invalid = ExampleResponse(401, ["error": "invalid id token"])
    let token = try scene.device.idToken()
    #expect(scene.ask("GET", "v1/me", token: nil) == missing)
    for header in ["", "Bearer", "Bearer ", token, "Basic " + token] {
      #expect(scene.server.handle(ExampleRequest("GET", "v1/me", headers: ["Authorization": header])) == missing)
    }
    for text in [
      "x", "a.b.c", token + "x.", try CustomToken.make(uid: "u", at: scene.world.now), "agent_x",
      UnsignedToken.encode(["sub": "u"]),
    ] {
      #expect(scene.ask("GET", "v1/me", token: text) == invalid)
    }
    let other = World { $0.tokens = format }
    _ = other
    let stranger = AuthServer(project: "other", settings: scene.world.server.settings, clock: scene.world.clock)
    let foreign = stranger.device()
    try foreign.signInAnonymously()
    #expect(scene.ask("GET", "v1/me", token: try foreign.idToken()) == invalid)
    let me = ExampleResponse(200, ["uid": .string(try scene.device.uid)])
    #expect(scene.ask("GET", "v1/me", token: token) == me)
    #expect(scene.server.handle(ExampleRequest("GET", "/v1/me", headers: ["AUTHORIZATION": "bearer " + token])) == me)
    scene.world.clock.advance(seconds: 3600)
    #expect(scene.ask("GET", "v1/me", token: token) == invalid)
    #expect(scene.ask("GET", "v1/me", token: try scene.device.idToken()) == me)
    #expect(scene.ask("GET", "v1/nothing", token: try scene.device.idToken()).status == 404)
  }

  @Test("scene 3: a reinstall, and another iPhone: sign in again, same uid, same data")
  func reinstall() throws {
    let scene = try Scene()
    let uid = try scene.device.uid
    scene.lists.add("groceries", of: uid)
    scene.device.reinstall()
    #expect(scene.device.currentUser == nil)
    try scene.device.signIn(with: scene.world.appleCredential())
    let phone = scene.world.device()
    try phone.signIn(with: scene.world.appleCredential())
    for device in [scene.device, phone] {
      #expect(try device.uid == uid)
      #expect(scene.lists.of(try device.uid) == ["groceries"])
    }
    let bob = scene.world.device()
    try bob.signIn(with: scene.world.appleCredential(World.bob))
    #expect(scene.lists.of(try bob.uid) == [])
  }

  @Test("scene 4: an anonymous user who wipes the app is somebody new, and the data is orphaned")
  func anonymous() throws {
    let scene = try Scene()
    let device = scene.world.device()
    try device.signInAnonymously()
    let uid = try device.uid
    scene.lists.add("lost", of: uid)
    device.reinstall()
    try device.signInAnonymously()
    #expect(try device.uid != uid)
    #expect(scene.lists.of(try device.uid) == [])
    #expect(scene.lists.of(uid) == ["lost"])
  }

  @Test("scene 5: agents have tokens of their own, bound to the uid: good after a reinstall, dead after deletion")
  func agents() throws {
    let scene = try Scene()
    let uid = try scene.device.uid
    let session = try scene.device.idToken()
    let made = scene.ask("POST", "v1/agents", token: session, body: ["name": "calendar"])
    #expect(made.status == 201)
    let token = try #require(made.body["token"]?.stringValue)
    #expect(token.hasPrefix("agent_"))
    let me = ExampleResponse(200, ["uid": .string(uid)])
    #expect(scene.ask("GET", "v1/me", token: token) == me)
    scene.device.reinstall()
    scene.world.clock.advance(seconds: 1_000_000)
    #expect(scene.ask("GET", "v1/me", token: token) == me)
    // An agent is no session.
    #expect(scene.ask("POST", "v1/agents", token: token, body: ["name": "another"]).status == 403)
    #expect(scene.ask("DELETE", "v1/account", token: token).status == 403)
    #expect(scene.ask("DELETE", "v1/agents/x", token: token).status == 403)
    for name in ["", String(repeating: "n", count: 101)] {
      try scene.device.signIn(with: scene.world.appleCredential())
      #expect(
        scene.ask("POST", "v1/agents", token: try scene.device.idToken(), body: ["name": .string(name)]).status == 400)
    }
    try scene.world.admin.setDisabled(true, uid)
    #expect(scene.ask("GET", "v1/me", token: token).status == 401)
    try scene.world.admin.setDisabled(false, uid)
    #expect(scene.ask("GET", "v1/me", token: token) == me)
    let fresh = try scene.device.idToken()
    let id = try #require(scene.server.agents.entries(of: uid).first).id
    let bob = scene.world.device()
    try bob.signIn(with: scene.world.appleCredential(World.bob))
    #expect(scene.ask("DELETE", "v1/agents/" + id, token: try bob.idToken()).status == 404)
    let second = try #require(
      scene.ask("POST", "v1/agents", token: fresh, body: ["name": "b"]).body["token"]?.stringValue)
    #expect(scene.ask("DELETE", "v1/agents/" + id, token: fresh).status == 200)
    #expect(scene.ask("GET", "v1/me", token: token).status == 401)
    #expect(scene.ask("GET", "v1/me", token: second) == me)
    #expect(scene.ask("DELETE", "v1/account", token: fresh).status == 200)
    #expect(scene.ask("GET", "v1/me", token: second).status == 401)
    // Somebody who gets the same uid later does not get the token.
    try scene.world.device().signIn(customToken: CustomToken.make(uid: uid, at: scene.world.now))
    #expect(scene.ask("GET", "v1/me", token: second).status == 401)
  }

  @Test("scene 6: deletion goes data, user, revocation; then the same Apple ID is a new uid without data")
  func deletion() throws {
    let scene = try Scene()
    let uid = try scene.device.uid
    scene.lists.add("groceries", of: uid)
    let token = try scene.device.idToken()
    let answer = scene.ask("DELETE", "v1/account", token: token, body: ["authorizationCode": .string(scene.code)])
    #expect(answer == ExampleResponse(200, ["deleted": true, "revoked": true]))
    #expect(scene.server.deletionSteps == [.data, .user, .revocation])
    #expect(scene.world.server.revocations.map(\.code) == [scene.code])
    #expect(scene.world.server.revocations.map(\.accountExisted) == [false])
    #expect(scene.lists.of(uid) == [])
    try expectRefusal("USER_NOT_FOUND") { try scene.device.reload() }
    #expect(scene.device.currentUser == nil)
    // The old token still passes a plain check until it expires.
    #expect(scene.ask("GET", "v1/me", token: token).status == 200)
    #expect(scene.world.apple.authorize(World.alice, nonce: nil, at: scene.world.now).askedForConsent)
    #expect(try scene.device.signIn(with: scene.world.appleCredential()).isNewUser)
    #expect(try scene.device.uid != uid)
    #expect(scene.lists.of(try scene.device.uid) == [])
  }

  @Test("scene 7: a revocation that fails does not matter; data that stays keeps the account")
  func failures() throws {
    let scene = try Scene()
    scene.lists.fails.withLock { $0 = true }
    let token = try scene.device.idToken()
    #expect(scene.ask("DELETE", "v1/account", token: token).status == 500)
    #expect(scene.server.deletionSteps == [])
    try scene.device.reload()
    scene.lists.fails.withLock { $0 = false }
    #expect(
      scene.ask("DELETE", "v1/account", token: token, body: ["authorizationCode": "wrong"]) == ExampleResponse(200, ["deleted": true, "revoked": false]))
    #expect(scene.server.deletionSteps == [.data, .user])
    #expect(try scene.world.admin.accountCount() == 0)
    #expect(scene.ask("DELETE", "v1/account", token: token).status == 500)
  }
}

import Identity
import JSON
import Testing

/// The payload of each provider in each state, as JSON, against the shapes of section 2a.
@Suite("Payloads of accounts")
struct PayloadsOfStates {
  struct Example: Sendable, CustomTestStringConvertible {
    let provider: String
    /// What the provider's account carries when it is plain.
    let identities: JSONObject
    let account: JSONObject
    var testDescription: String { provider }

    init(_ provider: String, identities: JSONObject, _ account: JSONObject = [:]) {
      (self.provider, self.identities, self.account) = (provider, identities, account)
    }
  }

  static let examples = [
    Example("password", identities: ["email": ["a@b.c"]], ["email": "a@b.c", "email_verified": false]),
    Example("emailLink", identities: ["email": ["a@b.c"]], ["email": "a@b.c", "email_verified": true]),
    Example("phone", identities: ["phone": ["+15555550100"]], ["phone_number": "+15555550100"]),
    Example("anonymous", identities: [:], ["provider_id": "anonymous"]),
    Example("custom", identities: [:], ["role": "r"]),
    Example("apple.com", identities: ["apple.com": ["7"]]),
    Example(
      "google.com", identities: ["email": ["a@b.c"], "google.com": ["7"]],
      ["name": "N", "picture": "https://p", "email": "a@b.c", "email_verified": true]),
    Example("facebook.com", identities: ["facebook.com": ["7"]]),
    Example("twitter.com", identities: ["twitter.com": ["7"]]),
    Example("github.com", identities: ["github.com": ["7"]]),
    Example("microsoft.com", identities: ["microsoft.com": ["7"]]),
    Example("yahoo.com", identities: ["yahoo.com": ["7"]]),
    Example("oidc.line", identities: ["oidc.line": ["7"]], ["name": "N"]),
    Example("saml.x", identities: ["email": ["a@b.c"], "saml.x": ["7"]], ["email": "a@b.c", "email_verified": true]),
  ]

  static func signIn(_ provider: String, _ world: World, tenant: String? = nil) throws -> Device {
    let device = world.server.device(tenant: tenant)
    for id in ["oidc.line", "saml.x"] {
      try world.admin.configure(ProviderConfiguration(id: id, clientID: "c", issuer: "https://i"))
    }
    switch provider {
    case "password": try device.createUser(email: "a@b.c", password: "secret1")
    case "emailLink":
      try device.sendSignInLink(to: "a@b.c")
      try device.signIn(with: .emailLink(email: "a@b.c", link: world.lastLink()))
    case "phone": try device.signIn(with: world.phoneCredential("+15555550100", on: device))
    case "anonymous": try device.signInAnonymously()
    case "custom": try device.signIn(
      customToken: CustomToken.make(uid: "U", claims: ["role": "r"], tenant: tenant, at: world.now))
    case "google.com": try device.signIn(
      with: world.credential(
        provider, ["sub": "7", "email": "a@b.c", "email_verified": true, "name": "N", "picture": "https://p"]))
    case "oidc.line": try device.signIn(with: world.credential(provider, ["sub": "7", "name": "N"]))
    case "saml.x": try device.signIn(
      with: world.credential(provider, ["sub": "7", "email": "a@b.c", "attributes": ["dept": "d"]]))
    default: try device.signIn(with: world.credential(provider, ["sub": "7"]))
    }
    return device
  }

  /// The whole payload, from what the states make of it.
  func expected(
    _ example: Example, _ device: Device, at now: Int64, begun: Int64 = World.start, provider: String? = nil,
    identities: JSONObject? = nil,
    account: JSONObject? = nil, firebase extras: JSONObject = [:]
  ) throws -> JSONObject {
    let name = provider ?? (example.provider == "emailLink" ? "password" : example.provider)
    var firebase: JSONObject = [
      "identities": .object(identities ?? example.identities), "sign_in_provider": .string(name),
    ]
    if name == "saml.x" { firebase["sign_in_attributes"] = ["dept": "d"] }
    for (key, value) in extras.members { firebase[key] = value }
    let uid = JSONValue.string(try device.uid)
    var payload: JSONObject = account ?? example.account
    for (key, value) in [
      ("auth_time", .int(begun)), ("user_id", uid), ("firebase", .object(firebase)), ("iat", .int(now)),
      ("exp", .int(now + 3600)),
      ("aud", "demo"), ("iss", "https://securetoken.google.com/demo"), ("sub", uid),
    ] as [(String, JSONValue)] { payload[key] = value }
    return payload
  }

  @Test("as signed in, and unchanged but for its times after a refresh", arguments: examples)
  func plain(example: Example) throws {
    let world = World()
    let device = try Self.signIn(example.provider, world)
    #expect(try device.payload == expected(example, device, at: world.now))
    world.clock.advance(seconds: 100)
    try device.idToken(forcingRefresh: true)
    #expect(try device.payload == expected(example, device, at: world.now))
  }

  @Test("with custom claims: beside the account's own, which they cannot replace", arguments: examples)
  func claims(example: Example) throws {
    let world = World()
    let device = try Self.signIn(example.provider, world)
    try world.admin.setCustomClaims(
      [
        "admin": true, "role": "mine", "email": "root@b.c", "email_verified": true, "phone_number": "+1",
        "provider_id": "x", "user_id": "root",
      ], of: device.uid)
    try device.idToken(forcingRefresh: true)
    var account = example.account
    account["admin"] = true
    // The claims of a session win over the account's.
    if example.provider != "custom" { account["role"] = "mine" }
    #expect(try device.payload == expected(example, device, at: world.now, account: account))
  }

  @Test("with a name as a claim: it wins over the profile's", arguments: examples)
  func names(example: Example) throws {
    let world = World()
    let device = try Self.signIn(example.provider, world)
    try device.updateProfile(displayName: "Profile", photoURL: "https://q")
    try device.idToken(forcingRefresh: true)
    var account = example.account
    account["name"] = "Profile"
    account["picture"] = "https://q"
    #expect(try device.payload == expected(example, device, at: world.now, account: account))
    try world.admin.setCustomClaims(["name": "Claim"], of: device.uid)
    try device.idToken(forcingRefresh: true)
    account["name"] = "Claim"
    #expect(try device.payload == expected(example, device, at: world.now, account: account))
  }

  @Test("with GitHub linked: the linked provider's session, and one identity more", arguments: examples)
  func linked(example: Example) throws {
    guard example.provider != "github.com" else { return }
    let world = World()
    let device = try Self.signIn(example.provider, world)
    world.clock.advance(seconds: 7)
    try device.link(with: world.credential("github.com", ["sub": "9"]))
    var identities = example.identities
    identities["github.com"] = ["9"]
    var account = example.account
    account["provider_id"] = nil
    account["role"] = nil
    #expect(
      try device.payload == expected(
        example, device, at: world.now, begun: world.now, provider: "github.com", identities: identities,
        account: account))
  }

  @Test("with a verified address, where there is one", arguments: examples)
  func verified(example: Example) throws {
    let world = World()
    let device = try Self.signIn(example.provider, world)
    guard device.currentUser?.email != nil else {
      try expectRefusal("MISSING_EMAIL") { try device.sendEmailVerification() }
      return
    }
    try device.sendEmailVerification()
    try device.applyActionCode(world.lastCode(.verifyEmail))
    try device.idToken(forcingRefresh: true)
    var account = example.account
    account["email_verified"] = true
    #expect(try device.payload == expected(example, device, at: world.now, account: account))
  }

  @Test("with a verified address and a second factor, where the provider may have one", arguments: examples)
  func secondFactor(example: Example) throws {
    let world = World()
    let device = try Self.signIn(example.provider, world)
    guard !["anonymous", "phone", "custom"].contains(example.provider) else {
      try expectRefusal("UNSUPPORTED_FIRST_FACTOR") { try device.startTOTPEnrolment() }
      return
    }
    var account = example.account
    guard device.currentUser?.email != nil else {
      try expectRefusal("UNVERIFIED_EMAIL") { try device.startTOTPEnrolment() }
      return
    }
    try world.admin.setEmailVerified(true, device.uid)
    account["email_verified"] = true
    let secret = try device.startTOTPEnrolment()
    let key = try #require(Base32.decode(secret.sharedSecretKey))
    try device.finishEnrolment(sessionInfo: secret.sessionInfo, code: TOTP.code(secret: key, at: world.now))
    let id = JSONValue.string(try #require(device.currentUser?.secondFactors.first).id)
    let factor: JSONObject = ["second_factor_identifier": id, "sign_in_second_factor": "totp"]
    #expect(try device.payload == expected(example, device, at: world.now, account: account, firebase: factor))
  }

  @Test("of a tenant: the tenant in the token, and accounts apart from the project's", arguments: examples)
  func tenant(example: Example) throws {
    guard example.provider != "phone" else {
      return _ = try expectRefusal("UNSUPPORTED_TENANT_OPERATION") { try Self.signIn("phone", World(), tenant: "t-1") }
    }
    let world = World()
    let device = try Self.signIn(example.provider, world, tenant: "t-1")
    #expect(try device.payload == expected(example, device, at: world.now, firebase: ["tenant": "t-1"]))
    if example.provider != "custom" {
      let other = try Self.signIn(example.provider, world)
      #expect(try other.uid != device.uid)
    }
  }

  @Test("in the emulator auth_time is the account's last login, wherever that was; in production the session's own")
  func authTime() throws {
    for (settings, expected) in [(AuthSettings.emulator, World.start + 50), (.articles, World.start)] {
      let world = World(settings)
      let device = try world.signedUp()
      world.clock.advance(seconds: 50)
      let other = world.device()
      try other.signIn(email: "alice@example.com", password: "secret1")
      try device.idToken(forcingRefresh: true)
      #expect(try device.payload["auth_time"] == .int(expected))
      #expect(try other.payload["auth_time"] == .int(World.start + 50))
    }
  }
}

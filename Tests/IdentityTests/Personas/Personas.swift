import JSON
import Testing

@testable import Identity

/// A persona is the user that a test declares, with an account behind it.
@Suite("A persona")
struct Personas {
  /// Profiles as test files declare them.
  static let profiles: [(Provider, JSONObject)] = [
    (.password, [:]),
    (.password, ["email": "A@example.com", "email_verified": true, "phone": "+15555550100", "claims": ["admin": true]]),
    (.password, ["email_verified": true, "mfa": "totp"]),
    (.password, ["email_verified": true, "mfa": ["factor": "phone", "identifier": "f1"], "tenant": "team-a"]),
    (.emailLink, ["name": "Link"]),
    (.phone, [:]),
    (.phone, ["phone": "+15555550101", "claims": ["level": 3]]),
    (.anonymous, [:]),
    (.apple, [:]),
    (.apple, ["email": "x@privaterelay.appleid.com", "name": "Apple", "phone": "+15555550102"]),
    (.google, [:]),
    (.google, ["email_verified": true, "mfa": "totp", "picture": "https://example.com/p.png"]),
    (.facebook, ["email": "f@example.com", "email_verified": false]),
    (.twitter, ["name": "Bird"]),
    (.github, ["email": "h@example.com", "raw_id": "12345"]),
    (.microsoft, ["auth_time": 1_767_000_000]),
    (.yahoo, ["email": "y@example.com"]),
    (.oidc("oidc.line"), ["name": "Line", "sign_in_attributes": ["team": "a"]]),
    (.saml("saml.acme"), ["email": "s@example.com", "sign_in_attributes": ["role": "clerk"]]),
    (.custom, ["claims": ["level": 3]]),
  ]

  static func server(_ clock: ManualAuthClock = ManualAuthClock()) -> AuthServer {
    var settings = AuthSettings.articles
    settings.recentLogin = nil
    settings.requiresProviderConfiguration = false
    settings.passwordCost = .none
    return AuthServer(project: "demo", settings: settings, clock: clock, seed: 1)
  }

  @Test("has just the token that its user has without an account", arguments: profiles.indices)
  func sameToken(index: Int) throws {
    let (provider, options) = Self.profiles[index]
    let profile = try UserProfile(provider: provider, name: "alice", options: options)
    let server = Self.server()
    let persona = try Persona(profile, on: server)
    let expected = try ProviderClaims.payload(for: profile, at: 1_767_225_600, project: "demo")
    #expect(try persona.device.payload == expected)
    #expect(try persona.device.payload.members.map(\.key) == expected.members.map(\.key))
    try persona.refresh()
    #expect(try persona.device.payload == expected)
    #expect(try AccountAudit.findings(server) == [])
  }

  @Test(
    "comes back to the same uid in the same way, unless nothing leads back",
    arguments: profiles.indices, ["sign out", "reinstall"])
  func comesBack(index: Int, how: String) throws {
    let (provider, options) = Self.profiles[index]
    let clock = ManualAuthClock()
    var persona = try Persona(
      try UserProfile(provider: provider, name: "alice", options: options), on: Self.server(clock))
    clock.advance(seconds: 40)
    for _ in 0..<3 {
      let before = try persona.device.payload
      if how == "reinstall" { persona.reinstall() } else { persona.signOut() }
      #expect(try persona.token() == nil)
      try persona.signIn()
      let after = try persona.device.payload
      #expect((persona.uid == "alice") == (provider != .anonymous))
      #expect(after["auth_time"] == 1_767_225_640)
      guard provider != .anonymous else { continue }
      var expected = before
      for name in ["iat", "exp", "auth_time"] { expected[name] = after[name] }
      #expect(after == expected)
    }
  }

  @Test("has another uid after its account was deleted; a custom token alone names the old one", arguments: profiles.indices)
  func deleted(index: Int) throws {
    let (provider, options) = Self.profiles[index]
    let server = Self.server()
    var persona = try Persona(try UserProfile(provider: provider, name: "alice", options: options), on: server)
    try persona.delete()
    #expect(!persona.isSignedIn)
    try persona.signIn()
    #expect((persona.uid == "alice") == (provider == .custom))
    #expect(try persona.device.signInProvider == provider.signInProvider)
    if provider == .password { #expect(try persona.device.payload["email_verified"] == false) }
    if provider == .custom { #expect(try persona.device.payload["level"] == 3) }
    #expect(try AccountAudit.findings(server) == [])
  }

  static let linkable: [(Provider, JSONObject)] = [
    (.password, [:]), (.emailLink, ["email": "n@example.com"]), (.phone, [:]), (.apple, ["name": "Al"]),
    (.google, ["email": "g@example.com"]), (.github, [:]), (.oidc("oidc.line"), ["sign_in_attributes": ["x": 1]]),
    (.saml("saml.acme"), [:]),
  ]

  @Test(
    "keeps its uid when it links, and comes back in the linked way", arguments: linkable.indices)
  func links(index: Int) throws {
    let (provider, options) = Self.linkable[index]
    let server = Self.server()
    var guest = try Persona(try UserProfile(provider: .anonymous, name: "guest", options: [:]), on: server)
    try guest.link(provider, options: options)
    #expect(guest.uid == "guest")
    #expect(try guest.device.signInProvider == provider.signInProvider)
    #expect(try guest.device.payload["provider_id"] == nil)
    guest.reinstall()
    try guest.signIn()
    #expect(guest.uid == "guest")
    #expect(try guest.device.signInProvider == provider.signInProvider)
    #expect(Persona.linkOptionNames(provider).isEmpty == false)
    #expect(try AccountAudit.findings(server) == [])
  }

  @Test("is refused what somebody else has, or what cannot be")
  func refused() throws {
    let server = Self.server()
    let google: JSONObject = ["raw_id": "1", "email": "a@example.com"]
    var alice = try Persona(try UserProfile(provider: .google, name: "alice", options: google), on: server)
    var guest = try Persona(try UserProfile(provider: .anonymous, name: "guest", options: [:]), on: server)
    try expectRefusal("DUPLICATE_LOCAL_ID") {
      try Persona(try UserProfile(provider: .apple, name: "alice", options: [:]), on: server)
    }
    try expectRefusal("EMAIL_EXISTS") {
      try Persona(try UserProfile(provider: .password, name: "b", options: ["email": "a@example.com"]), on: server)
    }
    try expectRefusal("FEDERATED_USER_ID_ALREADY_LINKED") { try guest.link(.google, options: google) }
    try expectRefusal("EMAIL_EXISTS") { try guest.link(.password, options: ["email": "a@example.com"]) }
    try expectRefusal("PROVIDER_ALREADY_LINKED") { try alice.link(.google, options: [:]) }
    try expectRefusal("INVALID_PROVIDER_ID") { try guest.link(.custom, options: [:]) }
    #expect(Persona.linkOptionNames(.custom).isEmpty && Persona.linkOptionNames(.anonymous).isEmpty)
    try expectRefusal("MISSING_EMAIL : email_verified") { try guest.change(["email_verified": true]) }
    try expectRefusal("INVALID_ARGUMENT : disabled") { try guest.change(["disabled": "yes"]) }
    try expectRefusal("FORBIDDEN_CLAIM : sub") { try guest.change(["claims": ["sub": "x"]]) }
    try expectRefusal("UNEXPECTED_PARAMETER : uid") { try guest.change(["uid": "x"]) }
    try alice.change(["disabled": true, "name": .null])
    try expectRefusal("USER_DISABLED") { try alice.delete() }
    #expect(!alice.isSignedIn)
    try expectRefusal("USER_DISABLED") { try alice.signIn() }
    // Somebody else's password is somebody else's.
    var carol = try Persona(try UserProfile(provider: .password, name: "carol", options: [:]), on: server)
    try carol.delete()
    try guest.link(.password, options: ["email": "carol@example.com"])
    try expectRefusal("INVALID_PASSWORD") { try carol.signIn() }
  }

  @Test("sees a change, and the end of its sessions, with the next token")
  func nextToken() throws {
    var alice = try Persona(try UserProfile(provider: .password, name: "alice", options: [:]), on: Self.server())
    try alice.change(["claims": ["admin": true], "email_verified": true, "name": "Alice"])
    #expect(try alice.device.payload["admin"] == nil)
    try alice.refresh()
    #expect(try alice.device.payload["admin"] == true)
    #expect(try alice.device.payload["email_verified"] == true)
    #expect(try alice.device.payload["name"] == "Alice")
    try alice.revoke()
    #expect(alice.isSignedIn)
    try alice.refresh()
    #expect(!alice.isSignedIn)
    try alice.signIn()
    try alice.refresh()
    #expect(alice.isSignedIn && alice.uid == "alice")
  }
}

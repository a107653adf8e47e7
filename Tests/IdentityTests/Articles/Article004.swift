import Identity
import JSON
import Testing

/// Article 004: FirebaseUI for SwiftUI, without its screens.
@Suite("Article 004: FirebaseUI")
struct Article004 {
  func flow(_ world: World, _ device: Device? = nil, upgrading: Bool = false) -> AuthFlow {
    var configuration = AuthFlow.Configuration()
    configuration.upgradesAnonymousUsers = upgrading
    configuration.continueURL = "https://app.example.com/finish"
    return AuthFlow(device: device ?? world.device(), configuration: configuration)
  }

  func signedIn(_ outcome: AuthFlow.Outcome) throws -> AuthDataResult {
    guard case .signedIn(let result) = outcome else { throw IdentityError(code: "TEST", message: "not signed in") }
    return result
  }

  func conflict(_ body: () throws(AuthFlowError) -> AuthFlow.Outcome) throws -> AccountConflict {
    do throws(AuthFlowError) {
      _ = try body()
    } catch {
      guard case .accountConflict(let conflict) = error else { throw error }
      return conflict
    }
    throw IdentityError(code: "TEST", message: "no conflict")
  }

  @Test("scene 1: unauthenticated, authenticating, authenticated")
  func phases() throws {
    let world = World()
    let flow = flow(world)
    #expect(flow.phase == .unauthenticated)
    #expect(throws: AuthFlowError.self) { try flow.signIn(with: .password(email: "a@b.c", password: "secret1")) }
    #expect(flow.phase == .unauthenticated)
    #expect(try signedIn(flow.createUser(email: "a@b.c", password: "secret1")).isNewUser)
    #expect(flow.phase == .authenticated)
    #expect(AuthFlow(device: flow.device).phase == .authenticated)
    flow.signOut()
    #expect(flow.phase == .unauthenticated)
  }

  @Test(
    "scene 2: every provider of the picker",
    arguments: [
      "apple.com", "google.com", "facebook.com", "twitter.com", "github.com", "microsoft.com", "yahoo.com",
      "oidc.line", "oidc.custom-provider",
    ])
  func providers(id: String) throws {
    let world = World()
    for id in ["oidc.line", "oidc.custom-provider"] {
      try world.admin.configure(ProviderConfiguration(id: id, clientID: "c", issuer: "https://i"))
    }
    let flow = flow(world)
    let credential = id == "apple.com" ? world.appleCredential() : world.credential(id, ["sub": "1"])
    #expect(try signedIn(flow.signIn(with: credential)).signInProvider == id)
    #expect(try flow.device.signInProvider == id)
  }

  @Test("scene 3: an e-mail link is opened on the device that asked for it, without typing the address again")
  func emailLink() throws {
    let world = World()
    let flow = flow(world)
    #expect(throws: AuthFlowError.invalidEmailLink) { try flow.handleSignInLink("https://app.example.com/") }
    try flow.sendSignInLink(to: "alice@example.com")
    #expect(flow.rememberedEmail == "alice@example.com")
    let link = try world.lastLink()
    // On another device nobody is remembered, and the address must be typed in.
    #expect(throws: AuthFlowError.invalidEmailLink) { try self.flow(world).handleSignInLink(link) }
    #expect(try signedIn(flow.handleSignInLink(link)).isNewUser)
    #expect(flow.rememberedEmail == nil)
    #expect(try flow.device.signInProvider == "password")
  }

  @Test("scene 4: a second factor is asked for with a resolver, by SMS and by authenticator app")
  func secondFactor() throws {
    let world = World()
    let owner = try world.verified()
    let sms = try owner.startEnrolment(phoneNumber: "+15555550100")
    try owner.finishEnrolment(sessionInfo: sms, code: #require(world.server.smsCodes.last).code)
    let totp = try owner.startTOTPEnrolment()
    let key = try #require(Base32.decode(totp.sharedSecretKey))
    try owner.finishEnrolment(sessionInfo: totp.sessionInfo, code: TOTP.code(secret: key, at: world.now))
    world.clock.advance(seconds: 60)
    for kind in SecondFactor.Kind.allCases {
      let flow = flow(world)
      guard case .mfaRequired(let resolver) = try flow.signIn(
        with: .password(email: "alice@example.com", password: "secret1")) else {
        Issue.record("no second factor")
        return
      }
      #expect(flow.phase == .authenticating)
      #expect(flow.device.currentUser == nil)
      #expect(resolver.hints.map(\.kind) == [.phone, .totp])
      let hint = try #require(resolver.hints.first { $0.kind == kind })
      if kind == .phone {
        let id = try resolver.sendSMS(hint)
        #expect(throws: AuthFlowError.self) { try resolver.resolve(verificationID: id, code: "") }
        try resolver.resolve(verificationID: id, code: #require(world.server.smsCodes.last).code)
      } else {
        #expect(throws: AuthFlowError.self) { try resolver.resolve(hint, totp: "12345") }
        try resolver.resolve(hint, totp: TOTP.code(secret: key, at: world.now))
      }
      #expect(flow.phase == .authenticated)
      #expect(try flow.device.idTokenResult().signInSecondFactor == kind.rawValue)
    }
    let flow = flow(world)
    guard case .mfaRequired(let resolver) = try flow.signIn(
      with: .password(email: "alice@example.com", password: "secret1")) else {
      return
    }
    resolver.cancel()
    #expect(flow.phase == .unauthenticated)
  }

  @Test("scene 5: an account conflict keeps the credential, which is linked after the next sign-in")
  func accountConflict() throws {
    let world = World()
    let uid = try world.signedUp().uid
    let flow = flow(world)
    let conflict = try conflict { () throws(AuthFlowError) in
      try flow.signIn(with: world.credential("github.com", ["sub": "1", "email": "alice@example.com"]))
    }
    #expect(conflict.kind == .accountExistsWithDifferentCredential)
    #expect(conflict.email == "alice@example.com")
    #expect(flow.phase == .unauthenticated)
    #expect(flow.pendingCredential == conflict.credential)
    #expect(flow.pendingCredential != nil)
    let result = try signedIn(flow.signIn(with: .password(email: "alice@example.com", password: "secret1")))
    #expect(result.user.uid == uid)
    #expect(result.user.providerData.map(\.id) == ["password", "github.com"])
    #expect(flow.pendingCredential == nil)
    #expect(try signedIn(self.flow(world).signIn(with: world.credential("github.com", ["sub": "1"]))).user.uid == uid)
  }

  @Test("scene 5b: a pending credential that cannot be linked is let go, and the sign-in stands")
  func swallowed() throws {
    let world = World()
    _ = try world.signedUp()
    let flow = flow(world)
    _ = try conflict { () throws(AuthFlowError) in
      try flow.signIn(with: world.credential("github.com", ["sub": "1", "email": "alice@example.com"]))
    }
    // Somebody else's account has GitHub already.
    let other = world.device()
    try other.signIn(with: world.credential("github.com", ["sub": "2"]))
    try other.link(with: .password(email: "bob@example.com", password: "secret1"))
    let result = try signedIn(flow.signIn(with: .password(email: "bob@example.com", password: "secret1")))
    #expect(result.user.email == "bob@example.com")
    #expect(result.user.providerData.map(\.rawID) == ["2", "bob@example.com"])
    #expect(flow.pendingCredential == nil)
  }

  @Test("scene 6: an anonymous user is upgraded by every sign-in", arguments: 0...3)
  func upgrade(way: Int) throws {
    let world = World()
    let flow = flow(world, upgrading: true)
    try flow.signInAnonymously()
    let uid = try flow.device.uid
    switch way {
    case 0: try flow.createUser(email: "a@b.c", password: "secret1")
    case 1: try flow.signIn(with: world.appleCredential())
    case 2: try flow.signIn(with: world.phoneCredential("+15555550100", on: flow.device))
    default:
      try flow.sendSignInLink(to: "a@b.c")
      let link = try world.lastLink()
      #expect(link.contains("ui_auid%3D" + uid))
      try flow.handleSignInLink(link)
    }
    #expect(try flow.device.uid == uid)
    #expect(flow.device.currentUser?.isAnonymous == false)
  }

  @Test("scene 6b: without the setting a sign-in is another user")
  func noUpgrade() throws {
    let world = World()
    let flow = flow(world)
    try flow.signInAnonymously()
    let uid = try flow.device.uid
    try flow.signIn(with: world.appleCredential())
    #expect(try flow.device.uid != uid)
  }

  @Test(
    "scene 7: an upgrade that meets an account: signed out, signed in there, and the anonymous data left behind",
    arguments: ["provider", "address", "phone"])
  func upgradeConflict(kind: String) throws {
    let world = World()
    let owner = world.device()
    switch kind {
    case "provider": try owner.signIn(with: world.appleCredential())
    case "address": try owner.createUser(email: "a@b.c", password: "secret1")
    default: try owner.signIn(with: world.phoneCredential("+15555550100", on: owner))
    }
    let flow = flow(world, upgrading: true)
    try flow.signInAnonymously()
    let guest = try flow.device.uid
    let credential: AuthCredential = switch kind {
    case "provider": world.appleCredential()
    case "address": .password(email: "a@b.c", password: "secret1")
    default: try world.phoneCredential("+15555550100", on: flow.device)
    }
    let conflict = try conflict { () throws(AuthFlowError) in try flow.signIn(with: credential) }
    #expect(conflict.kind == .anonymousUpgradeConflict)
    #expect(try flow.device.uid == guest)
    #expect(flow.phase == .authenticated)
    #expect(try signedIn(flow.signInAfterConflict(conflict)).user.uid == owner.uid)
    #expect(try world.admin.account(guest).isAnonymous)
  }

  @Test("scene 7b: a link for another anonymous user is refused")
  func foreignLink() throws {
    let world = World()
    let first = flow(world, upgrading: true)
    try first.signInAnonymously()
    try first.sendSignInLink(to: "a@b.c")
    let second = flow(world, upgrading: true)
    try second.signInAnonymously()
    #expect(throws: AuthFlowError.invalidEmailLink) { try second.handleSignInLink(world.lastLink(), email: "a@b.c") }
  }

  @Test(
    "scene 8: the four ways to prove again who it is, each with its message, and the operation is tried again",
    arguments: ["oauth", "email", "emailLink", "phone"])
  func reauthentication(way: String) throws {
    let world = World()
    let flow = flow(world)
    func credential() throws -> AuthCredential {
      switch way {
      case "oauth": return world.appleCredential()
      case "email": return .password(email: "a@b.c", password: "secret1")
      case "phone": return try world.phoneCredential("+15555550100", on: flow.device)
      default:
        try flow.sendSignInLink(to: "a@b.c")
        return .emailLink(email: "a@b.c", link: try world.lastLink())
      }
    }
    if way == "email" { try flow.createUser(email: "a@b.c", password: "secret1") } else {
      try flow.signIn(with: credential())
    }
    let uid = try flow.device.uid
    world.clock.advance(seconds: 301)
    let expected: ReauthenticationContext = switch way {
    case "oauth": .oauth(uid: uid, providerID: "apple.com", name: "Apple")
    case "email": .email(uid: uid, email: "a@b.c")
    case "phone": .phone(uid: uid, number: "+15555550100")
    default: .emailLink(uid: uid, email: "a@b.c")
    }
    let messages = [
      "oauth": "Sign in with Apple again to continue.", "email": "Enter the password of a@b.c again to continue.",
      "emailLink": "Open the link that was sent to a@b.c to continue.",
      "phone": "Enter the code that was sent to +15555550100 to continue.",
    ]
    #expect(expected.displayMessage == messages[way])
    let delete: @Sendable (Device) throws(IdentityError) -> Void = { (device) throws(IdentityError) in
      try device.deleteUser()
    }
    #expect(throws: AuthFlowError.reauthenticationRequired(expected)) { try flow.perform(delete) }
    // Another way, and another person, will not do.
    #expect(throws: AuthFlowError.self) { try flow.retry(expected, with: .google(idToken: "{\"sub\":\"1\"}"), delete) }
    if way == "oauth" {
      #expect(throws: AuthFlowError.self) { try flow.retry(expected, with: world.appleCredential(World.bob), delete) }
    }
    #expect(try world.admin.accounts().map(\.uid).contains(uid))
    try flow.retry(expected, with: credential(), delete)
    #expect(flow.phase == .unauthenticated)
    #expect(try !world.admin.accounts().map(\.uid).contains(uid))
  }

  @Test("scene 8b: a session that was ended is proved by signing in again, as the same user")
  func ended() throws {
    let world = World()
    let flow = flow(world)
    try flow.createUser(email: "a@b.c", password: "secret1")
    let uid = try flow.device.uid
    _ = try world.signedUp("bob@example.com")
    world.clock.advance(seconds: 1)
    try world.admin.revokeRefreshTokens(of: uid)
    let reload: @Sendable (Device) throws(IdentityError) -> Void = { (device) throws(IdentityError) in
      try device.reload()
    }
    #expect(throws: AuthFlowError.reauthenticationRequired(.email(uid: uid, email: "a@b.c"))) { try flow.perform(reload) }
    #expect(flow.phase == .unauthenticated)
    #expect(throws: AuthFlowError.self) { try flow.retry(.email(uid: uid, email: "a@b.c"), with: .password(email: "bob@example.com", password: "secret1"), reload) }
    #expect(flow.device.currentUser == nil)
    try flow.retry(.email(uid: uid, email: "a@b.c"), with: .password(email: "a@b.c", password: "secret1"), reload)
    #expect(flow.phase == .authenticated)
    #expect(throws: AuthFlowError.noCurrentUser) { try self.flow(world).perform(reload) }
  }
}

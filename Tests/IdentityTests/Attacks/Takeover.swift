import JSON
import Testing

@testable import Identity

/// Somebody tries to come into an account that is not theirs, or to stay in it.
@Suite("Attacks: taking accounts over")
struct Takeover {
  /// An attacker's account with the victim's address, which nobody has proved.
  private func squat(_ world: World) throws -> Device { try world.signedUp("victim@example.com", password: "attacker1") }

  private func arrive(_ world: World) throws -> Device {
    let victim = world.device()
    world.clock.advance(seconds: 5)
    try victim.signIn(with: world.googleCredential("v", email: "victim@example.com"))
    return victim
  }

  @Test("a change of address that waits for its mail does not outlive the arrival of the address's owner")
  func waitingChange() throws {
    let world = World(.production)
    let attacker = try squat(world)
    try attacker.sendEmailVerification(beforeUpdatingEmail: "evil@example.com")
    let code = try world.lastCode(.changeEmail)
    let victim = try arrive(world)
    #expect(try victim.uid == attacker.uid)
    try expectRefusal("INVALID_OOB_CODE") { try world.server.applyCode(code) }
    #expect(try world.admin.account(victim.uid).email == "victim@example.com")
  }

  @Test("nor does it outlive a new password that came by mail")
  func waitingChangeAndReset() throws {
    let world = World(.production)
    let attacker = try squat(world)
    try attacker.sendEmailVerification(beforeUpdatingEmail: "evil@example.com")
    let code = try world.lastCode(.changeEmail)
    try world.server.sendPasswordReset(to: "victim@example.com")
    try world.server.resetPassword(code: world.lastCode(.passwordReset), newPassword: "victim1")
    try expectRefusal("INVALID_OOB_CODE") { try world.server.applyCode(code) }
  }

  @Test(
    "a way back to an address that the account had before goes with it, if nobody had proved the present one",
    arguments: ["google", "reset"])
  func wayBack(how: String) throws {
    let world = World()
    let attacker = try world.signedUp("evil@example.com", password: "attacker1")
    try attacker.updateEmail(to: "victim@example.com")
    let code = try world.lastCode(.recoverEmail)
    if how == "google" {
      _ = try arrive(world)
    } else {
      try world.server.sendPasswordReset(to: "victim@example.com")
      try world.server.resetPassword(code: world.lastCode(.passwordReset), newPassword: "victim1")
    }
    try expectRefusal("INVALID_OOB_CODE") { try world.server.applyCode(code) }
    #expect(try world.admin.account(email: "victim@example.com") != nil)
  }

  @Test("whose address was taken away gets it back, also after the thief set a password; the thief does not")
  func recovery() throws {
    let world = World()
    let device = try world.verified("victim@example.com")
    try device.sendEmailVerification(beforeUpdatingEmail: "evil@example.com")
    try world.server.applyCode(world.lastCode(.changeEmail))
    let victims = try world.lastCode(.recoverEmail)
    let thief = world.device()
    try thief.signIn(email: "evil@example.com", password: "secret1")
    try thief.sendEmailVerification(beforeUpdatingEmail: "worse@example.com")
    try world.server.applyCode(world.lastCode(.changeEmail))
    let thiefs = try world.lastCode(.recoverEmail)
    #expect(thiefs != victims)
    try world.server.sendPasswordReset(to: "worse@example.com")
    try world.server.resetPassword(code: world.lastCode(.passwordReset), newPassword: "thief11")
    // The thief goes back a step; the victim's way back is an earlier one, and stays.
    try world.server.applyCode(thiefs)
    try world.server.applyCode(victims)
    #expect(try world.admin.account(email: "victim@example.com") != nil)
    #expect(world.server.emailCodes.isEmpty)
  }

  @Test("once the victim has gone back, later ways back are gone")
  func recoveryInOrder() throws {
    let world = World()
    let device = try world.signedUp("victim@example.com")
    try device.updateEmail(to: "evil@example.com")
    let victims = try world.lastCode(.recoverEmail)
    try device.updateEmail(to: "worse@example.com")
    let thiefs = try world.lastCode(.recoverEmail)
    try world.server.applyCode(victims)
    try expectRefusal("INVALID_OOB_CODE") { try world.server.applyCode(thiefs) }
    #expect(try world.admin.account(email: "victim@example.com") != nil)
  }

  @Test("what an attacker linked to the victim's address goes when the owner arrives: providers, number, factors, sessions")
  func linked() throws {
    let world = World()
    let attacker = try squat(world)
    let uid = try attacker.uid
    try attacker.link(with: world.credential("github.com", ["sub": "evil"]))
    try attacker.link(with: world.phoneCredential("+15555550166", on: attacker))
    _ = try arrive(world)
    #expect(try world.admin.account(uid).providerIDs == ["google.com"])
    try expectRefusal("TOKEN_EXPIRED") { try attacker.idToken(forcingRefresh: true) }
    try expectRefusal("INVALID_PASSWORD") {
      try world.device().signIn(email: "victim@example.com", password: "attacker1")
    }
    let again = world.device()
    try again.signIn(with: world.credential("github.com", ["sub": "evil"]))
    #expect(try again.uid != uid)
  }

  @Test("an identity provider that does not vouch for the address gets nothing of the account, with or without an account")
  func unverified() throws {
    let world = World()
    let victim = try world.verified("victim@example.com")
    let claims: JSONObject = ["sub": "evil", "email": "victim@example.com", "email_verified": true]
    let error = try expectRefusal("NEED_CONFIRMATION") {
      try world.device().signIn(with: world.credential("github.com", claims))
    }
    let pending = try #require(error.details?.credential)
    let attacker = try world.signedUp("evil@example.com")
    try expectRefusal("EMAIL_EXISTS") { try attacker.link(with: pending) }
    try expectRefusal("EMAIL_EXISTS") { try attacker.link(with: world.credential("github.com", claims)) }
    #expect(try world.admin.account(victim.uid).providerIDs == ["password"])
  }

  @Test("one provider's word is not taken for another's")
  func confusedProviders() throws {
    let world = World()
    let victim = try world.verified("victim@example.com")
    let oidc: JSONObject = [
      "iss": "https://evil.example", "sub": "1", "email": "victim@example.com", "email_verified": true,
    ]
    for id in ["google.com", "apple.com", "yahoo.com", "facebook.com", "microsoft.com", "github.com", "twitter.com"] {
      let error = try expectRefusal(
        "INVALID_IDP_RESPONSE : the ID token is not of \(id): its issuer is \"https://evil.example\""
      ) {
        try world.device().signIn(with: .oauth(providerID: id, idToken: UnsignedToken.encode(oidc)))
      }
      #expect(error.clientCode == .invalidCredential)
    }
    #expect(try world.admin.account(victim.uid).providerIDs == ["password"])
    for (id, issuer) in [
      ("google.com", "https://accounts.google.com"), ("google.com", "accounts.google.com"),
      ("apple.com", "https://appleid.apple.com"), ("yahoo.com", "https://api.login.yahoo.com"),
      ("facebook.com", "https://www.facebook.com"), ("microsoft.com", "https://login.microsoftonline.com/t/v2.0"),
    ] {
      let claims: JSONObject = ["iss": .string(issuer), "sub": .string("x" + issuer)]
      try world.device().signIn(with: .oauth(providerID: id, idToken: UnsignedToken.encode(claims)))
    }
    // The emulator does not look.
    let emulator = World(.emulator)
    try emulator.device().signIn(with: .oauth(providerID: "google.com", idToken: UnsignedToken.encode(oidc)))
  }

  @Test("an expired token of an identity provider is refused; by the emulator it is not")
  func expiredProviderToken() throws {
    for (settings, isTaken) in [(AuthSettings.articles, false), (.emulator, true)] {
      let world = World(settings)
      let apple = world.apple.authorize(World.alice, nonce: AppleNonce.hash("n"), at: world.now)
      world.clock.advance(seconds: 86_400)
      let credential = AuthCredential.apple(idToken: apple.idToken, rawNonce: "n")
      if isTaken {
        try world.device().signIn(with: credential)
      } else {
        try expectRefusal("INVALID_IDP_RESPONSE : the ID token has expired") {
          try world.device().signIn(with: credential)
        }
      }
    }
  }

  @Test("an address that becomes another's in lower case is none", arguments: ["\u{212A}im@example.com", "kim@\u{212A}.com"])
  func kelvin(address: String) throws {
    #expect(address.lowercased().utf8.allSatisfy { $0 < 128 })
    let world = World()
    let victim = try world.verified("kim@example.com")
    try expectRefusal("INVALID_EMAIL") { try world.device().createUser(email: address, password: "secret1") }
    try expectRefusal("INVALID_EMAIL") { try world.device().signIn(with: world.googleCredential("e", email: address)) }
    try expectRefusal("INVALID_EMAIL") { try world.server.sendPasswordReset(to: address) }
    #expect(try world.admin.account(victim.uid).providerIDs == ["password"])
  }

  @Test("a second factor is not gone around by phone, link, reset or another provider")
  func secondFactor() throws {
    let world = World()
    let device = try world.verified()
    let secret = try device.startTOTPEnrolment()
    let key = try #require(Base32.decode(secret.sharedSecretKey))
    try device.finishEnrolment(sessionInfo: secret.sessionInfo, code: TOTP.code(secret: key, at: world.now))
    try device.link(with: world.phoneCredential("+15555550100", on: device))
    try device.link(with: world.googleCredential("g"))
    let other = world.device()
    try expectRefusal("UNSUPPORTED_FIRST_FACTOR") {
      try other.signIn(with: world.phoneCredential("+15555550100", on: other))
    }
    try expectRefusal("SECOND_FACTOR_REQUIRED") { try other.signIn(with: world.googleCredential("g")) }
    try other.sendSignInLink(to: "alice@example.com")
    try expectRefusal("SECOND_FACTOR_REQUIRED") {
      try other.signIn(with: .emailLink(email: "alice@example.com", link: world.lastLink()))
    }
    try world.server.sendPasswordReset(to: "alice@example.com")
    try world.server.resetPassword(code: world.lastCode(.passwordReset), newPassword: "secret2")
    try expectRefusal("SECOND_FACTOR_REQUIRED") {
      try other.signIn(email: "alice@example.com", password: "secret2")
    }
    #expect(other.currentUser == nil)
  }

  @Test("an old ID token is no good for an account that was made anew under the same uid")
  func sameUID() throws {
    let world = World()
    let device = world.device()
    try device.signIn(customToken: CustomToken.make(uid: "u", at: world.now))
    let old = try #require(device.heldToken)
    let refresh = try #require(device.heldRefreshToken)
    let agents = AgentTokens(auth: world.server, seed: 1)
    let agent = try agents.make(for: "u", name: "a")
    try device.deleteUser()
    world.clock.advance(seconds: 1)
    try world.device().signIn(customToken: CustomToken.make(uid: "u", at: world.now))
    try expectRefusal("TOKEN_EXPIRED") { try world.server.lookup(idToken: old) }
    try expectRefusal("USER_NOT_FOUND") { try world.server.refresh(refresh) }
    #expect(agents.uid(of: agent) == nil)
  }
}

import Identity
import JSON
import Testing

/// Article 000, an overview of the SDK: its scenes in order. Each provider's details are in table 1a.
@Suite("Article 000: the SDK")
struct Article000 {
  @Test("scene 1: sign-up and sign-in with e-mail, and the messages of its switch over errors")
  func emailPassword() throws {
    let world = World()
    let device = world.device()
    func message(_ body: () throws -> Void) -> String {
      do {
        try body()
        return "ok"
      } catch let error as IdentityError {
        switch error.clientCode {
        case .userNotFound: return "no account"
        case .wrongPassword: return "wrong password"
        case .emailAlreadyInUse: return "in use"
        case .weakPassword: return "weak"
        case .invalidEmail: return "no address"
        case .networkError: return "offline"
        default: return "other"
        }
      } catch {
        return "unknown"
      }
    }
    #expect(message { try device.signIn(email: "a@b.c", password: "secret1") } == "no account")
    #expect(message { try device.createUser(email: "a@b.c", password: "123") } == "weak")
    #expect(message { try device.createUser(email: "a@b", password: "secret1") } == "ok")
    #expect(message { try device.createUser(email: "a@b", password: "secret1") } == "in use")
    #expect(message { try device.createUser(email: "ab", password: "secret1") } == "no address")
    #expect(message { try device.signIn(email: "a@b", password: "secret2") } == "wrong password")
    device.isOffline = true
    #expect(message { try device.signIn(email: "a@b", password: "secret1") } == "offline")
  }

  @Test("scene 2: verification, reset and profile change the account at once and the token at the next issue")
  func profile() throws {
    let world = World()
    let device = try world.signedUp()
    let uid = try device.uid
    try device.updateProfile(displayName: "Alice", photoURL: "https://p")
    try device.sendEmailVerification()
    try device.applyActionCode(world.lastCode(.verifyEmail))
    #expect(try device.payload["name"] == nil)
    world.clock.advance(seconds: 3601)
    try device.idToken()
    #expect(try device.payload["name"] == "Alice")
    #expect(try device.payload["email_verified"] == true)
    #expect(try device.payload["sub"] == .string(uid))
  }

  @Test("scene 3: Apple with a nonce, Google with two tokens, Facebook with one; three ways into three accounts")
  func oauth() throws {
    let world = World()
    let device = world.device()
    var uids: Set<String> = []
    for (credential, id) in [
      (world.appleCredential(), "apple.com"), (world.googleCredential(), "google.com"),
      (world.credential("facebook.com", ["id": "10"]), "facebook.com"),
    ] {
      #expect(try device.signIn(with: credential).isNewUser)
      #expect(try device.signInProvider == id)
      uids.insert(try device.uid)
    }
    #expect(uids.count == 3)
  }

  @Test("scene 4: the app writes the name itself when Apple gives none")
  func displayName() throws {
    let world = World()
    let device = world.device()
    try device.signIn(with: world.appleCredential())
    #expect(device.currentUser?.displayName == nil)
    if device.currentUser?.displayName == nil { try device.updateProfile(displayName: "Chosen") }
    world.clock.advance(seconds: 1)
    try device.idToken(forcingRefresh: true)
    #expect(try device.payload["name"] == "Chosen")
  }

  @Test("scene 5: phone, anonymous and custom token")
  func others() throws {
    let world = World()
    let device = world.device()
    try device.signIn(with: world.phoneCredential("+15555550100", on: device))
    #expect(try device.signInProvider == "phone")
    device.signOut()
    try device.signInAnonymously()
    #expect(try device.signInProvider == "anonymous")
    try device.signIn(customToken: CustomToken.make(uid: "server-1", at: world.now))
    #expect(try device.uid == "server-1")
  }

  @Test("scene 6: an anonymous user is upgraded, and keeps the uid")
  func upgrade() throws {
    let world = World()
    let device = world.device()
    try device.signInAnonymously()
    let uid = try device.uid
    try device.link(with: world.appleCredential())
    #expect(try device.uid == uid)
    #expect(try device.payload["provider_id"] == nil)
    device.reinstall()
    try device.signIn(with: world.appleCredential())
    #expect(try device.uid == uid)
  }

  @Test("scene 7: a sensitive operation late in the session, and again after reauthentication")
  func sensitive() throws {
    let world = World()
    let device = try world.signedUp()
    world.clock.advance(seconds: 301)
    #expect(
      try expectRefusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN") { try device.deleteUser() }.clientCode == .requiresRecentLogin)
    try device.reauthenticate(with: .password(email: "alice@example.com", password: "secret1"))
    try device.deleteUser()
    #expect(device.currentUser == nil)
  }

  @Test("scene 8: security monitoring reads who signed in how, and which tokens changed, from the event log")
  func monitoring() throws {
    let world = World()
    let device = try world.signedUp()
    world.clock.advance(seconds: 3400)
    try device.idToken()
    _ = try? device.signIn(email: "alice@example.com", password: "guess1")
    _ = try? device.signIn(email: "alice@example.com", password: "guess2")
    try device.deleteUser2()
    let names = device.events.map(\.name.rawValue)
    #expect(
      names == [
        "signed_in", "id_token_changed", "id_token_changed", "refused", "refused", "reauthenticated",
        "id_token_changed", "account_deleted",
      ])
    #expect(device.events.filter { $0.name == .refused }.map(\.detail) == ["INVALID_PASSWORD", "INVALID_PASSWORD"])
  }

  @Test("scene 9: getIDTokenResult feeds the choice of the screen; the biometric gate adds nothing to it")
  func gate() throws {
    let world = World()
    let device = try world.signedUp()
    device.setGate(BiometricGate { .recognized })
    #expect(device.unlock())
    let result = try device.idTokenResult()
    #expect(result.signInProvider == "password")
    #expect(
      result.claims.keys.sorted() == [
        "aud", "auth_time", "email", "email_verified", "exp", "firebase", "iat", "iss", "sub", "user_id",
      ])
  }
}

extension Device {
  /// Deletes a password user's account after a fresh login.
  fileprivate func deleteUser2() throws {
    try reauthenticate(with: .password(email: "alice@example.com", password: "secret1"))
    try deleteUser()
  }
}

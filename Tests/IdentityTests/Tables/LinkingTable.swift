import Identity
import JSON
import Testing

/// Table 1c of the specification, row by row: linking and its conflicts, reauthentication, deletion.
@Suite("1c. Linking, conflicts, deletion")
struct LinkingTable {
  @Test("link(email, password): the uid stays, the tokens are a password user's; EMAIL_EXISTS if taken")
  func linkPassword() throws {
    let world = World()
    _ = try world.signedUp("taken@example.com")
    let device = world.device()
    try device.signInAnonymously()
    let uid = try device.uid
    let error = try expectRefusal("EMAIL_EXISTS") { try device.link(with: .password(email: "taken@example.com", password: "secret1")) }
    #expect(error.clientCode == .emailAlreadyInUse)
    #expect(error.details?.email == "taken@example.com")
    #expect(try device.uid == uid)
    try device.link(with: .password(email: "a@b.c", password: "secret1"))
    #expect(try device.uid == uid)
    #expect(try device.signInProvider == "password")
    #expect(try device.payload["provider_id"] == nil)
    #expect(try device.payload["email_verified"] == false)
    #expect(device.currentUser?.isAnonymous == false)
    let elsewhere = world.device()
    try elsewhere.signIn(email: "a@b.c", password: "secret1")
    #expect(try elsewhere.uid == uid)
  }

  @Test("link(OAuth): taken identity, taken address, and an account without address gets the provider's")
  func linkProvider() throws {
    let world = World()
    let owner = world.device()
    try owner.signIn(with: world.googleCredential("g-1", email: "owner@example.com"))
    let device = world.device()
    try device.signInAnonymously()
    let uid = try device.uid
    let taken = try expectRefusal("FEDERATED_USER_ID_ALREADY_LINKED") { try device.link(with: world.googleCredential("g-1", email: "owner@example.com")) }
    #expect(taken.clientCode == .credentialAlreadyInUse)
    #expect(taken.details?.email == "owner@example.com")
    let email = try expectRefusal("EMAIL_EXISTS") { try device.link(with: world.credential("github.com", ["sub": "1", "email": "owner@example.com"])) }
    #expect(email.clientCode == .emailAlreadyInUse)
    #expect(try device.uid == uid)
    try device.link(with: world.googleCredential("g-2", email: "new@example.com", name: "New"))
    #expect(try device.uid == uid)
    #expect(try device.signInProvider == "google.com")
    #expect(try device.payload["email"] == "new@example.com")
    #expect(try device.payload["email_verified"] == true)
    #expect(try device.identities == ["email": ["new@example.com"], "google.com": ["g-2"]])
    // The credential that came with the error signs in to the owner.
    let credential = try #require(taken.details?.credential)
    try device.signIn(with: credential)
    #expect(try device.uid == owner.uid)
    #expect(
      try expectRefusal("INVALID_PENDING_TOKEN") { try device.signIn(with: credential) }.clientCode == .invalidCredential)
  }

  @Test("link(phone): a taken number gives a proof that signs in to its owner, and is no way around")
  func linkPhone() throws {
    let world = World()
    let owner = world.device()
    try owner.signIn(with: world.phoneCredential("+15555550100", on: owner))
    let device = try world.signedUp()
    let error = try expectRefusal("TEMPORARY_PROOF") { try device.link(with: world.phoneCredential("+15555550100", on: device)) }
    #expect(error.clientCode == .credentialAlreadyInUse)
    let proof = try #require(error.details?.credential)
    #expect(proof.providerID == "phone")
    try expectRefusal("PHONE_NUMBER_EXISTS") { try device.link(with: proof) }
    #expect(device.currentUser?.phoneNumber == nil)
    let other = world.device()
    try other.signIn(with: proof)
    #expect(try other.uid == owner.uid)
    try expectRefusal("INVALID_TEMPORARY_PROOF") { try other.signIn(with: proof) }
    try device.link(with: world.phoneCredential("+15555550199", on: device))
    #expect(try device.signInProvider == "phone")
    #expect(try device.identities == ["email": ["alice@example.com"], "phone": ["+15555550199"]])
  }

  @Test("link(email link): EMAIL_EXISTS if taken")
  func linkEmailLink() throws {
    let world = World()
    _ = try world.signedUp("taken@example.com")
    let device = world.device()
    try device.signInAnonymously()
    let uid = try device.uid
    try device.sendSignInLink(to: "taken@example.com")
    try expectRefusal("EMAIL_EXISTS") { try device.link(with: .emailLink(email: "taken@example.com", link: world.lastLink())) }
    try device.sendSignInLink(to: "free@example.com")
    try device.link(with: .emailLink(email: "free@example.com", link: world.lastLink()))
    #expect(try device.uid == uid)
    #expect(try device.payload["email_verified"] == true)
  }

  @Test("a provider that the user has already: no call")
  func alreadyLinked() throws {
    let world = World()
    let device = world.device()
    try device.signIn(with: world.googleCredential())
    device.isOffline = true
    #expect(
      try expectRefusal("PROVIDER_ALREADY_LINKED") { try device.link(with: world.googleCredential("g-9", email: "x@y.z")) }.clientCode.rawValue == 17015)
  }

  @Test("unlink: password takes address and hash with it, phone the number; what is not there is no call")
  func unlink() throws {
    let world = World()
    let device = try world.signedUp()
    try device.link(with: world.phoneCredential("+15555550100", on: device))
    try device.link(with: world.credential("github.com", ["sub": "1"]))
    let uid = try device.uid
    try device.unlink("phone")
    #expect(device.currentUser?.phoneNumber == nil)
    try device.unlink("password")
    #expect(device.currentUser?.email == nil)
    world.clock.advance(seconds: 1)
    try device.idToken(forcingRefresh: true)
    #expect(try device.identities == ["github.com": ["1"]])
    #expect(try device.payload["email"] == nil)
    #expect(try device.payload["email_verified"] == nil)
    try expectRefusal("EMAIL_NOT_FOUND") { try world.device().signIn(email: "alice@example.com", password: "secret1") }
    device.isOffline = true
    #expect(try expectRefusal("NO_SUCH_PROVIDER") { try device.unlink("phone") }.clientCode.rawValue == 17016)
    #expect(try device.uid == uid)
    // Address and number are free again.
    let other = try world.signedUp()
    #expect(try other.uid != uid)
  }

  @Test("reauthenticate: the same user gets fresh tokens with a new auth_time; anybody else is a mismatch")
  func reauthenticate() throws {
    let world = World()
    let device = try world.signedUp()
    _ = try world.signedUp("bob@example.com", password: "secret2")
    world.clock.advance(seconds: 1000)
    try device.reauthenticate(with: .password(email: "alice@example.com", password: "secret1"))
    #expect(try device.payload["auth_time"] == 1_767_226_600)
    for credential in [
      AuthCredential.password(email: "bob@example.com", password: "secret2"),
      .password(email: "nobody@example.com", password: "secret2"),
      world.googleCredential("g-9", email: "new@example.com"), try world.phoneCredential("+15555550177", on: device),
    ] {
      #expect(
        try expectRefusal("USER_MISMATCH") { try device.reauthenticate(with: credential) }.clientCode.rawValue == 17024)
    }
    #expect(device.currentUser != nil)
    try expectRefusal("INVALID_PASSWORD") { try device.reauthenticate(with: .password(email: "alice@example.com", password: "wrong1")) }
    // Nobody got an account by that.
    #expect(try world.admin.accountCount() == 2)
  }

  @Test("sensitive operations need a login within the threshold, which is a setting")
  func recentLogin() throws {
    let world = World()
    let device = try world.verified()
    try device.link(with: world.phoneCredential("+15555550100", on: device))
    try device.reauthenticate(with: .password(email: "alice@example.com", password: "secret1"))
    world.clock.advance(seconds: 300)
    try device.updatePassword(to: "secret2")
    world.clock.advance(seconds: 301)
    let operations: [(Device) throws -> Void] = [
      { try $0.deleteUser() }, { try $0.updatePassword(to: "secret3") }, { try $0.updateEmail(to: "new@example.com") },
      { _ = try $0.startEnrolment(phoneNumber: "+15555550111") }, { _ = try $0.startTOTPEnrolment() },
      { try $0.withdrawSecondFactor("x") },
      { try $0.sendEmailVerification(beforeUpdatingEmail: "new@example.com") },
    ]
    for operation in operations {
      #expect(
        try expectRefusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN") { try operation(device) }.clientCode.rawValue == 17014)
      #expect(device.currentUser != nil)
    }
    // A refresh makes no login newer.
    try device.idToken(forcingRefresh: true)
    try expectRefusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN") { try device.deleteUser() }
    try device.reauthenticate(with: .password(email: "alice@example.com", password: "secret2"))
    try device.updateEmail(to: "new@example.com")
    world.clock.advance(seconds: 100_000)
    world.server.settings.recentLogin = nil
    try device.deleteUser()
    #expect(try world.admin.accountCount() == 0)
    #expect(AuthSettings.emulator.recentLogin == nil)
  }

  @Test(
    "an identity provider that vouches for the address joins the account; if nobody had proved the address, it takes it over")
  func merge() throws {
    let world = World()
    // Proved: joined.
    let proved = try world.verified("proved@example.com")
    let device = world.device()
    try device.signIn(with: world.googleCredential("g-1", email: "proved@example.com"))
    #expect(try device.uid == proved.uid)
    #expect(device.currentUser?.providerData.map(\.id) == ["password", "google.com"])
    try proved.idToken(forcingRefresh: true)
    // Claimed by somebody who never proved it: their password, phone and sessions are gone.
    let squatter = try world.signedUp("victim@example.com")
    try squatter.link(with: world.phoneCredential("+15555550100", on: squatter))
    try squatter.link(with: world.credential("github.com", ["sub": "666"]))
    let uid = try squatter.uid
    let held = try #require(squatter.heldToken)
    world.clock.advance(seconds: 1)
    let victim = world.device()
    try victim.signIn(with: world.googleCredential("g-2", email: "victim@example.com"))
    #expect(try victim.uid == uid)
    #expect(try victim.identities == ["email": ["victim@example.com"], "google.com": ["g-2"]])
    #expect(try victim.payload["email_verified"] == true)
    try expectRefusal("TOKEN_EXPIRED") { try world.server.lookup(idToken: held) }
    try expectRefusal("TOKEN_EXPIRED") { try squatter.idToken(forcingRefresh: true) }
    #expect(squatter.currentUser == nil)
    try expectRefusal("INVALID_PASSWORD") { try squatter.signIn(email: "victim@example.com", password: "secret1") }
    try squatter.signIn(with: world.phoneCredential("+15555550100", on: squatter))
    #expect(try squatter.uid != uid)
    try squatter.signIn(with: world.credential("github.com", ["sub": "666"]))
    #expect(try squatter.uid != uid)
  }

  @Test("an identity provider that does not vouch for the address: confirmation is needed, and the credential waits")
  func confirmation() throws {
    let world = World()
    let owner = try world.signedUp()
    let device = world.device()
    let error = try expectRefusal("NEED_CONFIRMATION") {
      try device.signIn(
        with: world.credential("github.com", ["sub": "1", "email": "alice@example.com", "email_verified": true]))
    }
    #expect(error.clientCode.rawValue == 17012)
    #expect(error.details?.email == "alice@example.com")
    #expect(error.details?.verifiedProviders == ["password"])
    #expect(device.currentUser == nil)
    let pending = try #require(error.details?.credential)
    try device.signIn(email: "alice@example.com", password: "secret1")
    try device.link(with: pending)
    #expect(try device.uid == owner.uid)
    #expect(try device.identities == ["email": ["alice@example.com"], "github.com": ["1"]])
    let next = world.device()
    try next.signIn(with: world.credential("github.com", ["sub": "1", "email": "alice@example.com"]))
    #expect(try next.uid == owner.uid)
  }

  @Test("with one account per e-mail off each provider has its own account, and the address stays with the provider")
  func severalPerEmail() throws {
    let world = World { $0.oneAccountPerEmail = false }
    let password = try world.signedUp()
    let google = world.device()
    try google.signIn(with: world.googleCredential())
    let github = world.device()
    try github.signIn(with: world.credential("github.com", ["sub": "1", "email": "alice@example.com"]))
    #expect(Set([try password.uid, try google.uid, try github.uid]).count == 3)
    #expect(try google.payload["email"] == nil)
    #expect(try google.payload["email_verified"] == nil)
    #expect(try google.identities == ["google.com": ["g-1"]])
    #expect(google.currentUser?.providerData.first?.email == "alice@example.com")
    #expect(try password.payload["email"] == "alice@example.com")
  }

  @Test("Apple's nonce: hashed in the token, raw with the request, each good once")
  func nonce() throws {
    let world = World()
    let device = world.device()
    // RFC 6234's test: SHA-256 of "abc".
    #expect(AppleNonce.hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let token = world.apple.authorize(World.alice, nonce: AppleNonce.hash("abc"), at: world.now).idToken
    #expect(try expectRefusal("MISSING_OR_INVALID_NONCE : Nonce is missing in the request.") {
      try device.signIn(with: .apple(idToken: token, rawNonce: nil))
    }.clientCode.rawValue == 17094)
    try expectRefusal(
      "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\" does not match the SHA256 hash of the raw nonce \"a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9\" in the request."
    ) { try device.signIn(with: .apple(idToken: token, rawNonce: "abd")) }
    // Upper case is another text.
    let upper = UnsignedToken.encode(["sub": "1", "nonce": .string(AppleNonce.hash("abc").uppercased())])
    #expect(throws: IdentityError.self) { try device.signIn(with: .apple(idToken: upper, rawNonce: "abc")) }
    // The raw nonce in the token is no hash of it.
    let raw = UnsignedToken.encode(["sub": "1", "nonce": "abc"])
    #expect(throws: IdentityError.self) { try device.signIn(with: .apple(idToken: raw, rawNonce: "abc")) }
    let without = UnsignedToken.encode(["sub": "1"])
    #expect(throws: IdentityError.self) { try device.signIn(with: .apple(idToken: without, rawNonce: "abc")) }
    #expect(try world.admin.accountCount() == 0)
    try device.signIn(with: .apple(idToken: token, rawNonce: "abc"))
    // A replay.
    try expectRefusal(
      "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new credential.") {
      try world.device().signIn(with: .apple(idToken: token, rawNonce: "abc"))
    }
    // The emulator looks at none of this.
    try World(.emulator).device().signIn(with: .apple(idToken: token, rawNonce: "other"))
  }

  @Test(
    "delete: the index entries go, refresh and lookup fail, the held token passes where nobody asks the server",
    arguments: [true, false])
  func delete(production: Bool) throws {
    let world = World(production ? .articles : .emulator)
    let device = try world.signedUp()
    let other = world.device()
    try other.signIn(email: "alice@example.com", password: "secret1")
    let (token, refreshToken) = (try #require(device.heldToken), try #require(device.heldRefreshToken))
    try device.deleteUser()
    #expect(device.currentUser == nil)
    #expect(device.events.last?.name == .accountDeleted)
    try expectRefusal("USER_NOT_FOUND") { try world.server.lookup(idToken: token) }
    try expectRefusal(production ? "USER_NOT_FOUND" : "INVALID_REFRESH_TOKEN") { try world.server.refresh(refreshToken) }
    try expectRefusal("INVALID_REFRESH_TOKEN") { try world.server.refresh("nobody's") }
    try expectRefusal("EMAIL_NOT_FOUND") { try world.device().signIn(email: "alice@example.com", password: "secret1") }
    #expect(throws: IdentityError.self) { try other.idToken(forcingRefresh: true) }
    #expect(other.currentUser == nil)
    #expect(try UnsignedToken.decode(token)["sub"] != nil)
  }

  @Test("revokeToken after the account was deleted: recorded, and Apple asks for consent anew")
  func revokeToken() throws {
    let world = World()
    let device = world.device()
    let authorization = world.apple.authorize(World.alice, scopes: [.fullName], nonce: nil, at: world.now)
    try device.signIn(with: .apple(idToken: authorization.idToken, rawNonce: nil))
    let uid = try device.uid
    let token = try device.idToken()
    try device.deleteUser()
    try device.revokeToken(authorizationCode: authorization.authorizationCode, idToken: token)
    #expect(world.server.revocations.map(\.uid) == [uid])
    #expect(world.server.revocations.map(\.accountExisted) == [false])
    #expect(world.apple.revokedCodes == [authorization.authorizationCode])
    try expectRefusal("INVALID_IDP_RESPONSE : invalid_grant") { try device.revokeToken(authorizationCode: authorization.authorizationCode, idToken: token) }
    let again = world.apple.authorize(World.alice, scopes: [.fullName], nonce: nil, at: world.now)
    #expect(again.askedForConsent)
    #expect(again.fullName == "Alice Apple")
    #expect(again.user == authorization.user)
    try expectRefusal("NO_CURRENT_USER") { try device.revokeToken(authorizationCode: again.authorizationCode) }
    try expectRefusal("INVALID_PROVIDER_ID") { try world.server.revokeToken(providerID: "google.com", code: "c", idToken: token) }
    let emulator = World(.emulator)
    let other = try emulator.signedUp()
    try expectRefusal("NOT_IMPLEMENTED") { try other.revokeToken(authorizationCode: "c") }
  }

  @Test("a disabled user: refused at sign-in, refresh, lookup and update; the held token stays good in rules")
  func disabled() throws {
    let world = World()
    let device = try world.signedUp()
    let token = try #require(device.heldToken)
    try world.admin.setDisabled(true, device.uid)
    try expectRefusal("USER_DISABLED") { try world.device().signIn(email: "alice@example.com", password: "secret1") }
    try expectRefusal("USER_DISABLED") { try world.server.lookup(idToken: token) }
    try expectRefusal("USER_DISABLED") { try world.server.update(idToken: token, AccountChanges()) }
    try expectRefusal("USER_DISABLED") { try world.server.refresh(#require(device.heldRefreshToken)) }
    #expect(try device.requestAuth()["uid"] == .string(try device.uid))
    #expect(
      try expectRefusal("USER_DISABLED") { try device.idToken(forcingRefresh: true) }.clientCode.rawValue == 17005)
    #expect(device.currentUser == nil)
    try world.admin.setDisabled(false, try #require(UnsignedToken.decode(token)["sub"]?.stringValue))
    // A disabled session was not used up.
    try device.signIn(email: "alice@example.com", password: "secret1")
  }

  @Test("with enumeration protection a wrong password does not tell of a disabled account")
  func disabledHidden() throws {
    let world = World { $0.hidesEmails = true }
    let device = try world.signedUp()
    try world.admin.setDisabled(true, device.uid)
    try expectRefusal("INVALID_LOGIN_CREDENTIALS") { try world.device().signIn(email: "alice@example.com", password: "wrong1") }
    try expectRefusal("USER_DISABLED") { try world.device().signIn(email: "alice@example.com", password: "secret1") }
  }

  @Test("four refusals of a signed-in user's call sign out, others do not")
  func signedOut() throws {
    let world = World()
    let device = try world.signedUp()
    _ = try world.signedUp("taken@example.com")
    try expectRefusal("EMAIL_EXISTS") { try device.updateEmail(to: "taken@example.com") }
    #expect(device.currentUser != nil)
    device.isOffline = true
    #expect(try expectRefusal("NETWORK_ERROR") { try device.reload() }.clientCode.rawValue == 17020)
    #expect(device.currentUser != nil)
    device.isOffline = false
    world.clock.advance(seconds: 1)
    try world.admin.revokeRefreshTokens(of: device.uid)
    try expectRefusal("TOKEN_EXPIRED") { try device.reload() }
    #expect(device.currentUser == nil)
    #expect(device.events.last?.name == .sessionEnded)
  }

  @Test("e-mail change: at once with a new login, or by a mail to the new address; the old one can take it back")
  func emailChange() throws {
    let world = World()
    let device = try world.verified()
    let other = world.device()
    try other.signIn(email: "alice@example.com", password: "secret1")
    world.clock.advance(seconds: 10)
    try device.updateEmail(to: "New@example.com")
    #expect(try device.payload["email"] == "new@example.com")
    #expect(try device.payload["email_verified"] == false)
    #expect(try device.identities == ["email": ["new@example.com"]])
    // Production counts this as a login, else these tokens would be ended with the others.
    #expect(try device.payload["auth_time"] == .int(world.now))
    try device.idToken(forcingRefresh: true)
    try expectRefusal("TOKEN_EXPIRED") { try other.idToken(forcingRefresh: true) }
    try world.device().applyActionCode(world.lastCode(.recoverEmail))
    #expect(try world.admin.account(email: "alice@example.com")?.emailVerified == true)

    let hidden = World { $0.hidesEmails = true }
    let careful = try hidden.verified()
    _ = try hidden.signedUp("taken@example.com")
    #expect(try expectRefusal("OPERATION_NOT_ALLOWED : Please verify the new email before changing email.") {
      try careful.updateEmail(to: "new@example.com")
    }.clientCode == .operationNotAllowed)
    try careful.sendEmailVerification(beforeUpdatingEmail: "taken@example.com")
    #expect(hidden.server.emailCodes.filter { $0.purpose == .changeEmail }.isEmpty)
    try careful.sendEmailVerification(beforeUpdatingEmail: "new@example.com")
    let uid = try careful.uid
    hidden.clock.advance(seconds: 1)
    try careful.applyActionCode(hidden.lastCode(.changeEmail))
    #expect(try hidden.admin.account(email: "new@example.com")?.uid == uid)
    #expect(try hidden.admin.account(email: "alice@example.com") == nil)
    try expectRefusal("TOKEN_EXPIRED") { try careful.reload() }
  }
}

import Identity
import JSON
import Testing

/// Table 1a of the specification, row by row: what each provider does, and what stands in the token.
@Suite("1a. Providers")
struct ProvidersTable {
  @Test("createUser(email, password)")
  func createUser() throws {
    let world = World()
    let device = world.device()
    let result = try device.createUser(email: "Alice@Example.COM", password: "secret")
    #expect(result.isNewUser)
    #expect(result.user.email == "alice@example.com")
    #expect(try device.payload == [
      "email": "alice@example.com", "email_verified": false, "auth_time": 1_767_225_600,
      "user_id": .string(try device.uid),
      "firebase": ["identities": ["email": ["alice@example.com"]], "sign_in_provider": "password"],
      "iat": 1_767_225_600,
      "exp": 1_767_229_200, "aud": "demo", "iss": "https://securetoken.google.com/demo", "sub": .string(try device.uid),
    ])
    #expect(try device.uid.count == 28)
    #expect(try device.uid.utf8.allSatisfy { $0.isASCIILetterOrDigit })
    let other = world.device()
    try expectRefusal("WEAK_PASSWORD : Password should be at least 6 characters") { try other.createUser(email: "b@b.c", password: "12345") }
    try expectRefusal("EMAIL_EXISTS") { try other.createUser(email: "ALICE@example.com", password: "secret2") }
    try expectRefusal("INVALID_EMAIL") { try other.createUser(email: "alice", password: "secret2") }
    try expectRefusal("MISSING_EMAIL") { try other.createUser(email: "", password: "secret2") }
    try expectRefusal("MISSING_PASSWORD") { try other.createUser(email: "c@b.c", password: "") }
    #expect(try world.admin.accountCount() == 1)
    world.server.settings.disabledProviders = ["password"]
    try expectRefusal("PASSWORD_LOGIN_DISABLED") { try other.createUser(email: "c@b.c", password: "secret") }
  }

  @Test("signIn(email, password): told what is wrong, or not")
  func signIn() throws {
    let world = World()
    let uid = try world.signedUp().uid
    let device = world.device()
    try device.signIn(email: "ALICE@example.com", password: "secret1")
    #expect(try device.uid == uid)
    #expect(try device.signInProvider == "password")
    let other = world.device()
    #expect(
      try expectRefusal("EMAIL_NOT_FOUND") { try other.signIn(email: "b@b.c", password: "secret1") }.clientCode == .userNotFound)
    #expect(
      try expectRefusal("INVALID_PASSWORD") { try other.signIn(email: "alice@example.com", password: "secret2") }.clientCode == .wrongPassword)
    world.server.settings.hidesEmails = true
    #expect(
      try expectRefusal("INVALID_LOGIN_CREDENTIALS") { try other.signIn(email: "b@b.c", password: "secret1") }.clientCode == .invalidCredential)
    #expect(
      try expectRefusal("INVALID_LOGIN_CREDENTIALS") { try other.signIn(email: "alice@example.com", password: "secret2") }.clientCode == .invalidCredential)
    #expect(other.currentUser == nil)
    #expect(AuthSettings.production.hidesEmails)
    #expect(!AuthSettings.emulator.hidesEmails)
  }

  @Test("sendEmailVerification, applyActionCode: true only after a refresh")
  func verification() throws {
    let world = World()
    let device = try world.signedUp()
    try device.sendEmailVerification()
    let code = try world.lastCode(.verifyEmail)
    #expect(try world.server.checkCode(code).email == "alice@example.com")
    try device.applyActionCode(code)
    #expect(try device.payload["email_verified"] == false)
    try device.reload()
    #expect(device.currentUser?.isEmailVerified == true)
    #expect(try device.payload["email_verified"] == false)
    try device.idToken(forcingRefresh: true)
    #expect(try device.payload["email_verified"] == true)
    #expect(try expectRefusal("INVALID_OOB_CODE") { try device.applyActionCode(code) }.clientCode == .invalidActionCode)
  }

  @Test("sendPasswordReset, confirmPasswordReset: the other providers go, old tokens are ended, the uid stays")
  func reset() throws {
    let world = World()
    let device = try world.signedUp()
    let uid = try device.uid
    try device.link(with: world.credential("github.com", ["sub": "77"]))
    let old = try #require(device.heldToken)
    world.clock.advance(seconds: 10)
    let elsewhere = world.device()
    try elsewhere.sendPasswordReset(to: "alice@example.com")
    let code = try world.lastCode(.passwordReset)
    try expectRefusal("WEAK_PASSWORD : Password should be at least 6 characters") { try elsewhere.confirmPasswordReset(code: code, newPassword: "x") }
    try elsewhere.confirmPasswordReset(code: code, newPassword: "secret2")
    try expectRefusal("INVALID_OOB_CODE") { try elsewhere.confirmPasswordReset(code: code, newPassword: "secret3") }
    #expect(
      try expectRefusal("TOKEN_EXPIRED") { try world.server.lookup(idToken: old) }.clientCode == .userTokenExpired)
    try expectRefusal("TOKEN_EXPIRED") { try device.idToken(forcingRefresh: true) }
    #expect(device.currentUser == nil)
    try expectRefusal("INVALID_PASSWORD") { try elsewhere.signIn(email: "alice@example.com", password: "secret1") }
    try elsewhere.signIn(email: "alice@example.com", password: "secret2")
    #expect(try elsewhere.uid == uid)
    #expect(elsewhere.currentUser?.providerData.map(\.id) == ["password"])
    #expect(try elsewhere.payload["email_verified"] == true)
    // The identity that was removed leads to nobody.
    let github = world.device()
    try github.signIn(with: world.credential("github.com", ["sub": "77"]))
    #expect(try github.uid != uid)
  }

  @Test("a reset mail goes to existing accounts only, and whether it did is told or not")
  func resetMail() throws {
    let world = World()
    let device = world.device()
    try expectRefusal("EMAIL_NOT_FOUND") { try device.sendPasswordReset(to: "nobody@example.com") }
    world.server.settings.hidesEmails = true
    try device.sendPasswordReset(to: "nobody@example.com")
    #expect(world.server.emailCodes.isEmpty)
    _ = try world.signedUp()
    try device.sendPasswordReset(to: "alice@example.com")
    #expect(world.server.emailCodes.map(\.email) == ["alice@example.com"])
  }

  @Test("Sign in with Apple: apple.com, identified by Apple's sub")
  func apple() throws {
    let world = World()
    let device = world.device()
    let nonce = "raw nonce"
    let authorization = world.apple.authorize(
      World.alice, scopes: [.email], nonce: AppleNonce.hash(nonce), at: world.now)
    let body = "providerId=apple.com&id_token=\(authorization.idToken)&nonce=raw%20nonce&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Alice%22%2C%22lastName%22%3A%22Apple%22%7D%7D"
    try device.signIn(with: .provider(ProviderCredential(postBody: body)))
    #expect(try device.signInProvider == "apple.com")
    #expect(try device.identities?["apple.com"] == [.string(authorization.user)])
    #expect(try device.payload["name"] == "Alice Apple")
    let email = try #require(authorization.email)
    #expect(email.hasSuffix("@privaterelay.appleid.com"))
    #expect(try device.payload["email"] == .string(email))
    #expect(try device.payload["email_verified"] == true)
  }

  @Test("requestedScopes = []: no e-mail, no email_verified, no name; only apple.com among the identities")
  func noScopes() throws {
    let world = World()
    let device = world.device()
    try device.signIn(with: world.appleCredential())
    let uid = JSONValue.string(try device.uid)
    let sub = try #require(device.currentUser?.providerData.first).rawID
    #expect(try device.payload == [
      "auth_time": 1_767_225_600, "user_id": uid,
      "firebase": ["identities": ["apple.com": [.string(sub)]], "sign_in_provider": "apple.com"],
      "iat": 1_767_225_600, "exp": 1_767_229_200, "aud": "demo", "iss": "https://securetoken.google.com/demo",
      "sub": uid,
    ])
    #expect(device.currentUser?.isAnonymous == false)
    // Nothing breaks for want of an address.
    try device.reload()
    try device.updateProfile(displayName: "A")
    try expectRefusal("MISSING_EMAIL") { try device.sendEmailVerification() }
    try device.signIn(with: world.appleCredential())
    #expect(try device.payload["sub"] == uid)
    #expect(try device.payload["name"] == "A")
  }

  @Test("the full name comes with the first authorization only, and stays")
  func fullName() throws {
    let world = World()
    let first = world.apple.authorize(World.alice, scopes: [.fullName, .email], nonce: nil, at: world.now)
    #expect(first.fullName == "Alice Apple")
    #expect(first.askedForConsent)
    let device = world.device()
    try device.signIn(with: .apple(idToken: first.idToken, rawNonce: nil, fullName: first.fullName))
    #expect(try device.payload["name"] == "Alice Apple")
    let second = world.apple.authorize(World.alice, scopes: [.fullName, .email], nonce: nil, at: world.now)
    #expect(second.fullName == nil)
    #expect(second.email == nil)
    #expect(!second.askedForConsent)
    try device.signIn(with: .apple(idToken: second.idToken, rawNonce: nil, fullName: second.fullName))
    #expect(try device.payload["name"] == "Alice Apple")
    // The emulator does not take it, and the app writes it itself.
    let emulator = World(.emulator)
    let other = emulator.device()
    let again = emulator.apple.authorize(World.alice, scopes: [.fullName], nonce: nil, at: world.now)
    try other.signIn(with: .apple(idToken: again.idToken, rawNonce: nil, fullName: again.fullName))
    #expect(other.currentUser?.displayName == nil)
    try other.updateProfile(displayName: again.fullName)
    try other.idToken(forcingRefresh: true)
    #expect(try other.payload["name"] == "Alice Apple")
  }

  @Test("Google: id token with sub, email, email_verified, name, picture")
  func google() throws {
    let world = World()
    let device = world.device()
    try device.signIn(
      with: world.credential(
        "google.com",
        ["sub": "123", "email": "G@Example.com", "email_verified": true, "name": "G", "picture": "https://p"]))
    let uid = JSONValue.string(try device.uid)
    #expect(try device.payload == [
      "name": "G", "picture": "https://p", "email": "g@example.com", "email_verified": true,
      "auth_time": 1_767_225_600, "user_id": uid,
      "firebase": ["identities": ["email": ["g@example.com"], "google.com": ["123"]], "sign_in_provider": "google.com"],
      "iat": 1_767_225_600, "exp": 1_767_229_200, "aud": "demo", "iss": "https://securetoken.google.com/demo",
      "sub": uid,
    ])
  }

  @Test("Facebook: an access token that the server asks about; limited login with id token and nonce")
  func facebook() throws {
    let world = World()
    world.server.providers.register(
      "facebook.com", accessToken: "EAAB", ["id": "10", "email": "f@example.com", "name": "F"])
    let device = world.device()
    try device.signIn(with: .facebook(accessToken: "EAAB"))
    #expect(try device.signInProvider == "facebook.com")
    #expect(try device.identities?["facebook.com"] == ["10"])
    #expect(try device.payload["email_verified"] == false)
    #expect(try expectRefusal("INVALID_IDP_RESPONSE : facebook.com does not know the access token") {
      try world.device().signIn(with: .facebook(accessToken: "EAAC"))
    }.clientCode == .invalidCredential)
    // The emulator takes claims in the token's place.
    let emulator = World(.emulator).device()
    try emulator.signIn(with: .facebook(accessToken: "{\"id\":\"11\"}"))
    #expect(try emulator.identities?["facebook.com"] == ["11"])
    let limited = UnsignedToken.encode(["sub": "10", "nonce": .string(AppleNonce.hash("n"))])
    try device.signIn(with: .oauth(providerID: "facebook.com", idToken: limited, rawNonce: "n"))
    #expect(try device.identities?["facebook.com"] == ["10"])
  }

  @Test("Twitter: OAuth 1 token and secret")
  func twitter() throws {
    let world = World()
    world.server.providers.register("twitter.com", accessToken: "t", secret: "s", ["id": 7, "name": "T"])
    let device = world.device()
    try device.signIn(with: .twitter(token: "t", secret: "s"))
    #expect(try device.signInProvider == "twitter.com")
    #expect(try device.identities == ["twitter.com": ["7"]])
    try expectRefusal("INVALID_IDP_RESPONSE : twitter.com does not know the access token") { try device.signIn(with: .twitter(token: "t", secret: "x")) }
  }

  @Test(
    "GitHub, Microsoft, Yahoo: the provider's id is the sign_in_provider, and its address is not proved",
    arguments: ["github.com", "microsoft.com", "yahoo.com"])
  func presets(id: String) throws {
    let world = World()
    let device = world.device()
    try device.signIn(with: world.credential(id, ["sub": "9", "email": "p@example.com", "email_verified": true]))
    #expect(try device.signInProvider == id)
    #expect(try device.identities?[id] == ["9"])
    #expect(try device.payload["email_verified"] == false)
    // The emulator believes the claim.
    let emulator = World(.emulator)
    let other = emulator.device()
    try other.signIn(with: emulator.credential(id, ["sub": "9", "email": "p@example.com", "email_verified": true]))
    #expect(try other.payload["email_verified"] == true)
  }

  @Test("OpenID Connect: configured first", arguments: ["oidc.line", "oidc.custom-provider"])
  func oidc(id: String) throws {
    let world = World()
    let device = world.device()
    let profile: JSONObject = ["iss": "https://access.line.me", "aud": "client", "sub": "line-sub", "name": "L"]
    try expectRefusal("OPERATION_NOT_ALLOWED") { try device.signIn(with: world.credential(id, profile)) }
    try world.admin.configure(
      ProviderConfiguration(id: id, clientID: "client", issuer: "https://access.line.me", clientSecret: "s"))
    try device.signIn(with: world.credential(id, profile))
    #expect(try device.signInProvider == id)
    #expect(try device.payload["name"] == "L")
    #expect(try device.identities == [id: ["line-sub"]])
    try expectRefusal("INVALID_IDP_RESPONSE : the issuer of the ID token is not https://access.line.me") {
      try device.signIn(with: world.credential(id, ["iss": "https://evil", "aud": "client", "sub": "x"]))
    }
    try expectRefusal("INVALID_IDP_RESPONSE : the ID token is not for the client client") {
      try device.signIn(with: world.credential(id, ["aud": "other", "sub": "x"]))
    }
    try expectRefusal("INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields.") { try device.signIn(with: world.credential(id, ["name": "L"])) }
    #expect(throws: IdentityError.self) { try world.admin.configure(ProviderConfiguration(id: "line", clientID: "c", issuer: "i")) }
    let emulator = World(.emulator)
    let other = emulator.device()
    try other.signIn(with: emulator.credential(id, profile))
    #expect(try other.signInProvider == id)
  }

  @Test("Phone: a code of six digits, good once; the number begins with +")
  func phone() throws {
    let world = World()
    let device = world.device()
    #expect(
      try expectRefusal("INVALID_PHONE_NUMBER : Invalid format.") { try device.verifyPhoneNumber("15555550100") }.clientCode == .invalidPhoneNumber)
    let id = try device.verifyPhoneNumber("+15555550100")
    let sms = try #require(world.server.smsCodes.last)
    #expect(sms.code.count == 6)
    #expect(sms.code.utf8.allSatisfy { (0x30...0x39).contains($0) })
    let wrong = sms.code == "000000" ? "000001" : "000000"
    #expect(
      try expectRefusal("INVALID_CODE") { try device.signIn(with: .phone(verificationID: id, code: wrong)) }.clientCode == .invalidVerificationCode)
    #expect(
      try expectRefusal("INVALID_SESSION_INFO") { try device.signIn(with: .phone(verificationID: "x", code: sms.code)) }.clientCode == .invalidVerificationID)
    try expectRefusal("MISSING_CODE") { try device.signIn(with: .phone(verificationID: id, code: "")) }
    try device.signIn(with: .phone(verificationID: id, code: sms.code))
    let uid = JSONValue.string(try device.uid)
    #expect(try device.payload == [
      "phone_number": "+15555550100", "auth_time": 1_767_225_600, "user_id": uid,
      "firebase": ["identities": ["phone": ["+15555550100"]], "sign_in_provider": "phone"],
      "iat": 1_767_225_600, "exp": 1_767_229_200, "aud": "demo", "iss": "https://securetoken.google.com/demo",
      "sub": uid,
    ])
    try expectRefusal("INVALID_SESSION_INFO") { try device.signIn(with: .phone(verificationID: id, code: sms.code)) }
    let late = try device.verifyPhoneNumber("+15555550100")
    world.clock.advance(seconds: 600)
    #expect(try expectRefusal("SESSION_EXPIRED") {
      try device.signIn(with: .phone(verificationID: late, code: #require(world.server.smsCodes.last).code))
    }.clientCode == .sessionExpired)
  }

  @Test("Anonymous: provider_id, no identities; a second time the same user without a call")
  func anonymous() throws {
    let world = World()
    let device = world.device()
    #expect(try device.signInAnonymously().isNewUser)
    let uid = JSONValue.string(try device.uid)
    #expect(try device.payload == [
      "provider_id": "anonymous", "auth_time": 1_767_225_600, "user_id": uid,
      "firebase": ["identities": [:], "sign_in_provider": "anonymous"],
      "iat": 1_767_225_600, "exp": 1_767_229_200, "aud": "demo", "iss": "https://securetoken.google.com/demo",
      "sub": uid,
    ])
    device.isOffline = true
    #expect(try !device.signInAnonymously().isNewUser)
    #expect(try device.payload["sub"] == uid)
    device.isOffline = false
    world.server.settings.disabledProviders = ["anonymous"]
    #expect(
      try expectRefusal("ADMIN_ONLY_OPERATION") { try world.device().signInAnonymously() }.clientCode == .adminRestrictedOperation)
  }

  @Test("Custom token: the uid it names, its claims at the top of the token, kept by refreshes of this session")
  func custom() throws {
    let world = World()
    let device = world.device()
    let token = try CustomToken.make(uid: "agent-1", claims: ["role": "admin", "n": 1.0], at: world.now)
    #expect(try device.signIn(customToken: token).isNewUser)
    #expect(try device.payload == [
      "role": "admin", "n": 1, "auth_time": 1_767_225_600, "user_id": "agent-1",
      "firebase": ["identities": [:], "sign_in_provider": "custom"],
      "iat": 1_767_225_600, "exp": 1_767_229_200, "aud": "demo", "iss": "https://securetoken.google.com/demo",
      "sub": "agent-1",
    ])
    world.clock.advance(seconds: 3600)
    try device.idToken()
    #expect(try device.payload["role"] == "admin")
    let other = world.device()
    #expect(try !other.signIn(customToken: CustomToken.make(uid: "agent-1", at: world.now)).isNewUser)
    #expect(try other.payload["role"] == nil)
    // What cannot be.
    let now = world.now
    func refused(_ code: String, _ payload: JSONObject) throws {
      let error = try #require(throws: IdentityError.self) { try other.signIn(customToken: UnsignedToken.encode(payload)) }
      #expect(error.plainCode == code)
    }
    let audience = JSONValue.string(CustomToken.audience)
    try refused("INVALID_CUSTOM_TOKEN", ["aud": "demo", "uid": "u"])
    try refused("INVALID_CUSTOM_TOKEN", ["aud": audience, "uid": "u", "exp": .int(now)])
    try refused("INVALID_CUSTOM_TOKEN", ["aud": audience, "uid": .string(String(repeating: "u", count: 129))])
    try refused("INVALID_CUSTOM_TOKEN", ["aud": audience, "uid": "u", "claims": [1]])
    try refused("MISSING_IDENTIFIER", ["aud": audience])
    try refused("MISSING_IDENTIFIER", ["aud": audience, "uid": ""])
    try refused("FORBIDDEN_CLAIM", ["aud": audience, "uid": "u", "claims": ["sub": "root"]])
    try refused("TENANT_ID_MISMATCH", ["aud": audience, "uid": "u", "tenant_id": "t"])
    try expectRefusal("MISSING_CUSTOM_TOKEN") { try other.signIn(customToken: "") }
    try expectRefusal("INVALID_CUSTOM_TOKEN : plain JSON is taken by the emulator alone") { try other.signIn(customToken: "{\"uid\":\"u\"}") }
    #expect(throws: IdentityError.self) { try CustomToken.make(uid: "", at: 0) }
    #expect(throws: IdentityError.self) { try CustomToken.make(uid: "u", claims: ["firebase": 1], at: .max) }
    let emulator = World(.emulator).device()
    try emulator.signIn(customToken: "{\"uid\":\"u\",\"claims\":{\"a\":1}}")
    #expect(try emulator.payload["a"] == 1)
  }

  @Test("E-mail link: the same address typed in; password in the token, emailLink among the methods")
  func emailLink() throws {
    let world = World()
    let device = world.device()
    try device.sendSignInLink(to: "alice@example.com", continueURL: "https://app.example.com/?a=1&b=2")
    let link = try world.lastLink()
    #expect(device.isSignInLink(link))
    #expect(link.contains("&continueUrl=https%3A%2F%2Fapp.example.com%2F%3Fa%3D1%26b%3D2"))
    #expect(!device.isSignInLink("https://x/?mode=resetPassword&oobCode=1"))
    #expect(try expectRefusal("INVALID_EMAIL : The email provided does not match the sign-in email address.") {
      try device.signIn(with: .emailLink(email: "bob@example.com", link: link))
    }.clientCode == .invalidEmail)
    #expect(try device.signIn(with: .emailLink(email: "Alice@example.com", link: link)).isNewUser)
    let uid = JSONValue.string(try device.uid)
    #expect(try device.payload == [
      "email": "alice@example.com", "email_verified": true, "auth_time": 1_767_225_600, "user_id": uid,
      "firebase": ["identities": ["email": ["alice@example.com"]], "sign_in_provider": "password"],
      "iat": 1_767_225_600,
      "exp": 1_767_229_200, "aud": "demo", "iss": "https://securetoken.google.com/demo", "sub": uid,
    ])
    #expect(try device.fetchSignInMethods(for: "alice@example.com") == ["emailLink"])
    try expectRefusal("INVALID_OOB_CODE") { try device.signIn(with: .emailLink(email: "alice@example.com", link: link)) }
    try device.sendSignInLink(to: "alice@example.com")
    world.clock.advance(seconds: 6 * 3600)
    #expect(
      try expectRefusal("EXPIRED_OOB_CODE") { try device.signIn(with: .emailLink(email: "alice@example.com", link: world.lastLink())) }.clientCode == .expiredActionCode)
    world.server.settings.hidesEmails = true
    #expect(try device.fetchSignInMethods(for: "alice@example.com") == [])
  }

  @Test("Face ID: a gate on the device, and nothing in the token")
  func biometrics() throws {
    let world = World()
    let device = try world.signedUp()
    let before = try device.payload
    device.setGate(BiometricGate { .notRecognized })
    #expect(device.isLocked)
    #expect(!device.unlock())
    device.setGate(BiometricGate { .recognized })
    #expect(device.unlock())
    #expect(!device.isLocked)
    device.lock()
    #expect(device.isLocked)
    #expect(device.unlock())
    device.relaunch()
    #expect(device.isLocked)
    try device.idToken(forcingRefresh: true)
    #expect(try device.payload == before)
    #expect(device.events.map(\.name).contains(.unlocked))
  }
}

extension UInt8 {
  var isASCIILetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}

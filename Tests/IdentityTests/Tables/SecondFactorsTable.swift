import Identity
import JSON
import Testing

/// The rows of table 1c about second factors.
@Suite("1c. Second factors")
struct SecondFactorsTable {
  /// RFC 6238, appendix B, SHA-1, eight digits.
  @Test("codes are those of RFC 6238", arguments: [
    (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
    (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
  ] as [(Int64, String)])
  func totpVectors(seconds: Int64, code: String) {
    let secret = Array("12345678901234567890".utf8)
    #expect(TOTP.code(secret: secret, at: seconds, digits: 8) == code)
    #expect(TOTP.code(secret: secret, at: seconds) == String(code.suffix(6)))
  }

  /// RFC 4648, section 10.
  @Test("base 32 is that of RFC 4648", arguments: [
    ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
    ("foobar", "MZXW6YTBOI"),
  ])
  func base32(text: String, encoded: String) {
    #expect(Base32.encode(Array(text.utf8)) == encoded)
    #expect(Base32.decode(encoded) == Array(text.utf8))
    #expect(Base32.decode(encoded.lowercased() + "==") == Array(text.utf8))
    #expect(Base32.decode(encoded + "1") == nil)
  }

  /// A device whose user has just enrolled a number.
  func enrolled(_ world: World) throws -> Device {
    let device = try world.verified()
    let session = try device.startEnrolment(phoneNumber: "+15555550100")
    try device.finishEnrolment(
      sessionInfo: session, code: #require(world.server.smsCodes.last).code, displayName: "my phone")
    return device
  }

  @Test("sign-in with a second factor: first no tokens, but hints with a hidden number")
  func signIn() throws {
    let world = World()
    _ = try enrolled(world)
    let device = world.device()
    let error = try expectRefusal("SECOND_FACTOR_REQUIRED") { try device.signIn(email: "alice@example.com", password: "secret1") }
    #expect(error.clientCode.rawValue == 17078)
    #expect(device.currentUser == nil)
    let pending = try #require(error.details?.pendingSecondFactor)
    let hint = try #require(pending.hints.first)
    #expect(hint.phoneNumber == "+*******0100")
    #expect(hint.displayName == "my phone")
    #expect(hint.kind == .phone)

    world.clock.advance(seconds: 5)
    let id = try device.sendSecondFactorSMS(pending, hint: hint)
    let code = try #require(world.server.smsCodes.last).code
    try expectRefusal("INVALID_CODE") { try device.resolveSignIn(pending, verificationID: id, code: code == "000000" ? "1" : "000000") }
    // It is no code of a first factor.
    try expectRefusal("INVALID_SESSION_INFO") { try device.signIn(with: .phone(verificationID: id, code: code)) }
    try device.resolveSignIn(pending, verificationID: id, code: code)
    let uid = JSONValue.string(try device.uid)
    #expect(try device.payload == [
      "email": "alice@example.com", "email_verified": true, "auth_time": 1_767_225_605, "user_id": uid,
      "firebase": [
        "identities": ["email": ["alice@example.com"]], "sign_in_provider": "password",
        "second_factor_identifier": .string(hint.id),
        "sign_in_second_factor": "phone",
      ],
      "iat": 1_767_225_605, "exp": 1_767_229_205, "aud": "demo", "iss": "https://securetoken.google.com/demo",
      "sub": uid,
    ])
    #expect(
      try expectRefusal("INVALID_MFA_PENDING_CREDENTIAL") { try device.resolveSignIn(pending, verificationID: id, code: code) }.clientCode.rawValue == 17083)
    // A refresh keeps it.
    world.clock.advance(seconds: 4000)
    #expect(try device.idTokenResult().signInSecondFactor == "phone")
  }

  @Test("a provider's sign-in, and a link's, ask for the second factor too")
  func otherFirstFactors() throws {
    let world = World()
    let owner = try enrolled(world)
    try owner.link(with: world.googleCredential())
    #expect(try owner.payload["firebase"]?["sign_in_second_factor"] == "phone")
    let device = world.device()
    try expectRefusal("SECOND_FACTOR_REQUIRED") { try device.signIn(with: world.googleCredential()) }
    try device.sendSignInLink(to: "alice@example.com")
    try expectRefusal("SECOND_FACTOR_REQUIRED") { try device.signIn(with: .emailLink(email: "alice@example.com", link: world.lastLink())) }
    #expect(device.currentUser == nil)
    try owner.link(with: world.phoneCredential("+15555550142", on: owner))
    #expect(
      try expectRefusal("UNSUPPORTED_FIRST_FACTOR") { try device.signIn(with: world.phoneCredential("+15555550142", on: device)) }.clientCode.rawValue == 17089)
  }

  @Test("enrolment gives tokens with the second factor")
  func enrolment() throws {
    let world = World()
    let device = try enrolled(world)
    #expect(try device.payload["firebase"]?["sign_in_second_factor"] == "phone")
    #expect(
      try device.payload["firebase"]?["second_factor_identifier"] == .string(
        try #require(device.currentUser?.secondFactors.first).id))
    #expect(
      try expectRefusal("SECOND_FACTOR_EXISTS") { try device.startEnrolment(phoneNumber: "+15555550100") }.clientCode.rawValue == 17087)
    for last in 1...4 {
      let session = try device.startEnrolment(phoneNumber: "+1555555020\(last)")
      try device.finishEnrolment(sessionInfo: session, code: #require(world.server.smsCodes.last).code)
    }
    #expect(
      try expectRefusal("SECOND_FACTOR_LIMIT_EXCEEDED") { try device.startEnrolment(phoneNumber: "+15555550300") }.clientCode.rawValue == 17088)
  }

  @Test("who may not enrol: unverified addresses, and anonymous, phone and custom users")
  func excluded() throws {
    let world = World()
    #expect(
      try expectRefusal("UNVERIFIED_EMAIL") { try world.signedUp().startEnrolment(phoneNumber: "+15555550100") }.clientCode.rawValue == 17086)
    let device = world.device()
    try device.signInAnonymously()
    try expectRefusal("UNSUPPORTED_FIRST_FACTOR") { try device.startEnrolment(phoneNumber: "+15555550100") }
    try device.signIn(with: world.phoneCredential("+15555550100", on: device))
    try expectRefusal("UNSUPPORTED_FIRST_FACTOR") { try device.startTOTPEnrolment() }
    try device.signIn(customToken: CustomToken.make(uid: "u", at: world.now))
    try expectRefusal("UNSUPPORTED_FIRST_FACTOR") { try device.startTOTPEnrolment() }
    try device.signIn(with: world.appleCredential())
    try expectRefusal("UNVERIFIED_EMAIL") { try device.startTOTPEnrolment() }
  }

  @Test("TOTP: secret, confirmation, sign-in without an SMS; each code is good once")
  func totp() throws {
    let world = World()
    let device = try world.verified()
    let secret = try device.startTOTPEnrolment()
    #expect(secret.verificationCodeLength == 6)
    #expect(secret.hashingAlgorithm == "SHA1")
    #expect(secret.periodSeconds == 30)
    let key = try #require(Base32.decode(secret.sharedSecretKey))
    #expect(key.count == 20)
    #expect(
      secret.qrCodeURL(account: "alice@example.com", issuer: "My App") == "otpauth://totp/My%20App:alice%40example.com?secret=\(secret.sharedSecretKey)&issuer=My%20App&algorithm=SHA1&digits=6&period=30")
    try expectRefusal("INVALID_CODE") { try device.finishEnrolment(sessionInfo: secret.sessionInfo, code: TOTP.code(secret: key, at: world.now + 90)) }
    try device.finishEnrolment(
      sessionInfo: secret.sessionInfo, code: TOTP.code(secret: key, at: world.now), displayName: "authenticator")
    #expect(try device.payload["firebase"]?["sign_in_second_factor"] == "totp")
    try expectRefusal("SECOND_FACTOR_EXISTS") { try device.startTOTPEnrolment() }

    let other = world.device()
    let pending = try #require(
      expectRefusal("SECOND_FACTOR_REQUIRED") { try other.signIn(email: "alice@example.com", password: "secret1") }.details?.pendingSecondFactor)
    let hint = try #require(pending.hints.first)
    #expect(hint.kind == .totp)
    #expect(hint.phoneNumber == nil)
    // The code of the enrolment is used up.
    try expectRefusal("INVALID_CODE") { try other.resolveSignIn(pending, hint: hint, totp: TOTP.code(secret: key, at: world.now)) }
    world.clock.advance(seconds: 60)
    try expectRefusal("INVALID_CODE") { try other.resolveSignIn(pending, hint: hint, totp: "") }
    try expectRefusal("INVALID_CODE") { try other.resolveSignIn(pending, hint: hint, totp: TOTP.code(secret: key, at: world.now - 60)) }
    // Clocks may differ by one step.
    try other.resolveSignIn(pending, hint: hint, totp: TOTP.code(secret: key, at: world.now - 30))
    #expect(try other.payload["firebase"]?["second_factor_identifier"] == .string(hint.id))
    #expect(try other.uid == device.uid)
    try expectRefusal("MFA_ENROLLMENT_NOT_FOUND") {
      try other.sendSecondFactorSMS(
        #require(
          expectRefusal("SECOND_FACTOR_REQUIRED") { try other.signIn(email: "alice@example.com", password: "secret1") }.details?.pendingSecondFactor), hint: hint)
    }
    try expectRefusal("OPERATION_NOT_ALLOWED") { try World(.emulator).verified().startTOTPEnrolment() }
  }

  @Test("withdrawal gives tokens without the second factor; an unknown one is an error")
  func withdrawal() throws {
    let world = World()
    let device = try enrolled(world)
    #expect(
      try expectRefusal("MFA_ENROLLMENT_NOT_FOUND") { try device.withdrawSecondFactor("x") }.clientCode.rawValue == 17084)
    try device.withdrawSecondFactor(#require(device.currentUser?.secondFactors.first).id)
    #expect(try device.payload["firebase"]?["sign_in_second_factor"] == nil)
    #expect(device.currentUser?.secondFactors == [])
    try world.device().signIn(email: "alice@example.com", password: "secret1")
  }

  @Test("a sign-in that waits ends with the sessions, with the account, and with time")
  func waiting() throws {
    func pending(_ world: World) throws -> (Device, PendingSecondFactor) {
      _ = try enrolled(world)
      let device = world.device()
      let error = try expectRefusal("SECOND_FACTOR_REQUIRED") { try device.signIn(email: "alice@example.com", password: "secret1") }
      return (device, try #require(error.details?.pendingSecondFactor))
    }
    let ends: [(World, String) throws -> Void] = [
      { world, _ in world.clock.advance(seconds: 600) },
      { world, uid in world.clock.advance(seconds: 1); try world.admin.revokeRefreshTokens(of: uid) },
      { world, uid in try world.admin.delete(uid) },
    ]
    for end in ends {
      let world = World()
      let (device, waiting) = try pending(world)
      try end(world, #require(world.admin.accounts().first).uid)
      try expectRefusal("INVALID_MFA_PENDING_CREDENTIAL") { try device.sendSecondFactorSMS(waiting, hint: waiting.hints[0]) }
    }
    let world = World()
    let (device, waiting) = try pending(world)
    try world.admin.setDisabled(true, #require(world.admin.accounts().first).uid)
    try expectRefusal("USER_DISABLED") { try device.sendSecondFactorSMS(waiting, hint: waiting.hints[0]) }
  }
}

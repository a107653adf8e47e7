import JSON
import Testing

@testable import Identity

/// Somebody guesses, floods, or asks who is there.
@Suite("Attacks: guessing, flooding, asking")
struct Guessing {
  // MARK: Guessing

  @Test("after five wrong codes the right one is no good any more: SMS")
  func sms() throws {
    let world = World()
    let device = world.device()
    let id = try device.verifyPhoneNumber("+15555550100")
    let code = try #require(world.server.smsCodes.last).code
    let wrong = code == "000000" ? "000001" : "000000"
    for _ in 0..<5 {
      try expectRefusal("INVALID_CODE") { try device.signIn(with: .phone(verificationID: id, code: wrong)) }
    }
    let error = try expectRefusal("TOO_MANY_ATTEMPTS_TRY_LATER") {
      try device.signIn(with: .phone(verificationID: id, code: code))
    }
    #expect(error.clientCode == .tooManyRequests)
    // A new SMS is a new chance; in the emulator there is no end.
    try device.signIn(with: world.phoneCredential("+15555550100", on: device))
    let emulator = World(.emulator).device()
    let other = try emulator.verifyPhoneNumber("+15555550100")
    for _ in 0..<20 {
      try expectRefusal("INVALID_CODE") { try emulator.signIn(with: .phone(verificationID: other, code: "x")) }
    }
  }

  @Test("the same for second factors, where another SMS is no new chance", arguments: ["phone", "totp"])
  func secondFactors(kind: String) throws {
    let world = World()
    let device = try world.verified()
    if kind == "phone" {
      let session = try device.startEnrolment(phoneNumber: "+15555550100")
      for _ in 0..<2 {
        try expectRefusal("INVALID_CODE") { try device.finishEnrolment(sessionInfo: session, code: "x") }
      }
      try device.finishEnrolment(sessionInfo: session, code: try #require(world.server.smsCodes.last).code)
    } else {
      let secret = try device.startTOTPEnrolment()
      for _ in 0..<5 {
        try expectRefusal("INVALID_CODE") { try device.finishEnrolment(sessionInfo: secret.sessionInfo, code: "x") }
      }
      let key = try #require(Base32.decode(secret.sharedSecretKey))
      let code = TOTP.code(secret: key, at: world.now)
      try expectRefusal("TOO_MANY_ATTEMPTS_TRY_LATER") {
        try device.finishEnrolment(sessionInfo: secret.sessionInfo, code: code)
      }
      let again = try device.startTOTPEnrolment()
      let key2 = try #require(Base32.decode(again.sharedSecretKey))
      try device.finishEnrolment(sessionInfo: again.sessionInfo, code: TOTP.code(secret: key2, at: world.now))
    }
    let other = world.device()
    let error = try expectRefusal("SECOND_FACTOR_REQUIRED") {
      try other.signIn(email: "alice@example.com", password: "secret1")
    }
    let pending = try #require(error.details?.pendingSecondFactor)
    let hint = try #require(pending.hints.first)
    for _ in 0..<5 {
      try expectRefusal("INVALID_CODE") {
        if kind == "totp" { return try other.resolveSignIn(pending, hint: hint, totp: "x") }
        let id = try other.sendSecondFactorSMS(pending, hint: hint)
        return try other.resolveSignIn(pending, verificationID: id, code: "x")
      }
    }
    try expectRefusal("TOO_MANY_ATTEMPTS_TRY_LATER") {
      if kind == "totp" { return try other.resolveSignIn(pending, hint: hint, totp: "x") }
      let id = try other.sendSecondFactorSMS(pending, hint: hint)
      return try other.resolveSignIn(pending, verificationID: id, code: "x")
    }
  }

  // MARK: Using twice

  @Test("what is good once is refused a second time, and after its time")
  func twice() throws {
    let world = World()
    let device = world.device()
    let phone = try world.phoneCredential("+15555550100", on: device)
    try device.signIn(with: phone)
    try expectRefusal("INVALID_SESSION_INFO") { try world.device().signIn(with: phone) }

    let other = try world.signedUp()
    let error = try expectRefusal("TEMPORARY_PROOF") {
      try other.link(with: world.phoneCredential("+15555550100", on: other))
    }
    let proof = try #require(error.details?.credential)
    try world.device().signIn(with: proof)
    try expectRefusal("INVALID_TEMPORARY_PROOF") { try world.device().signIn(with: proof) }

    try other.sendSignInLink(to: "link@example.com")
    let link = AuthCredential.emailLink(email: "link@example.com", link: try world.lastLink())
    try world.device().signIn(with: link)
    try expectRefusal("INVALID_OOB_CODE") { try world.device().signIn(with: link) }

    let conflict = try expectRefusal("NEED_CONFIRMATION") {
      try world.device().signIn(with: world.credential("github.com", ["sub": "1", "email": "alice@example.com"]))
    }
    let pending = try #require(conflict.details?.credential)
    // Another provider's it is not.
    guard case .provider(var forged) = pending else { throw IdentityError(code: "", message: "no credential") }
    forged.providerID = "google.com"
    try expectRefusal("INVALID_PENDING_TOKEN") { try other.link(with: .provider(forged)) }
    try other.link(with: pending)
    try expectRefusal("INVALID_PENDING_TOKEN") { try world.device().signIn(with: pending) }

    let late = try expectRefusal("NEED_CONFIRMATION") {
      try world.device().signIn(with: world.credential("twitter.com", ["sub": "1", "email": "alice@example.com"]))
    }
    world.clock.advance(seconds: 3600)
    try expectRefusal("INVALID_PENDING_TOKEN") { try other.link(with: try #require(late.details?.credential)) }
  }

  // MARK: Taking one kind of token for another

  @Test("no kind of token passes for another", arguments: [AuthSettings.TokenFormat.unsigned, .signed])
  func confusedTokens(format: AuthSettings.TokenFormat) throws {
    let world = World { $0.tokens = format }
    let device = try world.signedUp()
    let idToken = try #require(device.heldToken)
    let refreshToken = try #require(device.heldRefreshToken)
    let custom = try CustomToken.make(uid: device.uid, at: world.now)
    var settings = world.server.settings
    settings.passwordCost = .none
    let elsewhere = AuthServer(project: "other", settings: settings, clock: world.clock, seed: 2)
    let stranger = elsewhere.device()
    try stranger.createUser(email: "a@b.c", password: "secret1")
    let foreign = try #require(stranger.heldToken)
    let apple = world.apple.authorize(World.alice, nonce: nil, at: world.now).idToken
    for token in [custom, foreign, apple, refreshToken, "", "owner"] {
      #expect(throws: IdentityError.self) { try world.server.lookup(idToken: token) }
      #expect(throws: IdentityError.self) { try world.server.verifyIDToken(token) }
      #expect(throws: IdentityError.self) { try world.admin.verify(token) }
    }
    if format == .signed {
      let forged = UnsignedToken.encode(try UnsignedToken.decode(idToken))
      #expect(throws: IdentityError.self) { try world.server.lookup(idToken: forged) }
    }
    #expect(throws: IdentityError.self) { try world.server.signIn(customToken: idToken) }
    #expect(throws: IdentityError.self) { try world.server.signIn(customToken: apple) }
    for token in [idToken, custom] {
      #expect(throws: IdentityError.self) { try world.device().signIn(with: .google(idToken: token)) }
      #expect(throws: IdentityError.self) { try world.device().signIn(with: .apple(idToken: token, rawNonce: nil)) }
      #expect(throws: IdentityError.self) { try world.server.refresh(token) }
    }
    #expect(try world.server.lookup(idToken: idToken).uid == device.uid)
  }

  // MARK: Asking

  @Test("where answers are to tell nothing, they are the same whether the address has an account or not")
  func enumeration() throws {
    let world = World(.production)
    try world.admin.create(
      {
        var account = NewAccount(email: "there@example.com")
        account.password = "secret1"
        return account
      }())
    try world.admin.create(NewAccount(email: "link@example.com"))
    let device = try world.signedUp("me@example.com")
    func answers(_ email: String) -> [String] {
      let calls: [() throws -> Any] = [
        { try world.device().signIn(email: email, password: "guess12") },
        { try world.server.sendPasswordReset(to: email) },
        { try world.server.sendSignInLink(to: email) },
        { try world.server.signInMethods(email: email) },
        { try device.sendEmailVerification(beforeUpdatingEmail: email) },
        { try device.updateEmail(to: email) },
      ]
      return calls.map { call in
        do {
          return "\(try call())"
        } catch {
          return "\(error)".replacing(email, with: "…")
        }
      }
    }
    let nobody = answers("nobody@example.com")
    #expect(nobody.count == 6)
    #expect(answers("there@example.com") == nobody)
    #expect(answers("link@example.com") == nobody)
    // An identity provider names its own address; how the owner signs in it does not learn.
    let error = try expectRefusal("NEED_CONFIRMATION") {
      try world.device().signIn(with: world.credential("github.com", ["sub": "1", "email": "there@example.com"]))
    }
    #expect(error.details?.verifiedProviders == [])
  }

  @Test("nor does the time tell: a password is hashed whether there is one to compare it with or not")
  func time() throws {
    let world = World(.production) { $0.passwordCost = ScryptCost(memoryCost: 15, rounds: 8) }
    try world.device().createUser(email: "there@example.com", password: "secret1")
    try world.admin.create(NewAccount(email: "link@example.com"))
    func time(_ email: String) -> Duration {
      (0..<3).map { _ in
        ContinuousClock().measure { _ = try? world.device().signIn(email: email, password: "guess12") }
      }.min() ?? .zero
    }
    let there = time("there@example.com")
    #expect(time("nobody@example.com") > there / 5)
    #expect(time("link@example.com") > there / 5)
  }

  // MARK: Flooding

  private struct Record: PendingRecord, Equatable {
    var expiry: Int64?
    var name: Int
  }

  @Test("a table holds what it may: what has expired goes first, then the oldest")
  func table() {
    var table = SecretTable<Record>(capacity: 8)
    for name in 0..<8 {
      table.put(Record(expiry: name.isMultiple(of: 2) ? 10 : nil, name: name), for: "\(name)", at: 0)
    }
    #expect(table.count == 8)
    table.put(Record(expiry: nil, name: 8), for: "8", at: 10)
    #expect(table.values.map(\.name).sorted() == [1, 3, 5, 7, 8])
    for name in 9..<12 { table.put(Record(expiry: nil, name: name), for: "\(name)", at: 10) }
    // One that is there already makes no room.
    table.put(Record(expiry: nil, name: 30), for: "3", at: 10)
    #expect(table.values.map(\.name).sorted() == [1, 5, 7, 8, 9, 10, 11, 30])
    table.put(Record(expiry: nil, name: 12), for: "12", at: 10)
    #expect(table.values.map(\.name).sorted() == [7, 8, 9, 10, 11, 12, 30])
    #expect(table["12"]?.name == 12 && table["1"] == nil)
    table.change("12") { $0.name = 13 }
    #expect(table["12"]?.name == 13)
    table.remove("12")
    #expect(table["12"] == nil && table.count == 6)
  }

  @Test("a flood of codes, pending sign-ins and nonces does not grow without end, and the last ones are good")
  func flood() throws {
    let world = World { $0.codeLifetimes = nil }
    let device = world.device()
    #expect(world.server.read { $0.emailCodes.capacity } == 10_000)
    #expect(world.server.read { $0.usedNonces.capacity } == 100_000)
    // The same on a small scale.
    try world.server.run { (core) throws(IdentityError) in
      core.emailCodes = SecretTable(capacity: 100)
      core.smsSessions = SecretTable(capacity: 100)
      core.pendingSignIns = SecretTable(capacity: 100)
      core.pendingTokens = SecretTable(capacity: 100)
      core.usedNonces = SecretTable(capacity: 100)
    }
    for n in 0..<1500 {
      try world.server.sendSignInLink(to: "a\(n)@example.com")
      _ = try world.server.sendSMS(to: "+15555550100")
    }
    #expect(world.server.emailCodes.count <= 100)
    #expect(world.server.read { $0.smsSessions.count } <= 100)
    #expect(world.server.smsCodes.count <= 1000)
    try device.signIn(with: .emailLink(email: "a1499@example.com", link: world.lastLink()))

    // The first factor again and again, without ever the second.
    var strong = try Persona(
      try UserProfile(provider: .password, name: "s", options: ["email_verified": true, "mfa": "totp"]),
      on: world.server)
    for _ in 0..<150 {
      _ = try world.server.signIn(with: .password(email: "s@example.com", password: Persona.password("s")))
    }
    #expect(world.server.read { $0.pendingSignIns.count } <= 100)
    strong.signOut()
    try strong.signIn()
    for n in 0..<150 {
      let claims: JSONObject = ["sub": "\(n)", "email": "s@example.com"]
      _ = try world.server.signIn(with: .oauth(providerID: "yahoo.com", idToken: claims.serialized()))
    }
    #expect(world.server.read { $0.pendingTokens.count } <= 100)
    for _ in 0..<150 { try device.signIn(with: world.appleCredential()) }
    #expect(world.server.read { $0.usedNonces.count } <= 100)
  }

  @Test("events of a device and tokens of agents have an end, too")
  func otherEnds() throws {
    let world = World()
    let device = try world.signedUp()
    for _ in 0..<Device.mostEvents { device.lock(); device.relaunch() }
    #expect(device.events.count <= Device.mostEvents)
    #expect(device.events.last?.name == .relaunched)
    let agents = AgentTokens(auth: world.server, seed: 1)
    for n in 0..<AgentTokens.most { _ = try agents.make(for: device.uid, name: "\(n)") }
    try expectRefusal("TOO_MANY_AGENTS") { try agents.make(for: device.uid, name: "x") }
    #expect(agents.withdraw(try #require(agents.entries(of: device.uid).first).id, of: try device.uid))
    _ = try agents.make(for: device.uid, name: "x")
  }

  @Test("lifetimes that cannot be are no reason to fall over")
  func lifetimes() throws {
    let world = World { settings in
      settings.codeLifetimes?.sms = .max
      settings.codeLifetimes?.emailLink = .min
      settings.codeLifetimes?.secondFactor = .max
    }
    let device = world.device()
    try device.signIn(with: world.phoneCredential("+15555550100", on: device))
    try device.sendSignInLink(to: "a@b.c")
    let link = try world.lastLink()
    try expectRefusal("EXPIRED_OOB_CODE") { try device.signIn(with: .emailLink(email: "a@b.c", link: link)) }
  }
}

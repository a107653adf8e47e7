import Identity
import IdentityWalk
import JSON

/// What holds for tokens and flows of `Identity`, whatever the input.
enum IdentityProperties {
  /// The bytes are choices of a walk through the flows; the first decides the settings.
  static func checkFlows(_ bytes: [UInt8]) throws(BrokenProperty) {
    guard let first = bytes.first else { return }
    var rest = bytes.dropFirst()[...]
    var settings: AuthSettings = first & 1 == 0 ? .articles : .emulator
    if first & 2 != 0 { settings.oneAccountPerEmail = false }
    if first & 4 != 0 { settings.hidesEmails.toggle() }
    var walk = FlowWalk(settings: settings, seed: UInt64(first)) { rest.popFirst() }
    do throws(FlowWalk.Finding) {
      try walk.run(steps: 2000, auditEvery: 20)
    } catch {
      throw BrokenProperty(error.description)
    }
  }

  /// The bytes are the text that a client sends: as each kind of token, credential and code.
  static func checkInputs(_ bytes: [UInt8]) throws(BrokenProperty) {
    let text = String(decoding: bytes, as: UTF8.self)
    try checkVerifier(text)
    var settings = AuthSettings.emulator
    settings.passwordCost = .none
    settings.offersTOTP = true
    let server = AuthServer(settings: settings, clock: ManualAuthClock(), seed: 1)
    let device = server.device()
    _ = try? device.signInAnonymously()
    try refuseOrDo(clientCalls(text, server, device) + adminCalls(text, server, device))
    // As what a token says, which random bytes hardly ever are.
    if let claims = (try? JSONValue(parsing: text, limits: JSONLimits(duplicateKeys: .lastWins)))?.objectValue {
      try refuseOrDo(claimsCalls(claims, server))
    }
    _ = device.isSignInLink(text)
    _ = Base32.decode(text)
    let findings = (try? AccountAudit.findings(server)) ?? ["no audit"]
    try require(findings.isEmpty, findings.joined(separator: "; "))
    if let token = try? device.idToken(forcingRefresh: true) {
      try require((try? UnsignedToken.decode(token)) != nil, "a token that cannot be read")
    }
  }

  /// What is refused is refused for a reason.
  private static func refuseOrDo(_ calls: [() throws -> Void]) throws(BrokenProperty) {
    for call in calls {
      do {
        try call()
      } catch {
        guard let error = error as? IdentityError else { throw BrokenProperty("an error of another kind: \(error)") }
        try require(
          !error.code.isEmpty && error.code != "INTERNAL_ERROR" && !error.message.isEmpty,
          "an error that says nothing: \(error)")
      }
    }
  }

  /// The text in every place of every call that a client can make.
  private static func clientCalls(_ text: String, _ server: AuthServer, _ device: Device) -> [() throws -> Void] {
    let mine = device.heldToken ?? ""
    var changes = AccountChanges()
    changes.email = text
    var profile = AccountChanges()
    profile.displayName = text
    profile.photoURL = text
    profile.deletedProviders = [text]
    return [
      { _ = try server.signIn(customToken: text) },
      { _ = try server.signIn(with: .google(idToken: text)) },
      { _ = try server.signIn(with: .apple(idToken: text, rawNonce: text)) },
      { _ = try server.signIn(with: .facebook(accessToken: text)) },
      { _ = try server.signIn(with: .oauth(providerID: text, idToken: "{\"sub\":\"1\"}")) },
      { _ = try server.signIn(with: .provider(ProviderCredential(postBody: text))) },
      { _ = try server.signIn(with: .emailLink(email: text, link: text)) },
      { _ = try server.signIn(with: .phone(verificationID: text, code: text)) },
      { _ = try server.signIn(with: .phoneProof(phoneNumber: text, temporaryProof: text)) },
      { _ = try server.signUp(email: text, password: text, displayName: text) },
      { _ = try server.lookup(idToken: text) },
      { _ = try server.refresh(text) },
      { _ = try server.sendSMS(to: text) },
      { try server.sendPasswordReset(to: text) },
      { try server.sendSignInLink(to: text, continueURL: text) },
      { _ = try server.signInMethods(email: text) },
      { try server.applyCode(text) },
      { try server.resetPassword(code: text, newPassword: text) },
      { _ = try server.finishSecondFactor(text, enrolment: text, totp: text) },
      { try device.updateProfile(displayName: text, photoURL: text) },
      { try device.link(with: .password(email: text, password: text)) },
      { _ = try device.verifyPhoneNumber(text) },
      { _ = try IDTokenResult(token: text) },
      { _ = try server.signUp(email: text, password: text, idToken: text) },
      { try server.sendEmailVerification(idToken: text) },
      { try server.sendEmailChange(to: text, idToken: mine) },
      { try server.sendEmailChange(to: "a@b.c", idToken: text) },
      { _ = try server.checkCode(text) },
      { _ = try server.update(idToken: mine, changes) },
      { _ = try server.update(idToken: mine, profile) },
      { _ = try server.update(idToken: text, profile) },
      { try server.delete(idToken: text) },
      { try server.revokeToken(providerID: text, code: text, idToken: mine) },
      { try server.revokeToken(code: text, idToken: text) },
      { _ = try server.startEnrolment(phoneNumber: text, idToken: mine) },
      { _ = try server.startEnrolment(phoneNumber: "+15555550100", idToken: text) },
      { _ = try server.startTOTPEnrolment(idToken: text) },
      { _ = try server.finishEnrolment(sessionInfo: text, code: text, displayName: text, idToken: mine) },
      { _ = try server.withdraw(text, idToken: mine) },
      { _ = try server.startSecondFactor(text, enrolment: text) },
      { _ = try server.finishSecondFactor(text, sessionInfo: text, code: text) },
      { _ = try server.verifyIDToken(text) },
      { try device.reauthenticate(with: .password(email: text, password: text)) },
      { try device.reauthenticate(with: .apple(idToken: text, rawNonce: text, fullName: text)) },
      { try device.link(with: .oauth(providerID: text, idToken: text, accessToken: text, rawNonce: text)) },
      { try device.link(with: .twitter(token: text, secret: text)) },
      { try device.unlink(text) },
      { _ = try server.signIn(with: .github(accessToken: text), tenant: text) },
      { _ = try server.signUp(tenant: text) },
      { _ = try CustomToken.make(uid: text, tenant: text, at: 0) },
      {
        let token = try CustomToken.make(uid: text, claims: [text: .string(text)], at: 1_767_225_600)
        _ = try server.signIn(customToken: token)
      },
    ]
  }

  /// The same for what administrators, servers and tests pass.
  private static func adminCalls(_ text: String, _ server: AuthServer, _ device: Device) -> [() throws -> Void] {
    var account = NewAccount(uid: text, email: text)
    account.phoneNumber = text
    account.password = text
    let created = account
    let hash = Array(text.utf8.prefix(200))
    var imported = NewAccount(email: "import@example.com")
    imported.importedPassword = ImportedPassword(
      hash: hash, salt: hash,
      parameters: FirebaseScrypt(signerKey: hash, saltSeparator: hash, rounds: 1, memoryCost: 1))
    let withHash = imported
    let agents = AgentTokens(auth: server, seed: 1)
    let example = ExampleServer(auth: server, agents: agents)
    return [
      { try server.admin.create(created) },
      { try server.admin.create(withHash) },
      { _ = try server.signIn(with: .password(email: "import@example.com", password: text)) },
      { _ = try server.admin.verify(text) },
      { try server.admin.configure(ProviderConfiguration(id: text, clientID: text, issuer: text)) },
      { _ = try server.admin.account(for: .provider(text, text, text)) },
      { _ = try server.admin.accounts(after: text, limit: 3) },
      { _ = agents.uid(of: text) },
      { _ = agents.uid(of: AgentTokens.prefix + text) },
      {
        for path in ["v1/me", "v1/agents/" + text, text] {
          let request = ExampleRequest("DELETE", path, headers: ["Authorization": text, text: "Bearer " + text])
          _ = example.handle(request)
        }
      },
      {
        let name: JSONObject = ["name": .string(text), "authorizationCode": .string(text)]
        let token = ["authorization": "Bearer " + (device.heldToken ?? "")]
        _ = example.handle(ExampleRequest("POST", "/v1/agents", headers: token, body: name))
        _ = example.handle(ExampleRequest("DELETE", "/v1/account", headers: token, body: name))
      },
      {
        for word in Provider.words {
          let id: String? = word == "oidc" || word == "saml" ? text : nil
          guard let provider = try? Provider(word: word, id: id) else { continue }
          _ = try? Persona(UserProfile(provider: provider, uid: text), on: server)
        }
      },
    ]
  }

  /// What a token says, as each kind of token.
  private static func claimsCalls(_ claims: JSONObject, _ server: AuthServer) -> [() throws -> Void] {
    let token = UnsignedToken.encode(claims)
    var custom = claims
    custom["aud"] = .string(CustomToken.audience)
    let customToken = UnsignedToken.encode(custom)
    var mine = claims
    mine["aud"] = .string(server.project)
    let idToken = UnsignedToken.encode(mine)
    var calls: [() throws -> Void] = [
      { _ = try server.signIn(customToken: customToken) },
      { _ = try server.lookup(idToken: idToken) },
      { _ = try server.verifyIDToken(idToken) },
      { _ = try IDTokenResult(token: idToken) },
      { try CustomClaims.check(claims) },
      {
        for word in Provider.words {
          let id: String? = word == "oidc" || word == "saml" ? word + ".x" : nil
          let profile = try UserProfile(provider: Provider(word: word, id: id), name: "p-" + word, options: claims)
          var persona = try Persona(profile, on: server)
          persona.reinstall()
          try persona.signIn()
        }
      },
    ]
    for id in ["google.com", "apple.com", "github.com", "oidc.x", "saml.x"] {
      calls.append { _ = try server.signIn(with: .oauth(providerID: id, idToken: token)) }
    }
    return calls
  }

  /// A key that nobody who makes inputs has.
  private static let key = try? SigningKey(validity: 0...4_000_000_000)

  /// Nobody without a key makes a token that is taken.
  private static func checkVerifier(_ text: String) throws(BrokenProperty) {
    var certificates: JSONObject = [
      "k": .string(text), "l": "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n",
    ]
    certificates["m"] = (key?.certificatePEM).map(JSONValue.string)
    _ = try? SigningKey(privatePEM: text, validity: 0...1)
    guard let verifier = try? TokenVerifier(project: "demo-project", certificates: certificates) else {
      throw BrokenProperty("certificates in text are refused")
    }
    do throws(TokenFault) {
      _ = try verifier.verify(text, at: 0)
    } catch {
      return try require(!error.description.isEmpty && !error.error.code.isEmpty, "a fault that says nothing")
    }
    throw BrokenProperty("a token without a certificate is taken")
  }
}

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
    let calls: [() throws -> Void] = [
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
      {
        try server.admin.setCustomClaims(CustomClaims.claims(parsing: text), of: device.currentUser?.uid ?? "")
      },
    ]
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
    _ = device.isSignInLink(text)
    _ = Base32.decode(text)
    let findings = (try? AccountAudit.findings(server)) ?? ["no audit"]
    try require(findings.isEmpty, findings.joined(separator: "; "))
    if let token = try? device.idToken(forcingRefresh: true) {
      try require((try? UnsignedToken.decode(token)) != nil, "a token that cannot be read")
    }
  }

  /// Nobody without a key makes a token that is taken.
  private static func checkVerifier(_ text: String) throws(BrokenProperty) {
    let certificates: JSONObject = [
      "k": .string(text), "l": "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n",
    ]
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

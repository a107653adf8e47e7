import Identity
import JSON

/// A walk through the flows of Firebase Authentication: a few devices, a few people, and choices that decide who does
/// what next. Whatever the choices, what must hold has to hold after each step.
public struct FlowWalk {
  /// What did not hold, and after which steps.
  public struct Finding: Error, CustomStringConvertible {
    public let description: String
  }

  private let clock = ManualAuthClock()
  private let server: AuthServer
  private let devices: [Device]
  private var choices: () -> UInt8?
  private var log: [String] = []
  private var gone: Set<String> = []
  private var pendingFactor: PendingSecondFactor?
  private var secret: TOTPSecret?
  private var waiting: AuthCredential?
  public private(set) var steps = 0
  /// How many steps were done, and how many refused.
  public private(set) var outcomes: (done: Int, refused: Int) = (0, 0)

  private static let emails = ["a@example.com", "B@example.com", "c@example.com", "x", ""]
  private static let numbers = ["+15555550100", "+15555550101", "555"]
  private static let passwords = ["secret1", "secret2", "short"]
  private static let providers = [
    "google.com", "github.com", "apple.com", "facebook.com", "oidc.line", "saml.x", "nobody.com",
  ]

  /// - Parameter choices: gives the next choice; nil ends the walk.
  public init(settings: AuthSettings, seed: UInt64, choices: @escaping () -> UInt8?) {
    var settings = settings
    settings.passwordCost = .none
    server = AuthServer(project: "walk", settings: settings, clock: clock, seed: seed)
    let server = server
    devices = (0..<4).map { _ in server.device() }
    self.choices = choices
    try? server.admin.configure(ProviderConfiguration(id: "oidc.line", clientID: "c", issuer: "https://i"))
    try? server.admin.configure(ProviderConfiguration(id: "saml.x", clientID: "c", issuer: "https://i"))
  }

  /// Walks until the choices end, or for so many steps.
  public mutating func run(steps limit: Int, auditEvery interval: Int = 50) throws(Finding) {
    while steps < limit, let choice = choices() {
      let device = devices[Int(choice & 3)]
      let before = device.currentUser
      let operation = Int(choices() ?? 0) % 40
      log.append("\(choice & 3):\(operation)")
      if log.count > 40 { log.removeFirst(20) }
      do throws(IdentityError) {
        try step(operation, device)
        outcomes.done += 1
      } catch {
        outcomes.refused += 1
        if error.code.isEmpty || error.code == "INTERNAL_ERROR" { throw found("an error that says nothing: \(error)") }
      }
      steps += 1
      try check(device, before, operation)
      if steps % interval == 0 { try audit() }
    }
    try audit()
  }

  private mutating func choose<T>(_ list: [T]) -> T { list[Int(choices() ?? 0) % list.count] }

  private mutating func credential(_ device: Device) throws(IdentityError) -> AuthCredential {
    switch choose([0, 1, 2, 3, 3, 3, 4]) {
    case 0: return .password(email: choose(Self.emails), password: choose(Self.passwords))
    case 1:
      let number = choose(Self.numbers)
      let id = try device.verifyPhoneNumber(number)
      return .phone(
        verificationID: id, code: choose([true, true, true, false]) ? server.smsCodes.last?.code ?? "" : "000000")
    case 2:
      let email = choose(Self.emails)
      try device.sendSignInLink(to: email)
      return .emailLink(
        email: choose([true, true, false])
          ? email
          : "a@example.com", link: server.emailCodes.last { $0.purpose == .signIn }?.link ?? "")
    case 4: return waiting ?? .google(idToken: "x")
    default:
      var profile: JSONObject = ["sub": .string(choose(["1", "2", "3"]))]
      if choose([true, false]) { profile["email"] = .string(choose(Self.emails)) }
      if choose([true, false]) { profile["email_verified"] = true }
      return .provider(server.providers.credential(choose(Self.providers), profile))
    }
  }

  private mutating func step(_ operation: Int, _ device: Device) throws(IdentityError) {
    switch operation {
    case 0: try device.signInAnonymously()
    case 1, 2: try device.createUser(email: choose(Self.emails), password: choose(Self.passwords))
    case 3...7:
      let credential = try credential(device)
      try remembering { () throws(IdentityError) in try device.signIn(with: credential) }
    case 8...12:
      let credential = try credential(device)
      try remembering { () throws(IdentityError) in try device.link(with: credential) }
    case 13:
      let credential = try credential(device)
      try remembering { () throws(IdentityError) in try device.reauthenticate(with: credential) }
    case 14: try device.unlink(choose(Self.providers + ["password", "phone"]))
    case 15:
      let uid = choose(["u1", "u2", ""])
      try device.signIn(customToken: CustomToken.make(uid: uid, claims: ["role": "r"], at: clock.milliseconds / 1000))
    case 16: try device.sendEmailVerification()
    case 17...19: try actOnMail(device)
    case 20: try device.sendPasswordReset(to: choose(Self.emails))
    case 21: try device.updateEmail(to: choose(Self.emails))
    case 22: try device.sendEmailVerification(beforeUpdatingEmail: choose(Self.emails))
    case 23: try device.updatePassword(to: choose(Self.passwords))
    case 24: try device.updateProfile(displayName: choose([nil, "N"]))
    case 25: try device.reload()
    case 26: try device.idToken(forcingRefresh: choose([true, false]))
    case 27: device.signOut()
    case 28: device.reinstall(keepsKeychain: choose([true, false]))
    case 29: try device.deleteUser()
    case 30: clock.advance(seconds: choose([1, 10, 299, 301, 3600]))
    case 31: try enrol(device)
    case 32, 33: try resolve(device)
    case 34:
      if let factor = device.currentUser?.secondFactors.first { try device.withdrawSecondFactor(factor.id) }
    case 35...37: try administer()
    case 38: try extend(device)
    default: device.isOffline = choose([true, false, false, false])
    }
  }

  /// What a refusal gives to go on with is tried later.
  private mutating func remembering(_ body: () throws(IdentityError) -> AuthDataResult) throws(IdentityError) {
    do throws(IdentityError) {
      _ = try body()
    } catch {
      waiting = error.details?.credential ?? waiting
      pendingFactor = error.details?.pendingSecondFactor ?? pendingFactor
      throw error
    }
  }

  private mutating func actOnMail(_ device: Device) throws(IdentityError) {
    let codes = server.emailCodes
    guard !codes.isEmpty else { return }
    let code = choose(codes)
    if code.purpose == .passwordReset {
      try device.confirmPasswordReset(code: code.code, newPassword: choose(Self.passwords))
    } else {
      try device.applyActionCode(code.code)
    }
  }

  private mutating func enrol(_ device: Device) throws(IdentityError) {
    if choose([true, false]) {
      let session = try device.startEnrolment(phoneNumber: choose(Self.numbers))
      try device.finishEnrolment(sessionInfo: session, code: server.smsCodes.last?.code ?? "")
    } else {
      let started = try device.startTOTPEnrolment()
      secret = started
      try device.finishEnrolment(sessionInfo: started.sessionInfo, code: code(started))
    }
  }

  private func code(_ secret: TOTPSecret) -> String {
    TOTP.code(secret: Base32.decode(secret.sharedSecretKey) ?? [], at: clock.milliseconds / 1000)
  }

  private mutating func resolve(_ device: Device) throws(IdentityError) {
    guard let pending = pendingFactor, !pending.hints.isEmpty else { return }
    let hint = choose(pending.hints)
    if hint.kind == .totp {
      try device.resolveSignIn(pending, hint: hint, totp: secret.map(code) ?? "")
    } else {
      let id = try device.sendSecondFactorSMS(pending, hint: hint)
      try device.resolveSignIn(pending, verificationID: id, code: server.smsCodes.last?.code ?? "")
    }
  }

  private mutating func administer() throws(IdentityError) {
    let accounts = try server.admin.accounts(limit: 60)
    guard !accounts.isEmpty else { return }
    let uid = choose(accounts).uid
    switch choose([0, 1, 2, 3, accounts.count > 30 ? 4 : 0, accounts.count > 30 ? 4 : 1]) {
    case 0: try server.admin.setDisabled(true, uid)
    case 1: try server.admin.setDisabled(false, uid)
    case 2: try server.admin.revokeRefreshTokens(of: uid)
    case 3: try server.admin.setCustomClaims(["email": "root@example.com", "level": 1], of: uid)
    default:
      try server.admin.delete(uid)
      gone.insert(uid)
    }
  }

  /// What no device of an app does: passkeys, changes by a service account, imports.
  private mutating func extend(_ device: Device) throws(IdentityError) {
    let passkey = choose(["p1", "p2", "p3"])
    switch choose([0, 1, 2, 3, 4, 5, 6]) {
    case 0: _ = try server.enrolPasskey(passkey, idToken: device.heldToken ?? "")
    case 1: _ = try server.signIn(passkey: passkey)
    case 2:
      if let token = device.heldToken { _ = try server.admin.sessionCookie(idToken: token, lifetime: 300) }
    case 3:
      let email = choose(Self.emails)
      if !email.isEmpty { _ = try server.admin.makeCode(choose([.passwordReset, .verifyEmail]), email: email) }
    default: try edit()
    }
  }

  private mutating func edit() throws(IdentityError) {
    let uid = choose(try server.admin.accounts(limit: 60).map(\.uid) + ["imported"])
    let provider = LinkedProvider(id: choose(Self.providers), rawID: choose(["1", "2", ""]))
    if choose([true, false, false]) {
      guard !gone.contains(uid) else { return }
      var imported = ImportedAccount(NewAccount(uid: uid, email: choose([nil, "a@example.com", "C@example.com"])))
      imported.account.emailVerified = choose([true, false])
      imported.account.password = choose([nil, "secret1"])
      imported.account.phoneNumber = choose([nil] + Self.numbers)
      imported.lastLoginAt = choose([nil, 0, .max])
      imported.createdAt = choose([nil, .min, .max])
      if choose([true, false]) { imported.providers = [provider] }
      if choose([true, false, false]) { imported.secondFactors = [FactorEdit(phoneNumber: choose(Self.numbers))] }
      try server.admin.importAccount(imported)
      return
    }
    var edit = AccountEdit()
    edit.email = choose([nil, nil] + Self.emails.map(Optional.some))
    edit.password = choose([nil, nil, "secret1", "short"])
    edit.phoneNumber = choose([nil, nil] + Self.numbers.map(Optional.some))
    edit.emailVerified = choose([nil, true, false])
    edit.lastLoginAt = choose([nil, nil, .min, .max])
    edit.deletedProviders = choose([[], [], Self.providers, ["password", "phone"]])
    if choose([true, false]) { edit.linkedProvider = provider }
    if choose([true, false, false]) { edit.secondFactors = [FactorEdit(phoneNumber: choose(Self.numbers))] }
    try server.admin.update(uid, edit)
  }

  // MARK: What must hold

  private mutating func check(_ device: Device, _ before: User?, _ operation: Int) throws(Finding) {
    if operation == 29, device.currentUser == nil, let before, (try? server.admin.account(before.uid)) == nil {
      gone.insert(before.uid)
    }
    guard let user = device.currentUser else {
      if device.heldToken != nil { throw found("a token without a user") }
      return
    }
    if (8...12).contains(operation), let before, before.uid != user.uid { throw found("a link changed the uid") }
    guard let token = device.heldToken, let payload = try? UnsignedToken.decode(token) else {
      throw found("a token that cannot be read")
    }
    guard payload["sub"]?.stringValue == user.uid, payload["user_id"]?.stringValue == user.uid else {
      throw found("a token of somebody else")
    }
    let provider = payload["firebase"]?["sign_in_provider"]?.stringValue
    if (payload["provider_id"] != nil) != (provider == "anonymous") {
      throw found("provider_id of \(provider ?? "nobody")")
    }
    if payload["email"] == "root@example.com" { throw found("a claim took the place of the address") }
    if (payload["email"] == nil) != (payload["email_verified"] == nil) {
      throw found("email and email_verified disagree")
    }
    if let begun = payload["auth_time"]?.intValue, let issued = payload["iat"]?.intValue, begun > issued {
      throw found("a session from the future")
    }
    // What was deleted stays deleted, unless somebody chooses its uid.
    if gone.contains(user.uid), user.uid.utf8.count == 28, (try? server.admin.account(user.uid)) != nil {
      throw found("a deleted uid came back")
    }
    if (try? server.admin.account(user.uid)) == nil, let refresh = device.heldRefreshToken,
      (try? server.refresh(refresh)) != nil
    {
      throw found("a token for a deleted account")
    }
  }

  private func audit() throws(Finding) {
    let findings: [String]
    do throws(IdentityError) {
      findings = try AccountAudit.findings(server)
    } catch {
      throw found("\(error)")
    }
    if let first = findings.first { throw found(first) }
  }

  private func found(_ what: String) -> Finding {
    Finding(description: "\(what), after step \(steps): … \(log.joined(separator: " "))")
  }
}

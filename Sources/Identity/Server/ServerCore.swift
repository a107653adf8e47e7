import JSON

/// Everything that the server knows, and what its flows do with it, one call at a time. The flows are in `Flows/` and
/// `SecondFactors/`: each checks everything first and stores last, so that a refused call leaves nothing behind.
struct ServerCore: Sendable {
  let project: String
  var settings: AuthSettings
  let clock: any AuthClock
  var random: Randomness
  var storage: any IdentityStorage
  let keys: SigningKeys
  let providers: ProviderDirectory
  let apple: AppleService
  var configurations: [String: ProviderConfiguration] = [:]
  /// What the blocking functions that have to be asked have said during this call.
  var hearing = BlockingHearing()

  var emailCodes = SecretTable<EmailCode>()
  var smsSessions = SecretTable<SMSSession>()
  var phoneProofs = SecretTable<PhoneProof>()
  var pendingTokens = SecretTable<PendingCredential>()
  var pendingSignIns = SecretTable<PendingSignIn>()
  var enrolments = SecretTable<PendingEnrolment>()
  var usedNonces = SecretTable<UsedNonce>(capacity: 100_000)
  /// The last ones.
  private(set) var revocations: [Revocation] = []
  /// The keys of sessions whose account was deleted, while the server runs.
  var goneSessions = SecretTable<GoneSession>(capacity: 100_000)
  private var codesMade = 0
  /// The SMS that went out, the last ones.
  private(set) var sentSMS: [SMSCode] = []

  init(
    project: String, settings: AuthSettings, clock: any AuthClock, random: Randomness, storage: any IdentityStorage,
    keys: SigningKeys, providers: ProviderDirectory, apple: AppleService
  ) {
    self.project = project
    self.settings = settings
    self.clock = clock
    self.random = random
    self.storage = storage
    self.keys = keys
    self.providers = providers
    self.apple = apple
  }

  /// Numbers codes in the order in which they were made.
  mutating func nextNumber() -> Int {
    codesMade += 1
    return codesMade
  }

  mutating func record(_ revocation: Revocation) {
    if revocations.count >= 10_000 { revocations.removeFirst(5000) }
    revocations.append(revocation)
  }

  mutating func send(_ code: SMSCode) -> SMSCode {
    if sentSMS.count >= 1000 { sentSMS.removeFirst(500) }
    sentSMS.append(code)
    return code
  }

  var now: Int64 { AuthTime.clamped(clock.milliseconds) }
  var seconds: Int64 { AuthTime.seconds(milliseconds: now) }

  /// When something that is made now ends; nil for never.
  func expiry(_ lifetime: (AuthSettings.CodeLifetimes) -> Int64) -> Int64? {
    settings.codeLifetimes.map { AuthTime.clamped(now + AuthTime.milliseconds(seconds: lifetime($0))) }
  }

  /// - Throws: `TOO_MANY_ATTEMPTS_TRY_LATER` once a code was guessed at too often.
  func checkAttempts(_ attempts: Int) throws(IdentityError) {
    guard let most = settings.codeAttempts, attempts >= most else { return }
    throw IdentityError(
      code: "TOO_MANY_ATTEMPTS_TRY_LATER", message: "the code was wrong \(attempts) times: ask for a new one")
  }

  // MARK: Accounts

  func account(for key: AccountKey) throws(IdentityError) -> Account? {
    guard let uid = try storage.uid(for: key) else { return nil }
    return try storage.account(uid)
  }

  /// The account of an address, which is compared in lower case.
  func account(email: String, tenant: String?) throws(IdentityError) -> Account? {
    try account(for: .email(email.lowercased(), tenant))
  }

  mutating func newAccount(uid: String? = nil, tenant: String?) throws(IdentityError) -> Account {
    var uid = uid ?? hearing.uid ?? random.uid()
    while try storage.account(uid) != nil { uid = random.uid() }
    return Account(uid: uid, tenant: tenant, at: now)
  }

  /// - Throws: `INVALID_EMAIL`, `MISSING_EMAIL`.
  static func canonical(_ email: String) throws(IdentityError) -> String {
    guard !email.isEmpty else { throw IdentityError(code: "MISSING_EMAIL", message: "an e-mail address is needed") }
    try UserProfile.check(email: email)
    return email.lowercased()
  }

  /// - Throws: `WEAK_PASSWORD`, `MISSING_PASSWORD`.
  func checkNew(password: String) throws(IdentityError) {
    guard !password.isEmpty else { throw IdentityError(code: "MISSING_PASSWORD", message: "a password is needed") }
    guard password.utf16.count >= settings.shortestPassword else {
      throw IdentityError(
        code: "WEAK_PASSWORD : Password should be at least \(settings.shortestPassword) characters",
        message: "the password has \(password.utf16.count) characters")
    }
    try settings.passwordPolicy?.check(password)
  }

  func checkEnabled(_ account: Account) throws(IdentityError) {
    guard !account.isDisabled else {
      throw IdentityError(code: "USER_DISABLED", message: "the account \(account.uid) was disabled by an administrator")
    }
  }

  func checkTenant(_ account: Account, _ tenant: String?) throws(IdentityError) {
    guard account.tenant == tenant else { throw Self.tenantMismatch }
  }

  static let tenantMismatch = IdentityError(
    code: "TENANT_ID_MISMATCH", message: "the account belongs to another tenant")

  // MARK: Tokens

  /// The account and the payload of a client's ID token.
  /// - Throws: `INVALID_ID_TOKEN`, `USER_NOT_FOUND`, `TOKEN_EXPIRED`, `USER_DISABLED`, as the server answers a client.
  func bearer(_ idToken: String) throws(IdentityError) -> Bearer {
    let payload = try decode(idToken)
    guard let uid = payload["sub"]?.stringValue, let issued = payload["iat"]?.intValue else {
      throw IdentityError(code: "INVALID_ID_TOKEN", message: "the token lacks sub or iat")
    }
    guard let account = try storage.account(uid) else {
      throw IdentityError(code: "USER_NOT_FOUND", message: "the account of this token is gone")
    }
    guard issued >= account.validSince else {
      throw IdentityError(code: "TOKEN_EXPIRED", message: "the session was ended: sign in again")
    }
    try checkEnabled(account)
    guard payload["firebase"]?["tenant"]?.stringValue == account.tenant else { throw Self.tenantMismatch }
    return Bearer(account: account, payload: payload)
  }

  /// The payload of a token that this server issued, as far as it can tell.
  func decode(_ idToken: String) throws(IdentityError) -> JSONObject {
    guard !idToken.isEmpty else { throw IdentityError(code: "MISSING_ID_TOKEN", message: "an ID token is needed") }
    let payload: JSONObject
    switch settings.tokens {
    case .unsigned:
      payload = try UnsignedToken.decode(idToken)
      guard payload["aud"]?.stringValue == project else {
        throw IdentityError(code: "INVALID_ID_TOKEN", message: "the token is not for the project '\(project)'")
      }
    case .signed:
      var verifier = try TokenVerifier(project: project, certificates: keys.certificates, clockSkew: 60)
      verifier.checksCertificateDates = false
      do throws(TokenFault) {
        return try verifier.verify(
          idToken, at: settings.checksExpiry ? seconds : min(seconds, Self.issueTime(idToken) ?? seconds))
      } catch {
        throw error.error
      }
    }
    if settings.checksExpiry, let expires = payload["exp"]?.intValue, seconds >= expires {
      throw TokenFault.expired(expires, now: seconds).error
    }
    return payload
  }

  private static func issueTime(_ idToken: String) -> Int64? {
    (try? UnsignedToken.decode(idToken))?["iat"]?.intValue
  }

  /// - Throws: `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`.
  func checkRecentLogin(_ bearer: Bearer) throws(IdentityError) {
    guard let threshold = settings.recentLogin else { return }
    guard let begun = bearer.payload["auth_time"]?.intValue, begun >= seconds - max(0, min(threshold, 1 << 40)) else {
      throw IdentityError(
        code: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN",
        message: "this needs a login within the last \(threshold) seconds: reauthenticate, then try again")
    }
  }

  func idToken(_ account: Account, _ session: AuthSession) throws(IdentityError) -> String {
    var session = session
    if settings.authTimeIsLastLogin { session.authTime = AuthTime.seconds(milliseconds: account.lastLoginAt) }
    let payload = IDTokenContents(account, session).payload(at: seconds, project: project)
    switch settings.tokens {
    case .unsigned: return UnsignedToken.encode(payload)
    case .signed: return try keys.sign(payload, at: seconds)
    }
  }

  /// Begins a session of a stored account.
  mutating func issue(_ account: Account, _ session: AuthSession) throws(IdentityError) -> IssuedTokens {
    let refreshToken = random.letters(64)
    let tokens = IssuedTokens(uid: account.uid, idToken: try idToken(account, session), refreshToken: refreshToken)
    try storage.putSession(session, key: SecretTable<GoneSession>.key(refreshToken))
    return tokens
  }

  func newSession(_ account: Account, _ signInProvider: String) -> AuthSession {
    AuthSession(uid: account.uid, tenant: account.tenant, signInProvider: signInProvider, authTime: seconds)
  }

  // MARK: Ends of sign-ins

  /// Stores what a sign-in made of an account and gives tokens, or asks for the second factor.
  /// - Parameter isSignIn: whether the project's blocking functions have a say: not when a signed-in user links
  ///   something, nor for anonymous users and those of custom tokens.
  mutating func finish(
    _ account: Account, replacing old: Account?, _ session: AuthSession, extras: SignInExtras = SignInExtras(),
    isSignIn: Bool = true, asksSecondFactor: Bool = true
  ) throws(IdentityError) -> SignInAnswer {
    var account = account
    var session = session
    if isSignIn, old == nil { try ask(.beforeCreate, &account, &session, extras) }
    if asksSecondFactor, settings.asksSecondFactors, !account.secondFactors.isEmpty {
      try storage.put(account, replacing: old)
      let credential = random.letters(64)
      let pending = PendingSignIn(session: session, extras: extras, expiry: expiry(\.secondFactor))
      pendingSignIns.put(pending, for: credential, at: now)
      return .secondFactorRequired(
        PendingSecondFactor(credential: credential, hints: account.secondFactors.map(\.hint)))
    }
    if isSignIn { try ask(.beforeSignIn, &account, &session, extras) }
    account.lastLoginAt = now
    account.lastRefreshAt = now
    try storage.put(account, replacing: old)
    // A function may have disabled it.
    try checkEnabled(account)
    return .signedIn(
      SignedIn(
        tokens: try issue(account, session), isNewUser: old == nil, signInProvider: session.signInProvider,
        extras: extras))
  }

  /// The session of an account that was changed while signed in: what it began with is kept.
  func continued(_ bearer: Bearer, as signInProvider: String) -> AuthSession {
    var session = newSession(bearer.account, signInProvider)
    session.secondFactor = bearer.secondFactor
    if signInProvider == bearer.signInProvider {
      session.attributes = bearer.payload["firebase"]?["sign_in_attributes"]?.objectValue
    }
    return session
  }
}

/// Who makes a call, as the ID token says.
struct Bearer {
  let account: Account
  let payload: JSONObject

  var signInProvider: String { payload["firebase"]?["sign_in_provider"]?.stringValue ?? ProviderID.custom }

  var secondFactor: SecondFactor? {
    let firebase = payload["firebase"]
    guard let kind = firebase?["sign_in_second_factor"]?.stringValue.flatMap(SecondFactor.Kind.init(rawValue:)) else {
      return nil
    }
    return SecondFactor(kind, identifier: firebase?["second_factor_identifier"]?.stringValue)
  }
}

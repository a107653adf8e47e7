import JSON
import Synchronization

/// A Firebase Authentication in the process: accounts, sign-in flows and tokens of one project. Nothing in it is
/// global, the clock and the randomness are given, and it may be used from many threads.
///
/// Its methods are what the servers of Firebase offer to clients; `Device` is the client that apps know. `admin` does
/// what needs a service account.
public final class AuthServer: Sendable {
  public let project: String
  public let clock: any AuthClock
  /// Signs tokens, where they are signed; its certificates are for those who check them.
  public let keys: SigningKeys
  /// The people at other identity providers.
  public let providers: ProviderDirectory
  public let apple: AppleService
  private let core: Mutex<ServerCore>
  private let functions = Mutex<(any BlockingFunctions)?>(nil)

  /// - Parameters:
  ///   - project: the id of the project.
  ///   - settings: what is switched on.
  ///   - clock: where the time comes from.
  ///   - seed: with one, uids and codes are the same in every run, and can be foreseen; nil for real randomness.
  ///   - storage: where everything is kept.
  ///   - keys: that sign tokens.
  ///   - providers: what other providers say of people.
  ///   - apple: Apple's side of a sign-in.
  public init(
    project: String = "demo-project", settings: AuthSettings = .production, clock: any AuthClock = SystemAuthClock(),
    seed: UInt64? = nil, storage: any IdentityStorage = MemoryIdentityStorage(), keys: SigningKeys = SigningKeys(),
    providers: ProviderDirectory = ProviderDirectory(), apple: AppleService = AppleService()
  ) {
    self.project = project
    self.clock = clock
    self.keys = keys
    self.providers = providers
    self.apple = apple
    core = Mutex(
      ServerCore(
        project: project, settings: settings, clock: clock, random: Randomness(seed: seed), storage: storage,
        keys: keys,
        providers: providers, apple: apple))
  }

  public var settings: AuthSettings {
    get { core.withLock { $0.settings } }
    set { core.withLock { $0.settings = newValue } }
  }

  /// Does a call by itself: no other one is between its parts.
  func run<Answer: Sendable>(
    _ body: (inout ServerCore) throws(IdentityError) -> Answer
  ) throws(IdentityError) -> Answer {
    let result: Result<Answer, IdentityError> = core.withLock { core in
      do throws(IdentityError) {
        return .success(try body(&core))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  func read<Answer: Sendable>(_ body: (ServerCore) -> Answer) -> Answer { core.withLock { body($0) } }

  func change<Answer: Sendable>(_ body: (inout ServerCore) -> Answer) -> Answer { core.withLock { body(&$0) } }

  /// Who is asked before accounts are made and people are signed in; nil for nobody.
  public var blockingFunctions: (any BlockingFunctions)? {
    get { functions.withLock { $0 } }
    set { functions.withLock { $0 = newValue } }
  }

  /// What needs a service account.
  public var admin: AuthAdmin { AuthAdmin(server: self) }

  /// A client with nobody signed in.
  public func device(tenant: String? = nil) -> Device { Device(server: self, tenant: tenant) }

  // MARK: Sign-in

  /// Anonymous without address and password; with an ID token, for its account.
  /// - Throws: `EMAIL_EXISTS`, `WEAK_PASSWORD`, `INVALID_EMAIL`, `MISSING_EMAIL`, `MISSING_PASSWORD`,
  ///   `ADMIN_ONLY_OPERATION`, `PASSWORD_LOGIN_DISABLED`, and what an ID token is refused for.
  public func signUp(
    email: String? = nil, password: String? = nil, displayName: String? = nil, idToken: String? = nil,
    tenant: String? = nil
  ) throws(IdentityError) -> SignInAnswer {
    try runSigningIn { (core) throws(IdentityError) in
      try core.signUp(email: email, password: password, displayName: displayName, idToken: idToken, tenant: tenant)
    }
  }

  /// Signs in with a credential, or with an ID token links it to its account.
  /// - Parameters:
  ///   - credential: what the provider gave.
  ///   - idToken: of who is signed in, to link; `nil`: nobody is.
  ///   - autoCreate: whether somebody new gets an account; not when reauthenticating.
  ///   - tenant: the id of a tenant; `nil`: none.
  /// - Throws: what the provider's flow is refused for; see `docs/identity.md`.
  public func signIn(
    with credential: AuthCredential, idToken: String? = nil, autoCreate: Bool = true, tenant: String? = nil
  ) throws(IdentityError) -> SignInAnswer {
    try runSigningIn { (core) throws(IdentityError) in
      switch credential {
      case .password(let email, let password):
        if let idToken {
          return try core.signUp(email: email, password: password, displayName: nil, idToken: idToken, tenant: tenant)
        }
        return try core.signIn(email: email, password: password, tenant: tenant)
      case .emailLink(let email, let link):
        let code = FormEncoding.query("oobCode", in: link) ?? link
        return try core.signIn(email: email, code: code, idToken: idToken, autoCreate: autoCreate, tenant: tenant)
      case .phone(let verificationID, let code):
        return try core.signIn(.code(sessionInfo: verificationID, code: code), idToken: idToken, autoCreate: autoCreate)
      case .phoneProof(let phoneNumber, let proof):
        return try core.signIn(
          .proof(phoneNumber: phoneNumber, temporaryProof: proof), idToken: idToken, autoCreate: autoCreate)
      case .provider(let credential):
        return try core.signIn(credential, idToken: idToken, autoCreate: autoCreate, tenant: tenant)
      }
    }
  }

  /// - Throws: `INVALID_CUSTOM_TOKEN`, `MISSING_IDENTIFIER`, `FORBIDDEN_CLAIM : name`, `TENANT_ID_MISMATCH`,
  ///   `USER_DISABLED`.
  public func signIn(customToken: String, tenant: String? = nil) throws(IdentityError) -> SignInAnswer {
    try runSigningIn { (core) throws(IdentityError) in try core.signIn(customToken: customToken, tenant: tenant) }
  }

  /// - Throws: `INVALID_IDENTIFIER`.
  public func signInMethods(email: String, tenant: String? = nil) throws(IdentityError) -> [String] {
    try run { (core) throws(IdentityError) in try core.signInMethods(email: email, tenant: tenant) }
  }

  /// - Throws: `INVALID_REFRESH_TOKEN`, `USER_DISABLED`, `TOKEN_EXPIRED` after the session was ended; in production
  ///   `USER_NOT_FOUND` after the account was deleted.
  public func refresh(_ refreshToken: String) throws(IdentityError) -> IssuedTokens {
    try run { (core) throws(IdentityError) in try core.refresh(refreshToken) }
  }

  // MARK: Codes

  /// The verification id; the code is in `smsCodes`.
  /// - Throws: `INVALID_PHONE_NUMBER : Invalid format.`
  public func sendSMS(to phoneNumber: String, tenant: String? = nil) throws(IdentityError) -> String {
    try run { (core) throws(IdentityError) in try core.sendSMS(phoneNumber, tenant: tenant).sessionInfo }
  }

  /// - Throws: `EMAIL_NOT_FOUND`, unless answers are to tell nothing.
  public func sendPasswordReset(to email: String, tenant: String? = nil) throws(IdentityError) {
    _ = try mail(.passwordReset(email: email), tenant: tenant)
  }

  public func sendEmailVerification(idToken: String) throws(IdentityError) {
    _ = try mail(.verifyEmail(idToken: idToken))
  }

  /// - Throws: `EMAIL_EXISTS`, unless answers are to tell nothing; `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`.
  public func sendEmailChange(to newEmail: String, idToken: String) throws(IdentityError) {
    _ = try mail(.changeEmail(idToken: idToken, newEmail: newEmail))
  }

  public func sendSignInLink(
    to email: String, continueURL: String? = nil, tenant: String? = nil
  ) throws(IdentityError) {
    _ = try mail(.signIn(email: email, continueURL: continueURL), continueURL: continueURL, tenant: tenant)
  }

  /// The mail itself, for who hands codes out: clients are not to know whether there is one.
  package func mail(
    _ request: MailRequest, continueURL: String? = nil, tenant: String? = nil
  ) throws(IdentityError) -> EmailCode? {
    try run { (core) throws(IdentityError) in
      try core.sendCode(request, tenant: tenant, continueURL: continueURL)
    }
  }

  /// What a code is for, without using it.
  /// - Throws: `INVALID_OOB_CODE`, `EXPIRED_OOB_CODE`.
  public func checkCode(_ code: String) throws(IdentityError) -> EmailCode {
    try run { (core) throws(IdentityError) in try core.emailCode(code) }
  }

  /// Verifies an address, changes it, or takes a change back.
  /// - Throws: `INVALID_OOB_CODE`, `EXPIRED_OOB_CODE`, `EMAIL_EXISTS`, `USER_NOT_FOUND`, `USER_DISABLED`.
  /// - Returns: the account's uid.
  @discardableResult
  public func applyCode(_ code: String) throws(IdentityError) -> String {
    try run { (core) throws(IdentityError) in try core.applyCode(code) }
  }

  /// - Throws: `INVALID_OOB_CODE`, `EXPIRED_OOB_CODE`, `WEAK_PASSWORD`, `USER_NOT_FOUND`, `USER_DISABLED`.
  /// - Returns: the account's uid.
  @discardableResult
  public func resetPassword(code: String, newPassword: String) throws(IdentityError) -> String {
    try run { (core) throws(IdentityError) in try core.resetPassword(code, newPassword: newPassword) }
  }

  // MARK: The account of an ID token

  /// - Throws: `INVALID_ID_TOKEN`, `USER_NOT_FOUND`, `TOKEN_EXPIRED`, `USER_DISABLED`.
  public func lookup(idToken: String) throws(IdentityError) -> Account {
    try run { (core) throws(IdentityError) in try core.bearer(idToken).account }
  }

  /// - Returns: tokens where the change ended all sessions.
  public func update(idToken: String, _ changes: AccountChanges) throws(IdentityError) -> IssuedTokens? {
    try run { (core) throws(IdentityError) in try core.update(idToken, changes) }
  }

  /// - Throws: `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`, and what an ID token is refused for.
  public func delete(idToken: String) throws(IdentityError) {
    try run { (core) throws(IdentityError) in _ = try core.delete(idToken) }
  }

  /// Ends what an authorization code of Apple gave; the account of the ID token may be gone.
  public func revokeToken(providerID: String = ProviderID.apple, code: String, idToken: String) throws(IdentityError) {
    try run { (core) throws(IdentityError) in try core.revoke(providerID: providerID, code: code, idToken: idToken) }
  }

  // MARK: Second factors

  /// - Throws: `UNVERIFIED_EMAIL`, `UNSUPPORTED_FIRST_FACTOR`, `SECOND_FACTOR_EXISTS`, `SECOND_FACTOR_LIMIT_EXCEEDED`.
  public func startEnrolment(phoneNumber: String, idToken: String) throws(IdentityError) -> String {
    try run { (core) throws(IdentityError) in
      try core.startEnrolment(phoneNumber: phoneNumber, idToken: idToken).sessionInfo
    }
  }

  /// - Throws: as for a phone.
  public func startTOTPEnrolment(idToken: String) throws(IdentityError) -> TOTPSecret {
    try run { (core) throws(IdentityError) in try core.startTOTPEnrolment(idToken: idToken) }
  }

  /// - Throws: `INVALID_CODE`, `INVALID_SESSION_INFO`, `SESSION_EXPIRED`.
  public func finishEnrolment(
    sessionInfo: String, code: String, displayName: String? = nil, idToken: String
  ) throws(IdentityError) -> IssuedTokens {
    try run { (core) throws(IdentityError) in
      try core.finishEnrolment(sessionInfo: sessionInfo, code: code, displayName: displayName, idToken: idToken)
    }
  }

  /// - Throws: `MFA_ENROLLMENT_NOT_FOUND`.
  public func withdraw(_ enrolment: String, idToken: String) throws(IdentityError) -> IssuedTokens {
    try run { (core) throws(IdentityError) in try core.withdraw(enrolment, idToken: idToken) }
  }

  /// - Throws: `INVALID_MFA_PENDING_CREDENTIAL`, `MFA_ENROLLMENT_NOT_FOUND`.
  public func startSecondFactor(_ pending: String, enrolment: String) throws(IdentityError) -> String {
    try run { (core) throws(IdentityError) in try core.startSecondFactor(pending, enrolment: enrolment).sessionInfo }
  }

  /// By SMS. - Throws: `INVALID_CODE`, `INVALID_SESSION_INFO`, `INVALID_MFA_PENDING_CREDENTIAL`.
  public func finishSecondFactor(
    _ pending: String, sessionInfo: String, code: String
  ) throws(IdentityError) -> SignedIn {
    try runSigningIn { (core) throws(IdentityError) in
      try core.finishSecondFactor(pending, sessionInfo: sessionInfo, code: code)
    }
  }

  /// By authenticator app. - Throws: `INVALID_CODE`, `INVALID_MFA_PENDING_CREDENTIAL`, `MFA_ENROLLMENT_NOT_FOUND`.
  public func finishSecondFactor(
    _ pending: String, enrolment: String, totp code: String
  ) throws(IdentityError) -> SignedIn {
    try runSigningIn { (core) throws(IdentityError) in
      try core.finishSecondFactor(pending, enrolment: enrolment, code: code)
    }
  }

  // MARK: Tokens

  /// Checks an ID token as `verifyIdToken` does: genuine, for this project, not expired. The account is not looked at,
  /// so a token of a disabled, deleted or revoked user passes until it expires; `AuthAdmin.verify` asks.
  /// - Throws: `INVALID_ID_TOKEN`, `TOKEN_EXPIRED`.
  public func verifyIDToken(_ token: String) throws(IdentityError) -> JSONObject {
    try run { (core) throws(IdentityError) in
      let payload = try core.decode(token)
      guard let uid = payload["sub"]?.stringValue, (1...128).contains(uid.utf16.count) else {
        throw IdentityError(code: "INVALID_ID_TOKEN", message: "the token names no uid")
      }
      if let expires = payload["exp"]?.intValue, core.seconds >= expires {
        throw TokenFault.expired(expires, now: core.seconds).error
      }
      return payload
    }
  }

  // MARK: What a test may see

  /// The mails that wait to be acted on, in the order in which they were sent.
  public var emailCodes: [EmailCode] { read { $0.emailCodes.values.sorted { $0.number < $1.number } } }

  /// The SMS that were sent, the last thousand at most.
  public var smsCodes: [SMSCode] { read { $0.sentSMS } }

  /// Of these the ones that wait to be typed in.
  public var pendingSMS: [SMSCode] {
    read { core in
      core.sentSMS.filter { core.smsSessions[$0.sessionInfo] != nil || core.enrolments[$0.sessionInfo] != nil }
    }
  }

  /// The account of an ID token and the token's payload.
  /// - Throws: `INVALID_ID_TOKEN`, `USER_NOT_FOUND`, `TOKEN_EXPIRED`, `USER_DISABLED`.
  public func session(idToken: String) throws(IdentityError) -> (account: Account, payload: JSONObject) {
    try run { (core) throws(IdentityError) in
      let bearer = try core.bearer(idToken)
      return (bearer.account, bearer.payload)
    }
  }

  /// Whether a refresh token is of this server, be its account there or not.
  public func knows(refreshToken: String) -> Bool {
    let key = SecretTable<GoneSession>.key(refreshToken)
    return read { core in (try? core.storage.session(key)) != nil || core.goneSessions.contains(key: key) }
  }

  public var revocations: [Revocation] { read { $0.revocations } }
}

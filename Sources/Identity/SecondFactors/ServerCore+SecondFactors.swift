// Enrolment of second factors, sign-in with them, and their withdrawal.
extension ServerCore {
  /// Who may enrol: with a verified address, and a first factor that is neither anonymous, phone, custom nor Game
  /// Center.
  private func checkEnrolment(_ idToken: String) throws(IdentityError) -> Bearer {
    let bearer = try bearer(idToken)
    let excluded = [ProviderID.anonymous, ProviderID.phone, ProviderID.custom, ProviderID.gameCenter]
    guard !excluded.contains(bearer.signInProvider) else {
      throw IdentityError(
        code: "UNSUPPORTED_FIRST_FACTOR",
        message: "who signed in with \(bearer.signInProvider) cannot have a second factor")
    }
    guard bearer.account.email != nil, bearer.account.emailVerified else {
      throw IdentityError(code: "UNVERIFIED_EMAIL", message: "a second factor needs a verified e-mail address")
    }
    try checkRecentLogin(bearer)
    guard bearer.account.secondFactors.count < settings.mostSecondFactors else {
      throw IdentityError(
        code: "SECOND_FACTOR_LIMIT_EXCEEDED",
        message: "the account has \(settings.mostSecondFactors) second factors, the most there can be")
    }
    return bearer
  }

  private var secondFactorExpiry: Int64? { expiry(\.secondFactor) }

  mutating func startEnrolment(phoneNumber: String, idToken: String) throws(IdentityError) -> SMSCode {
    let bearer = try checkEnrolment(idToken)
    try UserProfile.check(phone: phoneNumber)
    guard !bearer.account.secondFactors.contains(where: { $0.method == .phone(phoneNumber) }) else {
      throw IdentityError(code: "SECOND_FACTOR_EXISTS", message: "the number \(phoneNumber) is a second factor already")
    }
    let sent = SMSCode(phoneNumber: phoneNumber, code: random.digits(6), sessionInfo: random.letters(64))
    let pending = PendingEnrolment(
      uid: bearer.account.uid, method: .phone(number: phoneNumber, code: sent.code), expiry: secondFactorExpiry)
    enrolments.put(pending, for: sent.sessionInfo, at: now)
    return send(sent)
  }

  mutating func startTOTPEnrolment(idToken: String) throws(IdentityError) -> TOTPSecret {
    guard settings.offersTOTP else {
      throw IdentityError(code: "OPERATION_NOT_ALLOWED", message: "the emulator does not know TOTP")
    }
    let bearer = try checkEnrolment(idToken)
    guard !bearer.account.secondFactors.contains(where: { $0.kind == .totp }) else {
      throw IdentityError(code: "SECOND_FACTOR_EXISTS", message: "an authenticator app is a second factor already")
    }
    let secret = random.bytes(20)
    let session = random.letters(64)
    let expiry = secondFactorExpiry
    let pending = PendingEnrolment(uid: bearer.account.uid, method: .totp(secret), expiry: expiry)
    enrolments.put(pending, for: session, at: now)
    return TOTPSecret(sharedSecretKey: Base32.encode(secret), sessionInfo: session, finalizeEnrollmentTime: expiry)
  }

  /// - Returns: tokens that carry the second factor.
  mutating func finishEnrolment(
    sessionInfo: String, code: String, displayName: String?, idToken: String
  ) throws(IdentityError) -> IssuedTokens {
    let bearer = try checkEnrolment(idToken)
    guard let pending = enrolments[sessionInfo], pending.uid.isExactly(bearer.account.uid) else {
      throw IdentityError(code: "INVALID_SESSION_INFO", message: "the enrolment was finished, or never begun")
    }
    try checkAge(pending.expiry)
    try checkAttempts(pending.attempts)
    let method: EnrolledFactor.Method
    var step: Int64?
    switch pending.method {
    case .phone(let number, let expected):
      guard LibCrypto.areEqual(Array(expected.utf8), Array(code.utf8)) else {
        enrolments.change(sessionInfo) { $0.attempts += 1 }
        throw Self.wrongCode
      }
      method = .phone(number)
    case .totp(let secret):
      step = TOTP.step(of: code, secret: secret, at: seconds)
      guard step != nil else {
        enrolments.change(sessionInfo) { $0.attempts += 1 }
        throw Self.wrongCode
      }
      method = .totp(secret)
    }
    guard !bearer.account.secondFactors.contains(where: { $0.method == method || ($0.kind == .totp
      && step != nil) }) else {
      throw IdentityError(code: "SECOND_FACTOR_EXISTS", message: "this is a second factor already")
    }
    var factor = EnrolledFactor(id: random.letters(28), displayName: displayName, method: method, enrolledAt: now)
    factor.lastStep = step
    var account = bearer.account
    account.secondFactors.append(factor)
    try storage.put(account, replacing: bearer.account)
    enrolments.remove(sessionInfo)
    var session = continued(bearer, as: bearer.signInProvider)
    session.secondFactor = SecondFactor(factor.kind, identifier: factor.id)
    return try issue(account, session)
  }

  /// - Returns: tokens without a second factor.
  mutating func withdraw(_ enrolment: String, idToken: String) throws(IdentityError) -> IssuedTokens {
    let bearer = try bearer(idToken)
    try checkRecentLogin(bearer)
    var account = bearer.account
    guard let place = account.secondFactors.firstIndex(where: { $0.id == enrolment }) else { throw Self.unknownFactor }
    account.secondFactors.remove(at: place)
    try storage.put(account, replacing: bearer.account)
    return try issue(account, newSession(account, bearer.signInProvider))
  }

  /// Sends the SMS of a sign-in that waits for its second factor.
  mutating func startSecondFactor(_ pending: String, enrolment: String) throws(IdentityError) -> SMSCode {
    let (account, _) = try waiting(pending)
    guard let factor = account.secondFactors.first(where: { $0.id == enrolment }),
      case .phone(let number) = factor.method
    else {
      throw Self.unknownFactor
    }
    let sent = SMSCode(phoneNumber: number, code: random.digits(6), sessionInfo: random.letters(64))
    let session = SMSSession(
      phoneNumber: number, code: sent.code, expiry: secondFactorExpiry, number: nextNumber(),
      sessionInfo: sent.sessionInfo,
      secondFactor: SMSSession.SecondFactor(pending: pending, enrolment: enrolment))
    smsSessions.put(session, for: sent.sessionInfo, at: now)
    return send(sent)
  }

  /// The second factor by SMS: finishes the sign-in.
  mutating func finishSecondFactor(
    _ pending: String, sessionInfo: String, code: String
  ) throws(IdentityError) -> SignedIn {
    let (account, waiting) = try waiting(pending)
    guard let session = smsSessions[sessionInfo], let asked = session.secondFactor, asked.pending == pending else {
      throw IdentityError(
        code: "INVALID_SESSION_INFO", message: "the verification id was used, or is for another sign-in")
    }
    try checkAge(session.expiry)
    guard LibCrypto.areEqual(Array(session.code.utf8), Array(code.utf8)) else {
      pendingSignIns.change(pending) { $0.attempts += 1 }
      throw Self.wrongCode
    }
    guard account.secondFactors.contains(where: { $0.id == asked.enrolment }) else { throw Self.unknownFactor }
    smsSessions.remove(sessionInfo)
    return try finish(account, replacing: account, waiting, pending, SecondFactor(.phone, identifier: asked.enrolment))
  }

  /// The second factor by authenticator app: finishes the sign-in. Each code is good once.
  mutating func finishSecondFactor(
    _ pending: String, enrolment: String, code: String
  ) throws(IdentityError) -> SignedIn {
    let (old, waiting) = try waiting(pending)
    var account = old
    guard let place = account.secondFactors.firstIndex(where: { $0.id == enrolment }),
      case .totp(let secret) = account.secondFactors[place].method
    else { throw Self.unknownFactor }
    guard let step = TOTP.step(of: code, secret: secret, at: seconds),
      step > account.secondFactors[place].lastStep ?? -1
    else {
      pendingSignIns.change(pending) { $0.attempts += 1 }
      throw Self.wrongCode
    }
    account.secondFactors[place].lastStep = step
    return try finish(account, replacing: old, waiting, pending, SecondFactor(.totp, identifier: enrolment))
  }

  private mutating func finish(
    _ account: Account, replacing old: Account, _ waiting: PendingSignIn, _ pending: String, _ factor: SecondFactor
  ) throws(IdentityError) -> SignedIn {
    var session = waiting.session
    session.secondFactor = factor
    session.authTime = seconds
    var account = account
    try ask(.beforeSignIn, &account, &session, waiting.extras)
    account.lastLoginAt = now
    account.lastRefreshAt = now
    try storage.put(account, replacing: old)
    pendingSignIns.remove(pending)
    try checkEnabled(account)
    return SignedIn(
      tokens: try issue(account, session), isNewUser: false, signInProvider: session.signInProvider,
      extras: waiting.extras)
  }

  private func waiting(_ pending: String) throws(IdentityError) -> (Account, PendingSignIn) {
    guard let waiting = pendingSignIns[pending], let account = try storage.account(waiting.session.uid),
      waiting.expiry.map({ now < $0 }) ?? true
    else {
      throw IdentityError(
        code: "INVALID_MFA_PENDING_CREDENTIAL", message: "the sign-in was finished, is too old, or never began")
    }
    // What ended the account's sessions since ended this one too.
    guard waiting.session.authTime >= account.validSince else {
      throw IdentityError(
        code: "INVALID_MFA_PENDING_CREDENTIAL", message: "the first factor is no longer good: sign in again")
    }
    try checkEnabled(account)
    try checkAttempts(waiting.attempts)
    return (account, waiting)
  }

  private func checkAge(_ expiry: Int64?) throws(IdentityError) {
    if let expiry, now >= expiry {
      throw IdentityError(code: "SESSION_EXPIRED", message: "the code is too old: ask for a new one")
    }
  }

  private static let wrongCode = IdentityError(code: "INVALID_CODE", message: "the code is wrong")
  private static let unknownFactor = IdentityError(
    code: "MFA_ENROLLMENT_NOT_FOUND", message: "the account has no such second factor")
}

extension ServerCore {
  /// Makes the code of an SMS; `SMSCode`s can be looked at.
  mutating func sendSMS(_ phoneNumber: String, tenant: String?) throws(IdentityError) -> SMSCode {
    try checkProvider(ProviderID.phone)
    guard tenant == nil else {
      throw IdentityError(code: "UNSUPPORTED_TENANT_OPERATION", message: "tenants do not know sign-in by phone")
    }
    try UserProfile.check(phone: phoneNumber)
    let sent = SMSCode(phoneNumber: phoneNumber, code: random.digits(6), sessionInfo: random.letters(64))
    let session = SMSSession(
      phoneNumber: phoneNumber, code: sent.code, expiry: expiry(\.sms), number: nextNumber(),
      sessionInfo: sent.sessionInfo)
    smsSessions.put(session, for: sent.sessionInfo, at: now)
    return send(sent)
  }

  /// Who holds the phone: by a code, or by the proof that an earlier code left.
  enum PhoneEvidence {
    case code(sessionInfo: String, code: String)
    case proof(phoneNumber: String, temporaryProof: String)
  }

  private mutating func number(_ evidence: PhoneEvidence) throws(IdentityError) -> String {
    switch evidence {
    case .code(let sessionInfo, let code):
      guard !sessionInfo.isEmpty else {
        throw IdentityError(code: "MISSING_SESSION_INFO", message: "the verification id is missing")
      }
      guard !code.isEmpty else { throw IdentityError(code: "MISSING_CODE", message: "the code of the SMS is missing") }
      guard let session = smsSessions[sessionInfo], session.secondFactor == nil else {
        throw IdentityError(code: "INVALID_SESSION_INFO", message: "the verification id was used, or never given")
      }
      if let expiry = session.expiry, now >= expiry {
        throw IdentityError(code: "SESSION_EXPIRED", message: "the SMS is too old: send a new one")
      }
      try checkAttempts(session.attempts)
      guard LibCrypto.areEqual(Array(session.code.utf8), Array(code.utf8)) else {
        smsSessions.change(sessionInfo) { $0.attempts += 1 }
        throw IdentityError(code: "INVALID_CODE", message: "the code is not that of the SMS")
      }
      return session.phoneNumber
    case .proof(let phoneNumber, let secret):
      guard let proof = phoneProofs[secret], phoneNumber.isExactly(proof.phoneNumber),
        proof.expiry.map({ now < $0 }) ?? true
      else {
        throw IdentityError(
          code: "INVALID_TEMPORARY_PROOF", message: "the proof was used, is too old, or is for another number")
      }
      return phoneNumber
    }
  }

  /// Signs in with a phone, or with an ID token gives the number to its account.
  mutating func signIn(
    _ evidence: PhoneEvidence, idToken: String?, autoCreate: Bool = true
  ) throws(IdentityError) -> SignInAnswer {
    try checkProvider(ProviderID.phone)
    let bearer: Bearer? = if let idToken { try self.bearer(idToken) } else { nil }
    if let tenant = bearer?.account.tenant {
      throw IdentityError(
        code: "UNSUPPORTED_TENANT_OPERATION", message: "the tenant '\(tenant)' does not know sign-in by phone")
    }
    let number = try number(evidence)
    let owner = try account(for: .phone(number))
    if let bearer, let owner, !owner.uid.isExactly(bearer.account.uid) {
      if case .proof = evidence {
        throw IdentityError(code: "PHONE_NUMBER_EXISTS", message: "another account has the number \(number)")
      }
      consume(evidence)
      let secret = random.letters(64)
      phoneProofs.put(
        PhoneProof(phoneNumber: number, tenant: nil, expiry: now + 3_600_000), for: secret, at: now)
      return .phoneNumberInUse(phoneNumber: number, temporaryProof: secret)
    }
    let old = bearer?.account ?? owner
    guard old != nil || autoCreate else {
      throw IdentityError(code: "USER_NOT_FOUND", message: "no account has the number \(number)")
    }
    if let old {
      try checkEnabled(old)
      guard old.secondFactors.isEmpty || bearer != nil else {
        throw IdentityError(
          code: "UNSUPPORTED_FIRST_FACTOR", message: "an account with a second factor cannot sign in by phone")
      }
    }
    var account: Account
    if let old { account = old } else { account = try newAccount(tenant: nil) }
    account.link(LinkedProvider(id: ProviderID.phone, rawID: number))
    let session = bearer.map { continued($0, as: ProviderID.phone) } ?? newSession(account, ProviderID.phone)
    let answer = try finish(
      account, replacing: old, session, isSignIn: bearer == nil, asksSecondFactor: false)
    consume(evidence)
    return answer
  }

  private mutating func consume(_ evidence: PhoneEvidence) {
    switch evidence {
    case .code(let sessionInfo, _): smsSessions.remove(sessionInfo)
    case .proof(_, let secret): phoneProofs.remove(secret)
    }
  }
}

import JSON

extension Provider {
  /// Whether an e-mail counts as verified because this provider names it. Apple and Google verify
  /// theirs, the link proves the mailbox, and a SAML assertion is believed; what comes from Facebook,
  /// Twitter, GitHub and Microsoft is usually unverified, and so is whatever we know nothing about.
  public var vouchesForEmail: Bool {
    switch self {
    case .emailLink, .apple, .google, .saml: true
    default: false
    }
  }

  /// Whether the account has an id of its own at the provider, under `firebase.identities`.
  var hasRawID: Bool {
    switch self {
    case .password, .emailLink, .phone, .anonymous, .custom: false
    default: true
    }
  }

  /// Accounts that cannot be without an e-mail.
  var needsEmail: Bool { [.password, .emailLink, .google].contains(self) }
}

extension UserProfile {
  /// The profile with the provider's defaults filled in and the e-mail in lower case.
  /// - Throws: for a field that the provider cannot carry, or that is not what it should be.
  func completed() throws(IdentityError) -> UserProfile {
    try provider.check()
    try checkUID()
    try checkFieldsOfProvider()

    var user = self
    if user.email == nil, provider.needsEmail {
      guard let email = DefaultIdentity.email(uid: uid) else {
        throw IdentityError(
          code: "MISSING_EMAIL",
          message: "the \(provider.word) user '\(uid)' needs an email: none can be made from this uid")
      }
      user.email = email
    }
    if provider == .phone { user.phone = phone ?? DefaultIdentity.phone(uid: uid) }
    if let email = user.email {
      try Self.check(email: email)
      user.email = email.lowercased()
      user.emailVerified = emailVerified ?? provider.vouchesForEmail
    }
    if let phone = user.phone { try Self.check(phone: phone) }
    user.rawID = rawID ?? DefaultIdentity.rawID(provider: provider, uid: uid, email: user.email)
    if provider == .google {
      user.name = name ?? uid
      user.picture = picture ?? "https://example.com/\(user.rawID ?? "").png"
    }

    user.claims = claims.withWholeNumbers
    user.sessionClaims = sessionClaims.withWholeNumbers
    user.signInAttributes = signInAttributes?.withWholeNumbers
    try CustomClaims.check(user.claims)
    try CustomClaims.checkNames(user.sessionClaims)
    try user.checkSecondFactor()
    return user
  }

  private func checkUID() throws(IdentityError) {
    // Counted as JavaScript and Java count, in UTF-16.
    guard (1...128).contains(uid.utf16.count) else {
      throw IdentityError(
        code: "INVALID_LOCAL_ID", message: "a uid has 1 to 128 characters, this one has \(uid.utf16.count)")
    }
  }

  private func checkFieldsOfProvider() throws(IdentityError) {
    if provider == .anonymous {
      if email != nil { throw misplaced("email", "an anonymous user has no e-mail; use password({ email: … })") }
      if phone != nil { throw misplaced("phone", "an anonymous user has no number; use phone({ phone: … })") }
    }
    if emailVerified != nil, email == nil, !provider.needsEmail {
      throw misplaced(
        "email_verified", "without an email there is nothing to verify; add email, or leave email_verified out")
    }
    if provider == .emailLink, emailVerified == false {
      throw misplaced(
        "email_verified",
        "who signs in by e-mail link has proved the address; leave email_verified out, or use password(…)")
    }
    if rawID != nil, !provider.hasRawID {
      throw misplaced("raw_id", "\(provider.word) users have no id at another provider; leave it out")
    }
    if let rawID, rawID.isEmpty {
      throw misplaced("raw_id", "the id at the provider is empty; leave it out for a default")
    }
    if !sessionClaims.isEmpty, provider != .custom {
      throw misplaced("session_claims", "only a custom token brings claims of the session; use claims")
    }
    if signInAttributes != nil {
      switch provider {
      case .oidc, .saml: break
      default: throw misplaced("sign_in_attributes", "only oidc and saml users bring attributes; use claims")
      }
    }
    try checkTenant()
  }

  private func checkTenant() throws(IdentityError) {
    guard let tenant else { return }
    guard !tenant.isEmpty,
      tenant.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
    else {
      throw IdentityError(
        code: "INVALID_TENANT_ID",
        message: "'\(tenant)' is no tenant id: write letters, digits and '-', as in 'team-a1b2c'")
    }
    if provider == .phone {
      throw IdentityError(
        code: "UNSUPPORTED_TENANT_OPERATION",
        message: "tenants do not know sign-in by phone; leave tenant out, or use another provider")
    }
  }

  /// Enrolment asks for a verified e-mail and a first factor that is not anonymous, phone or custom.
  private func checkSecondFactor() throws(IdentityError) {
    guard let secondFactor else { return }
    guard ![.anonymous, .phone, .custom].contains(provider) else {
      throw IdentityError(
        code: "UNSUPPORTED_FIRST_FACTOR",
        message: "\(provider.word) users cannot have a second factor; "
          + "use password({ email_verified: true, mfa: … }) or another provider")
    }
    guard emailVerified == true else {
      throw IdentityError(
        code: "UNVERIFIED_EMAIL", message: "a second factor needs a verified e-mail: add email_verified: true"
          + (email == nil ? " and an email" : ""))
    }
    if secondFactor.identifier?.isEmpty == true {
      throw misplaced("mfa", "the second factor's identifier is empty; leave it out for a default")
    }
  }

  private func misplaced(_ field: String, _ message: String) -> IdentityError {
    IdentityError(code: "UNEXPECTED_PARAMETER : \(field)", message: message)
  }

  /// Plausible, no more: something, one `@`, and a domain without empty labels; no white space or
  /// control characters.
  static func check(email: String) throws(IdentityError) {
    let parts = email.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let hasBadScalar = email.unicodeScalars.contains { $0.properties.isWhitespace
      || $0.properties.generalCategory == .control }
    // The Kelvin sign, say: in lower case another's address would come of it.
    let isMistakable = email.unicodeScalars.contains { scalar in
      !scalar.isASCII && scalar.properties.lowercaseMapping.unicodeScalars.allSatisfy(\.isASCII)
    }
    guard parts.count == 2, !parts[0].isEmpty, !hasBadScalar, !isMistakable, email.utf16.count <= 256,
      parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else {
      throw IdentityError(
        code: "INVALID_EMAIL", message: "'\(email)' is no e-mail address; write one like 'alice@example.com'")
    }
  }

  /// The international form (E.164): `+` and 7 to 15 digits, the first not 0.
  static func check(phone: String) throws(IdentityError) {
    let digits = phone.utf8.dropFirst()
    guard phone.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
      digits.first != UInt8(ascii: "0")
    else {
      throw IdentityError(
        code: "INVALID_PHONE_NUMBER : Invalid format.",
        message: "'\(phone)' is no phone number; write + and 7 to 15 digits, as in '+15555550100'")
    }
  }
}

import JSON

/// What an administrator changes of an account. What is nil stays.
public struct AccountEdit: Sendable {
  public var email: String?
  public var password: String?
  public var displayName: String?
  public var photoURL: String?
  public var phoneNumber: String?
  public var emailVerified: Bool?
  public var isDisabled: Bool?
  public var customClaims: JSONObject?
  /// Seconds since 1970.
  public var validSince: Int64?
  /// Milliseconds since 1970.
  public var lastLoginAt: Int64?
  public var deletedAttributes: [AccountChanges.Attribute] = []
  public var deletedProviders: [String] = []
  public var deletedPasskeys: [String] = []
  /// A provider to link; it replaces what the account had of it.
  public var linkedProvider: LinkedProvider?
  /// All second factors that it is to have.
  public var secondFactors: [FactorEdit]?

  public init() {}
}

/// A second factor that an administrator gives, or keeps.
public struct FactorEdit: Sendable {
  /// Nil for a new one.
  public var id: String?
  public var phoneNumber: String?
  public var displayName: String?
  /// Milliseconds since 1970; nil for now.
  public var enrolledAt: Int64?

  public init(id: String? = nil, phoneNumber: String? = nil, displayName: String? = nil, enrolledAt: Int64? = nil) {
    self.id = id
    self.phoneNumber = phoneNumber
    self.displayName = displayName
    self.enrolledAt = enrolledAt
  }
}

extension ServerCore {
  /// - Throws: `USER_NOT_FOUND`, `EMAIL_EXISTS`, `PHONE_NUMBER_EXISTS`, `FEDERATED_USER_ID_ALREADY_LINKED`,
  ///   `WEAK_PASSWORD`, `INVALID_EMAIL`, `INVALID_PHONE_NUMBER`, `CLAIMS_TOO_LARGE`, `FORBIDDEN_CLAIM : name`, ….
  mutating func edit(_ uid: String, _ edit: AccountEdit) throws(IdentityError) -> Account {
    let old = try known(uid)
    var account = old
    if let email = edit.email {
      let address = try Self.canonical(email)
      if !address.isExactly(old.email) {
        account.setEmail(address, verified: false)
        account.validSince = seconds
      }
    }
    if let password = edit.password {
      try checkNew(password: password)
      guard account.email != nil else {
        throw IdentityError(code: "MISSING_EMAIL", message: "the account has no address for its password")
      }
      account.setPassword(try PasswordHash(password, cost: settings.passwordCost, random: &random), at: now)
      account.validSince = seconds
    }
    if let verified = edit.emailVerified { account.emailVerified = verified && account.email != nil }
    account.displayName = edit.displayName ?? account.displayName
    account.photoURL = edit.photoURL ?? account.photoURL
    account.isDisabled = edit.isDisabled ?? account.isDisabled
    account.validSince = edit.validSince ?? account.validSince
    account.lastLoginAt = edit.lastLoginAt.map { max($0, account.createdAt) } ?? account.lastLoginAt
    if let claims = edit.customClaims {
      try CustomClaims.check(claims)
      account.customClaims = claims.withWholeNumbers
    }
    for attribute in edit.deletedAttributes {
      switch attribute {
      case .displayName: account.displayName = nil
      case .photoURL: account.photoURL = nil
      }
    }
    for id in edit.deletedProviders { account.unlink(id) }
    account.passkeys.removeAll { edit.deletedPasskeys.contains($0.credentialID) }
    if let provider = edit.linkedProvider {
      try check(linked: provider)
      account.link(provider)
    }
    if let phone = edit.phoneNumber {
      try UserProfile.check(phone: phone)
      account.link(LinkedProvider(id: ProviderID.phone, rawID: phone))
    }
    if let factors = edit.secondFactors { account.secondFactors = try secondFactors(factors, of: account) }
    if account.email == nil { account.secondFactors = [] }
    try checkFree(account)
    try storage.put(account, replacing: old)
    return account
  }

  /// The list that replaces an account's second factors: those with a known id stay what they are.
  mutating func secondFactors(_ edits: [FactorEdit], of account: Account) throws(IdentityError) -> [EnrolledFactor] {
    guard !edits.isEmpty else { return [] }
    guard edits.count <= settings.mostSecondFactors else {
      throw IdentityError(
        code: "SECOND_FACTOR_LIMIT_EXCEEDED",
        message: "an account has at most \(settings.mostSecondFactors) second factors")
    }
    guard account.email != nil else {
      throw IdentityError(
        code: "INVALID_MFA_ENROLLMENT : Second factor account requires email to be presented.",
        message: "a second factor needs an e-mail address")
    }
    guard account.emailVerified else {
      throw IdentityError(
        code: "UNVERIFIED_EMAIL", message: "a second factor needs a verified e-mail address")
    }
    var factors: [EnrolledFactor] = []
    for edit in edits {
      let known = account.secondFactors.first { $0.id.isExactly(edit.id) }
      let method: EnrolledFactor.Method
      if let phone = edit.phoneNumber {
        try UserProfile.check(phone: phone)
        method = .phone(phone)
      } else if let known {
        method = known.method
      } else {
        throw IdentityError(
          code: "INVALID_MFA_PHONE_NUMBER : Invalid format.",
          message: "a new second factor needs a phone number: that of an authenticator app only its owner can enrol")
      }
      var factor = EnrolledFactor(
        id: edit.id ?? random.letters(28), displayName: edit.displayName ?? known?.displayName, method: method,
        enrolledAt: edit.enrolledAt ?? known?.enrolledAt ?? now)
      factor.lastStep = known?.lastStep
      guard !factors.contains(where: { $0.id.isExactly(factor.id) }) else {
        throw IdentityError(code: "DUPLICATE_MFA_ENROLLMENT_ID", message: "a second factor is given twice")
      }
      guard !factors.contains(where: { $0.method == factor.method }) else {
        throw IdentityError(code: "SECOND_FACTOR_EXISTS", message: "a number is given twice")
      }
      factors.append(factor)
    }
    return factors
  }

  func check(linked provider: LinkedProvider) throws(IdentityError) {
    guard !provider.rawID.isEmpty, provider.rawID.utf16.count <= 256, !provider.id.isEmpty,
      provider.id.utf16.count <= 64
    else {
      throw IdentityError(
        code: "INVALID_PROVIDER_ID : a provider has an id, and a rawId of 1 to 256 characters",
        message: "a linked provider has an id, and a rawId of 1 to 256 characters")
    }
    guard ![ProviderID.password, ProviderID.anonymous, ProviderID.custom, "email"].contains(provider.id) else {
      throw IdentityError(
        code: "INVALID_PROVIDER_ID", message: "'\(provider.id)' is no identity provider that could be linked")
    }
    if provider.id == ProviderID.phone { try UserProfile.check(phone: provider.rawID) }
  }
}

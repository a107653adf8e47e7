import JSON

/// An account that comes from elsewhere as it is: from an export, or from another project.
public struct ImportedAccount: Sendable {
  public var account: NewAccount
  /// Milliseconds since 1970; nil for now.
  public var createdAt: Int64?
  public var lastLoginAt: Int64?
  /// Seconds since 1970; nil for now.
  public var validSince: Int64?
  public var providers: [LinkedProvider] = []
  public var secondFactors: [FactorEdit] = []
  /// A scrypt hash of RFC 7914, as this server exports it; `account.importedPassword` is Firebase's own kind.
  public var scrypt: (key: [UInt8], salt: [UInt8], cost: ScryptCost)?

  /// - Parameter account: with a uid.
  public init(_ account: NewAccount) { self.account = account }
}

extension ServerCore {
  /// Stores it; one of that uid is replaced.
  /// - Throws: as when an administrator makes one.
  mutating func importAccount(_ imported: ImportedAccount) throws(IdentityError) {
    let new = imported.account
    guard let uid = new.uid, (1...128).contains(uid.utf16.count) else {
      throw IdentityError(code: "INVALID_LOCAL_ID", message: "an imported account has a uid of 1 to 128 characters")
    }
    let old = try storage.account(uid)
    var account = Account(uid: uid, tenant: new.tenant, at: min(AuthTime.clamped(imported.createdAt ?? now), now))
    account.lastLoginAt = max(AuthTime.clamped(imported.lastLoginAt ?? account.createdAt), account.createdAt)
    account.validSince = imported.validSince ?? seconds
    if let email = new.email { account.setEmail(try Self.canonical(email), verified: new.emailVerified) }
    for provider in imported.providers where provider.id != ProviderID.password {
      try check(linked: provider)
      account.link(provider)
    }
    if let phone = new.phoneNumber {
      try UserProfile.check(phone: phone)
      account.link(LinkedProvider(id: ProviderID.phone, rawID: phone))
    }
    try setPassword(of: imported, &account)
    try CustomClaims.check(new.customClaims)
    account.customClaims = new.customClaims.withWholeNumbers
    account.displayName = new.displayName
    account.photoURL = new.photoURL
    account.isDisabled = new.isDisabled
    account.secondFactors = try secondFactors(imported.secondFactors, of: account)
    try checkFree(account)
    try storage.put(account, replacing: old)
  }

  private mutating func setPassword(of imported: ImportedAccount, _ account: inout Account) throws(IdentityError) {
    let hash: PasswordHash
    if let password = imported.account.password {
      hash = try PasswordHash(password, cost: settings.passwordCost, random: &random)
    } else if let scrypt = imported.scrypt {
      hash = .scrypt(key: scrypt.key, salt: scrypt.salt, scrypt.cost)
      try checkPossible(scrypt.cost)
    } else if let firebase = imported.account.importedPassword {
      hash = .firebase(hash: firebase.hash, salt: firebase.salt, firebase.parameters)
      try checkPossible(firebase.parameters.cost)
    } else {
      return
    }
    guard account.email != nil else {
      throw IdentityError(code: "MISSING_EMAIL", message: "a password needs an address")
    }
    account.setPassword(hash, at: now)
  }

  private func checkPossible(_ cost: ScryptCost) throws(IdentityError) {
    guard cost.isPossible else {
      throw IdentityError(code: "INVALID_HASH_PARAMETERS", message: "the hash's rounds or memory cost cannot be")
    }
  }
}

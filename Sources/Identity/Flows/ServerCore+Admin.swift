import JSON

// What an administrator may do.
extension ServerCore {
  func known(_ uid: String) throws(IdentityError) -> Account {
    guard let account = try storage.account(uid) else {
      throw IdentityError(code: "USER_NOT_FOUND", message: "there is no account '\(uid)'")
    }
    return account
  }

  mutating func change(
    _ uid: String, _ body: (inout Account, Int64) throws(IdentityError) -> Void
  ) throws(IdentityError) {
    let old = try known(uid)
    var account = old
    try body(&account, seconds)
    try checkFree(account)
    try storage.put(account, replacing: old)
  }

  /// - Throws: if somebody else has an identity of the account.
  func checkFree(_ account: Account) throws(IdentityError) {
    for key in account.keys {
      if let owner = try storage.uid(for: key), !owner.isExactly(account.uid) {
        switch key.kind {
        case "email": throw Self.emailExists(key.value)
        case ProviderID.phone: throw IdentityError(
          code: "PHONE_NUMBER_EXISTS", message: "another account has the number \(key.value)")
        default: throw IdentityError(
          code: "FEDERATED_USER_ID_ALREADY_LINKED", message: "another account has this identity of \(key.kind)")
        }
      }
    }
  }

  mutating func create(_ new: NewAccount) throws(IdentityError) -> Account {
    if let uid = new.uid {
      guard (1...128).contains(uid.utf16.count) else {
        throw IdentityError(
          code: "INVALID_LOCAL_ID", message: "a uid has 1 to 128 characters, this one has \(uid.utf16.count)")
      }
      guard try storage.account(uid) == nil else {
        throw IdentityError(code: "DUPLICATE_LOCAL_ID", message: "there is an account '\(uid)' already")
      }
    }
    var account = try newAccount(uid: new.uid, tenant: new.tenant)
    if let email = new.email {
      let address = try Self.canonical(email)
      if try self.account(email: address, tenant: new.tenant) != nil { throw Self.emailExists(address) }
      account.setEmail(address, verified: new.emailVerified)
    }
    if let password = new.password {
      try checkNew(password: password)
      guard account.email != nil else {
        throw IdentityError(code: "MISSING_EMAIL", message: "a password needs an address")
      }
      account.setPassword(try PasswordHash(password, cost: settings.passwordCost, random: &random), at: now)
    }
    if let imported = new.importedPassword {
      guard let email = account.email else {
        throw IdentityError(code: "MISSING_EMAIL", message: "a password needs an address")
      }
      guard imported.parameters.cost.isPossible else {
        throw IdentityError(code: "INVALID_HASH_PARAMETERS", message: "the hash's rounds or memory cost cannot be")
      }
      account.passwordUpdatedAt = now
      account.password = .firebase(hash: imported.hash, salt: imported.salt, imported.parameters)
      account.link(LinkedProvider(id: ProviderID.password, rawID: email, email: email))
    }
    if let phone = new.phoneNumber {
      try UserProfile.check(phone: phone)
      if try self.account(for: .phone(phone, new.tenant)) != nil {
        throw IdentityError(code: "PHONE_NUMBER_EXISTS", message: "another account has the number \(phone)")
      }
      account.link(LinkedProvider(id: ProviderID.phone, rawID: phone))
    }
    try CustomClaims.check(new.customClaims)
    account.customClaims = new.customClaims.withWholeNumbers
    account.displayName = new.displayName
    account.photoURL = new.photoURL
    account.isDisabled = new.isDisabled
    account.secondFactors = try secondFactors(new.secondFactors, of: account)
    try storage.put(account, replacing: nil)
    return account
  }
}

/// An account that an administrator makes.
public struct NewAccount: Sendable {
  public var uid: String?
  public var tenant: String?
  public var email: String?
  public var emailVerified = false
  public var password: String?
  public var importedPassword: ImportedPassword?
  public var phoneNumber: String?
  public var displayName: String?
  public var photoURL: String?
  public var isDisabled = false
  /// By phone.
  public var secondFactors: [FactorEdit] = []
  public var customClaims: JSONObject = [:]

  public init(uid: String? = nil, email: String? = nil) {
    self.uid = uid
    self.email = email
  }
}

/// A password as `firebase auth:export` writes it.
public struct ImportedPassword: Sendable, Equatable {
  public var hash: [UInt8]
  public var salt: [UInt8]
  public var parameters: FirebaseScrypt

  public init(hash: [UInt8], salt: [UInt8], parameters: FirebaseScrypt) {
    self.hash = hash
    self.salt = salt
    self.parameters = parameters
  }
}

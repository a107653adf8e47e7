import Identity
import JSON

/// An account of an import, as the API writes it.
enum ImportedUser {
  static func account(
    _ user: AuthBody, uid: String, tenant: String?, _ hashing: ImportedHash.Algorithm
  ) throws(IdentityError) -> ImportedAccount {
    var new = NewAccount(uid: uid, email: try user.filled("email"))
    new.tenant = tenant
    new.emailVerified = try user.flag("emailVerified") ?? false
    new.displayName = try user.filled("displayName")
    new.photoURL = try user.filled("photoUrl")
    new.phoneNumber = try user.filled("phoneNumber")
    new.isDisabled = try user.flag("disabled") ?? false
    new.password = try user.filled("rawPassword")
    if let text = try user.text("customAttributes") { new.customClaims = try UpdateEndpoints.claims(text) }
    var account = ImportedAccount(new)
    account.createdAt = try user.integer("createdAt")
    account.lastLoginAt = try user.integer("lastLoginAt")
    account.validSince = try user.integer("validSince")
    for part in try user.parts("providerUserInfo") {
      let id = try part.filled("providerId")
      if id == ProviderID.password { continue }
      if id == nil, try part.filled("rawId") == nil, try part.filled("federatedId") != nil {
        let message =
          "((Parsing federatedId is not implemented in Auth Emulator; please specify providerId AND rawId "
          + "as a workaround.))"
        throw IdentityError(code: "INVALID_FEDERATED_ID", message: message)
      }
      if id == ProviderID.phone {
        let rawID = try part.filled("rawId")
        account.account.phoneNumber = try part.filled("phoneNumber") ?? rawID
        continue
      }
      account.providers.append(try UpdateEndpoints.provider(part))
    }
    account.secondFactors = try UpdateEndpoints.factors(user.parts("mfaInfo"))
    if account.account.password == nil, let hash = try user.filled("passwordHash") {
      try hashing.add(hash, salt: user.text("salt") ?? "", to: &account)
    }
    return account
  }
}

/// Hashes of passwords that come from elsewhere.
enum ImportedHash {
  enum Algorithm {
    /// What this server exports, and the text that the official emulator exports.
    case own(ScryptCost)
    /// Firebase's own, with the project's parameters.
    case firebase(FirebaseScrypt)
    /// RFC 7914.
    case standard(ScryptCost)

    /// - Throws: `INVALID_HASH_ALGORITHM : …`.
    /// - Parameter cost: of the hashes that this server makes.
    init(_ body: AuthBody, own cost: ScryptCost) throws(IdentityError) {
      switch try body.filled("hashAlgorithm") {
      case nil: self = .own(cost)
      case "SCRYPT":
        self = .firebase(
          FirebaseScrypt(
            signerKey: try Self.bytes(body, "signerKey"), saltSeparator: try Self.bytes(body, "saltSeparator"),
            rounds: Int(clamping: try body.integer("rounds") ?? 8),
            memoryCost: Int(clamping: try body.integer("memoryCost") ?? 14)))
      case "STANDARD_SCRYPT":
        let memory = try body.integer("memoryCost") ?? 16384
        let cost = try body.integer("cpuMemCost") ?? memory
        guard cost > 1, cost & (cost - 1) == 0 else {
          throw IdentityError(code: "INVALID_MEMORY_COST", message: "scrypt's memory cost is a power of two")
        }
        self = .standard(
          ScryptCost(
            memoryCost: cost.trailingZeroBitCount, rounds: Int(clamping: try body.integer("blockSize") ?? 8),
            parallelism: Int(clamping: try body.integer("parallelization") ?? 1)))
      case let other?:
        throw IdentityError(
          code: "INVALID_HASH_ALGORITHM : \(other) is not known here; SCRYPT and STANDARD_SCRYPT are.",
          message: "passwords hashed with \(other) could never be checked")
      }
    }

    private static func bytes(_ body: AuthBody, _ name: String) throws(IdentityError) -> [UInt8] {
      guard let bytes = try ImportedHash.bytes(body.text(name) ?? "") else {
        throw AuthBody.invalid("/\(name) must match format \"byte\"")
      }
      return bytes
    }

    func add(_ hash: String, salt: String, to account: inout ImportedAccount) throws(IdentityError) {
      let unreadable = IdentityError(code: "INVALID_HASH", message: "passwordHash and salt are not base64")
      switch self {
      case .own(let cost):
        let prefix = "fakeHash:salt=\(salt):password="
        if hash.hasPrefix(prefix) {
          account.account.password = String(hash.dropFirst(prefix.count))
          return
        }
        guard let key = ImportedHash.bytes(hash), let salt = ImportedHash.bytes(salt), !salt.isEmpty else {
          throw unreadable
        }
        account.scrypt = (key, salt, cost)
      case .firebase(let parameters):
        guard let key = ImportedHash.bytes(hash), let salt = ImportedHash.bytes(salt) else { throw unreadable }
        account.account.importedPassword = ImportedPassword(hash: key, salt: salt, parameters: parameters)
      case .standard(let cost):
        guard let key = ImportedHash.bytes(hash), let salt = ImportedHash.bytes(salt) else { throw unreadable }
        account.scrypt = (key, salt, cost)
      }
    }
  }

  /// Base 64 of either alphabet, padded or not.
  static func bytes(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    while digits.last == UInt8(ascii: "=") { digits.removeLast() }
    for index in digits.indices {
      if digits[index] == UInt8(ascii: "+") { digits[index] = UInt8(ascii: "-") }
      if digits[index] == UInt8(ascii: "/") { digits[index] = UInt8(ascii: "_") }
    }
    return Base64URL.decode(digits)
  }
}

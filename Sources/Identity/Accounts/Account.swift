import JSON

/// A user as the server stores it. Rules never see this, only what of it stood in a token when that was issued.
public struct Account: Sendable, Equatable {
  /// 28 letters and digits, or 1 to 128 characters that an administrator or a custom token chose. Minted once, and
  /// never made from anything that a provider says.
  public let uid: String
  /// The Identity Platform tenant it belongs to.
  public let tenant: String?
  /// In lower case. No other account of the tenant has it.
  public var email: String?
  public var emailVerified = false
  /// Whether it may sign in by e-mail link, which to the provider list is `password` too.
  public var emailLinkSignIn = false
  var password: PasswordHash?
  /// Milliseconds since 1970; nil without a password.
  public var passwordUpdatedAt: Int64?
  public var displayName: String?
  public var photoURL: String?
  /// Everything it can sign in with, in the order in which it was linked; each provider once.
  public private(set) var providers: [LinkedProvider] = []
  public var customClaims: JSONObject = [:]
  public var isDisabled = false
  public var secondFactors: [EnrolledFactor] = []
  /// Whether a custom token made it.
  public var isCustomAuth = false
  /// Seconds since 1970: sessions that began earlier are revoked.
  public var validSince: Int64
  /// Milliseconds since 1970.
  public let createdAt: Int64
  public var lastLoginAt: Int64
  /// Milliseconds since 1970 of the last token; nil before the first.
  public var lastRefreshAt: Int64?
  /// The first address that it had, if that was changed.
  public var initialEmail: String?
  public internal(set) var passkeys: [Passkey] = []

  init(uid: String, tenant: String?, at milliseconds: Int64) {
    self.uid = uid
    self.tenant = tenant
    createdAt = milliseconds
    lastLoginAt = milliseconds
    validSince = AuthTime.seconds(milliseconds: milliseconds)
  }

  /// `+` and 7 to 15 digits; it is the id of the provider `phone`.
  public var phoneNumber: String? { provider(ProviderID.phone)?.rawID }
  public var hasPassword: Bool { password != nil }
  /// Nothing leads back to it but the refresh token on the device.
  public var isAnonymous: Bool { providers.isEmpty && email == nil && !isCustomAuth }
  public var providerIDs: [String] { providers.map(\.id) }

  public func provider(_ id: String) -> LinkedProvider? { providers.first { $0.id == id } }

  /// The hash and the salt of the password, each in base64url; nil without one.
  public var passwordDigest: (hash: String, salt: String)? {
    switch password {
    case .scrypt(let hash, let salt, _), .firebase(let hash, let salt, _):
      (Base64URL.encode(hash), Base64URL.encode(salt))
    case nil: nil
    }
  }

  /// Adds a provider, or replaces what the account had of it.
  mutating func link(_ provider: LinkedProvider) {
    if let place = providers.firstIndex(where: { $0.id == provider.id }) {
      providers[place] = provider
    } else {
      providers.append(provider)
    }
  }

  /// Removes a provider, and what the account had from it alone: `password` takes the address with it.
  mutating func unlink(_ id: String) {
    providers.removeAll { $0.id == id }
    if id == ProviderID.password {
      email = nil
      emailVerified = false
      emailLinkSignIn = false
      password = nil
      passwordUpdatedAt = nil
    }
  }

  /// Gives it an address, or another one.
  mutating func setEmail(_ address: String, verified: Bool) {
    email = address
    emailVerified = verified
    if provider(ProviderID.password) != nil {
      link(LinkedProvider(id: ProviderID.password, rawID: address, email: address, displayName: displayName))
    }
  }

  /// Gives it a password for its address.
  mutating func setPassword(_ hash: PasswordHash, at milliseconds: Int64? = nil) {
    guard let email else { return }
    password = hash
    passwordUpdatedAt = milliseconds
    link(LinkedProvider(id: ProviderID.password, rawID: email, email: email, displayName: displayName))
  }

  /// Lets it sign in by e-mail link, which proves the address.
  mutating func allowEmailLink() {
    guard let email else { return }
    emailVerified = true
    emailLinkSignIn = true
    if provider(ProviderID.password) == nil {
      link(LinkedProvider(id: ProviderID.password, rawID: email, email: email, displayName: displayName))
    }
  }

  /// What leads to this account, each for itself.
  var keys: [AccountKey] {
    var keys: [AccountKey] = []
    if let email { keys.append(.email(email, tenant)) }
    for provider in providers where provider.id != ProviderID.password {
      keys.append(.provider(provider.id, provider.rawID, tenant))
    }
    for passkey in passkeys { keys.append(.passkey(passkey.credentialID, tenant)) }
    return keys
  }

  /// The claim `firebase.identities`.
  var identities: JSONObject {
    var identities = JSONObject()
    identities["email"] = email.map { [.string($0)] }
    for provider in providers where provider.id != ProviderID.password {
      identities[provider.id] = [.string(provider.rawID)]
    }
    return identities
  }
}

/// An identity that an account can sign in with.
public struct LinkedProvider: Sendable, Equatable {
  /// `password`, `phone`, `google.com`, `oidc.line`, …
  public var id: String
  /// The account's id at the provider: its `sub`; for `password` the address, for `phone` the number.
  public var rawID: String
  /// What the provider says, which need not be what the account says.
  public var email: String?
  public var displayName: String?
  public var photoURL: String?

  public init(id: String, rawID: String, email: String? = nil, displayName: String? = nil, photoURL: String? = nil) {
    self.id = id
    self.rawID = rawID
    self.email = email
    self.displayName = displayName
    self.photoURL = photoURL
  }
}

/// An entry of the index from identities to accounts.
public struct AccountKey: Sendable, Hashable {
  /// The tenant, or nothing.
  public let tenant: String
  /// `email`, or a provider's id.
  public let kind: String
  public let value: String

  public static func email(_ address: String, _ tenant: String? = nil) -> AccountKey {
    AccountKey(tenant: tenant ?? "", kind: "email", value: address)
  }

  public static func provider(_ id: String, _ rawID: String, _ tenant: String? = nil) -> AccountKey {
    AccountKey(tenant: tenant ?? "", kind: id, value: rawID)
  }

  public static func phone(_ number: String, _ tenant: String? = nil) -> AccountKey {
    .provider(ProviderID.phone, number, tenant)
  }

  public static func passkey(_ credentialID: String, _ tenant: String? = nil) -> AccountKey {
    AccountKey(tenant: tenant ?? "", kind: "passkey", value: credentialID)
  }

  // By bytes: `String` would take two spellings of one character for the same.
  public static func == (left: AccountKey, right: AccountKey) -> Bool {
    left.value.utf8.elementsEqual(right.value.utf8) && left.kind.utf8.elementsEqual(right.kind.utf8)
      && left.tenant.utf8.elementsEqual(right.tenant.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in value.utf8 { hasher.combine(byte) }
    for byte in kind.utf8 { hasher.combine(byte) }
  }
}

/// A key that a device keeps for an account.
public struct Passkey: Sendable, Equatable {
  /// The authenticator's id of it, in base64url.
  public let credentialID: String
  public var name: String

  public init(credentialID: String, name: String) {
    self.credentialID = credentialID
    self.name = name
  }
}

/// The ids of providers, as tokens and accounts carry them.
public enum ProviderID {
  public static let password = "password"
  public static let emailLink = "emailLink"
  public static let phone = "phone"
  public static let anonymous = "anonymous"
  public static let custom = "custom"
  public static let apple = "apple.com"
  public static let google = "google.com"
  public static let facebook = "facebook.com"
  public static let twitter = "twitter.com"
  public static let github = "github.com"
  public static let microsoft = "microsoft.com"
  public static let yahoo = "yahoo.com"
  public static let playGames = "playgames.google.com"
  public static let gameCenter = "gc.apple.com"
  public static let passkey = "passkey"

  /// The providers that need no configuration to be known.
  static let federated: Set<String> = [
    apple, google, facebook, twitter, github, microsoft, yahoo, playGames, gameCenter,
  ]
}

/// A second factor of an account.
public struct EnrolledFactor: Sendable, Equatable {
  public enum Method: Sendable, Equatable {
    case phone(String)
    /// The shared secret.
    case totp([UInt8])
  }

  /// The enrolment's id.
  public let id: String
  public var displayName: String?
  public let method: Method
  /// Milliseconds since 1970.
  public let enrolledAt: Int64
  /// The last time step of which a code was accepted: each is good for one sign-in.
  var lastStep: Int64?

  public init(id: String, displayName: String?, method: Method, enrolledAt: Int64) {
    self.id = id
    self.displayName = displayName
    self.method = method
    self.enrolledAt = enrolledAt
  }

  public var kind: SecondFactor.Kind {
    switch method {
    case .phone: .phone
    case .totp: .totp
    }
  }

  /// What a client may know of it.
  public var hint: SecondFactorHint {
    let phone: String? = if case .phone(let number) = method { SecondFactorHint.obfuscated(number) } else { nil }
    return SecondFactorHint(id: id, kind: kind, displayName: displayName, phoneNumber: phone)
  }
}

/// What somebody who has passed the first factor is told about the second.
public struct SecondFactorHint: Sendable, Equatable {
  public let id: String
  public let kind: SecondFactor.Kind
  public let displayName: String?
  /// With stars for all but the last four digits: `+*******0100`.
  public let phoneNumber: String?

  static func obfuscated(_ number: String) -> String {
    let digits = number.dropFirst()
    return "+" + String(repeating: "*", count: max(digits.count - 4, 0)) + digits.suffix(4)
  }
}

/// A sign-in of which the first factor is done. There are no tokens until the second is.
public struct PendingSecondFactor: Sendable, Equatable {
  public let credential: String
  public let hints: [SecondFactorHint]
}

import JSON

/// A signed-in user as far as the ID token tells: how the session began, and what the account knows.
///
/// What is left nil takes the provider's default, where it has one: see `DefaultIdentity`. Whether the
/// fields go together is checked when a token is asked for (`ProviderClaims.payload`).
public struct UserProfile: Sendable, Equatable {
  public var provider: Provider
  /// The account's id, 1 to 128 characters; `request.auth.uid`.
  public var uid: String
  /// Lower-cased in the token, as the Authentication server stores it.
  public var email: String?
  /// Left nil, what the provider vouches for: see `Provider.vouchesForEmail`. Only with an e-mail.
  public var emailVerified: Bool?
  public var name: String?
  /// A URL.
  public var picture: String?
  /// `+` and 7 to 15 digits. Any account but an anonymous one may have a number linked to it.
  public var phone: String?
  /// The account's custom claims, set by an administrator.
  public var claims: JSONObject = [:]
  /// The claims of the custom token that began the session; they win over `claims`. `custom` only.
  public var sessionClaims: JSONObject = [:]
  public var secondFactor: SecondFactor?
  /// The id of an Identity Platform tenant.
  public var tenant: String?
  /// The account's id at the provider; only where that is neither e-mail nor number.
  public var rawID: String?
  /// What a SAML or OIDC provider said beyond the standard claims.
  public var signInAttributes: JSONObject?
  /// When the session began, in seconds since 1970; left nil, when the token is issued.
  public var authTime: Int64?

  public init(provider: Provider, uid: String) {
    self.provider = provider
    self.uid = uid
  }
}

/// The second factor with which a session began.
public struct SecondFactor: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable { case phone, totp }

  public var kind: Kind
  /// The id of the enrolment; left nil, one that follows from the uid.
  public var identifier: String?

  public init(_ kind: Kind, identifier: String? = nil) {
    self.kind = kind
    self.identifier = identifier
  }
}

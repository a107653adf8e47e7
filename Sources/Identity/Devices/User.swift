/// The signed-in user as the client knows it: what the server said last, not what it would say now.
public struct User: Sendable, Equatable {
  public let uid: String
  public let tenant: String?
  public let email: String?
  public let isEmailVerified: Bool
  public let displayName: String?
  public let photoURL: String?
  public let phoneNumber: String?
  public let isAnonymous: Bool
  public let providerData: [LinkedProvider]
  public let secondFactors: [SecondFactorHint]
  /// Milliseconds since 1970.
  public let createdAt: Int64
  public let lastLoginAt: Int64

  init(_ account: Account) {
    uid = account.uid
    tenant = account.tenant
    email = account.email
    isEmailVerified = account.emailVerified
    displayName = account.displayName
    photoURL = account.photoURL
    phoneNumber = account.phoneNumber
    isAnonymous = account.isAnonymous
    providerData = account.providers
    secondFactors = account.secondFactors.map(\.hint)
    createdAt = account.createdAt
    lastLoginAt = account.lastLoginAt
  }
}

/// What a sign-in or a link gives to an app.
public struct AuthDataResult: Sendable, Equatable {
  public let user: User
  public let isNewUser: Bool
  public let signInProvider: String
  public let extras: SignInExtras
}

/// Something that happened on a device, for watching over who signs in where.
public struct DeviceEvent: Sendable, Equatable {
  public enum Name: String, Sendable {
    case signedIn = "signed_in", signedOut = "signed_out", idTokenChanged = "id_token_changed", linked, unlinked
    case reauthenticated, refused, secondFactorRequired = "second_factor_required", accountDeleted = "account_deleted"
    case profileChanged = "profile_changed", secondFactorEnrolled = "second_factor_enrolled"
    case secondFactorWithdrawn = "second_factor_withdrawn", reinstalled, relaunched
    case sessionEnded = "session_ended", locked, unlocked
  }

  public let name: Name
  public let uid: String?
  /// A provider's id, or the code of a refusal.
  public let detail: String?
  /// Milliseconds since 1970.
  public let time: Int64
}

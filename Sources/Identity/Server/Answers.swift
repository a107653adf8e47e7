import JSON

/// What a client gets when a session begins or is refreshed.
public struct IssuedTokens: Sendable, Equatable {
  public let uid: String
  public let idToken: String
  public let refreshToken: String
  /// Seconds.
  public var expiresIn: Int64 { ProviderClaims.lifetime }
}

/// What a sign-in says beside the tokens.
public struct SignInExtras: Sendable, Equatable {
  /// Everything that the identity provider said.
  public var profile: JSONObject?
  /// The address that the identity provider said, whosever it is here.
  public var email: String?

  init(profile: JSONObject? = nil, email: String? = nil) {
    self.profile = profile
    self.email = email
  }
}

public struct SignedIn: Sendable, Equatable {
  public let tokens: IssuedTokens
  public let isNewUser: Bool
  public let signInProvider: String
  public let extras: SignInExtras

  public var uid: String { tokens.uid }
}

/// What the server answers to a sign-in that is not refused. Only the first gives tokens.
public enum SignInAnswer: Sendable, Equatable {
  case signedIn(SignedIn)
  /// The first factor is done.
  case secondFactorRequired(PendingSecondFactor)
  /// The address belongs to another account, and the provider does not vouch for it: `needConfirmation`.
  /// The profile is what the provider said.
  case needsConfirmation(email: String, providers: [String], pendingToken: String, profile: JSONObject)
  /// The number belongs to another account: the proof signs in to that one.
  case phoneNumberInUse(phoneNumber: String, temporaryProof: String)
}

/// A token of an identity provider that was revoked.
public struct Revocation: Sendable, Equatable {
  public let providerID: String
  public let uid: String
  public let code: String
  /// Milliseconds since 1970.
  public let time: Int64
  /// Whether the account was there still.
  public let accountExisted: Bool
}

/// A code that went out by mail, and what it is for.
public struct EmailCode: PendingRecord, Equatable {
  public enum Purpose: String, Sendable {
    case passwordReset = "PASSWORD_RESET"
    case verifyEmail = "VERIFY_EMAIL"
    case signIn = "EMAIL_SIGNIN"
    case changeEmail = "VERIFY_AND_CHANGE_EMAIL"
    case recoverEmail = "RECOVER_EMAIL"

    /// The word in the link.
    public var mode: String {
      switch self {
      case .passwordReset: "resetPassword"
      case .verifyEmail: "verifyEmail"
      case .signIn: "signIn"
      case .changeEmail: "verifyAndChangeEmail"
      case .recoverEmail: "recoverEmail"
      }
    }
  }

  public let code: String
  public let purpose: Purpose
  /// The address that the account had; for a recovery the one to return to.
  public let email: String
  public let newEmail: String?
  public let tenant: String?
  /// Where the page of the link goes on to.
  public let continueURL: String?
  /// Nil for a sign-in link, which may make the account.
  let uid: String?
  /// Milliseconds since 1970; nil for ever.
  let expiry: Int64?
  /// What the mail's link says, with the code in it.
  public let link: String
  /// When it was made, to list codes in order.
  let number: Int
}

/// A code that went out by SMS.
public struct SMSCode: Sendable, Equatable {
  public let phoneNumber: String
  public let code: String
  public let sessionInfo: String
}

struct SMSSession: PendingRecord {
  let phoneNumber: String
  let code: String
  let expiry: Int64?
  let number: Int
  let sessionInfo: String
  /// Nil for a first factor.
  var secondFactor: SecondFactor?
  /// Wrong codes so far.
  var attempts = 0

  struct SecondFactor: Sendable {
    let pending: String
    let enrolment: String
  }
}

struct PhoneProof: PendingRecord {
  let phoneNumber: String
  let tenant: String?
  let expiry: Int64?
}

/// What a provider said of somebody who has to sign in another way first.
struct PendingCredential: PendingRecord {
  let profile: ProviderProfile
  let expiry: Int64?
}

struct PendingSignIn: PendingRecord {
  let session: AuthSession
  let extras: SignInExtras
  let expiry: Int64?
  /// Wrong codes so far.
  var attempts = 0
}

/// A nonce that was used.
struct UsedNonce: PendingRecord {
  /// The end of the token that carried it; nil if that has none.
  let expiry: Int64?
}

/// A session whose account was deleted.
struct GoneSession: PendingRecord {
  var expiry: Int64? { nil }
}

struct PendingEnrolment: PendingRecord {
  enum Method: Sendable { case phone(number: String, code: String), totp([UInt8]) }

  let uid: String
  let method: Method
  let expiry: Int64?
  /// Wrong codes so far.
  var attempts = 0
}

import JSON

/// Why a user, a claim, a token or a flow cannot be, in the words of Firebase Authentication and in ours.
public struct IdentityError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What the Authentication server answers in such a case (`FORBIDDEN_CLAIM : sub`). Where the server
  /// has no word, because its clients cannot get there, a code in its manner.
  public var code: String
  /// What is wrong, and what would be right.
  public var message: String
  /// What a client needs to go on: the credential that is in use elsewhere, the second factor asked for.
  public var details: ErrorDetails?

  public init(code: String, message: String, details: ErrorDetails? = nil) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// The code as the iOS SDK names and numbers it.
  public var clientCode: AuthErrorCode { AuthErrorCode(serverCode: code) }

  /// The code without what follows its first colon: `WEAK_PASSWORD` of `WEAK_PASSWORD : Password should …`.
  public var plainCode: String { AuthErrorCode.plain(code) }

  public var description: String { "\(message) (\(code))" }
}

/// What comes with an error of a sign-in or a link, as the iOS SDK has it in `userInfo`.
public struct ErrorDetails: Sendable, Equatable {
  /// The e-mail address of the conflict.
  public var email: String?
  /// A credential that would sign in to the other account, or that waits to be linked.
  public var credential: AuthCredential?
  /// How the owner of the address signs in, where the server tells.
  public var verifiedProviders: [String]
  /// The sign-in that waits for its second factor.
  public var pendingSecondFactor: PendingSecondFactor?
  /// What the identity provider said of who signs in.
  public var profile: JSONObject?
  /// What a blocking function has to be asked before the call can go on.
  var question: BlockingQuestion?

  public init(
    email: String? = nil, credential: AuthCredential? = nil, verifiedProviders: [String] = [],
    pendingSecondFactor: PendingSecondFactor? = nil, profile: JSONObject? = nil
  ) {
    self.email = email
    self.credential = credential
    self.verifiedProviders = verifiedProviders
    self.pendingSecondFactor = pendingSecondFactor
    self.profile = profile
  }
}

import JSON

/// What each provider's ID token says: exactly the payload that becomes `request.auth.token`.
///
/// Fields, their order and which of them are absent are those of the tokens minted by the official
/// Authentication emulator. Rules never see the account, only this.
public enum ProviderClaims {
  /// How long a token is valid, in seconds.
  public static let lifetime: Int64 = 3600

  /// Seconds since 1970 that a timestamp can hold: the years 1 to 9999.
  static let times: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// The payload of a token issued to `user`.
  /// - Parameters:
  ///   - user: whose token it is.
  ///   - seconds: when it is issued, in seconds since 1970.
  ///   - project: the project's id, for `aud` and `iss`.
  /// - Throws: for a user that cannot be; the message says what would be right.
  public static func payload(
    for user: UserProfile, at seconds: Int64, project: String
  ) throws(IdentityError) -> JSONObject {
    let user = try user.completed()
    guard !project.isEmpty else {
      throw IdentityError(code: "INVALID_PROJECT_ID", message: "the project id is empty; write one like 'demo-project'")
    }
    let authTime = user.authTime ?? seconds
    guard times.contains(seconds), times.contains(authTime), authTime <= seconds else {
      throw IdentityError(
        code: "INVALID_TIME",
        message: "a session begins (\(authTime)) no later than its token (\(seconds)), in the years 1 to 9999")
    }

    var session = AuthSession(
      uid: user.uid, tenant: user.tenant, signInProvider: user.provider.signInProvider, authTime: authTime)
    session.claims = user.sessionClaims
    session.secondFactor = user.secondFactor
    session.attributes = user.signInAttributes
    let contents = IDTokenContents(
      name: user.name, picture: user.picture, customClaims: user.claims, email: user.email,
      emailVerified: user.emailVerified,
      phoneNumber: user.phone, identities: identities(of: user), session: session)
    return contents.payload(at: seconds, project: project)
  }

  /// What rules see of a token, be it ours or a decoded one: `{ uid, token }`. The uid is the claim
  /// `sub`, or null if that is no string; whole numbers are integers, however they are written
  /// (observed on the official Firestore emulator 1.19.9).
  public static func requestAuth(of payload: JSONObject) -> JSONObject {
    ["uid": payload["sub"]?.stringValue.map(JSONValue.string) ?? .null, "token": .object(payload.withWholeNumbers)]
  }

  private static func identities(of user: UserProfile) -> JSONObject {
    var identities = JSONObject()
    identities["email"] = user.email.map { [.string($0)] }
    if let rawID = user.rawID { identities[user.provider.signInProvider] = [.string(rawID)] }
    identities["phone"] = user.phone.map { [.string($0)] }
    return identities
  }
}

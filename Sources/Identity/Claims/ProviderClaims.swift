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
        code: "INVALID_TIME", message: "a session begins (\(authTime)) no later than its token (\(seconds)), in the years 1 to 9999")
    }

    var claims = Claims()
    // Set before the custom claims, which therefore win …
    claims.set("name", user.name.map(JSONValue.string))
    claims.set("picture", user.picture.map(JSONValue.string))
    for (name, value) in user.claims.members { claims.set(name, value) }
    for (name, value) in user.sessionClaims.members { claims.set(name, value) }
    // … and after them: a custom claim of such a name is lost, also where the account has no value.
    claims.set("email", user.email.map(JSONValue.string))
    claims.set("email_verified", user.emailVerified.map(JSONValue.bool))
    claims.set("phone_number", user.phone.map(JSONValue.string))
    claims.set("provider_id", user.provider == .anonymous ? "anonymous" : nil)
    claims.set("auth_time", .int(authTime))
    claims.set("user_id", .string(user.uid))
    claims.set("firebase", .object(firebase(of: user)))
    claims.set("iat", .int(seconds))
    claims.set("exp", .int(seconds + lifetime))
    claims.set("aud", .string(project))
    claims.set("iss", .string("https://securetoken.google.com/" + project))
    claims.set("sub", .string(user.uid))
    return claims.object
  }

  /// What rules see of a token, be it ours or a decoded one: `{ uid, token }`. The uid is the claim
  /// `sub`, or null if that is no string; whole numbers are integers, however they are written
  /// (observed on the official Firestore emulator 1.19.9).
  public static func requestAuth(of payload: JSONObject) -> JSONObject {
    ["uid": payload["sub"]?.stringValue.map(JSONValue.string) ?? .null, "token": .object(payload.withWholeNumbers)]
  }

  private static func firebase(of user: UserProfile) -> JSONObject {
    var identities = JSONObject()
    identities["email"] = user.email.map { [.string($0)] }
    if let rawID = user.rawID { identities[user.provider.signInProvider] = [.string(rawID)] }
    identities["phone"] = user.phone.map { [.string($0)] }

    var firebase: JSONObject = [
      "identities": .object(identities), "sign_in_provider": .string(user.provider.signInProvider),
    ]
    if let factor = user.secondFactor {
      firebase["second_factor_identifier"] = .string(factor.identifier ?? DefaultIdentity.secondFactorID(uid: user.uid))
      firebase["sign_in_second_factor"] = .string(factor.kind.rawValue)
    }
    firebase["tenant"] = user.tenant.map(JSONValue.string)
    firebase["sign_in_attributes"] = user.signInAttributes.map(JSONValue.object)
    return firebase
  }
}

/// Claims in the order in which their names were first set, be it to nothing; what is nothing in the
/// end is left out. So the official emulator builds a token.
private struct Claims {
  private var entries: [(name: String, value: JSONValue?)] = []

  mutating func set(_ name: String, _ value: JSONValue?) {
    if let place = entries.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      entries[place].value = value
    } else {
      entries.append((name, value))
    }
  }

  var object: JSONObject {
    var object = JSONObject()
    for (name, value) in entries { object[name] = value }
    return object
  }
}

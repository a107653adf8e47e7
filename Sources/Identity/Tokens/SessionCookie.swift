import JSON

/// The cookie that a server of one's own makes of an ID token, to be shown to it for days.
public enum SessionCookie {
  /// Seconds.
  public static let shortest: Int64 = 300
  public static let longest: Int64 = 14 * 86_400

  static func issuer(_ project: String) -> String { "https://session.firebase.google.com/" + project }
}

extension ServerCore {
  /// - Parameter lifetime: seconds.
  /// - Throws: `INVALID_DURATION`, `MISSING_ID_TOKEN`, and what an ID token is refused for.
  func sessionCookie(_ idToken: String, lifetime: Int64) throws(IdentityError) -> String {
    guard !idToken.isEmpty else { throw IdentityError(code: "MISSING_ID_TOKEN", message: "an ID token is needed") }
    guard (SessionCookie.shortest...SessionCookie.longest).contains(lifetime) else {
      throw IdentityError(
        code: "INVALID_DURATION",
        message: "a session cookie is good for \(SessionCookie.shortest) to \(SessionCookie.longest) seconds")
    }
    var payload = try bearer(idToken).payload
    payload["iss"] = .string(SessionCookie.issuer(project))
    payload["iat"] = .int(seconds)
    payload["exp"] = .int(seconds + lifetime)
    switch settings.tokens {
    case .unsigned: return UnsignedToken.encode(payload)
    case .signed: return try keys.sign(payload, at: seconds)
    }
  }
}

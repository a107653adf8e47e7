import JSON

/// What an administrator may put into a user's token.
public enum CustomClaims {
  /// Names that a token needs for itself, in the order in which the emulator looks for them.
  public static let forbiddenNames = [
    "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
    "at_hash",
    "c_hash",
  ]

  /// The longest serialized form, in characters (UTF-16, as the emulator and the Admin SDKs count;
  /// the documentation speaks of bytes).
  public static let maxCharacters = 1000

  /// Checks claims as they are set for an account.
  /// - Throws: `CLAIMS_TOO_LARGE`, `FORBIDDEN_CLAIM : name`.
  public static func check(_ claims: JSONObject) throws(IdentityError) {
    try checkLength(claims.serialized())
    try checkNames(claims)
  }

  /// Reads claims from any value.
  /// - Throws: as `check`, and `INVALID_CLAIMS` if the value is not an object.
  public static func claims(from value: JSONValue) throws(IdentityError) -> JSONObject {
    try checkLength(value.serialized())
    guard let claims = value.objectValue else {
      throw IdentityError(
        code: "INVALID_CLAIMS", message: "claims are a map, as in { admin: true }; found \(value.kind)")
    }
    try checkNames(claims)
    return claims
  }

  /// Reads claims in their serialized form, as `customAttributes` carries them. Of a name that is given
  /// twice the last value counts.
  /// - Throws: as `check`, and `INVALID_CLAIMS` if the text is not a JSON object.
  public static func claims(parsing text: String) throws(IdentityError) -> JSONObject {
    try checkLength(text)
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text, limits: JSONLimits(duplicateKeys: .lastWins))
    } catch {
      throw IdentityError(code: "INVALID_CLAIMS", message: "claims are a JSON object; \(error)")
    }
    return try claims(from: value)
  }

  /// Checks the names alone: all that is asked of the claims in a custom token.
  static func checkNames(_ claims: JSONObject) throws(IdentityError) {
    if let name = forbiddenNames.first(where: claims.contains) {
      throw IdentityError(
        code: "FORBIDDEN_CLAIM : \(name)",
        message: "the claim '\(name)' belongs to the token itself; choose another name")
    }
  }

  private static func checkLength(_ text: String) throws(IdentityError) {
    let count = text.utf16.count
    guard count <= maxCharacters else {
      throw IdentityError(
        code: "CLAIMS_TOO_LARGE",
        message: "the claims have \(count) characters as JSON; at most \(maxCharacters) are allowed")
    }
  }
}

import JSON

/// An ID token and what is in it, as a client reads it, without checking anything.
public struct IDTokenResult: Sendable, Equatable {
  public let token: String
  public let claims: JSONObject
  /// Seconds since 1970.
  public let authDate: Int64
  public let issuedAtDate: Int64
  public let expirationDate: Int64
  public let signInProvider: String
  /// `phone` or `totp`.
  public let signInSecondFactor: String?

  /// - Throws: `MALFORMED_JWT`.
  public init(token: String) throws(IdentityError) {
    let claims: JSONObject
    do throws(IdentityError) {
      claims = try UnsignedToken.decode(token)
    } catch {
      throw Self.malformed(error.message)
    }
    guard let begun = claims["auth_time"]?.intValue, let issued = claims["iat"]?.intValue,
      let expires = claims["exp"]?.intValue
    else {
      throw Self.malformed("the token lacks auth_time, iat or exp")
    }
    guard let provider = claims["firebase"]?["sign_in_provider"]?.stringValue else {
      throw Self.malformed("the token lacks firebase.sign_in_provider")
    }
    self.token = token
    self.claims = claims
    authDate = begun
    issuedAtDate = issued
    expirationDate = expires
    signInProvider = provider
    signInSecondFactor = claims["firebase"]?["sign_in_second_factor"]?.stringValue
  }

  private static func malformed(_ message: String) -> IdentityError {
    IdentityError(code: ClientOnly.malformedJWT, message: message)
  }
}

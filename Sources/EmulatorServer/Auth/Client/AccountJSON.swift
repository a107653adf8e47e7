import Identity
import JSON
import RulesValues

/// Accounts and sessions as the API writes them.
enum AccountJSON {
  /// - Parameter showsPassword: whether the password's hash is shown: to service accounts alone.
  static func user(_ account: Account, showsPassword: Bool) -> JSONObject {
    var user: JSONObject = ["localId": .string(account.uid)]
    user["createdAt"] = .string(String(account.createdAt))
    user["lastLoginAt"] = .string(String(account.lastLoginAt))
    user["lastRefreshAt"] = account.lastRefreshAt.map { .string(time($0)) }
    user["email"] = account.email.map(JSONValue.string)
    if account.email != nil { user["emailVerified"] = .bool(account.emailVerified) }
    if account.emailLinkSignIn { user["emailLinkSignin"] = true }
    user["initialEmail"] = account.initialEmail.map(JSONValue.string)
    user["displayName"] = account.displayName.map(JSONValue.string)
    user["photoUrl"] = account.photoURL.map(JSONValue.string)
    user["phoneNumber"] = account.phoneNumber.map(JSONValue.string)
    if let digest = account.passwordDigest {
      // What production answers where the hash is not for the caller: the word REDACTED in base64.
      user["passwordHash"] = .string(showsPassword ? digest.hash : "UkVEQUNURUQ=")
      if showsPassword { user["salt"] = .string(digest.salt) }
      user["passwordUpdatedAt"] = account.passwordUpdatedAt.map(JSONValue.int)
    }
    user["validSince"] = .string(String(account.validSince))
    user["disabled"] = .bool(account.isDisabled)
    if account.isCustomAuth { user["customAuth"] = true }
    if !account.customClaims.isEmpty { user["customAttributes"] = .string(account.customClaims.serialized()) }
    let providers = providers(account)
    if !providers.isEmpty { user["providerUserInfo"] = .array(providers) }
    if !account.secondFactors.isEmpty { user["mfaInfo"] = .array(account.secondFactors.map(factor)) }
    if !account.passkeys.isEmpty {
      user["passkeyInfo"] = .array(
        account.passkeys.map { ["credentialId": .string($0.credentialID), "name": .string($0.name)] })
    }
    user["tenantId"] = account.tenant.map(JSONValue.string)
    return user
  }

  static func providers(_ account: Account) -> [JSONValue] {
    account.providers.map { provider in
      var info: JSONObject = ["providerId": .string(provider.id), "rawId": .string(provider.rawID)]
      if provider.id == ProviderID.phone {
        info["phoneNumber"] = .string(provider.rawID)
        return .object(info)
      }
      info["federatedId"] = .string(federatedID(provider.id, provider.rawID))
      // A password's owner is called what the account is called.
      let isPassword = provider.id == ProviderID.password
      info["email"] = provider.email.map(JSONValue.string)
      info["displayName"] = (isPassword ? account.displayName : provider.displayName).map(JSONValue.string)
      info["photoUrl"] = (isPassword ? account.photoURL : provider.photoURL).map(JSONValue.string)
      return .object(info)
    }
  }

  static func federatedID(_ provider: String, _ rawID: String) -> String {
    provider == ProviderID.google ? "https://accounts.google.com/" + rawID : rawID
  }

  private static func factor(_ factor: EnrolledFactor) -> JSONValue {
    var info: JSONObject = ["mfaEnrollmentId": .string(factor.id)]
    info["displayName"] = factor.displayName.map(JSONValue.string)
    info["enrolledAt"] = .string(time(factor.enrolledAt))
    switch factor.method {
    case .phone(let number):
      info["phoneInfo"] = .string(number)
      info["unobfuscatedPhoneInfo"] = .string(number)
    case .totp: info["totpInfo"] = [:]
    }
    return .object(info)
  }

  /// What somebody who has passed the first factor is told.
  static func pending(_ pending: PendingSecondFactor) -> JSONObject {
    [
      "mfaPendingCredential": .string(pending.credential),
      "mfaInfo": .array(
        pending.hints.map { hint in
          var info: JSONObject = ["mfaEnrollmentId": .string(hint.id)]
          info["displayName"] = hint.displayName.map(JSONValue.string)
          info["phoneInfo"] = hint.phoneNumber.map(JSONValue.string)
          if hint.kind == .totp { info["totpInfo"] = [:] }
          return .object(info)
        }),
    ]
  }

  static func tokens(_ tokens: IssuedTokens) -> JSONObject {
    [
      "idToken": .string(tokens.idToken), "refreshToken": .string(tokens.refreshToken),
      "expiresIn": .string(String(tokens.expiresIn)),
    ]
  }

  /// Milliseconds since 1970 as RFC 3339 with three digits.
  static func time(_ milliseconds: Int64) -> String {
    let time = Timestamp(milliseconds: milliseconds).rfc3339
    return time.contains(".") ? time : time.dropLast() + ".000Z"
  }
}

extension JSONObject {
  /// Adds the members of another object; what is there already is replaced.
  mutating func add(_ other: JSONObject) {
    for (name, value) in other.members { self[name] = value }
  }
}

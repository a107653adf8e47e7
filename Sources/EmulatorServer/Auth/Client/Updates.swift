import Identity
import JSON
import RulesValues

/// Changing accounts: by their owners, by who has a code from a mail, and by service accounts.
enum UpdateEndpoints {
  static let routes: [AuthRoute] =
    AuthRoutes.client("accounts:update", "setAccountInfo", update) + AuthRoutes.admin("POST", "accounts:update", update)

  /// What only a service account may change.
  private static let reserved = [
    "customAttributes", "validSince", "disableUser", "emailVerified", "phoneNumber", "mfa", "linkProviderUserInfo",
    "createdAt", "lastLoginAt",
  ]

  private static func update(_ call: AuthCall) throws(IdentityError) -> JSONObject {
    let body = call.body
    if let code = try body.filled("oobCode") { return try apply(code, call) }
    if let uid = try body.filled("localId"), call.isAdmin {
      return reply(try call.admin.update(uid, try edit(body)), call, nil)
    }
    guard let idToken = try body.filled("idToken") else {
      if call.isAdmin { throw IdentityError(code: "MISSING_LOCAL_ID", message: "say whose account it is") }
      throw IdentityError(
        code: "INVALID_REQ_TYPE : Unsupported request parameters.",
        message: "an ID token, a code from a mail, or as a service account a localId is needed")
    }
    if call.isAdmin {
      let account = try call.server.lookup(idToken: idToken)
      return reply(try call.admin.update(account.uid, try edit(body)), call, nil)
    }
    for name in reserved where body.has(name) { try call.mustBeAdmin(for: name) }
    guard !body.has("localId") else {
      throw IdentityError(code: "INSUFFICIENT_PERMISSION", message: "a uid is for service accounts to name")
    }
    let changes = try changes(body)
    let tokens = try call.server.update(idToken: idToken, changes)
    guard let uid = (try? UnsignedToken.decode(idToken))?["sub"]?.stringValue,
      let account = try call.account(uid)
    else { throw IdentityError(code: "USER_NOT_FOUND", message: "the account is gone meanwhile") }
    return reply(account, call, tokens)
  }

  private static func changes(_ body: AuthBody) throws(IdentityError) -> AccountChanges {
    var changes = AccountChanges()
    changes.email = try body.filled("email")
    changes.password = try body.filled("password")
    changes.displayName = try body.text("displayName")
    changes.photoURL = try body.text("photoUrl")
    changes.deletedAttributes = try attributes(body)
    changes.deletedProviders = try body.texts("deleteProvider")
    changes.deletedPasskeys = try body.texts("deletePasskey")
    return changes
  }

  private static let attributeNames = [
    "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD", "RAW_USER_INFO",
  ]

  private static func attributes(_ body: AuthBody) throws(IdentityError) -> [AccountChanges.Attribute] {
    var attributes: [AccountChanges.Attribute] = []
    for name in try body.texts("deleteAttribute") {
      let word = Int(name).flatMap { attributeNames.indices.contains($0) ? attributeNames[$0] : nil } ?? name
      guard attributeNames.contains(word) else {
        throw AuthBody.invalid(
          "/deleteAttribute must be equal to one of the allowed values: \(attributeNames.joined(separator: ", "))")
      }
      if let attribute = AccountChanges.Attribute(rawValue: word) { attributes.append(attribute) }
    }
    return attributes
  }

  private static func edit(_ body: AuthBody) throws(IdentityError) -> AccountEdit {
    var edit = AccountEdit()
    edit.email = try body.filled("email")
    edit.password = try body.filled("password")
    edit.displayName = try body.text("displayName")
    edit.photoURL = try body.text("photoUrl")
    edit.phoneNumber = try body.filled("phoneNumber")
    edit.emailVerified = try body.flag("emailVerified")
    edit.isDisabled = try body.flag("disableUser")
    if let text = try body.text("customAttributes") { edit.customClaims = try claims(text) }
    edit.validSince = try body.integer("validSince")
    edit.lastLoginAt = try body.integer("lastLoginAt")
    edit.deletedAttributes = try attributes(body)
    edit.deletedProviders = try body.texts("deleteProvider")
    edit.deletedPasskeys = try body.texts("deletePasskey")
    if let part = try body.part("linkProviderUserInfo") { edit.linkedProvider = try provider(part) }
    if let part = try body.part("mfa") { edit.secondFactors = try factors(part.parts("enrollments")) }
    return edit
  }

  /// - Throws: `INVALID_CLAIMS`, `CLAIMS_TOO_LARGE`, `FORBIDDEN_CLAIM : name`.
  static func claims(_ text: String) throws(IdentityError) -> JSONObject {
    text.isEmpty ? [:] : try CustomClaims.claims(parsing: text)
  }

  static func provider(_ body: AuthBody) throws(IdentityError) -> LinkedProvider {
    LinkedProvider(
      id: try body.needed("providerId", else: "MISSING_PROVIDER_ID"),
      rawID: try body.needed("rawId", else: "MISSING_RAW_ID"),
      email: try body.filled("email"), displayName: try body.filled("displayName"),
      photoURL: try body.filled("photoUrl"))
  }

  static func factors(_ parts: [AuthBody]) throws(IdentityError) -> [FactorEdit] {
    var factors: [FactorEdit] = []
    for part in parts {
      var factor = FactorEdit(
        id: try part.filled("mfaEnrollmentId"), phoneNumber: try part.filled("phoneInfo"),
        displayName: try part.filled("displayName"))
      if let text = try part.filled("enrolledAt") {
        guard let time = Timestamp(rfc3339: text) else {
          throw AuthBody.invalid("\(part.place)/enrolledAt must match format \"google-datetime\"")
        }
        factor.enrolledAt = time.milliseconds
      }
      factors.append(factor)
    }
    return factors
  }

  /// Does what a mail was for.
  private static func apply(_ code: String, _ call: AuthCall) throws(IdentityError) -> JSONObject {
    let found = try call.server.checkCode(code)
    let uid: String
    if found.purpose == .passwordReset {
      let password = try call.body.needed("password", else: "MISSING_PASSWORD")
      uid = try call.server.resetPassword(code: code, newPassword: password)
    } else {
      uid = try call.server.applyCode(code)
    }
    guard let account = try call.account(uid) else {
      throw IdentityError(code: "USER_NOT_FOUND", message: "the account is gone meanwhile")
    }
    var reply = reply(account, call, nil)
    reply["newEmail"] = found.purpose == .changeEmail ? found.newEmail.map(JSONValue.string) : nil
    return reply
  }

  private static func reply(_ account: Account, _ call: AuthCall, _ tokens: IssuedTokens?) -> JSONObject {
    var reply: JSONObject = [
      "kind": "identitytoolkit#SetAccountInfoResponse", "localId": .string(account.uid),
      "emailVerified": .bool(account.emailVerified), "providerUserInfo": .array(AccountJSON.providers(account)),
    ]
    reply["email"] = account.email.map(JSONValue.string)
    reply["displayName"] = account.displayName.map(JSONValue.string)
    reply["photoUrl"] = account.photoURL.map(JSONValue.string)
    if let digest = account.passwordDigest {
      reply["passwordHash"] = .string(call.isAdmin ? digest.hash : "UkVEQUNURUQ=")
    }
    if let tokens { reply.add(AccountJSON.tokens(tokens)) }
    return reply
  }
}

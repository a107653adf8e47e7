import JSON

/// How a session began. A refresh keeps it, whatever becomes of the account.
public struct AuthSession: Sendable, Equatable {
  public let uid: String
  public let tenant: String?
  /// The claim `firebase.sign_in_provider`.
  public var signInProvider: String
  /// Seconds since 1970 of the sign-in, or of the last reauthentication.
  public var authTime: Int64
  /// The claims of the custom token that began it.
  public var claims: JSONObject = [:]
  /// The kind, and the enrolment's id.
  public var secondFactor: SecondFactor?
  /// What a SAML or OIDC provider said beyond the standard claims.
  public var attributes: JSONObject?

  init(uid: String, tenant: String?, signInProvider: String, authTime: Int64) {
    self.uid = uid
    self.tenant = tenant
    self.signInProvider = signInProvider
    self.authTime = authTime
  }
}

/// Everything that an ID token says, in the order and with the absences of the official Authentication emulator.
struct IDTokenContents {
  // Of the account, as it is when the token is issued.
  var name: String?
  var picture: String?
  var customClaims: JSONObject
  var email: String?
  var emailVerified: Bool?
  var phoneNumber: String?
  var identities: JSONObject
  // Of the session.
  var session: AuthSession

  func payload(at seconds: Int64, project: String) -> JSONObject {
    var claims = OrderedClaims()
    // Set before the custom claims, which therefore win …
    claims.set("name", name.map(JSONValue.string))
    claims.set("picture", picture.map(JSONValue.string))
    for (name, value) in customClaims.members { claims.set(name, value) }
    for (name, value) in session.claims.members { claims.set(name, value) }
    // … and after them: a custom claim of such a name is lost, also where the account has no value.
    claims.set("email", email.map(JSONValue.string))
    claims.set("email_verified", emailVerified.map(JSONValue.bool))
    claims.set("phone_number", phoneNumber.map(JSONValue.string))
    claims.set("provider_id", session.signInProvider == ProviderID.anonymous ? "anonymous" : nil)
    claims.set("auth_time", .int(session.authTime))
    claims.set("user_id", .string(session.uid))
    claims.set("firebase", .object(firebase))
    claims.set("iat", .int(seconds))
    claims.set("exp", .int(seconds + ProviderClaims.lifetime))
    claims.set("aud", .string(project))
    claims.set("iss", .string("https://securetoken.google.com/" + project))
    claims.set("sub", .string(session.uid))
    return claims.object
  }

  private var firebase: JSONObject {
    var firebase: JSONObject = ["identities": .object(identities), "sign_in_provider": .string(session.signInProvider)]
    if let factor = session.secondFactor {
      firebase["second_factor_identifier"] = .string(
        factor.identifier ?? DefaultIdentity.secondFactorID(uid: session.uid))
      firebase["sign_in_second_factor"] = .string(factor.kind.rawValue)
    }
    firebase["tenant"] = session.tenant.map(JSONValue.string)
    firebase["sign_in_attributes"] = session.attributes.map(JSONValue.object)
    return firebase
  }
}

extension IDTokenContents {
  /// The token of an account's session.
  init(_ account: Account, _ session: AuthSession) {
    name = account.displayName
    picture = account.photoURL
    customClaims = account.customClaims
    email = account.email
    emailVerified = account.email == nil ? nil : account.emailVerified
    phoneNumber = account.phoneNumber
    identities = account.identities
    self.session = session
  }
}

/// Claims in the order in which their names were first set, be it to nothing; what is nothing in the
/// end is left out. So the official emulator builds a token.
private struct OrderedClaims {
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

import JSON

extension UserProfile {
  /// The options of a user in the test language, in the order in which messages list them.
  public static let optionNames = [
    "uid", "email", "email_verified", "name", "picture", "phone", "claims", "mfa", "tenant", "raw_id",
    "sign_in_attributes",
    "auth_time",
  ]

  /// A user as the test language declares one: `user alice = password({ email: 'a@example.com' })`.
  /// `mfa` is `'phone'`, `'totp'` or `{ factor: 'totp', identifier: '…' }`.
  /// - Parameters:
  ///   - provider: by which the user signs in.
  ///   - name: the user's name, and the uid unless the options say otherwise.
  ///   - options: what stands in the braces.
  /// - Throws: for an unknown option, and for a value of the wrong kind. Whether the values are right
  ///   together shows when a token is asked for.
  public init(provider: Provider, name: String, options: JSONObject) throws(IdentityError) {
    self.init(provider: provider, uid: name)
    for (key, value) in options.members {
      switch key {
      case "uid": uid = try Self.string(value, key)
      case "email": email = try Self.string(value, key)
      case "email_verified":
        guard let flag = value.boolValue else { throw Self.wrong(key, "true or false", value) }
        emailVerified = flag
      case "name": self.name = try Self.string(value, key)
      case "picture": picture = try Self.string(value, key)
      case "phone": phone = try Self.string(value, key)
      case "claims": claims = try CustomClaims.claims(from: value)
      case "mfa": secondFactor = try Self.secondFactor(value)
      case "tenant": tenant = try Self.string(value, key)
      case "raw_id": rawID = try Self.string(value, key)
      case "sign_in_attributes":
        guard let attributes = value.objectValue else { throw Self.wrong(key, "a map", value) }
        signInAttributes = attributes
      case "auth_time":
        guard let seconds = value.intValue else { throw Self.wrong(key, "whole seconds since 1970", value) }
        authTime = seconds
      default:
        throw IdentityError(
          code: "UNEXPECTED_PARAMETER : \(key)",
          message: "a user has no option '\(key)'; for a custom claim write claims: { \(key): … }; "
            + "the options are \(Self.optionNames.joined(separator: ", "))")
      }
    }
  }

  private static func secondFactor(_ value: JSONValue) throws(IdentityError) -> SecondFactor {
    if let kind = value.stringValue.flatMap(SecondFactor.Kind.init(rawValue:)) { return SecondFactor(kind) }
    guard let object = value.objectValue,
      let kind = object["factor"]?.stringValue.flatMap(SecondFactor.Kind.init(rawValue:)),
      object.keys.allSatisfy({ $0 == "factor" || $0 == "identifier" })
    else { throw wrong("mfa", "'phone', 'totp' or { factor: 'phone', identifier: '…' }", value) }
    guard let identifier = object["identifier"] else { return SecondFactor(kind) }
    return SecondFactor(kind, identifier: try string(identifier, "mfa.identifier"))
  }

  static func string(_ value: JSONValue, _ key: String) throws(IdentityError) -> String {
    guard let string = value.stringValue else { throw wrong(key, "a string", value) }
    return string
  }

  static func wrong(_ key: String, _ wanted: String, _ value: JSONValue) -> IdentityError {
    IdentityError(
      code: "INVALID_ARGUMENT : \(key)", message: "\(key) must be \(wanted), found \(value.serialized())")
  }
}

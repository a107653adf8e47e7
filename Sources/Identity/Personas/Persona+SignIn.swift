import JSON

// What a persona shows to sign in.
extension Persona {
  /// Signs in, or signs up where nobody has the address.
  mutating func enter() throws(IdentityError) -> AuthDataResult {
    switch way.provider {
    case .anonymous: return try device.signInAnonymously()
    case .custom:
      // The project's own server gives the claims; those that an administrator set stay with the account.
      let claims = try device.server.admin.accountIfAny(way.uid) == nil ? way.claims : [:]
      let token = try CustomToken.make(
        uid: way.uid, claims: claims.merging(way.sessionClaims), tenant: way.tenant, at: device.seconds)
      return try device.signIn(customToken: token)
    case .password:
      let email = way.email ?? ""
      guard try device.server.admin.account(email: email, tenant: way.tenant) == nil else { break }
      return try device.createUser(email: email, password: password)
    default: break
    }
    return try device.signIn(with: try credential(way, isFirst: false))
  }

  /// Shows the second factor.
  func prove(_ pending: PendingSecondFactor, _ hint: SecondFactorHint) throws(IdentityError) -> AuthDataResult {
    let server = device.server
    switch hint.kind {
    case .phone:
      let id = try device.sendSecondFactorSMS(pending, hint: hint)
      return try device.resolveSignIn(pending, verificationID: id, code: server.smsCodes.last?.code ?? "")
    case .totp:
      // Each code is good once. A person waits for the next; the clock of a test stands still.
      try server.run { (core) throws(IdentityError) in
        try core.change(uid) { (account, _) throws(IdentityError) in
          for place in account.secondFactors.indices { account.secondFactors[place].lastStep = nil }
        }
      }
      let code = TOTP.code(secret: Self.authenticatorSecret(root), at: device.seconds)
      return try device.resolveSignIn(pending, hint: hint, totp: code)
    }
  }

  /// - Parameter isFirst: whether the provider meets the app for the first time: only then Apple says the name.
  func credential(_ way: UserProfile, isFirst: Bool) throws(IdentityError) -> AuthCredential {
    let server = device.server
    switch way.provider {
    case .password: return .password(email: way.email ?? "", password: password)
    case .emailLink:
      let email = way.email ?? ""
      try device.sendSignInLink(to: email)
      let mail = server.emailCodes.last { $0.purpose == .signIn && $0.email == email }
      return .emailLink(email: email, link: mail?.link ?? "")
    case .phone:
      let id = try device.verifyPhoneNumber(way.phone ?? "")
      return .phone(verificationID: id, code: server.smsCodes.last?.code ?? "")
    case .anonymous, .custom:
      throw IdentityError(
        code: "INVALID_PROVIDER_ID", message: "'\(way.provider.word)' is no way to sign in that can be linked")
    default:
      var credential = server.providers.credential(way.provider.signInProvider, Self.claims(way))
      if way.provider == .apple, isFirst { credential.fullName = way.name }
      return .provider(credential)
    }
  }

  /// What the identity provider says about them.
  private static func claims(_ way: UserProfile) -> JSONObject {
    var claims: JSONObject = [:]
    if case .oidc = way.provider { claims = way.signInAttributes ?? [:] }
    if case .saml = way.provider { claims["attributes"] = way.signInAttributes.map(JSONValue.object) }
    claims["sub"] = .string(way.rawID ?? "")
    claims["email"] = way.email.map(JSONValue.string)
    claims["email_verified"] = way.emailVerified.map(JSONValue.bool)
    // Apple's token never has it.
    if way.provider != .apple { claims["name"] = way.name.map(JSONValue.string) }
    claims["picture"] = way.picture.map(JSONValue.string)
    return claims
  }

  private var password: String { Self.password(root) }

  /// Nobody else has the same.
  static func password(_ root: String) -> String { "password of " + root }

  static func authenticatorSecret(_ root: String) -> [UInt8] { LibCrypto.digest(.sha256, Array(root.utf8)) }
}

extension AuthAdmin {
  func accountIfAny(_ uid: String) throws(IdentityError) -> Account? {
    try server.run { (core) throws(IdentityError) in try core.storage.account(uid) }
  }
}

extension JSONObject {
  /// With the members of another; where both have a name, the other's counts.
  func merging(_ other: JSONObject) -> JSONObject {
    var merged = self
    for (name, value) in other.members { merged[name] = value }
    return merged
  }
}

extension ServerCore {
  /// Makes the account of a completed profile as it stands, and the session that the profile tells of.
  mutating func settle(_ profile: UserProfile) throws(IdentityError) -> IssuedTokens {
    guard try storage.account(profile.uid) == nil else {
      throw IdentityError(code: "DUPLICATE_LOCAL_ID", message: "there is an account '\(profile.uid)' already")
    }
    let begun = min(profile.authTime ?? seconds, seconds)
    var account = Account(uid: profile.uid, tenant: profile.tenant, at: AuthTime.milliseconds(seconds: begun))
    if let email = profile.email { account.setEmail(email, verified: profile.emailVerified ?? false) }
    switch profile.provider {
    case .password: account.setPassword(
      try PasswordHash(Persona.password(profile.uid), cost: settings.passwordCost, random: &random))
    case .emailLink: account.allowEmailLink()
    case .custom: account.isCustomAuth = true
    default: break
    }
    if let rawID = profile.rawID {
      account.link(LinkedProvider(id: profile.provider.signInProvider, rawID: rawID, email: profile.email))
    }
    if let phone = profile.phone { account.link(LinkedProvider(id: ProviderID.phone, rawID: phone)) }
    account.displayName = profile.name
    account.photoURL = profile.picture
    account.customClaims = profile.claims
    var factor = profile.secondFactor
    if let kind = factor?.kind {
      let id = factor?.identifier ?? DefaultIdentity.secondFactorID(uid: profile.uid)
      factor = SecondFactor(kind, identifier: id)
      let method: EnrolledFactor.Method = switch kind {
      case .phone: .phone(DefaultIdentity.phone(uid: "second factor of " + profile.uid))
      case .totp: .totp(Persona.authenticatorSecret(profile.uid))
      }
      account.secondFactors = [EnrolledFactor(id: id, displayName: nil, method: method, enrolledAt: now)]
    }
    try checkFree(account)
    try storage.put(account, replacing: nil)
    var session = newSession(account, profile.provider.signInProvider)
    session.authTime = begun
    session.claims = profile.sessionClaims
    session.secondFactor = factor
    session.attributes = profile.signInAttributes
    return try issue(account, session)
  }
}

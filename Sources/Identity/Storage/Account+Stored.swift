import JSON

// Accounts and sessions as JSON, for storage.

extension Account {
  var stored: JSONObject {
    var object: JSONObject = [
      "uid": .string(uid), "emailVerified": .bool(emailVerified), "emailLinkSignIn": .bool(emailLinkSignIn),
      "isDisabled": .bool(isDisabled), "isCustomAuth": .bool(isCustomAuth), "validSince": .int(validSince),
      "createdAt": .int(createdAt),
      "lastLoginAt": .int(lastLoginAt), "customClaims": .object(customClaims),
      "providers": .array(providers.map { .object($0.stored) }),
      "secondFactors": .array(secondFactors.map { .object($0.stored) }),
    ]
    object["tenant"] = tenant.map(JSONValue.string)
    object["email"] = email.map(JSONValue.string)
    object["password"] = password.map { .object($0.stored) }
    object["displayName"] = displayName.map(JSONValue.string)
    object["photoURL"] = photoURL.map(JSONValue.string)
    object["passwordUpdatedAt"] = passwordUpdatedAt.map(JSONValue.int)
    object["lastRefreshAt"] = lastRefreshAt.map(JSONValue.int)
    object["initialEmail"] = initialEmail.map(JSONValue.string)
    if !passkeys.isEmpty {
      object["passkeys"] = .array(
        passkeys.map { ["credentialID": .string($0.credentialID), "name": .string($0.name)] })
    }
    return object
  }

  /// - Throws: `INTERNAL_ERROR` if this is no stored account.
  init(stored bytes: [UInt8]) throws(IdentityError) {
    let value = try StoredValue(bytes)
    self.init(uid: try value.string("uid"), tenant: value.optionalString("tenant"), at: try value.integer("createdAt"))
    email = value.optionalString("email")
    emailVerified = try value.flag("emailVerified")
    emailLinkSignIn = try value.flag("emailLinkSignIn")
    isDisabled = try value.flag("isDisabled")
    isCustomAuth = try value.flag("isCustomAuth")
    validSince = try value.integer("validSince")
    lastLoginAt = try value.integer("lastLoginAt")
    displayName = value.optionalString("displayName")
    photoURL = value.optionalString("photoURL")
    customClaims = try value.object("customClaims")
    for provider in try value.list("providers") { link(try LinkedProvider(stored: provider)) }
    for factor in try value.list("secondFactors") { secondFactors.append(try EnrolledFactor(stored: factor)) }
    passwordUpdatedAt = value.json["passwordUpdatedAt"]?.intValue
    lastRefreshAt = value.json["lastRefreshAt"]?.intValue
    initialEmail = value.optionalString("initialEmail")
    // Files of before there were passkeys have none.
    if value.json.contains("passkeys") {
      for passkey in try value.list("passkeys") {
        passkeys.append(
          Passkey(credentialID: try passkey.string("credentialID"), name: try passkey.string("name")))
      }
    }
    if let hash = value.optionalObject("password") { password = try PasswordHash(stored: hash) }
  }
}

extension AuthSession {
  var stored: JSONObject {
    var object: JSONObject = [
      "uid": .string(uid), "signInProvider": .string(signInProvider), "authTime": .int(authTime),
      "claims": .object(claims),
    ]
    object["tenant"] = tenant.map(JSONValue.string)
    object["secondFactor"] = (secondFactor?.kind.rawValue).map(JSONValue.string)
    object["secondFactorID"] = (secondFactor?.identifier).map(JSONValue.string)
    object["attributes"] = attributes.map(JSONValue.object)
    return object
  }

  init(stored bytes: [UInt8]) throws(IdentityError) {
    let value = try StoredValue(bytes)
    self.init(
      uid: try value.string("uid"), tenant: value.optionalString("tenant"),
      signInProvider: try value.string("signInProvider"),
      authTime: try value.integer("authTime"))
    claims = try value.object("claims")
    attributes = value.optionalObject("attributes")
    if let kind = value.optionalString("secondFactor").flatMap(SecondFactor.Kind.init(rawValue:)) {
      secondFactor = SecondFactor(kind, identifier: value.optionalString("secondFactorID"))
    }
  }
}

extension LinkedProvider {
  fileprivate var stored: JSONObject {
    var object: JSONObject = ["id": .string(id), "rawID": .string(rawID)]
    object["email"] = email.map(JSONValue.string)
    object["displayName"] = displayName.map(JSONValue.string)
    object["photoURL"] = photoURL.map(JSONValue.string)
    return object
  }

  fileprivate init(stored value: StoredValue) throws(IdentityError) {
    self.init(
      id: try value.string("id"), rawID: try value.string("rawID"), email: value.optionalString("email"),
      displayName: value.optionalString("displayName"), photoURL: value.optionalString("photoURL"))
  }
}

extension EnrolledFactor {
  fileprivate var stored: JSONObject {
    var object: JSONObject = ["id": .string(id), "enrolledAt": .int(enrolledAt)]
    object["displayName"] = displayName.map(JSONValue.string)
    object["lastStep"] = lastStep.map(JSONValue.int)
    switch method {
    case .phone(let number): object["phone"] = .string(number)
    case .totp(let secret): object["totp"] = .string(Base64URL.encode(secret))
    }
    return object
  }

  fileprivate init(stored value: StoredValue) throws(IdentityError) {
    let method: Method
    if let number = value.optionalString("phone") { method = .phone(number) } else {
      method = .totp(try value.bytes("totp"))
    }
    self.init(
      id: try value.string("id"), displayName: value.optionalString("displayName"), method: method,
      enrolledAt: try value.integer("enrolledAt")
    )
    lastStep = value.json["lastStep"]?.intValue
  }
}

extension PasswordHash {
  fileprivate var stored: JSONObject {
    func cost(_ cost: ScryptCost) -> JSONValue {
      [.int(Int64(cost.memoryCost)), .int(Int64(cost.rounds)), .int(Int64(cost.parallelism))]
    }
    switch self {
    case .scrypt(let key, let salt, let scrypt):
      return ["key": .string(Base64URL.encode(key)), "salt": .string(Base64URL.encode(salt)), "cost": cost(scrypt)]
    case .firebase(let hash, let salt, let parameters):
      return [
        "key": .string(Base64URL.encode(hash)), "salt": .string(Base64URL.encode(salt)), "cost": cost(parameters.cost),
        "signerKey": .string(Base64URL.encode(parameters.signerKey)),
        "separator": .string(Base64URL.encode(parameters.saltSeparator)),
      ]
    }
  }

  fileprivate init(stored object: JSONObject) throws(IdentityError) {
    let value = StoredValue(object)
    let numbers = object["cost"]?.arrayValue?.compactMap { $0.intValue.flatMap(Int.init(exactly:)) } ?? []
    guard numbers.count == 3 else { throw StoredValue.damaged("cost") }
    let (key, salt) = (try value.bytes("key"), try value.bytes("salt"))
    guard object.contains("signerKey") else {
      self = .scrypt(
        key: key, salt: salt, ScryptCost(memoryCost: numbers[0], rounds: numbers[1], parallelism: numbers[2]))
      return
    }
    self = .firebase(
      hash: key, salt: salt,
      FirebaseScrypt(
        signerKey: try value.bytes("signerKey"), saltSeparator: try value.bytes("separator"), rounds: numbers[1],
        memoryCost: numbers[0]))
  }
}

/// The members of a stored object, or the complaint that it is damaged.
private struct StoredValue {
  let json: JSONObject

  init(_ json: JSONObject) { self.json = json }

  init(_ bytes: [UInt8]) throws(IdentityError) {
    let limits = JSONLimits(maxDepth: JSONLimits.deepestValue)
    guard let object = (try? JSONValue(parsing: bytes, limits: limits))?.objectValue else {
      throw Self.damaged("no object")
    }
    json = object
  }

  static func damaged(_ name: String) -> IdentityError {
    IdentityError(code: "INTERNAL_ERROR", message: "the stored record is damaged: \(name)")
  }

  func string(_ name: String) throws(IdentityError) -> String {
    guard let string = json[name]?.stringValue else { throw Self.damaged(name) }
    return string
  }

  func optionalString(_ name: String) -> String? { json[name]?.stringValue }
  func optionalObject(_ name: String) -> JSONObject? { json[name]?.objectValue }

  func integer(_ name: String) throws(IdentityError) -> Int64 {
    guard let number = json[name]?.intValue else { throw Self.damaged(name) }
    return number
  }

  func flag(_ name: String) throws(IdentityError) -> Bool {
    guard let flag = json[name]?.boolValue else { throw Self.damaged(name) }
    return flag
  }

  func object(_ name: String) throws(IdentityError) -> JSONObject {
    guard let object = json[name]?.objectValue else { throw Self.damaged(name) }
    return object
  }

  func list(_ name: String) throws(IdentityError) -> [StoredValue] {
    guard let list = json[name]?.arrayValue else { throw Self.damaged(name) }
    return list.compactMap { $0.objectValue.map(StoredValue.init) }
  }

  func bytes(_ name: String) throws(IdentityError) -> [UInt8] {
    guard let bytes = Base64URL.decode(try string(name).utf8) else { throw Self.damaged(name) }
    return bytes
  }
}

import Identity
import JSON

/// What a project has configured, as `projects/P/config` shows it.
public struct ProjectConfiguration: Sendable, Equatable {
  public var allowsDuplicateEmails: Bool
  public var hidesEmails: Bool
  public var secondFactors: SecondFactorConfiguration
  public var passwordPolicy: PasswordPolicy?
  /// The addresses of blocking functions.
  public var triggers: [BlockingEvent.Kind: String] = [:]

  init(_ settings: AuthSettings) {
    allowsDuplicateEmails = !settings.oneAccountPerEmail
    hidesEmails = settings.hidesEmails
    secondFactors = .open
  }

  func apply(to settings: inout AuthSettings) {
    settings.oneAccountPerEmail = !allowsDuplicateEmails
    settings.hidesEmails = hidesEmails
    settings.passwordPolicy = passwordPolicy
    settings.asksSecondFactors = secondFactors.isOn
  }

  /// What the endpoint that the emulators have for it shows.
  var short: JSONObject {
    [
      "signIn": ["allowDuplicateEmails": .bool(allowsDuplicateEmails)],
      "emailPrivacyConfig": ["enableImprovedEmailPrivacy": .bool(hidesEmails)],
    ]
  }

  func json(_ project: String) -> JSONObject {
    var json: JSONObject = ["name": .string("projects/\(project)/config")]
    for (name, value) in short.members { json[name] = value }
    var functions = JSONObject()
    if !triggers.isEmpty {
      var list = JSONObject()
      for kind in [BlockingEvent.Kind.beforeCreate, .beforeSignIn] {
        if let url = triggers[kind] { list[kind.rawValue] = ["functionUri": .string(url)] }
      }
      functions["triggers"] = .object(list)
    }
    json["blockingFunctions"] = .object(functions)
    json["mfa"] = .object(secondFactors.json)
    json["passwordPolicyConfig"] = passwordPolicy.map { .object(PasswordPolicyJSON.configuration($0)) }
    return json
  }

  /// Changes what the mask names: `signIn.allowDuplicateEmails,blockingFunctions`; with no mask, all that is there is
  /// replaced, and what is not there gets its standard.
  mutating func merge(_ body: AuthBody, mask: [String]?, mayCallFunctions: Bool) throws(IdentityError) {
    func covers(_ path: String) -> Bool {
      guard let mask else { return true }
      return mask.contains { $0 == path || path.hasPrefix($0 + ".") || $0.hasPrefix(path + ".") }
    }
    if covers("signIn.allowDuplicateEmails") {
      let part = try body.part("signIn")
      if mask == nil || part?.has("allowDuplicateEmails") == true {
        allowsDuplicateEmails = try part?.flag("allowDuplicateEmails") ?? false
      }
    }
    if covers("emailPrivacyConfig.enableImprovedEmailPrivacy") {
      let part = try body.part("emailPrivacyConfig")
      if mask == nil || part?.has("enableImprovedEmailPrivacy") == true {
        hidesEmails = try part?.flag("enableImprovedEmailPrivacy") ?? false
      }
    }
    if covers("mfa"), let part = try body.part("mfa") { secondFactors = try SecondFactorConfiguration(part) }
    if covers("passwordPolicyConfig"), let part = try body.part("passwordPolicyConfig") {
      passwordPolicy = try PasswordPolicyJSON.policy(part)
    }
    if covers("blockingFunctions") {
      let part = try body.part("blockingFunctions")
      if mask == nil || part != nil { triggers = try Self.triggers(part, mayCallFunctions: mayCallFunctions) }
    }
  }

  private static func triggers(
    _ body: AuthBody?, mayCallFunctions: Bool
  ) throws(IdentityError) -> [BlockingEvent.Kind: String] {
    guard let triggers = try body?.part("triggers") else { return [:] }
    var found: [BlockingEvent.Kind: String] = [:]
    for name in triggers.object.keys {
      guard let kind = BlockingEvent.Kind(rawValue: name) else {
        throw invalidFunction("Event type is invalid.")
      }
      guard let url = try triggers.part(name)?.filled("functionUri") else { continue }
      guard let host = WebAddress(url)?.host else {
        throw invalidFunction("Expected an absolute URI with valid scheme and host.")
      }
      guard mayCallFunctions, WebAddress.isLoopback(host), url.lowercased().hasPrefix("http://" + host) else {
        throw invalidFunction("Only http addresses of this machine are called: localhost, 127.0.0.1 or [::1].")
      }
      found[kind] = url
    }
    return found
  }

  private static func invalidFunction(_ message: String) -> IdentityError {
    IdentityError(code: "INVALID_BLOCKING_FUNCTION : ((\(message)))", message: message)
  }
}

/// Which second factors there are.
public struct SecondFactorConfiguration: Sendable, Equatable {
  public var state: String
  public var providers: [String]

  static let open = SecondFactorConfiguration(state: "ENABLED", providers: ["PHONE_SMS"])
  static let closed = SecondFactorConfiguration(state: "DISABLED", providers: [])

  init(state: String, providers: [String]) {
    self.state = state
    self.providers = providers
  }

  init(_ body: AuthBody) throws(IdentityError) {
    state = try body.word("state", of: ["STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]) ?? "DISABLED"
    providers = try body.texts("enabledProviders")
  }

  var isOn: Bool { state == "ENABLED" || state == "MANDATORY" }
  var takesPhones: Bool { isOn && providers.contains("PHONE_SMS") }

  var json: JSONObject {
    ["state": .string(state), "enabledProviders": .array(providers.map(JSONValue.string))]
  }
}

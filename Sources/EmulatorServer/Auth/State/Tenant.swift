import Identity
import JSON

/// A tenant's configuration.
struct Tenant: Sendable, Equatable {
  let id: String
  let project: String
  var displayName: String?
  var allowsPasswords = false
  var allowsEmailLinks = false
  var allowsAnonymous = false
  var isDisabled = false
  var secondFactors = SecondFactorConfiguration.closed
  var hidesEmails: Bool?
  var passwordPolicy: PasswordPolicy?

  init(_ id: String, project: String) {
    self.id = id
    self.project = project
  }

  /// One that somebody used before making it: everything is on, as in the official emulator.
  static func open(_ id: String, project: String) -> Tenant {
    var tenant = Tenant(id, project: project)
    tenant.allowsPasswords = true
    tenant.allowsEmailLinks = true
    tenant.allowsAnonymous = true
    tenant.secondFactors = .open
    return tenant
  }

  /// Letters, digits, `-` and `_`, at most 128.
  static func isID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
          || byte == 0x5F
      }
  }

  func apply(to settings: inout AuthSettings) {
    if !allowsPasswords { settings.disabledProviders.insert(ProviderID.password) }
    if !allowsEmailLinks { settings.disabledProviders.insert(ProviderID.emailLink) }
    if !allowsAnonymous { settings.disabledProviders.insert(ProviderID.anonymous) }
    settings.hidesEmails = hidesEmails ?? settings.hidesEmails
    settings.passwordPolicy = passwordPolicy ?? settings.passwordPolicy
    settings.asksSecondFactors = secondFactors.isOn
  }

  var json: JSONObject {
    var json: JSONObject = ["name": .string("projects/\(project)/tenants/\(id)"), "tenantId": .string(id)]
    json["displayName"] = displayName.map(JSONValue.string)
    json["allowPasswordSignup"] = .bool(allowsPasswords)
    json["enableEmailLinkSignin"] = .bool(allowsEmailLinks)
    json["enableAnonymousUser"] = .bool(allowsAnonymous)
    json["disableAuth"] = .bool(isDisabled)
    json["mfaConfig"] = .object(secondFactors.json)
    json["emailPrivacyConfig"] = hidesEmails.map { ["enableImprovedEmailPrivacy": .bool($0)] }
    json["passwordPolicyConfig"] = passwordPolicy.map { .object(PasswordPolicyJSON.configuration($0)) }
    return json
  }

  /// Changes what the mask names and the body has; without a mask everything is replaced, and what the body lacks gets
  /// its standard.
  mutating func merge(_ body: AuthBody, mask: [String]?) throws(IdentityError) {
    let names = mask.map { Set($0.map { String($0.prefix { $0 != "." }) }) }
    func covers(_ name: String) -> Bool {
      guard let names else { return true }
      return names.contains(name) && body.has(name)
    }
    if covers("displayName"), mask?.contains("displayName") ?? true { displayName = try body.text("displayName") }
    if covers("allowPasswordSignup") { allowsPasswords = try body.flag("allowPasswordSignup") ?? false }
    if covers("enableEmailLinkSignin") { allowsEmailLinks = try body.flag("enableEmailLinkSignin") ?? false }
    if covers("enableAnonymousUser") { allowsAnonymous = try body.flag("enableAnonymousUser") ?? false }
    if covers("disableAuth") { isDisabled = try body.flag("disableAuth") ?? false }
    if covers("mfaConfig") {
      let new = try body.part("mfaConfig").map { (part) throws(IdentityError) in try SecondFactorConfiguration(part) }
      let paths = mask?.filter { $0.hasPrefix("mfaConfig.") } ?? []
      if paths.isEmpty || mask?.contains("mfaConfig") == true {
        secondFactors = new ?? .closed
      } else if let new {
        if paths.contains("mfaConfig.state") { secondFactors.state = new.state }
        if paths.contains("mfaConfig.enabledProviders") { secondFactors.providers = new.providers }
      }
    }
    if covers("emailPrivacyConfig") {
      hidesEmails = try body.part("emailPrivacyConfig")?.flag("enableImprovedEmailPrivacy")
    }
    if covers("passwordPolicyConfig") {
      passwordPolicy = try body.part("passwordPolicyConfig").map { (part) throws(IdentityError) in
        try PasswordPolicyJSON.policy(part)
      }
    }
  }
}

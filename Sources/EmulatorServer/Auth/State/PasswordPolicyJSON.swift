import Identity
import JSON

/// A password policy as the API writes it.
enum PasswordPolicyJSON {
  /// For `GET passwordPolicy`.
  static func shown(_ policy: PasswordPolicy?) -> JSONObject {
    let policy = policy ?? PasswordPolicy()
    return [
      "customStrengthOptions": .object(options(policy)),
      "allowedNonAlphanumericCharacters": .array(PasswordPolicy.specialCharacters.map(JSONValue.string)),
      "enforcementState": policy.isEnforced ? "ENFORCE" : "OFF",
      "forceUpgradeOnSignin": false,
      "schemaVersion": 1,
    ]
  }

  /// For a configuration.
  static func configuration(_ policy: PasswordPolicy) -> JSONObject {
    [
      "passwordPolicyEnforcementState": policy.isEnforced ? "ENFORCE" : "OFF",
      "passwordPolicyVersions": [["customStrengthOptions": .object(options(policy))]],
    ]
  }

  private static func options(_ policy: PasswordPolicy) -> JSONObject {
    var options: JSONObject = [
      "minPasswordLength": .int(Int64(policy.minLength)), "maxPasswordLength": .int(Int64(policy.maxLength)),
    ]
    for (name, isNeeded) in [
      ("containsLowercaseCharacter", policy.needsLowercase), ("containsUppercaseCharacter", policy.needsUppercase),
      ("containsNumericCharacter", policy.needsDigit), ("containsNonAlphanumericCharacter", policy.needsSpecial),
    ] where isNeeded { options[name] = true }
    return options
  }

  static func policy(_ body: AuthBody) throws(IdentityError) -> PasswordPolicy {
    var policy = PasswordPolicy()
    let states = ["PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED", "OFF", "ENFORCE"]
    policy.isEnforced = try body.word("passwordPolicyEnforcementState", of: states) == "ENFORCE"
    guard let options = try body.parts("passwordPolicyVersions").first?.part("customStrengthOptions") else {
      return policy
    }
    policy.minLength = try length(options, "minPasswordLength", 6...30) ?? policy.minLength
    policy.maxLength = try length(options, "maxPasswordLength", policy.minLength...4096) ?? policy.maxLength
    policy.needsLowercase = try options.flag("containsLowercaseCharacter") ?? false
    policy.needsUppercase = try options.flag("containsUppercaseCharacter") ?? false
    policy.needsDigit = try options.flag("containsNumericCharacter") ?? false
    policy.needsSpecial = try options.flag("containsNonAlphanumericCharacter") ?? false
    return policy
  }

  private static func length(
    _ options: AuthBody, _ name: String, _ range: ClosedRange<Int>
  ) throws(IdentityError) -> Int? {
    guard let number = try options.integer(name) else { return nil }
    guard let length = Int(exactly: number), range.contains(length) else {
      throw IdentityError(
        code: "INVALID_CONFIG : \(name) must be \(range.lowerBound) to \(range.upperBound).",
        message: "\(name) is \(number)")
    }
    return length
  }
}

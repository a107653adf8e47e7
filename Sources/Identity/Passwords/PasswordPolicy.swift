/// What a project asks of new passwords, beside the shortest length that all have.
public struct PasswordPolicy: Sendable, Equatable {
  /// UTF-16 units, 6 to 30.
  public var minLength = 6
  /// Up to 4096.
  public var maxLength = 4096
  public var needsUppercase = false
  public var needsLowercase = false
  public var needsDigit = false
  public var needsSpecial = false
  /// Whether a password that does not do is refused. Else clients are told of the policy, no more.
  public var isEnforced = false

  /// What counts as special, as Firebase publishes it.
  public static let specialCharacters = Array("^$*.[]{}()?\"!@#%&/\\,><':;|_~").map(String.init)

  public init() {}

  /// - Throws: `PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: […]`.
  func check(_ password: String) throws(IdentityError) {
    guard isEnforced else { return }
    let missing = missing(in: password)
    guard missing.isEmpty else {
      throw IdentityError(
        code: "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: ["
          + missing.joined(separator: ", ") + "]",
        message: "the password does not do: " + missing.joined(separator: "; "))
    }
  }

  /// In words; nothing if it does.
  func missing(in password: String) -> [String] {
    var missing: [String] = []
    if password.utf16.count < minLength { missing.append("Password must contain at least \(minLength) characters") }
    if password.utf16.count > maxLength { missing.append("Password may contain at most \(maxLength) characters") }
    if needsLowercase, !password.utf8.contains(where: { (0x61...0x7A).contains($0) }) {
      missing.append("Password must contain a lower case character")
    }
    if needsUppercase, !password.utf8.contains(where: { (0x41...0x5A).contains($0) }) {
      missing.append("Password must contain an upper case character")
    }
    if needsDigit, !password.utf8.contains(where: { (0x30...0x39).contains($0) }) {
      missing.append("Password must contain a numeric character")
    }
    if needsSpecial, !password.contains(where: { Self.specialCharacters.contains(String($0)) }) {
      missing.append("Password must contain a non-alphanumeric character")
    }
    return missing
  }
}

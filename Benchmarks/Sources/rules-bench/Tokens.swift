import Identity
import JSON

/// ID tokens and accounts.
enum Tokens {
  private static let now: Int64 = 1_767_225_600

  /// What the token of a password user says: 400 bytes.
  private static func payload() throws -> JSONObject {
    var user = UserProfile(provider: .password, uid: "kRw2bXyuWqYp7s0LJmR4cGdTz9f1")
    user.email = "alice@example.com"
    user.emailVerified = true
    user.name = "Alice"
    user.claims = ["role": "admin"]
    return try ProviderClaims.payload(for: user, at: now, project: "demo-project")
  }

  static func sign(_ times: Int) throws {
    let key = try SigningKey(validity: now - 1...now + 1_000_000)
    let payload = try payload()
    for _ in 0..<times { Measurement.check(try key.sign(payload).utf8.count > 600) }
  }

  static func verify(_ times: Int) throws {
    let key = try SigningKey(validity: now - 1...now + 1_000_000)
    let token = try key.sign(payload())
    let verifier = try TokenVerifier(project: "demo-project", certificates: [key.keyID: .string(key.certificatePEM)])
    for _ in 0..<times { Measurement.check(try verifier.verify(token, at: now)["email"] == "alice@example.com") }
  }

  /// 100,000 accounts in a SQLite file; then one is looked up by each kind of key.
  static func lookUp(_ times: Int) throws {
    let server = try AccountsFile.server()
    for n in 0..<times { Measurement.check(try AccountsFile.lookUp(n * 7919 % AccountsFile.count, server)) }
  }
}

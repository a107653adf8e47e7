import Identity
import JSON
import Testing

@Suite("Custom claims")
struct CustomClaimsInTokens {
  static func payload(_ provider: Provider = .anonymous, _ fill: (inout UserProfile) -> Void) throws -> JSONObject {
    var user = UserProfile(provider: provider, uid: "U")
    fill(&user)
    return try ProviderClaims.payload(for: user, at: 0, project: "p")
  }

  @Test("claims stand between the profile and the account's fields")
  func place() throws {
    let payload = try Self.payload(.password) { $0.name = "N"; $0.claims = ["admin": true, "level": 3] }
    #expect(payload.keys.prefix(5) == ["name", "admin", "level", "email", "email_verified"])
  }

  @Test("a claim called name or picture wins over the profile, in its place")
  func overProfile() throws {
    let payload = try Self.payload { $0.name = "profile"; $0.claims = ["x": 1, "picture": "claim", "name": "claim"] }
    #expect(payload["name"] == "claim")
    #expect(payload.keys.prefix(3) == ["name", "picture", "x"])
  }

  @Test("no claim can pretend to be a field of the account, whether the account has it or not", arguments: [
    ("email", "root@example.com"), ("email_verified", true), ("phone_number", "+15555550100"), ("provider_id", "x"),
    ("user_id", "root"),
  ] as [(String, JSONValue)])
  func overAccount(name: String, value: JSONValue) throws {
    let anonymous = try Self.payload { $0.claims = [name: value] }
    #expect(anonymous[name] != value)
    #expect(anonymous.contains(name) == (name == "provider_id" || name == "user_id"))
    let custom = try Self.payload(.custom) { $0.sessionClaims = [name: value] }
    #expect(custom[name] != value)
    let password = try Self.payload(.password) { $0.email = "a@b.c"; $0.phone = "+15555550199"; $0.claims = [name: value] }
    #expect(password[name] != value)
  }

  @Test("the claims of the session win over the account's")
  func sessionOverAccount() throws {
    let payload = try Self.payload(.custom) { $0.claims = ["a": 1, "b": 1]; $0.sessionClaims = ["b": 2, "c": 2] }
    #expect(payload["a"] == 1)
    #expect(payload["b"] == 2)
    #expect(payload["c"] == 2)
  }

  @Test("null is a value, and stays")
  func null() throws {
    #expect(try Self.payload { $0.claims = ["team": nil] }["team"] == .null)
  }

  @Test("names that the token needs are forbidden", arguments: CustomClaims.forbiddenNames)
  func forbidden(name: String) {
    let expected = IdentityError(
      code: "FORBIDDEN_CLAIM : \(name)",
      message: "the claim '\(name)' belongs to the token itself; choose another name")
    #expect(throws: expected) { try CustomClaims.check([name: 1]) }
    #expect(throws: expected) { try Self.payload { $0.claims = ["ok": 1, name: nil] } }
    #expect(throws: expected) { try Self.payload(.custom) { $0.sessionClaims = [name: 1] } }
  }

  @Test("there are sixteen forbidden names, looked for in the emulator's order")
  func forbiddenOrder() {
    #expect(CustomClaims.forbiddenNames.count == 16)
    #expect(throws: IdentityError(
      code: "FORBIDDEN_CLAIM : aud", message: "the claim 'aud' belongs to the token itself; choose another name")
    ) { try CustomClaims.check(["firebase": 1, "aud": 1]) }
  }

  /// `{"k":"…"}` has 8 characters beside the value.
  @Test("1000 characters are allowed, 1001 are not; characters, not bytes", arguments: ["a", "é", "€"])
  func length(character: String) throws {
    let longest: JSONObject = ["k": .string(String(repeating: character, count: 992))]
    #expect(throws: Never.self) { try CustomClaims.check(longest) }
    let tooLong: JSONObject = ["k": .string(String(repeating: character, count: 993))]
    #expect(throws: IdentityError(
      code: "CLAIMS_TOO_LARGE", message: "the claims have 1001 characters as JSON; at most 1000 are allowed")
    ) { try CustomClaims.check(tooLong) }
  }

  @Test("claims that are no object are refused", arguments: [
    ("[1]", "claims are a map, as in { admin: true }; found an array"),
    ("null", "claims are a map, as in { admin: true }; found null"),
    ("\"x\"", "claims are a map, as in { admin: true }; found a string"),
    ("{a:1}", "claims are a JSON object; line 1, column 2: expected a member name in double quotes or \"}\", found a; names and strings stand in double quotes"),
    ("", "claims are a JSON object; line 1, column 1: the text is empty; expected a value"),
  ])
  func notAnObject(text: String, message: String) {
    #expect(throws: IdentityError(code: "INVALID_CLAIMS", message: message)) { try CustomClaims.claims(parsing: text) }
  }

  @Test("claims are read in their serialized form")
  func parsing() throws {
    #expect(try CustomClaims.claims(parsing: "{\"admin\":true,\"n\":1,\"n\":2.0}") == ["admin": true, "n": 2.0])
    #expect(throws: IdentityError.self) { try CustomClaims.claims(parsing: String(repeating: " ", count: 999) + "{}") }
  }

  /// Observed on the official Firestore emulator 1.19.9: `is int`, and the value in its coverage report.
  @Test("a whole number that fits 64 bits is an integer to rules, however the token writes it", arguments: [
    ("1", 1), ("1.0", 1), ("1.5", 1.5), ("-0.0", 0), ("0.0", 0), ("1e3", 1000), ("1.0e0", 1),
    ("9007199254740992.0", 9_007_199_254_740_992),
    ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .int(.max)),
    ("9223372036854775808", 9.223372036854776e18),
    ("-9223372036854775808", .int(.min)), ("-9223372036854775809", -9.223372036854776e18),
    ("1e18", 1_000_000_000_000_000_000),
    ("9.2e18", 9_200_000_000_000_000_000), ("9.3e18", 9.3e18), ("1e19", 1e19), ("1e300", 1e300), ("0.1", 0.1),
    ("1e-400", 0),
    ("[1.0,{\"x\":2.0}]", [1, ["x": 2]]), ("\"1.0\"", "1.0"),
  ] as [(String, JSONValue)])
  func wholeNumbers(written: String, seen: JSONValue) throws {
    let claim = try JSONValue(parsing: written)
    #expect(ProviderClaims.requestAuth(of: ["sub": "u", "f": claim])["token"]?["f"] == seen)
    #expect(try Self.payload { $0.claims = ["f": claim] }["f"] == seen)
    #expect(try Self.payload(.custom) { $0.sessionClaims = ["f": claim] }["f"] == seen)
  }
}

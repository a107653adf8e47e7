import Identity
import JSON
import Testing

/// The tokens that the official Authentication emulator mints for each kind of user: fields, order, and
/// what is absent.
@Suite("Provider payloads")
struct ProviderPayloads {
  struct Example: Sendable, CustomTestStringConvertible {
    let title: String
    let user: UserProfile
    /// The payload; T stands for the time, its end for an hour later, U for the uid.
    let payload: String
    var testDescription: String { title }

    init(_ title: String, _ provider: Provider, _ payload: String, _ fill: (inout UserProfile) -> Void = { _ in }) {
      var user = UserProfile(provider: provider, uid: "U")
      fill(&user)
      (self.title, self.user, self.payload) = (title, user, payload)
    }
  }

  /// What stands at the end of every token.
  static let end = "\"iat\":1700000000,\"exp\":1700003600,\"aud\":\"demo\",\"iss\":\"https://securetoken.google.com/demo\",\"sub\":\"U\"}"
  static let session = "\"auth_time\":1700000000,\"user_id\":\"U\",\"firebase\":"

  @Test("the token of each provider carries exactly what the emulator puts in it, in its order", arguments: examples)
  func payload(example: Example) throws {
    let payload = try ProviderClaims.payload(for: example.user, at: 1_700_000_000, project: "demo")
    #expect(payload.serialized() == example.payload + Self.end)
  }

  static let examples: [Example] = [
    Example("anonymous", .anonymous,
      "{\"provider_id\":\"anonymous\",\(session){\"identities\":{},\"sign_in_provider\":\"anonymous\"},"),
    Example("anonymous of a tenant", .anonymous,
      "{\"provider_id\":\"anonymous\",\(session){\"identities\":{},\"sign_in_provider\":\"anonymous\",\"tenant\":\"team-a1\"},"
    ) { $0.tenant = "team-a1" },
    Example("password", .password,
      "{\"email\":\"alice@example.com\",\"email_verified\":false,\(session){\"identities\":{\"email\":[\"alice@example.com\"]},\"sign_in_provider\":\"password\"},"
    ) { $0.email = "Alice@Example.com" },
    Example("password, verified", .password,
      "{\"email\":\"a@b.c\",\"email_verified\":true,\(session){\"identities\":{\"email\":[\"a@b.c\"]},\"sign_in_provider\":\"password\"},"
    ) { ($0.email, $0.emailVerified) = ("a@b.c", true) },
    Example("password with a profile", .password,
      "{\"name\":\"Alice\",\"picture\":\"https://p\",\"email\":\"a@b.c\",\"email_verified\":false,\(session){\"identities\":{\"email\":[\"a@b.c\"]},\"sign_in_provider\":\"password\"},"
    ) { ($0.email, $0.name, $0.picture) = ("a@b.c", "Alice", "https://p") },
    Example("e-mail link", .emailLink,
      "{\"email\":\"a@b.c\",\"email_verified\":true,\(session){\"identities\":{\"email\":[\"a@b.c\"]},\"sign_in_provider\":\"password\"},"
    ) { $0.email = "a@b.c" },
    Example("phone", .phone,
      "{\"phone_number\":\"+15555550100\",\(session){\"identities\":{\"phone\":[\"+15555550100\"]},\"sign_in_provider\":\"phone\"},"
    ) { $0.phone = "+15555550100" },
    Example("Apple without scopes", .apple,
      "{\(session){\"identities\":{\"apple.com\":[\"001.abc\"]},\"sign_in_provider\":\"apple.com\"},"
    ) { $0.rawID = "001.abc" },
    Example("Apple with e-mail and name", .apple,
      "{\"name\":\"Alice A\",\"email\":\"x@privaterelay.appleid.com\",\"email_verified\":true,\(session){\"identities\":{\"email\":[\"x@privaterelay.appleid.com\"],\"apple.com\":[\"001.U\"]},\"sign_in_provider\":\"apple.com\"},"
    ) { ($0.email, $0.name) = ("x@privaterelay.appleid.com", "Alice A") },
    Example("Google", .google,
      "{\"name\":\"G\",\"picture\":\"https://p\",\"email\":\"g@example.com\",\"email_verified\":true,\(session){\"identities\":{\"email\":[\"g@example.com\"],\"google.com\":[\"123\"]},\"sign_in_provider\":\"google.com\"},"
    ) { ($0.name, $0.picture, $0.email, $0.rawID) = ("G", "https://p", "g@example.com", "123") },
    Example("OpenID Connect", .oidc("oidc.line"),
      "{\"name\":\"L\",\(session){\"identities\":{\"oidc.line\":[\"line-sub\"]},\"sign_in_provider\":\"oidc.line\"},"
    ) { ($0.name, $0.rawID) = ("L", "line-sub") },
    Example("SAML", .saml("saml.x"),
      "{\"email\":\"s@example.com\",\"email_verified\":true,\(session){\"identities\":{\"email\":[\"s@example.com\"],\"saml.x\":[\"s@example.com\"]},\"sign_in_provider\":\"saml.x\",\"sign_in_attributes\":{\"dept\":\"x\"}},"
    ) { ($0.email, $0.signInAttributes) = ("s@example.com", ["dept": "x"]) },
    Example("custom", .custom,
      "{\"role\":\"admin\",\(session){\"identities\":{},\"sign_in_provider\":\"custom\"},"
    ) { $0.sessionClaims = ["role": "admin"] },
    Example("custom of an account with an e-mail", .custom,
      "{\"email\":\"c@example.com\",\"email_verified\":false,\(session){\"identities\":{\"email\":[\"c@example.com\"]},\"sign_in_provider\":\"custom\"},"
    ) { $0.email = "c@example.com" },
    Example("password with a second factor by phone", .password,
      "{\"email\":\"a@b.c\",\"email_verified\":true,\(session){\"identities\":{\"email\":[\"a@b.c\"]},\"sign_in_provider\":\"password\",\"second_factor_identifier\":\"F1\",\"sign_in_second_factor\":\"phone\",\"tenant\":\"t\"},"
    ) { ($0.email, $0.emailVerified, $0.secondFactor, $0.tenant) = ("a@b.c", true, SecondFactor(.phone, identifier: "F1"), "t") },
    Example("Google with a linked number", .google,
      "{\"name\":\"G\",\"picture\":\"p\",\"email\":\"g@b.c\",\"email_verified\":true,\"phone_number\":\"+15555550100\",\(session){\"identities\":{\"email\":[\"g@b.c\"],\"google.com\":[\"1\"],\"phone\":[\"+15555550100\"]},\"sign_in_provider\":\"google.com\"},"
    ) { ($0.name, $0.picture, $0.email, $0.rawID, $0.phone) = ("G", "p", "g@b.c", "1", "+15555550100") },
  ]

  @Test("the generic providers differ in their id, and none vouches for the e-mail", arguments: [
    (Provider.facebook, "facebook.com"), (.twitter, "twitter.com"), (.github, "github.com"),
    (.microsoft, "microsoft.com"),
    (.yahoo, "yahoo.com"),
  ])
  func genericProviders(provider: Provider, id: String) throws {
    var user = UserProfile(provider: provider, uid: "U")
    user.rawID = "77"
    #expect(try ProviderClaims.payload(for: user, at: 1_700_000_000, project: "demo").serialized()
      == "{\(Self.session){\"identities\":{\"\(id)\":[\"77\"]},\"sign_in_provider\":\"\(id)\"}," + Self.end)
    user.email = "x@example.com"
    #expect(try ProviderClaims.payload(for: user, at: 1_700_000_000, project: "demo").serialized()
      == "{\"email\":\"x@example.com\",\"email_verified\":false,\(Self.session){\"identities\":{\"email\":[\"x@example.com\"],\"\(id)\":[\"77\"]},\"sign_in_provider\":\"\(id)\"}," + Self.end)
  }

  @Test("a session that began earlier keeps its auth_time")
  func authTime() throws {
    var user = UserProfile(provider: .anonymous, uid: "U")
    user.authTime = 1_699_990_000
    let payload = try ProviderClaims.payload(for: user, at: 1_700_000_000, project: "demo")
    #expect(payload["auth_time"] == 1_699_990_000)
    #expect(payload["iat"] == 1_700_000_000)
  }

  @Test("rules see the sub as uid, and the whole payload as token")
  func requestAuth() throws {
    let payload = try ProviderClaims.payload(for: UserProfile(provider: .custom, uid: "u 1"), at: 0, project: "p")
    #expect(ProviderClaims.requestAuth(of: payload) == ["uid": "u 1", "token": .object(payload)])
  }

  @Test(
    "a sub that is no string makes the uid null",
    arguments: [[:], ["sub": 5], ["sub": nil], ["user_id": "u1"]] as [JSONObject])
  func requestAuthWithoutSub(payload: JSONObject) {
    #expect(ProviderClaims.requestAuth(of: payload)["uid"] == .null)
  }
}

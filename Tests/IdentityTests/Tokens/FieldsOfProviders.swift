import Identity
import JSON
import Testing

@Suite("Fields of providers")
struct FieldsOfProviders {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let provider: Provider
    let options: JSONObject
    let error: String
    var testDescription: String { "\(provider.word) \(options.serialized())" }

    init(_ provider: Provider, _ options: JSONObject, _ error: String) {
      (self.provider, self.options, self.error) = (provider, options, error)
    }
  }

  @Test("a field that cannot be is an error that says what would be right", arguments: mistakes)
  func mistake(_ mistake: Mistake) {
    let error = #expect(throws: IdentityError.self) {
      try ProviderClaims.payload(
        for: UserProfile(provider: mistake.provider, name: "alice", options: mistake.options), at: 0, project: "demo")
    }
    #expect(error?.description == mistake.error)
  }

  static let mistakes: [Mistake] = [
    // who carries what
    Mistake(
      .anonymous, ["email": "a@b.c"],
      "an anonymous user has no e-mail; use password({ email: … }) (UNEXPECTED_PARAMETER : email)"),
    Mistake(
      .anonymous, ["phone": "+15555550100"],
      "an anonymous user has no number; use phone({ phone: … }) (UNEXPECTED_PARAMETER : phone)"),
    Mistake(
      .anonymous, ["email_verified": true],
      "without an email there is nothing to verify; add email, or leave email_verified out (UNEXPECTED_PARAMETER : email_verified)"),
    Mistake(
      .apple, ["email_verified": true],
      "without an email there is nothing to verify; add email, or leave email_verified out (UNEXPECTED_PARAMETER : email_verified)"),
    Mistake(
      .phone, ["email_verified": false],
      "without an email there is nothing to verify; add email, or leave email_verified out (UNEXPECTED_PARAMETER : email_verified)"),
    Mistake(
      .emailLink, ["email_verified": false],
      "who signs in by e-mail link has proved the address; leave email_verified out, or use password(…) (UNEXPECTED_PARAMETER : email_verified)"),
    Mistake(
      .password, ["raw_id": "1"],
      "password users have no id at another provider; leave it out (UNEXPECTED_PARAMETER : raw_id)"),
    Mistake(
      .custom, ["raw_id": "1"],
      "custom users have no id at another provider; leave it out (UNEXPECTED_PARAMETER : raw_id)"),
    Mistake(
      .google, ["raw_id": ""],
      "the id at the provider is empty; leave it out for a default (UNEXPECTED_PARAMETER : raw_id)"),
    Mistake(
      .google, ["sign_in_attributes": [:]],
      "only oidc and saml users bring attributes; use claims (UNEXPECTED_PARAMETER : sign_in_attributes)"),
    // second factors
    Mistake(
      .anonymous, ["mfa": "phone"],
      "anonymous users cannot have a second factor; use password({ email_verified: true, mfa: … }) or another provider (UNSUPPORTED_FIRST_FACTOR)"),
    Mistake(
      .phone, ["mfa": "totp"],
      "phone users cannot have a second factor; use password({ email_verified: true, mfa: … }) or another provider (UNSUPPORTED_FIRST_FACTOR)"),
    Mistake(
      .custom, ["mfa": "phone"],
      "custom users cannot have a second factor; use password({ email_verified: true, mfa: … }) or another provider (UNSUPPORTED_FIRST_FACTOR)"),
    Mistake(
      .password, ["mfa": "phone"],
      "a second factor needs a verified e-mail: add email_verified: true (UNVERIFIED_EMAIL)"),
    Mistake(
      .apple, ["mfa": "totp"],
      "a second factor needs a verified e-mail: add email_verified: true and an email (UNVERIFIED_EMAIL)"),
    Mistake(
      .google, ["mfa": "sms"],
      "mfa must be 'phone', 'totp' or { factor: 'phone', identifier: '…' }, found \"sms\" (INVALID_ARGUMENT : mfa)"),
    Mistake(
      .google, ["mfa": ["factor": "phone", "id": "x"]],
      "mfa must be 'phone', 'totp' or { factor: 'phone', identifier: '…' }, found {\"factor\":\"phone\",\"id\":\"x\"} (INVALID_ARGUMENT : mfa)"),
    Mistake(
      .google, ["mfa": ["factor": "phone", "identifier": ""]],
      "the second factor's identifier is empty; leave it out for a default (UNEXPECTED_PARAMETER : mfa)"),
    // tenants
    Mistake(
      .phone, ["tenant": "t"],
      "tenants do not know sign-in by phone; leave tenant out, or use another provider (UNSUPPORTED_TENANT_OPERATION)"),
    Mistake(
      .google, ["tenant": ""],
      "'' is no tenant id: write letters, digits and '-', as in 'team-a1b2c' (INVALID_TENANT_ID)"),
    // uid, e-mail, number
    Mistake(.custom, ["uid": ""], "a uid has 1 to 128 characters, this one has 0 (INVALID_LOCAL_ID)"),
    Mistake(
      .custom, ["uid": .string(String(repeating: "u", count: 129))],
      "a uid has 1 to 128 characters, this one has 129 (INVALID_LOCAL_ID)"),
    Mistake(
      .password, ["email": "alice"],
      "'alice' is no e-mail address; write one like 'alice@example.com' (INVALID_EMAIL)"),
    Mistake(
      .password, ["email": "a@b@c"],
      "'a@b@c' is no e-mail address; write one like 'alice@example.com' (INVALID_EMAIL)"),
    Mistake(
      .password, ["email": "@b.c"], "'@b.c' is no e-mail address; write one like 'alice@example.com' (INVALID_EMAIL)"),
    Mistake(
      .password, ["email": "a@"], "'a@' is no e-mail address; write one like 'alice@example.com' (INVALID_EMAIL)"),
    Mistake(
      .password, ["email": "a@b..c"],
      "'a@b..c' is no e-mail address; write one like 'alice@example.com' (INVALID_EMAIL)"),
    Mistake(
      .password, ["email": "a b@c.d"],
      "'a b@c.d' is no e-mail address; write one like 'alice@example.com' (INVALID_EMAIL)"),
    Mistake(.password, ["email": ""], "'' is no e-mail address; write one like 'alice@example.com' (INVALID_EMAIL)"),
    Mistake(
      .password, ["uid": "a/b"],
      "the password user 'a/b' needs an email: none can be made from this uid (MISSING_EMAIL)"),
    Mistake(
      .phone, ["phone": "5555550100"],
      "'5555550100' is no phone number; write + and 7 to 15 digits, as in '+15555550100' (INVALID_PHONE_NUMBER : Invalid format.)"),
    Mistake(
      .phone, ["phone": "+1 555"],
      "'+1 555' is no phone number; write + and 7 to 15 digits, as in '+15555550100' (INVALID_PHONE_NUMBER : Invalid format.)"),
    Mistake(
      .phone, ["phone": "+0123456789"],
      "'+0123456789' is no phone number; write + and 7 to 15 digits, as in '+15555550100' (INVALID_PHONE_NUMBER : Invalid format.)"),
    Mistake(
      .phone, ["phone": ""],
      "'' is no phone number; write + and 7 to 15 digits, as in '+15555550100' (INVALID_PHONE_NUMBER : Invalid format.)"),
    // kinds and names of options
    Mistake(.google, ["email": 1], "email must be a string, found 1 (INVALID_ARGUMENT : email)"),
    Mistake(.google, ["email": nil], "email must be a string, found null (INVALID_ARGUMENT : email)"),
    Mistake(
      .google, ["email_verified": "true"],
      "email_verified must be true or false, found \"true\" (INVALID_ARGUMENT : email_verified)"),
    Mistake(.google, ["claims": [1]], "claims are a map, as in { admin: true }; found an array (INVALID_CLAIMS)"),
    Mistake(
      .google, ["admin": true],
      "a user has no option 'admin'; for a custom claim write claims: { admin: … }; the options are uid, email, email_verified, name, picture, phone, claims, mfa, tenant, raw_id, sign_in_attributes, auth_time (UNEXPECTED_PARAMETER : admin)"),
    Mistake(
      .google, ["auth_time": 1],
      "a session begins (1) no later than its token (0), in the years 1 to 9999 (INVALID_TIME)"),
    Mistake(
      .google, ["auth_time": 1.5],
      "auth_time must be whole seconds since 1970, found 1.5 (INVALID_ARGUMENT : auth_time)"),
    Mistake(
      .oidc("line"), [:],
      "'line' is no id of an OpenID Connect provider: write 'oidc.' and letters, digits, '.', '-' or '_' (INVALID_PROVIDER_ID)"),
    Mistake(
      .saml("saml."), [:],
      "'saml.' is no id of an SAML provider: write 'saml.' and letters, digits, '.', '-' or '_' (INVALID_PROVIDER_ID)"),
  ]

  @Test("a uid may have 128 characters", arguments: ["u", "é", "/"])
  func longestUID(character: String) throws {
    let uid = String(repeating: character, count: 128)
    let payload = try ProviderClaims.payload(for: UserProfile(provider: .custom, uid: uid), at: 0, project: "p")
    #expect(payload["sub"] == .string(uid))
  }

  @Test(
    "times beyond the years 1 to 9999 and an empty project are refused, not trapped on",
    arguments: [.min, -62_135_596_801, 253_402_300_800, .max] as [Int64])
  func times(seconds: Int64) {
    #expect(throws: IdentityError.self) { try ProviderClaims.payload(for: UserProfile(provider: .custom, uid: "u"), at: seconds, project: "p") }
    #expect(throws: IdentityError.self) { try ProviderClaims.payload(for: UserProfile(provider: .custom, uid: "u"), at: 0, project: "") }
  }

  @Test("the options of the test language fill a profile")
  func options() throws {
    let user = try UserProfile(provider: .oidc("oidc.line"), name: "alice", options: [
      "email": "A@B.c", "email_verified": true, "name": "A", "picture": "p", "phone": "+15555550100",
      "claims": ["x": 1],
      "mfa": ["factor": "totp", "identifier": "F"], "tenant": "t", "raw_id": "r", "sign_in_attributes": ["k": "v"],
      "auth_time": -5,
    ])
    var expected = UserProfile(provider: .oidc("oidc.line"), uid: "alice")
    (expected.email, expected.emailVerified, expected.name, expected.picture) = ("A@B.c", true, "A", "p")
    (expected.phone, expected.claims, expected.secondFactor) = (
      "+15555550100", ["x": 1], SecondFactor(.totp, identifier: "F"))
    (expected.tenant, expected.rawID, expected.signInAttributes, expected.authTime) = ("t", "r", ["k": "v"], -5)
    #expect(user == expected)
    #expect(try UserProfile(provider: .custom, name: "alice", options: ["uid": "other"]).uid == "other")
  }

  @Test(
    "a user of every provider can be had without any option, the same each time and another for each uid",
    arguments: Provider.words)
  func defaults(word: String) throws {
    let provider = try Provider(word: word, id: word == "oidc" || word == "saml" ? word + ".example" : nil)
    #expect(provider.word == word)
    let payload = { (uid: String) in try ProviderClaims.payload(for: UserProfile(provider: provider, uid: uid), at: 0, project: "p") }
    #expect(try payload("alice").serialized() == payload("alice").serialized())
    let (alice, bob) = (try payload("alice")["firebase"]?["identities"], try payload("bob")["firebase"]?["identities"])
    #expect(alice != bob || ["anonymous", "custom"].contains(word))
  }

  @Test("default ids look like the provider's own", arguments: [
    (Provider.apple, "001.alice", ""), (.google, "1", "dddddddddddddddddddd"), (.facebook, "10", "ddddddddddddddd"),
    (.twitter, "1", "dddddddddddddddddd"), (.github, "1", "ddddddd"), (.microsoft, "", "xxxxxxxxxxxxxxxx"),
    (.yahoo, "", "AAAAAAAAAAAAAAAAAAAAAAAAAA"), (.oidc("oidc.x"), "", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    (.saml("saml.x"), "", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
  ])
  func defaultIDs(provider: Provider, start: String, rest: String) throws {
    let payload = try ProviderClaims.payload(for: UserProfile(provider: provider, uid: "alice"), at: 0, project: "p")
    let id = try #require(payload["firebase"]?["identities"]?[provider.signInProvider]?[0]?.stringValue)
    #expect(id.hasPrefix(start))
    #expect(id.count == start.count + rest.count)
    let allowed = rest.first == "d"
      ? "0123456789" : rest.first == "x" ? "0123456789abcdef"
      : "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    #expect(id.dropFirst(start.count).allSatisfy(allowed.contains))
  }

  @Test("password, emailLink and google have an e-mail in any case, phone a number")
  func defaultAddresses() throws {
    let payload = { (provider: Provider) in try ProviderClaims.payload(for: UserProfile(provider: provider, uid: "Alice.B"), at: 0, project: "p") }
    for provider in [Provider.password, .emailLink, .google] {
      #expect(try payload(provider)["email"] == "alice.b@example.com")
      #expect(try payload(provider)["email_verified"] == .bool(provider != .password))
    }
    #expect(try payload(.google)["name"] == "Alice.B")
    #expect(try payload(.google)["picture"]?.stringValue?.hasPrefix("https://example.com/") == true)
    let number = try #require(try payload(.phone)["phone_number"]?.stringValue)
    #expect(number.hasPrefix("+1555") && number.count == 12)
    for provider in [Provider.apple, .facebook, .custom, .anonymous, .phone] {
      #expect(try payload(provider)["email"] == nil)
    }
  }

  @Test("a provider is known by its word, and by its id where it has one", arguments: [
    ("magic", nil, "there is no provider 'magic'; write one of password, emailLink, phone, anonymous, apple, google, facebook, twitter, github, microsoft, yahoo, custom, oidc, saml"),
    ("google", "google.com", "google takes no provider id, found 'google.com'; only oidc and saml do"),
    ("oidc", nil, "oidc needs the provider's id, as in oidc('oidc.example')"),
    ("saml", "oidc.x", "'oidc.x' is no id of an SAML provider: write 'saml.' and letters, digits, '.', '-' or '_'"),
  ])
  func words(word: String, id: String?, message: String) {
    #expect(throws: IdentityError(code: "INVALID_PROVIDER_ID", message: message)) { try Provider(word: word, id: id) }
  }
}

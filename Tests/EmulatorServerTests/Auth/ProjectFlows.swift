import Identity
import JSON
import Testing

@testable import EmulatorServer

/// Configuration: projects, tenants, providers of one's own.
@Suite("Auth REST: configuration")
struct ProjectFlows {
  private static let tenants = Town.v2 + "projects/demo/tenants"

  // MARK: Projects

  @Test("a project's configuration, with a mask and without")
  func configuration() throws {
    let town = Town()
    let path = Town.v2 + "projects/demo/config"
    let fresh = town.admin("GET", path)
    #expect(fresh["name"] == "projects/demo/config")
    #expect(fresh["signIn"] == ["allowDuplicateEmails": false])
    #expect(fresh["emailPrivacyConfig"] == ["enableImprovedEmailPrivacy": false])
    #expect(fresh["blockingFunctions"] == [:])
    let body: JSONObject = [
      "signIn": ["allowDuplicateEmails": true], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true],
    ]
    let masked = town.admin("PATCH", path + "?updateMask=signIn.allowDuplicateEmails", body)
    #expect(masked["signIn"] == ["allowDuplicateEmails": true])
    #expect(masked["emailPrivacyConfig"] == ["enableImprovedEmailPrivacy": false])
    let whole = town.admin("PATCH", path, ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]])
    #expect(whole["signIn"] == ["allowDuplicateEmails": false])
    #expect(whole["emailPrivacyConfig"] == ["enableImprovedEmailPrivacy": true])
  }

  @Test("the emulator's endpoint changes what it is given, no more")
  func emulatorConfiguration() {
    let town = Town()
    let path = "/emulator/v1/projects/demo/config"
    #expect(
      town.send("GET", path).json
        == ["signIn": ["allowDuplicateEmails": false], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false]])
    #expect(
      town.send("PATCH", path, "{\"signIn\":{\"allowDuplicateEmails\":true}}").json
        == ["signIn": ["allowDuplicateEmails": true], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false]])
    #expect(
      town.send("PATCH", path, "{\"emailPrivacyConfig\":{\"enableImprovedEmailPrivacy\":true}}").json
        == ["signIn": ["allowDuplicateEmails": true], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]])
    #expect(
      town.send("PATCH", path, "{\"blockingFunctions\":{\"triggers\":{}},\"signIn\":{}}").json
        == ["signIn": ["allowDuplicateEmails": true], "emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]])
  }

  @Test("a password policy is told, and enforced where it says so")
  func passwordPolicy() throws {
    let town = Town()
    let shown = town.send("GET", Town.v2 + "passwordPolicy?key=any")
    #expect(shown["customStrengthOptions"]?["minPasswordLength"] == 6)
    #expect(shown["enforcementState"] == "OFF")
    #expect(shown["schemaVersion"] == 1)
    let options: JSONValue = [
      "minPasswordLength": 8, "containsUppercaseCharacter": true, "containsNumericCharacter": true,
      "containsLowercaseCharacter": true, "containsNonAlphanumericCharacter": true,
    ]
    let path = Town.v2 + "projects/demo/config?updateMask=passwordPolicyConfig"
    _ = town.admin(
      "PATCH", path,
      [
        "passwordPolicyConfig": [
          "passwordPolicyEnforcementState": "ENFORCE", "passwordPolicyVersions": [["customStrengthOptions": options]],
        ]
      ])
    let policy = town.send("GET", Town.v2 + "passwordPolicy?key=any")
    #expect(policy["enforcementState"] == "ENFORCE")
    #expect(policy["customStrengthOptions"]?["minPasswordLength"] == 8)
    #expect(policy["customStrengthOptions"]?["containsUppercaseCharacter"] == true)
    #expect(
      town.v1("accounts:signUp", ["email": "a@b.c", "password": "secret"]).error
        == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at least 8 "
        + "characters, Password must contain an upper case character, Password must contain a numeric character, "
        + "Password must contain a non-alphanumeric character]")
    #expect(town.v1("accounts:signUp", ["email": "a@b.c", "password": "Secret_12"]).status == 200)
    let bad: JSONObject = [
      "passwordPolicyConfig": ["passwordPolicyVersions": [["customStrengthOptions": ["minPasswordLength": 5]]]]
    ]
    #expect(town.admin("PATCH", path, bad).error == "INVALID_CONFIG : minPasswordLength must be 6 to 30.")
  }

  // MARK: Tenants

  @Test("a tenant: made, changed, listed, deleted")
  func tenants() throws {
    let town = Town()
    let made = town.admin(Self.tenants, ["displayName": "display", "allowPasswordSignup": true])
    let id = try made.string("tenantId")
    #expect(id.hasPrefix("display-"))
    #expect(made["name"] == .string("projects/demo/tenants/\(id)"))
    #expect(made["allowPasswordSignup"] == true)
    #expect(made["enableAnonymousUser"] == false)
    #expect(made["enableEmailLinkSignin"] == false)
    #expect(made["disableAuth"] == false)
    #expect(made["mfaConfig"] == ["state": "DISABLED", "enabledProviders": []])
    #expect(town.admin("GET", Self.tenants + "/" + id).json == made.json)

    let mfa: JSONValue = ["state": "ENABLED", "enabledProviders": ["PROVIDER_UNSPECIFIED", "PHONE_SMS"]]
    let changed = town.admin(
      "PATCH", Self.tenants + "/\(id)?updateMask=allowPasswordSignup,mfaConfig,enableAnonymousUser",
      ["allowPasswordSignup": false, "mfaConfig": mfa, "displayName": "unused"])
    #expect(changed["allowPasswordSignup"] == false)
    #expect(changed["displayName"] == "display")
    #expect(changed["mfaConfig"] == mfa)
    let indexed = town.admin(
      "PATCH", Self.tenants + "/\(id)?updateMask=displayName.0,mfaConfig.enabledProviders.nothing",
      ["displayName": "unused", "mfaConfig": ["enabledProviders": ["PROVIDER_UNSPECIFIED"]]])
    #expect(indexed["displayName"] == "display")
    #expect(indexed["mfaConfig"] == mfa)
    // Without a mask, what is not given gets its standard.
    let whole = town.admin("PATCH", Self.tenants + "/" + id, [:])
    #expect(whole["displayName"] == nil)
    #expect(whole["mfaConfig"] == ["state": "DISABLED", "enabledProviders": []])
    #expect(town.admin("DELETE", Self.tenants + "/" + id, [:]).json == [:])
    #expect(town.admin("GET", Self.tenants)["tenants"] == [])
  }

  @Test("a tenant that nobody made is there, with everything on")
  func implicit() {
    let town = Town()
    #expect(
      town.admin("GET", Self.tenants + "/tenant-id").json == [
        "name": "projects/demo/tenants/tenant-id", "tenantId": "tenant-id", "allowPasswordSignup": true,
        "enableEmailLinkSignin": true, "enableAnonymousUser": true, "disableAuth": false,
        "mfaConfig": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
      ])
    #expect(town.admin("GET", Self.tenants)["tenants"]?.arrayValue?.count == 1)
    #expect(town.admin("GET", Self.tenants + "/no%20id").error == "INVALID_TENANT_ID")
  }

  @Test("pages of tenants")
  func pages() throws {
    let town = Town()
    let ids = [try town.tenant(), try town.tenant()].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let first = town.admin("GET", Self.tenants + "?pageSize=1")
    #expect(first["tenants"]?[0]?["tenantId"]?.stringValue == ids[0])
    let second = town.admin("GET", Self.tenants + "?pageToken=" + (try first.string("nextPageToken")))
    #expect(second["tenants"]?[0]?["tenantId"]?.stringValue == ids[1])
    #expect(second["nextPageToken"] == nil)
    let full = town.admin("GET", Self.tenants + "?pageSize=2")
    let end = town.admin("GET", Self.tenants + "?pageToken=" + (try full.string("nextPageToken")))
    #expect(end["tenants"] == [])
  }

  @Test("tenants share no account, and their tokens name them")
  func apart() throws {
    let town = Town()
    let tenant = try town.tenant(["allowPasswordSignup": true])
    let here = try town.signUp()
    let there = try town.signUp("alice@example.com", "secret2", ["tenantId": .string(tenant)])
    #expect(here["localId"] != there["localId"])
    #expect(try there.payload["firebase"]?["tenant"] == .string(tenant))
    #expect(try town.user(try there.string("localId"), tenant: tenant)["tenantId"] == .string(tenant))
    let token = JSONValue.string(try there.string("idToken"))
    // The token itself says whose it is.
    #expect(town.v1("accounts:lookup", ["idToken": token])["users"]?[0]?["localId"] == there["localId"])
    #expect(town.v1("accounts:lookup", ["idToken": token, "tenantId": "other"]).error == "TENANT_ID_MISMATCH")
    #expect(
      town.admin(Town.v1 + "projects/demo/tenants/other/accounts:lookup", ["idToken": token]).error
        == "TENANT_ID_MISMATCH")
    #expect(
      town.admin(Town.v1 + "projects/demo/tenants/a/accounts:delete", ["localId": "u", "tenantId": "b"]).error
        == "TENANT_ID_MISMATCH")
    let refreshed = town.post(
      "/securetoken.googleapis.com/v1/token",
      ["grant_type": "refresh_token", "refresh_token": .string(try there.string("refreshToken"))])
    #expect(
      try UnsignedToken.decode(try refreshed.string("id_token"))["firebase"]?["tenant"] == .string(tenant))
    #expect(
      town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret2"]).error
        == "INVALID_PASSWORD")
    let cookie = town.admin(
      Town.v1 + "projects/demo/tenants/\(tenant):createSessionCookie", ["idToken": token])
    #expect(cookie["sessionCookie"] != nil)
    #expect(town.send("DELETE", "/emulator/v1/projects/demo/tenants/\(tenant)/accounts").json == [:])
    #expect(town.v1("accounts:lookup", ["idToken": token]).error == "USER_NOT_FOUND")
    #expect(town.v1("accounts:lookup", ["idToken": .string(try here.string("idToken"))]).status == 200)
  }

  @Test(
    "nothing goes where a tenant is switched off",
    arguments: [
      "accounts:signUp", "accounts:signInWithPassword", "accounts:signInWithIdp", "accounts:lookup", "accounts:update",
      "accounts:delete", "accounts:sendOobCode", "accounts:resetPassword", "accounts:createAuthUri",
      "accounts:signInWithPhoneNumber", "accounts:signInWithEmailLink", "accounts:signInWithCustomToken",
    ])
  func disabled(name: String) throws {
    let town = Town()
    let tenant = try town.tenant(["disableAuth": true])
    #expect(town.v1(name, ["tenantId": .string(tenant)]).error == "PROJECT_DISABLED")
  }

  // MARK: Providers

  @Test("OpenID Connect: made, changed, listed, deleted")
  func oidc() throws {
    let town = Town()
    let path = Town.v2 + "projects/demo/oauthIdpConfigs"
    let body: JSONObject = [
      "clientId": "client", "issuer": "https://access.line.me", "displayName": "LINE", "enabled": true,
      "clientSecret": "s", "responseType": ["idToken": true],
    ]
    let made = town.admin(path + "?oauthIdpConfigId=oidc.line", body)
    #expect(made["name"] == "projects/demo/oauthIdpConfigs/oidc.line", "\(made.text)")
    for (name, value) in body.members { #expect(made[name] == value) }
    #expect(town.admin("GET", path + "/oidc.line").json == made.json)
    #expect(town.admin("GET", path).json == ["oauthIdpConfigs": [made.json]])
    #expect(town.admin(path + "?oauthIdpConfigId=oidc.line", body).error == "DUPLICATE_CONFIG_ID : oidc.line")
    let changed = town.admin(
      "PATCH", path + "/oidc.line?updateMask=displayName,responseType.code",
      ["displayName": "Line", "clientId": "unused", "responseType": ["code": true]])
    #expect(changed["displayName"] == "Line")
    #expect(changed["clientId"] == "client")
    #expect(changed["responseType"] == ["idToken": true, "code": true])
    #expect(town.admin("DELETE", path + "/oidc.line").json == [:])
    let gone = town.admin("GET", path + "/oidc.line")
    #expect(gone.status == 404)
    #expect(gone.error == "CONFIGURATION_NOT_FOUND")
    #expect(town.admin("GET", path).json == [:])
    for (query, body, code): (String, JSONObject, String) in [
      ("", body, "INVALID_CONFIG_ID : 'oauthIdpConfigId' is missing in the query."),
      ("?oauthIdpConfigId=line", body, "INVALID_PROVIDER_ID"),
      ("?oauthIdpConfigId=oidc.a", ["issuer": "https://a.example"], "MISSING_OAUTH_CLIENT_ID"),
      ("?oauthIdpConfigId=oidc.a", ["clientId": "c"], "MISSING_ISSUER"),
      ("?oauthIdpConfigId=oidc.a", ["clientId": "c", "issuer": "a"], "INVALID_ISSUER"),
    ] { #expect(town.admin(path + query, body).error?.hasPrefix(code) == true, "\(query)") }
  }

  @Test("a configured provider signs in where the settings ask for it")
  func configured() throws {
    let town = Town {
      $0.settings = .articles
      $0.settings.passwordCost = .none
    }
    #expect(town.signIn("oidc.line", "1").error == "OPERATION_NOT_ALLOWED")
    let path = Town.v2 + "projects/demo/oauthIdpConfigs"
    let made = town.admin(
      path + "?oauthIdpConfigId=oidc.line", ["clientId": "c", "issuer": "https://access.line.me", "enabled": true])
    #expect(made.status == 200)
    #expect(town.signIn("oidc.line", "1").status == 200)
    #expect(
      town.signIn("oidc.line", "1", ["iss": "https://other.example"]).error?.hasPrefix("INVALID_IDP_RESPONSE") == true)
    _ = town.admin("PATCH", path + "/oidc.line?updateMask=enabled", ["enabled": false])
    #expect(town.signIn("oidc.line", "1").error == "OPERATION_NOT_ALLOWED")
  }

  @Test("SAML, and those that everybody knows; in tenants too")
  func otherProviders() throws {
    let town = Town()
    let tenant = try town.tenant()
    for parent in ["projects/demo", "projects/demo/tenants/\(tenant)"] {
      let saml = Town.v2 + parent + "/inboundSamlConfigs"
      let made = town.admin(
        saml + "?inboundSamlConfigId=saml.acme",
        [
          "displayName": "Acme", "enabled": true,
          "idpConfig": [
            "idpEntityId": "entity", "ssoUrl": "https://a.example", "idpCertificates": [["x509Certificate": "x"]],
          ],
          "spConfig": ["spEntityId": "sp", "callbackUri": "https://p.example"],
        ])
      #expect(made["name"] == .string(parent + "/inboundSamlConfigs/saml.acme"), "\(made.text)")
      #expect(made["idpConfig"]?["idpEntityId"] == "entity")
      #expect(town.admin(saml + "?inboundSamlConfigId=saml.b", [:]).error == "MISSING_SAML_ENTITY_ID")
      let known = Town.v2 + parent + "/defaultSupportedIdpConfigs"
      #expect(town.admin(known + "?idpId=google.com", ["enabled": true, "clientId": "c"])["clientId"] == "c")
      #expect(town.admin(known + "?idpId=nobody.example", [:]).error == "INVALID_PROVIDER_ID")
      #expect(town.admin("GET", known)["defaultSupportedIdpConfigs"]?.arrayValue?.count == 1)
    }
    let supported = town.admin("GET", Town.v2 + "defaultSupportedIdps")["defaultSupportedIdps"]?.arrayValue
    #expect(supported?.contains { $0["idpId"] == "google.com" } == true)
  }
}

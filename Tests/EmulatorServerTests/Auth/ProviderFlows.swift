import Identity
import JSON
import Testing

@testable import EmulatorServer

/// Signing in with each identity provider.
@Suite("Auth REST: identity providers")
struct ProviderFlows {
  @Test(
    "each one: new, the same again, and linked to somebody",
    arguments: [
      "apple.com", "google.com", "facebook.com", "twitter.com", "github.com", "microsoft.com", "yahoo.com",
      "playgames.google.com", "gc.apple.com", "oidc.line", "saml.acme",
    ])
  func each(provider: String) throws {
    let town = Town()
    let first = town.signIn(provider, "raw-1", ["name": "Nia"])
    #expect(first.status == 200, "\(first.text)")
    #expect(first["kind"] == "identitytoolkit#VerifyAssertionResponse")
    #expect(first["providerId"] == .string(provider))
    #expect(first["isNewUser"] == true)
    #expect(first["displayName"] == "Nia")
    let firebase = try #require(try first.payload["firebase"])
    #expect(firebase["sign_in_provider"] == .string(provider))
    #expect(firebase["identities"] == [provider: ["raw-1"]])
    #expect(try first.payload["name"] == "Nia")
    let again = town.signIn(provider, "raw-1")
    #expect(again["localId"] == first["localId"])
    #expect(again["isNewUser"] == false)
    let anna = try town.anonymous()
    let linked = town.signIn(provider, "raw-2", [:], ["idToken": .string(try anna.string("idToken"))])
    #expect(linked["localId"] == anna["localId"])
    let user = try town.user(try anna.string("localId"))
    #expect(user["providerUserInfo"]?[0]?["providerId"] == .string(provider))
    #expect(user["providerUserInfo"]?[0]?["rawId"] == "raw-2")
    let gone = town.v1(
      "accounts:update", ["idToken": .string(try linked.string("idToken")), "deleteProvider": [.string(provider)]])
    #expect(gone["providerUserInfo"] == [])
  }

  @Test("Google's own answer beside it")
  func google() throws {
    let town = Town()
    let answer = town.google(
      "123",
      [
        "email": "Ada@example.com", "email_verified": true, "name": "Ada Lovelace", "given_name": "Ada",
        "family_name": "Lovelace", "picture": "http://localhost/p.png",
      ], ["returnIdpCredential": true])
    #expect(answer["federatedId"] == "https://accounts.google.com/123")
    #expect(answer["email"] == "ada@example.com")
    #expect(answer["emailVerified"] == true)
    #expect(answer["fullName"] == "Ada Lovelace")
    #expect(answer["firstName"] == "Ada")
    #expect(answer["lastName"] == "Lovelace")
    #expect(answer["photoUrl"] == "http://localhost/p.png")
    #expect(answer["oauthIdToken"]?.stringValue?.contains("Lovelace") == true)
    let raw = try JSONValue(parsing: try answer.string("rawUserInfo"))
    #expect(raw["id"] == "123")
    #expect(raw["verified_email"] == true)
    #expect(raw["locale"] == "en")
    #expect(
      raw["granted_scopes"]
        == "openid https://www.googleapis.com/auth/userinfo.profile https://www.googleapis.com/auth/userinfo.email")
  }

  @Test("what the provider said may stand in the address it went back to")
  func inAddress() throws {
    let town = Town()
    let claims = Encoded.query("{\"sub\":\"7\"}")
    let answer = town.post(
      Town.v3 + "verifyAssertion",
      ["requestUri": .string("http://localhost/?providerId=google.com&id_token=\(claims)"), "sessionId": "s"])
    #expect(answer["providerId"] == "google.com")
    #expect(answer["oauthIdToken"] == nil)
  }

  @Test("an access token that is itself what it stands for, and one that nobody knows")
  func accessToken() throws {
    let town = Town()
    func body(_ token: String) -> JSONObject {
      [
        "requestUri": "http://localhost",
        "postBody": .string("providerId=facebook.com&access_token=" + Encoded.query(token)),
        "returnIdpCredential": true,
      ]
    }
    let known = town.v1("accounts:signInWithIdp", body("{\"id\":42,\"name\":\"F\"}"))
    #expect(known["federatedId"] == "42")
    #expect(known["oauthAccessToken"] == "{\"id\":42,\"name\":\"F\"}")
    town.emulator.providers.register("facebook.com", accessToken: "EAAB", ["id": "43"])
    #expect(town.v1("accounts:signInWithIdp", body("EAAB"))["federatedId"] == "43")
    #expect(
      town.v1("accounts:signInWithIdp", body("no"))["error"]?["message"]?.stringValue?.hasPrefix("INVALID_IDP_RESPONSE")
        == true)
  }

  @Test("Twitter: token and secret; Play Games: a code for the server")
  func otherTokens() throws {
    let town = Town()
    town.emulator.providers.register("twitter.com", accessToken: "t", secret: "s", ["id": 9])
    let twitter = town.v1(
      "accounts:signInWithIdp",
      ["requestUri": "http://localhost", "postBody": "providerId=twitter.com&access_token=t&oauth_token_secret=s"])
    #expect(twitter["federatedId"] == "9")
    town.emulator.providers.register("playgames.google.com", accessToken: "code", ["sub": "p1", "name": "Player"])
    let games = town.v1(
      "accounts:signInWithIdp",
      ["requestUri": "http://localhost", "postBody": "providerId=playgames.google.com&serverAuthCode=code"])
    #expect(try games.payload["firebase"]?["identities"] == ["playgames.google.com": ["p1"]])
  }

  @Test("Game Center: its own endpoint")
  func gameCenter() throws {
    let town = Town()
    let body: JSONObject = [
      "playerId": "G:1", "teamPlayerId": "T:1", "publicKeyUrl": "https://static.gc.apple.com/k.cer",
      "signature": "YQ==",
      "salt": "YQ==", "timestamp": "1767225600000", "displayName": "Gamer",
    ]
    for path in [Town.v1 + "accounts:signInWithGameCenter", Town.v3 + "signInWithGameCenter"] {
      let answer = town.post(path, body)
      #expect(answer["teamPlayerId"] == "T:1")
      #expect(answer["displayName"] == "Gamer")
      #expect(try answer.payload["firebase"]?["identities"] == ["gc.apple.com": ["T:1"]])
    }
    for (name, code) in [
      ("signature", "MISSING_SIGNATURE"), ("salt", "MISSING_SALT"), ("timestamp", "MISSING_TIMESTAMP"),
    ] {
      var less = body
      less[name] = nil
      #expect(town.v1("accounts:signInWithGameCenter", less).error == code)
    }
    #expect(town.v1("accounts:signInWithGameCenter", [:]).error == "MISSING_PLAYER_ID")
  }

  @Test("SAML: the assertion as JSON, its attributes in the token")
  func saml() throws {
    let town = Town()
    let assertion =
      "{\"assertion\":{\"subject\":{\"nameId\":\"sam@corp.example\"},\"attributeStatements\":{\"role\":\"admin\"}}}"
    let answer = town.v1(
      "accounts:signInWithIdp",
      [
        "requestUri": .string("http://localhost?providerId=saml.acme&SAMLResponse=" + Encoded.query(assertion))
      ])
    #expect(answer["email"] == "sam@corp.example", "\(answer.text)")
    #expect(answer["emailVerified"] == true)
    #expect(try answer.payload["email_verified"] == true)
    #expect(try answer.payload["firebase"]?["sign_in_attributes"] == ["role": "admin"])
    for bad in ["<xml/>", "{}", "{\"assertion\":{\"subject\":{\"nameId\":\"\"}}}"] {
      let refused = town.v1(
        "accounts:signInWithIdp",
        ["requestUri": .string("http://localhost?providerId=saml.acme&SAMLResponse=" + Encoded.query(bad))])
      #expect(refused.error?.hasPrefix("INVALID_IDP_RESPONSE") == true)
    }
  }

  @Test("an address that somebody has: joined if the provider vouches for it, else to be confirmed")
  func sameAddress() throws {
    let town = Town()
    let alice = try town.signUp()
    let unverified = town.google("1", ["email": "alice@example.com"])
    #expect(unverified.status == 200)
    #expect(unverified["needConfirmation"] == true)
    #expect(unverified["verifiedProvider"] == ["password"])
    #expect(unverified["email"] == "alice@example.com")
    #expect(unverified["idToken"] == nil)
    let verified = town.google("1", ["email": "alice@example.com", "email_verified": true])
    #expect(verified["localId"] == alice["localId"])
    #expect(verified["isNewUser"] == false)
    // Nobody had proved the address: what was there before is gone.
    let wrong = town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret1"])
    #expect(wrong.error == "INVALID_PASSWORD")
  }

  @Test("conflicts come as an answer where the client wants the credential")
  func conflicts() throws {
    let town = Town()
    _ = town.google("1")
    try town.signUp("a@b.c")
    let anna = JSONValue.string(try town.anonymous().string("idToken"))
    let linked = town.google("1", [:], ["idToken": anna, "returnIdpCredential": true])
    #expect(linked.status == 200)
    #expect(linked["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED")
    #expect(linked["federatedId"] == "https://accounts.google.com/1")
    #expect(linked["oauthIdToken"]?.stringValue != nil)
    #expect(linked["idToken"] == nil)
    let taken = town.google("2", ["email": "a@b.c"], ["idToken": anna, "returnIdpCredential": true])
    #expect(taken["errorMessage"] == "EMAIL_EXISTS")
    #expect(taken["email"] == "a@b.c")
    // The credential that waits signs in to the account that has the identity.
    let entered = town.v1(
      "accounts:signInWithIdp",
      [
        "requestUri": "http://localhost?providerId=google.com",
        "pendingToken": .string(try linked.string("pendingToken")),
      ])
    #expect(entered.status == 200, "\(entered.text)")
    #expect(entered["isNewUser"] == false)
  }

  @Test("reauthentication makes nobody; several accounts for one address if the project says so")
  func settings() throws {
    let town = Town()
    #expect(town.google("1", [:], ["autoCreate": false]).error == "USER_NOT_FOUND")
    _ = town.send("PATCH", "/emulator/v1/projects/demo/config", "{\"signIn\":{\"allowDuplicateEmails\":true}}")
    let alice = try town.signUp()
    let other = town.google("1", ["email": "alice@example.com"])
    #expect(other["localId"] != alice["localId"])
    #expect(try town.user(try other.string("localId"))["email"] == nil)
  }

  @Test("Apple's nonce and name, where the settings look at them")
  func apple() throws {
    let town = Town {
      $0.settings = .articles
      $0.settings.passwordCost = .none
    }
    let person = AppleService.Person(appleID: "alice@icloud.com", fullName: "Alice Apple")
    let token = town.emulator.apple.authorize(
      person, scopes: [.fullName, .email], nonce: AppleNonce.hash("raw"), at: 1_767_225_600)
    func body(_ nonce: String) -> JSONObject {
      let user = Encoded.query("{\"name\":{\"firstName\":\"Alice\",\"lastName\":\"Apple\"}}")
      return [
        "requestUri": "http://localhost",
        "postBody": .string("providerId=apple.com&id_token=\(token.idToken)\(nonce)&user=\(user)"),
      ]
    }
    #expect(
      town.v1("accounts:signInWithIdp", body("")).error == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request."
    )
    #expect(
      town.v1("accounts:signInWithIdp", body("&nonce=other")).error?.hasPrefix("MISSING_OR_INVALID_NONCE") == true)
    let entered = town.v1("accounts:signInWithIdp", body("&nonce=raw"))
    #expect(try entered.payload["name"] == "Alice Apple")
    #expect(town.v1("accounts:signInWithIdp", body("&nonce=raw")).error?.hasPrefix("MISSING_OR_INVALID_NONCE") == true)

    // Deleted, then revoked, in this order, as the articles do it.
    _ = town.v1("accounts:delete", ["idToken": .string(try entered.string("idToken"))])
    let revoked = town.v2(
      "accounts:revokeToken",
      [
        "providerId": "apple.com", "tokenType": 3, "token": .string(token.authorizationCode),
        "idToken": .string(try entered.string("idToken")),
      ])
    #expect(revoked.status == 200, "\(revoked.text)")
    #expect(revoked.json == [:])
    let seen = town.send("GET", "/emulator/v1/projects/demo/revocations")["revocations"]?[0]
    #expect(seen?["token"] == .string(token.authorizationCode))
    #expect(seen?["accountExisted"] == false)
    #expect(!town.emulator.apple.hasConsent(of: person))
  }

  @Test("a code of a real device can be revoked too")
  func revoke() throws {
    let town = Town()
    let apple = town.signIn("apple.com", "001.a")
    let token = JSONValue.string(try apple.string("idToken"))
    #expect(
      town.v2("accounts:revokeToken", ["providerId": "apple.com", "tokenType": "3", "token": "c1", "idToken": token])
        .json
        == [:])
    #expect(
      town.v2("accounts:revokeToken", ["providerId": "google.com", "token": "c1", "idToken": token]).error
        == "INVALID_PROVIDER_ID")
    for (missing, code) in [
      ("providerId", "MISSING_PROVIDER_ID"), ("token", "MISSING_TOKEN"), ("idToken", "MISSING_ID_TOKEN"),
    ] {
      var body: JSONObject = ["providerId": "apple.com", "token": "c1", "idToken": token]
      body[missing] = nil
      #expect(town.v2("accounts:revokeToken", body).error == code)
    }
  }
}

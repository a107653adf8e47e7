import Identity
import JSON
import Testing

@testable import EmulatorServer

/// What clients do, and what they are answered.
@Suite("Auth REST: clients")
struct ClientFlows {
  @Test("sign up, look up, sign in, refresh, delete; under the names of today and of before", arguments: [true, false])
  func password(isOld: Bool) throws {
    let town = Town()
    func path(_ name: String, _ old: String) -> String { isOld ? Town.v3 + old : Town.v1 + name }
    let made = town.post(
      path("accounts:signUp", "signupNewUser"),
      ["email": "Alice@Example.com", "password": "secret1", "displayName": "Alice", "returnSecureToken": true])
    #expect(made.status == 200)
    #expect(made["kind"] == "identitytoolkit#SignupNewUserResponse")
    #expect(made["email"] == "alice@example.com")
    #expect(made["displayName"] == "Alice")
    #expect(made["expiresIn"] == "3600")
    let uid = try made.string("localId")
    #expect(uid.utf8.count == 28)
    let payload = try made.payload
    #expect(payload["sub"] == .string(uid))
    #expect(payload["aud"] == "demo")
    #expect(payload["iss"] == "https://securetoken.google.com/demo")
    #expect(payload["email"] == "alice@example.com")
    #expect(payload["email_verified"] == false)
    #expect(
      payload["firebase"]
        == ["identities": ["email": ["alice@example.com"]], "sign_in_provider": "password"])

    let found = town.post(
      path("accounts:lookup", "getAccountInfo"), ["idToken": .string(try made.string("idToken"))])
    #expect(found["kind"] == "identitytoolkit#GetAccountInfoResponse")
    let user = try #require(found["users"]?[0])
    #expect(user["localId"] == .string(uid))
    #expect(user["emailVerified"] == false)
    #expect(user["disabled"] == false)
    #expect(user["createdAt"] == "1767225600000")
    #expect(user["lastLoginAt"] == "1767225600000")
    #expect(user["lastRefreshAt"] == "2026-01-01T00:00:00.000Z")
    #expect(user["validSince"] == "1767225600")
    // A client does not see its password's hash.
    #expect(user["passwordHash"] == "UkVEQUNURUQ=")
    #expect(user["salt"] == nil)
    #expect(
      user["providerUserInfo"] == [
        [
          "providerId": "password", "email": "alice@example.com", "federatedId": "alice@example.com",
          "rawId": "alice@example.com", "displayName": "Alice",
        ]
      ])

    let entered = town.post(
      path("accounts:signInWithPassword", "verifyPassword"), ["email": "ALICE@example.com", "password": "secret1"])
    #expect(entered["kind"] == "identitytoolkit#VerifyPasswordResponse")
    #expect(entered["registered"] == true)
    #expect(entered["localId"] == .string(uid))

    let deleted = town.post(
      path("accounts:delete", "deleteAccount"), ["idToken": .string(try entered.string("idToken"))])
    #expect(deleted.json == ["kind": "identitytoolkit#DeleteAccountResponse"])
    #expect(try town.signUp("alice@example.com").string("localId") != uid)
  }

  @Test("anonymous, then with address and password: the uid stays")
  func upgrade() throws {
    let town = Town()
    let anna = try town.anonymous()
    #expect(try anna.payload["provider_id"] == "anonymous")
    #expect(try anna.payload["firebase"] == ["identities": [:], "sign_in_provider": "anonymous"])
    let uid = try anna.string("localId")
    let linked = town.v1(
      "accounts:signUp",
      ["idToken": .string(try anna.string("idToken")), "email": "anna@b.c", "password": "secret1"])
    #expect(linked["localId"] == .string(uid))
    #expect(try linked.payload["provider_id"] == nil)
    #expect(try linked.payload["firebase"]?["sign_in_provider"] == "password")
  }

  @Test("refresh, as a form and as JSON")
  func refresh() throws {
    let town = Town()
    let anna = try town.anonymous()
    let token = try anna.string("refreshToken")
    town.clock.advance(seconds: 2)
    let form = town.send(
      "POST", "/securetoken.googleapis.com/v1/token?key=any", "refresh_token=\(token)&grant_type=refresh_token",
      headers: ["content-type": "application/x-www-form-urlencoded"])
    #expect(form.status == 200)
    #expect(form["access_token"] == form["id_token"])
    #expect(form["expires_in"] == "3600")
    #expect(form["token_type"] == "Bearer")
    #expect(form["user_id"] == anna["localId"])
    #expect(form["project_id"] == "12345")
    let payload = try UnsignedToken.decode(try form.string("id_token"))
    // The login was before; the token is new.
    #expect(payload["auth_time"] == 1_767_225_600)
    #expect(payload["iat"] == 1_767_225_602)
    let json = town.post(
      "/securetoken.googleapis.com/v1/token",
      ["grantType": "refresh_token", "refreshToken": .string(try form.string("refresh_token"))])
    #expect(json.status == 200)
  }

  @Test("a custom token: claims in this session, through its refreshes")
  func customToken() throws {
    let town = Town()
    let token = try CustomToken.make(uid: "server-chosen", claims: ["role": "editor"], at: 1_767_225_600)
    for path in [Town.v1 + "accounts:signInWithCustomToken", Town.v3 + "verifyCustomToken"] {
      let answer = town.post(path, ["token": .string(token), "returnSecureToken": true])
      #expect(answer["kind"] == "identitytoolkit#VerifyCustomTokenResponse")
      #expect(answer["localId"] == nil)
      #expect(try answer.payload["role"] == "editor")
      #expect(try answer.payload["sub"] == "server-chosen")
      let refreshed = town.post(
        "/securetoken.googleapis.com/v1/token",
        ["grant_type": "refresh_token", "refresh_token": .string(try answer.string("refreshToken"))])
      #expect(try UnsignedToken.decode(try refreshed.string("id_token"))["role"] == "editor")
    }
    #expect(try town.user("server-chosen")["customAuth"] == true)
  }

  @Test("the address is verified by the code in a mail")
  func verification() throws {
    let town = Town()
    let alice = try town.signUp()
    let sent = town.v1(
      "accounts:sendOobCode", ["requestType": "VERIFY_EMAIL", "idToken": .string(try alice.string("idToken"))])
    #expect(sent.json == ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "alice@example.com"])
    let code = try town.mail("VERIFY_EMAIL")
    let looked = town.v1("accounts:resetPassword", ["oobCode": .string(code)])
    #expect(looked["requestType"] == "VERIFY_EMAIL")
    #expect(looked["email"] == "alice@example.com")
    let applied = town.v1("accounts:update", ["oobCode": .string(code)])
    #expect(applied["kind"] == "identitytoolkit#SetAccountInfoResponse")
    #expect(applied["emailVerified"] == true)
    #expect(applied["localId"] == alice["localId"])
    #expect(town.v1("accounts:update", ["oobCode": .string(code)]).error == "INVALID_OOB_CODE")
  }

  @Test("a forgotten password: the code sets a new one, and ends the sessions")
  func reset() throws {
    let town = Town()
    let alice = try town.signUp()
    town.clock.advance(seconds: 2)
    // As a number, as the SDK for Android sends it.
    _ = town.post(Town.v3 + "getOobConfirmationCode", ["requestType": 1, "email": "alice@example.com"])
    let code = try town.mail("PASSWORD_RESET")
    let done = town.post(Town.v3 + "resetPassword", ["oobCode": .string(code), "newPassword": "secret2"])
    #expect(
      done.json == [
        "kind": "identitytoolkit#ResetPasswordResponse", "requestType": "PASSWORD_RESET", "email": "alice@example.com",
      ])
    #expect(town.v1("accounts:lookup", ["idToken": .string(try alice.string("idToken"))]).error == "TOKEN_EXPIRED")
    let entered = town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret2"])
    #expect(entered["localId"] == alice["localId"])
  }

  @Test("an e-mail link: makes an account, and does not tell whose it is")
  func emailLink() throws {
    let town = Town()
    _ = town.v1(
      "accounts:sendOobCode",
      ["requestType": "EMAIL_SIGNIN", "email": "a@b.c", "continueUrl": "https://app.example/?x=1"])
    let code = try town.mail("EMAIL_SIGNIN")
    let looked = town.v1("accounts:resetPassword", ["oobCode": .string(code)])
    #expect(looked.json == ["kind": "identitytoolkit#ResetPasswordResponse", "requestType": "EMAIL_SIGNIN"])
    let entered = town.post(Town.v3 + "emailLinkSignin", ["email": "a@b.c", "oobCode": .string(code)])
    #expect(entered["kind"] == "identitytoolkit#EmailLinkSigninResponse")
    #expect(entered["isNewUser"] == true)
    #expect(entered["email"] == "a@b.c")
    #expect(try entered.payload["email_verified"] == true)
    let user = try town.user(try entered.string("localId"))
    #expect(user["emailLinkSignin"] == true)
    let methods = town.v1("accounts:createAuthUri", ["identifier": "a@b.c", "continueUri": "http://localhost/"])
    #expect(methods["registered"] == true)
    #expect(methods["allProviders"] == ["password"])
    #expect(methods["signinMethods"] == ["emailLink"])
  }

  @Test("a changed address: by a mail to the new one, and back by one to the old one")
  func changedEmail() throws {
    let town = Town()
    let alice = try town.signUp()
    _ = town.v1(
      "accounts:sendOobCode",
      [
        "requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "new@b.c",
        "idToken": .string(try alice.string("idToken")),
      ])
    let code = try town.mail("VERIFY_AND_CHANGE_EMAIL")
    let looked = town.v1("accounts:resetPassword", ["oobCode": .string(code)])
    #expect(looked["newEmail"] == "new@b.c")
    let applied = town.v1("accounts:update", ["oobCode": .string(code)])
    #expect(applied["email"] == "new@b.c")
    #expect(applied["newEmail"] == "new@b.c")
    let back = town.v1("accounts:update", ["oobCode": .string(try town.mail("RECOVER_EMAIL"))])
    #expect(back["email"] == "alice@example.com")
  }

  @Test("a changed profile; tokens come where the sessions ended")
  func update() throws {
    let town = Town()
    let token = try town.signUp().string("idToken")
    let named = town.v1(
      "accounts:update", ["idToken": .string(token), "displayName": "A", "photoUrl": "http://localhost/a.png"])
    #expect(named["displayName"] == "A")
    #expect(named["photoUrl"] == "http://localhost/a.png")
    #expect(named["idToken"] == nil)
    let bare = town.v1(
      "accounts:update", ["idToken": .string(token), "deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]])
    #expect(bare["displayName"] == nil)
    #expect(bare["photoUrl"] == nil)
    let secret = town.v1("accounts:update", ["idToken": .string(token), "password": "secret2"])
    #expect(try secret.payload["email"] == "alice@example.com")
    let gone = town.v1(
      "accounts:update", ["idToken": .string(try secret.string("idToken")), "deleteProvider": ["password"]])
    #expect(gone["email"] == nil)
    #expect(gone["providerUserInfo"] == [])
  }

  @Test("createAuthUri says who is registered, unless addresses are hidden")
  func createAuthURI() throws {
    let town = Town()
    try town.signUp()
    let body: JSONObject = ["identifier": "AlIcE@example.com", "continueUri": "http://localhost/"]
    let known = town.v1("accounts:createAuthUri", body)
    #expect(known["registered"] == true)
    #expect(known["allProviders"] == ["password"])
    #expect(known["signinMethods"] == ["password"])
    #expect(known["sessionId"]?.stringValue?.isEmpty == false)
    let unknown = town.v1(
      "accounts:createAuthUri", ["identifier": "b@b.c", "continueUri": "http://localhost/", "sessionId": "mine"])
    #expect(unknown["registered"] == false)
    #expect(unknown["sessionId"] == "mine")
    town.hideEmails()
    let hidden = town.v1("accounts:createAuthUri", body)
    #expect(hidden.json.objectValue?.keys == ["kind", "sessionId"])
  }

  @Test("with hidden addresses a mail to nobody looks like one to somebody")
  func hidden() throws {
    let town = Town()
    try town.signUp()
    town.hideEmails()
    let nobody = town.v1("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "n@b.c"])
    #expect(nobody.json == ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "n@b.c"])
    let somebody = town.v1("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "alice@example.com"])
    #expect(somebody["email"] == "alice@example.com")
    let wrong = town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret2"])
    #expect(wrong.error == "INVALID_LOGIN_CREDENTIALS")
  }

  @Test("a phone: new, again, and somebody else's by a proof")
  func phone() throws {
    let town = Town()
    let pia = try town.phone()
    #expect(pia["isNewUser"] == true)
    #expect(pia["phoneNumber"] == "+15555550100")
    #expect(try pia.payload["phone_number"] == "+15555550100")
    #expect(try pia.payload["firebase"]?["identities"] == ["phone": ["+15555550100"]])
    let again = try town.phone()
    #expect(again["isNewUser"] == false)
    #expect(again["localId"] == pia["localId"])
    #expect(
      try town.user(try pia.string("localId"))["providerUserInfo"] == [
        ["providerId": "phone", "rawId": "+15555550100", "phoneNumber": "+15555550100"]
      ])
    let conflict = try town.phone("+15555550100", ["idToken": .string(try town.anonymous().string("idToken"))])
    #expect(conflict.status == 200)
    #expect(conflict["temporaryProofExpiresIn"] == "3600")
    #expect(conflict["idToken"] == nil)
    let entered = town.v1(
      "accounts:signInWithPhoneNumber",
      ["phoneNumber": "+15555550100", "temporaryProof": .string(try conflict.string("temporaryProof"))])
    #expect(entered["localId"] == pia["localId"])
    // Reauthentication makes nobody.
    #expect(try town.phone("+15555550101", ["operation": "REAUTH"]).error == "USER_NOT_FOUND")
  }

  @Test("placeholders that clients ask for")
  func placeholders() {
    let town = Town()
    for path in [Town.v1 + "projects", Town.v3 + "getProjectConfig"] {
      let answer = town.send("GET", path + "?key=any")
      #expect(answer["projectId"] == "12345")
      #expect(answer["authorizedDomains"]?[0] == "localhost")
    }
    for path in [Town.v1 + "recaptchaParams", Town.v3 + "getRecaptchaParam"] {
      #expect(town.send("GET", path + "?key=any")["recaptchaSiteKey"]?.stringValue != nil)
    }
    #expect(
      town.send("GET", Town.v2 + "recaptchaConfig?key=any")["recaptchaEnforcementState"]?[0]?["enforcementState"]
        == "OFF")
  }

  @Test("what nobody can do here is said to be so")
  func unanswered() {
    let town = Town()
    for path in [
      Town.v1 + "accounts:verifyIosClient", Town.v3 + "verifyClient", Town.v1 + "accounts:issueSamlResponse",
    ] {
      let answer = town.post(path, [:])
      #expect(answer.status == 501)
      #expect(answer["error"]?["status"] == "NOT_IMPLEMENTED")
    }
  }
}

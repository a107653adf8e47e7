import Identity
import JSON
import Testing

@testable import EmulatorServer

/// What service accounts do: the rows of section 4a.
@Suite("Auth REST: service accounts")
struct AdminFlows {
  @Test("create, look up by everything, change, delete")
  func account() throws {
    let town = Town()
    let made = town.project(
      "accounts",
      [
        "localId": "chosen", "email": "Bob@example.com", "emailVerified": true, "password": "secret1",
        "phoneNumber": "+15555550100", "displayName": "Bob", "photoUrl": "http://localhost/b.png", "disabled": false,
      ])
    #expect(made["localId"] == "chosen")
    #expect(made["idToken"] == nil)
    for body: JSONObject in [
      ["localId": ["chosen"]], ["email": ["BOB@example.com"]], ["phoneNumber": ["+15555550100"]],
      ["localId": ["chosen", "chosen"], "email": ["bob@example.com"]],
      ["federatedUserId": [["providerId": "phone", "rawId": "+15555550100"]]],
    ] {
      let users = town.project("accounts:lookup", body)["users"]?.arrayValue
      #expect(users?.count == 1)
      #expect(users?.first?["email"] == "bob@example.com")
    }
    #expect(
      town.project("accounts:lookup", ["localId": ["nobody"]]).json == [
        "kind": "identitytoolkit#GetAccountInfoResponse"
      ])
    let changed = town.project(
      "accounts:update",
      [
        "localId": "chosen", "email": "rob@example.com", "displayName": "Rob", "phoneNumber": "+15555550101",
        "deleteAttribute": ["PHOTO_URL"], "customAttributes": "{\"admin\":true}",
        "linkProviderUserInfo": ["providerId": "google.com", "rawId": "g1", "email": "rob@gmail.com"],
      ])
    #expect(changed["email"] == "rob@example.com")
    #expect(changed["emailVerified"] == false)
    let user = try town.user("chosen")
    #expect(user["phoneNumber"] == "+15555550101")
    #expect(user["photoUrl"] == nil)
    #expect(user["customAttributes"] == "{\"admin\":true}")
    #expect(town.google("g1")["localId"] == "chosen")
    _ = town.project("accounts:update", ["localId": "chosen", "deleteProvider": ["phone", "google.com"]])
    #expect(try town.user("chosen")["phoneNumber"] == nil)
    #expect(town.project("accounts:delete", ["localId": "chosen"]).status == 200)
    #expect(town.project("accounts:lookup", ["localId": ["chosen"]])["users"] == nil)
  }

  @Test("custom claims: in the next token, and gone with null")
  func claims() throws {
    let town = Town()
    let anna = try town.anonymous()
    let uid = try anna.string("localId")
    _ = town.project("accounts:update", ["localId": .string(uid), "customAttributes": "{\"role\":\"admin\",\"n\":1}"])
    func token() throws -> JSONObject {
      let answer = town.post(
        "/securetoken.googleapis.com/v1/token",
        ["grant_type": "refresh_token", "refresh_token": .string(try anna.string("refreshToken"))])
      return try UnsignedToken.decode(try answer.string("id_token"))
    }
    #expect(try anna.payload["role"] == nil)
    #expect(try token()["role"] == "admin")
    #expect(try token()["n"] == 1)
    _ = town.project("accounts:update", ["localId": .string(uid), "customAttributes": "{}"])
    #expect(try token()["role"] == nil)
  }

  @Test("revoked sessions, disabled accounts")
  func revoke() throws {
    let town = Town()
    let alice = try town.signUp()
    let uid = JSONValue.string(try alice.string("localId"))
    // As the SDK for Node sends it, without quotes.
    _ = town.project("accounts:update", ["localId": uid, "validSince": 1_767_225_700])
    #expect(try town.user(try alice.string("localId"))["validSince"] == "1767225700")
    let token = JSONValue.string(try alice.string("idToken"))
    #expect(town.v1("accounts:lookup", ["idToken": token]).error == "TOKEN_EXPIRED")
    _ = town.project("accounts:update", ["localId": uid, "validSince": "0", "disableUser": true])
    #expect(town.v1("accounts:lookup", ["idToken": token]).error == "USER_DISABLED")
    _ = town.project("accounts:update", ["localId": uid, "disableUser": false])
    #expect(town.v1("accounts:lookup", ["idToken": token]).status == 200)
  }

  @Test(
    "links for mails that somebody else sends",
    arguments: [
      ("PASSWORD_RESET", "resetPassword"), ("VERIFY_EMAIL", "verifyEmail"), ("EMAIL_SIGNIN", "signIn"),
      ("VERIFY_AND_CHANGE_EMAIL", "verifyAndChangeEmail"),
    ])
  func links(type: String, mode: String) throws {
    let town = Town()
    try town.signUp()
    let answer = town.project(
      "accounts:sendOobCode",
      [
        "requestType": .string(type), "email": "alice@example.com", "newEmail": "new@b.c", "returnOobLink": true,
        "continueUrl": "https://app.example/a?b=c",
      ])
    let code = try answer.string("oobCode")
    #expect(answer["email"] == "alice@example.com")
    #expect(
      answer["oobLink"]
        == .string(
          "http://127.0.0.1:9099/emulator/action?mode=\(mode)&lang=en&oobCode=\(code)&apiKey=fake-api-key"
            + "&continueUrl=https%3A%2F%2Fapp.example%2Fa%3Fb%3Dc"))
    if type != "EMAIL_SIGNIN" {
      let nobody = town.project(
        "accounts:sendOobCode",
        ["requestType": .string(type), "email": "n@b.c", "newEmail": "new@b.c", "returnOobLink": true])
      #expect(nobody.error == (type == "PASSWORD_RESET" ? "EMAIL_NOT_FOUND" : "USER_NOT_FOUND"))
    }
    #expect(
      town.project("accounts:sendOobCode", ["requestType": .string(type), "returnOobLink": true]).error
        == "MISSING_EMAIL")
  }

  @Test("session cookies")
  func cookies() throws {
    let town = Town()
    let anna = try town.anonymous()
    let path = Town.v1 + "projects/demo:createSessionCookie"
    let token = JSONValue.string(try anna.string("idToken"))
    let cookie = try UnsignedToken.decode(
      try town.admin(path, ["idToken": token, "validDuration": "7777"]).string("sessionCookie"))
    #expect(cookie["iss"] == "https://session.firebase.google.com/demo")
    #expect(cookie["iat"] == 1_767_225_600)
    #expect(cookie["exp"] == 1_767_233_377)
    var rest = try anna.payload
    for name in ["iss", "iat", "exp"] { rest[name] = nil }
    for (name, value) in rest.members { #expect(cookie[name] == value) }
    let longest = try UnsignedToken.decode(try town.admin(path, ["idToken": token]).string("sessionCookie"))
    #expect(longest["exp"] == 1_768_435_200)
    for (body, code): (JSONObject, String) in [
      (["validDuration": "7777"], "MISSING_ID_TOKEN"), (["idToken": "invalid"], "INVALID_ID_TOKEN"),
      (["idToken": token, "validDuration": "1"], "INVALID_DURATION"),
      (["idToken": token, "validDuration": 299], "INVALID_DURATION"),
      (["idToken": token, "validDuration": 1_209_601], "INVALID_DURATION"),
      (["idToken": token, "validDuration": "999999999999"], "INVALID_DURATION"),
    ] { #expect(town.admin(path, body).error == code) }
  }

  @Test("signed tokens, and the certificates that they are checked with")
  func signed() throws {
    let town = Town { $0.settings.tokens = .signed }
    let anna = try town.anonymous()
    let certificates = town.send(
      "GET", "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com")
    let object = try #require(certificates.json.objectValue)
    #expect(object.count == 1)
    let verifier = try TokenVerifier(project: "demo", certificates: object)
    #expect(try verifier.verify(try anna.string("idToken"), at: 1_767_225_600)["sub"] == anna["localId"])
    #expect(town.v1("accounts:lookup", ["idToken": .string(try anna.string("idToken"))]).status == 200)
    let forged = UnsignedToken.encode(try anna.payload)
    #expect(town.v1("accounts:lookup", ["idToken": .string(forged)]).error == "INVALID_ID_TOKEN")
    #expect(Town().send("GET", Town.v3 + "publicKeys").json == [:])
  }
}

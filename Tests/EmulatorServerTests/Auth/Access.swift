import Identity
import JSON
import Testing

@testable import EmulatorServer

/// Who may call what, and what is made of bad input.
@Suite("Auth REST: access and bad input")
struct Access {
  @Test("without an API key")
  func noKey() {
    let answer = Town().send("POST", Town.v1 + "accounts:signUp", "{}")
    #expect(answer.status == 403)
    #expect(answer["error"]?["status"] == "PERMISSION_DENIED")
    #expect(answer.error == "The request is missing a valid API key.")
  }

  @Test(
    "with a key in the query or the header, or as a service account",
    arguments: [
      ("?key=any", ["": ""]), ("", ["x-goog-api-key": "any"]), ("", ["authorization": "Bearer owner"]),
      ("", ["authorization": "bEArEr OWNER"]), ("", ["authorization": "Bearer ya29.abc"]),
    ])
  func keys(query: String, headers: [String: String]) {
    #expect(Town().send("POST", Town.v1 + "accounts:signUp" + query, "{}", headers: headers).status == 200)
  }

  @Test("an authorization that is no bearer's counts for nothing; a wrong bearer is refused")
  func bearers() {
    let town = Town()
    #expect(town.send("POST", Town.v1 + "accounts:signUp", headers: ["authorization": "Basic YTpi"]).status == 403)
    for bearer in ["Bearer x", "Bearer", "bearer "] {
      let answer = town.send("POST", Town.v1 + "accounts:signUp?key=any", headers: ["authorization": bearer])
      #expect(answer.status == 401)
      #expect(answer["error"]?["status"] == "UNAUTHENTICATED")
      #expect(answer["error"]?["errors"]?[0]?["reason"] == "authError")
    }
    let admin = town.post(Town.projects + "accounts:lookup", [:])
    #expect(admin.status == 401)
  }

  @Test("every endpoint for service accounts refuses an API key alone")
  func adminOnly() {
    let town = Town()
    for route in town.emulator.routes.all where route.access == .admin {
      let path = route.path.replacing("{project}", with: "demo").replacing("{tenant}", with: "t")
        .replacing("{tenantId}", with: "t").replacing("{id}", with: "oidc.x")
      #expect(town.send(route.method, path + "?key=any", "{}").status == 401, "\(path)")
    }
  }

  @Test("another project is named by service accounts alone")
  func targetProject() throws {
    let town = Town()
    #expect(
      town.v1("accounts:signUp", ["targetProjectId": "example2"]).error
        == "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.")
    let made = town.admin("POST", Town.v1 + "accounts:signUp", ["targetProjectId": "example2", "localId": "u"])
    #expect(made.status == 200)
    let there = town.admin("POST", Town.v1 + "projects/example2/accounts:lookup", ["localId": ["u"]])
    #expect(there["users"]?[0]?["localId"] == "u")
    #expect(town.project("accounts:lookup", ["localId": ["u"]])["users"] == nil)
  }

  @Test(
    "what a client may not change",
    arguments: [
      "customAttributes", "validSince", "disableUser", "emailVerified", "phoneNumber", "mfa", "linkProviderUserInfo",
      "lastLoginAt", "localId",
    ])
  func reserved(field: String) throws {
    let town = Town()
    let token = try town.signUp().string("idToken")
    #expect(town.v1("accounts:update", ["idToken": .string(token), field: "1"]).error == "INSUFFICIENT_PERMISSION")
  }

  @Test("a link is given to service accounts alone")
  func links() throws {
    let town = Town()
    try town.signUp()
    let body: JSONObject = ["requestType": "PASSWORD_RESET", "email": "alice@example.com", "returnOobLink": true]
    #expect(town.v1("accounts:sendOobCode", body).error == "INSUFFICIENT_PERMISSION")
    #expect(town.admin("POST", Town.v1 + "accounts:sendOobCode", body).status == 200)
  }

  @Test(
    "bodies that are not what they should be",
    arguments: [
      ("{", "Invalid JSON payload received. line 1, column 2"),
      ("[]", "Invalid JSON payload received. The body is an array"),
      ("{\"email\":[]}", "Invalid JSON payload received. /email must be string"),
      ("{\"idToken\":{}}", "Invalid JSON payload received. /idToken must be string"),
      ("\u{0}\u{1}", "Invalid JSON payload received. "), ("1", "Invalid JSON payload received. The body is an integer"),
      (String(repeating: "[", count: 5000), "Invalid JSON payload received. "),
    ])
  func bodies(body: String, message: String) {
    let answer = Town().send("POST", Town.v1 + "accounts:signUp?key=any", body)
    #expect(answer.status == 400)
    #expect(answer["error"]?["status"] == "INVALID_ARGUMENT")
    #expect(answer.error?.hasPrefix(message) == true, "\(answer.text)")
  }

  @Test("places of wrong members are said")
  func places() {
    let town = Town()
    #expect(
      town.project("accounts:lookup", ["localId": "u"]).error == "Invalid JSON payload received. /localId must be array"
    )
    #expect(
      town.project("accounts:batchDelete", ["localIds": [[:]]]).error
        == "Invalid JSON payload received. /localIds/0 must be string")
    #expect(
      town.project("accounts:query", ["returnUserInfo": "maybe"]).error
        == "Invalid JSON payload received. /returnUserInfo must be boolean")
    #expect(
      town.project("accounts:update", ["localId": "u", "validSince": "x"]).error
        == "Invalid JSON payload received. /validSince must be integer")
    #expect(
      town.v1("accounts:sendOobCode", ["requestType": "SOMETHING"]).error?.hasPrefix(
        "Invalid JSON payload received. /requestType must be equal to one of the allowed values: ") == true)
  }

  @Test("numbers for texts, numbers for enumerations, names in snake case")
  func leniency() throws {
    let town = Town()
    #expect(
      town.project("accounts:update", ["localId": "nosuch", "validSince": 1_611_780_718]).error == "USER_NOT_FOUND")
    let link = town.admin(
      "POST", Town.v3 + "getOobConfirmationCode", ["email": "bob@example.com", "requestType": 6, "returnOobLink": true])
    #expect(try link.string("oobLink").contains("mode=signIn"))
    let named = town.v1("accounts:signUp", ["display_name": "Snake"])
    #expect(named["displayName"] == "Snake")
  }

  @Test("any path, any header, any bytes: an answer, and errors are JSON", arguments: [1, 2, 3] as [UInt64])
  func anything(seed: UInt64) {
    let town = Town()
    var random = Dice(seed: seed)
    let pieces = [
      "/", "identitytoolkit.googleapis.com", "v1", "v2", "projects", "demo", "accounts:lookup", "%", "%41", "%zz",
      "tenants", ":", "{project}", "emulator", "action", "\u{0}", "é", "..", "accounts:signUp", "+", "%2F",
    ]
    for _ in 0..<500 {
      let path = (0..<random.number(8)).map { _ in "/" + random.one(of: pieces) }.joined()
      let method = random.one(of: ["GET", "POST", "DELETE", "PATCH", "", "é"])
      let body = (0..<random.number(20)).map { _ in
        random.one(of: ["{", "}", "\"", ":", "[", "]", "a", "\\", "1", ","])
      }
      let answer = town.send(
        method, path + "?key=1&updateMask=a.b,,.", body.joined(),
        headers: ["authorization": random.one(of: ["Bearer owner", "Bearer", "x", ""])])
      #expect([200, 303, 400, 401, 403, 404].contains(answer.status))
      if answer.status >= 400 { #expect(answer.json != .null, "\(path): \(answer.text)") }
    }
  }

  @Test("every endpoint takes a body of the wrong kinds")
  func wrongKinds() {
    let names = [
      "email", "idToken", "localId", "localIds", "users", "requestUri", "postBody", "token", "oobCode", "requestType",
      "mfaPendingCredential", "phoneVerificationInfo", "totpVerificationInfo", "phoneEnrollmentInfo", "providerId",
      "grantType", "refreshToken", "displayName", "mfaConfig", "signIn", "blockingFunctions", "idpConfig", "clientId",
      "issuer", "expression", "validDuration", "tenantId", "playerId", "sessionInfo", "identifier", "password", "mfa",
      "authenticatorRegistrationResponse", "authenticatorAuthenticationResponse", "passwordPolicyConfig",
      "returnOobLink",
    ]
    let values: [JSONValue] = [
      nil, 1, -1.5, "x", "", [], [:], [[:]], ["a"], true, ["state": 7], 9_223_372_036_854_775_807,
    ]
    let town = Town { $0.hasTestHooks = true }
    for route in town.emulator.routes.all where route.method != "GET" && !route.path.hasSuffix("reset") {
      let path = route.path.replacing("{project}", with: "demo").replacing("{tenant}", with: "t")
        .replacing("{tenantId}", with: "t").replacing("{id}", with: "oidc.x")
      for (index, name) in names.enumerated() {
        let value = values[index % values.count]
        #expect([200, 400, 404, 501].contains(town.admin(route.method, path, [name: value]).status), "\(path) \(name)")
      }
      for value in values {
        var body = JSONObject()
        for name in names where name != "tenantId" || value.stringValue == nil { body[name] = value }
        let answer = town.admin(route.method, path, body)
        #expect([200, 400, 404, 501].contains(answer.status), "\(path) \(answer.text)")
      }
    }
  }
}

/// Numbers that are the same in every run (SplitMix64).
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func number(_ below: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ value >> 31) % UInt64(below))
  }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[number(elements.count)] }
}

import Identity
import JSON
import Testing

@testable import EmulatorServer

/// Every error that the rows of the specification (section 3a) list.
@Suite("Auth REST: errors")
struct ErrorRows {
  /// The rows: endpoint and its errors, as the specification lists them.
  static let rows: [(String, String?, [String])] = [
    (
      "accounts:signUp", "signupNewUser",
      [
        "EMAIL_EXISTS", "INVALID_EMAIL", "MISSING_EMAIL", "MISSING_PASSWORD",
        "WEAK_PASSWORD : Password should be at least 6 characters", "OPERATION_NOT_ALLOWED", "ADMIN_ONLY_OPERATION",
        "DUPLICATE_LOCAL_ID", "PHONE_NUMBER_EXISTS", "INVALID_PHONE_NUMBER : Invalid format.",
        "UNEXPECTED_PARAMETER : User ID", "USER_DISABLED",
      ]
    ),
    (
      "accounts:signInWithPassword", "verifyPassword",
      [
        "EMAIL_NOT_FOUND", "INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS", "USER_DISABLED", "INVALID_EMAIL",
        "MISSING_EMAIL", "MISSING_PASSWORD", "PASSWORD_LOGIN_DISABLED",
      ]
    ),
    (
      "accounts:signInWithIdp", "verifyAssertion",
      [
        "INVALID_IDP_RESPONSE : …", "INVALID_CREDENTIAL_OR_PROVIDER_ID : …", "MISSING_REQUEST_URI",
        "INVALID_REQUEST_URI", "FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS", "USER_DISABLED",
      ]
    ),
    (
      "accounts:signInWithPhoneNumber", "verifyPhoneNumber",
      [
        "INVALID_SESSION_INFO", "INVALID_CODE", "MISSING_CODE", "MISSING_SESSION_INFO", "INVALID_TEMPORARY_PROOF",
        "PHONE_NUMBER_EXISTS", "UNSUPPORTED_FIRST_FACTOR…",
      ]
    ),
    (
      "accounts:sendVerificationCode", "sendVerificationCode",
      ["INVALID_PHONE_NUMBER : Invalid format.", "UNSUPPORTED_FIRST_FACTOR…", "UNSUPPORTED_TENANT_OPERATION"]
    ),
    (
      "accounts:signInWithEmailLink", "emailLinkSignin",
      ["INVALID_OOB_CODE", "INVALID_EMAIL : …", "EMAIL_EXISTS", "OPERATION_NOT_ALLOWED"]
    ),
    (
      "accounts:signInWithCustomToken", "verifyCustomToken",
      [
        "INVALID_CUSTOM_TOKEN : …", "MISSING_CUSTOM_TOKEN", "MISSING_IDENTIFIER", "FORBIDDEN_CLAIM : sub",
        "TENANT_ID_MISMATCH", "USER_DISABLED",
      ]
    ),
    (
      "accounts:lookup", "getAccountInfo",
      ["MISSING_ID_TOKEN", "INVALID_ID_TOKEN", "USER_NOT_FOUND", "TOKEN_EXPIRED", "USER_DISABLED"]
    ),
    (
      "accounts:update", "setAccountInfo",
      [
        "EMAIL_EXISTS", "WEAK_PASSWORD : …", "INVALID_OOB_CODE", "CLAIMS_TOO_LARGE", "INVALID_CLAIMS",
        "FORBIDDEN_CLAIM : aud", "PHONE_NUMBER_EXISTS", "INSUFFICIENT_PERMISSION", "OPERATION_NOT_ALLOWED…",
        "INVALID_REQ_TYPE : …",
      ]
    ),
    ("accounts:delete", "deleteAccount", ["USER_NOT_FOUND", "MISSING_LOCAL_ID"]),
    (
      "accounts:sendOobCode", "getOobConfirmationCode",
      [
        "EMAIL_NOT_FOUND", "MISSING_EMAIL", "MISSING_REQ_TYPE", "MISSING_NEW_EMAIL", "EMAIL_EXISTS",
        "INVALID_CONTINUE_URI…",
      ]
    ),
    ("accounts:resetPassword", "resetPassword", ["INVALID_OOB_CODE", "WEAK_PASSWORD : …"]),
    ("accounts:createAuthUri", "createAuthUri", ["INVALID_IDENTIFIER", "MISSING_CONTINUE_URI"]),
    (
      "token", nil,
      [
        "INVALID_REFRESH_TOKEN", "MISSING_REFRESH_TOKEN", "INVALID_GRANT_TYPE", "MISSING_GRANT_TYPE", "USER_DISABLED",
      ]
    ),
  ]

  static let cases: [Refused] = signUp + signIn + providers + phones + mails + accounts + tokens

  private static let signUp: [Refused] = [
    Refused("accounts:signUp", "EMAIL_EXISTS") { town in
      try town.signUp()
      return ["email": "ALICE@example.com", "password": "secret2"]
    },
    Refused("accounts:signUp", "INVALID_EMAIL") { _ in ["email": "alice", "password": "secret1"] },
    Refused("accounts:signUp", "MISSING_EMAIL") { _ in ["password": "secret1"] },
    Refused("accounts:signUp", "MISSING_PASSWORD") { _ in ["email": "a@b.c"] },
    Refused("accounts:signUp", "WEAK_PASSWORD : Password should be at least 6 characters") { _ in
      ["email": "a@b.c", "password": "12345"]
    },
    Refused("accounts:signUp", "OPERATION_NOT_ALLOWED") { town in
      ["email": "a@b.c", "password": "secret1", "tenantId": .string(try town.tenant([:]))]
    },
    Refused("accounts:signUp", "ADMIN_ONLY_OPERATION") { town in ["tenantId": .string(try town.tenant([:]))] },
    Refused("accounts:signUp", "DUPLICATE_LOCAL_ID", admin: true) { town in
      ["localId": .string(try town.anonymous().string("localId"))]
    },
    Refused("accounts:signUp", "PHONE_NUMBER_EXISTS", admin: true) { town in
      _ = try town.phone()
      return ["phoneNumber": "+15555550100"]
    },
    Refused("accounts:signUp", "INVALID_PHONE_NUMBER : Invalid format.", admin: true) { _ in ["phoneNumber": "5555"] },
    Refused("accounts:signUp", "UNEXPECTED_PARAMETER : User ID") { _ in ["localId": "me"] },
    Refused("accounts:signUp", "USER_DISABLED") { town in
      let dan = try town.anonymous()
      town.disable(try dan.string("localId"))
      return ["idToken": .string(try dan.string("idToken")), "email": "d@b.c", "password": "secret1"]
    },
  ]

  private static let signIn: [Refused] = [
    Refused("accounts:signInWithPassword", "EMAIL_NOT_FOUND") { _ in ["email": "a@b.c", "password": "secret1"] },
    Refused("accounts:signInWithPassword", "INVALID_PASSWORD") { town in
      try town.signUp()
      return ["email": "alice@example.com", "password": "secret2"]
    },
    Refused("accounts:signInWithPassword", "INVALID_LOGIN_CREDENTIALS") { town in
      town.hideEmails()
      return ["email": "a@b.c", "password": "secret1"]
    },
    Refused("accounts:signInWithPassword", "USER_DISABLED") { town in
      town.disable(try town.signUp().string("localId"))
      return ["email": "alice@example.com", "password": "secret1"]
    },
    Refused("accounts:signInWithPassword", "INVALID_EMAIL") { _ in ["email": "alice", "password": "secret1"] },
    Refused("accounts:signInWithPassword", "MISSING_EMAIL") { _ in ["password": "secret1"] },
    Refused("accounts:signInWithPassword", "MISSING_PASSWORD") { _ in ["email": "a@b.c"] },
    Refused("accounts:signInWithPassword", "PASSWORD_LOGIN_DISABLED") { town in
      ["email": "a@b.c", "password": "secret1", "tenantId": .string(try town.tenant([:]))]
    },
    Refused("accounts:createAuthUri", "INVALID_IDENTIFIER") { _ in
      ["identifier": "invalid", "continueUri": "http://localhost/"]
    },
    Refused("accounts:createAuthUri", "MISSING_CONTINUE_URI") { _ in ["identifier": "me@example.com"] },
    Refused("accounts:signInWithCustomToken", "INVALID_CUSTOM_TOKEN : …") { _ in ["token": "x"] },
    Refused("accounts:signInWithCustomToken", "MISSING_CUSTOM_TOKEN") { _ in [:] },
    Refused("accounts:signInWithCustomToken", "MISSING_IDENTIFIER") { _ in ["token": "{\"claims\":{}}"] },
    Refused("accounts:signInWithCustomToken", "FORBIDDEN_CLAIM : sub") { _ in
      ["token": "{\"uid\":\"u\",\"claims\":{\"sub\":\"other\"}}"]
    },
    Refused("accounts:signInWithCustomToken", "TENANT_ID_MISMATCH") { town in
      ["token": .string(try CustomToken.make(uid: "u", tenant: "other", at: town.clock.milliseconds / 1000))]
    },
    Refused("accounts:signInWithCustomToken", "USER_DISABLED") { town in
      _ = town.project("accounts", ["localId": "u", "disabled": true])
      return ["token": "{\"uid\":\"u\"}"]
    },
  ]

  private static let providers: [Refused] = [
    Refused("accounts:signInWithIdp", "INVALID_IDP_RESPONSE : …") { _ in
      ["requestUri": "http://localhost", "postBody": "providerId=google.com&id_token=%7B%7D"]
    },
    Refused("accounts:signInWithIdp", "INVALID_CREDENTIAL_OR_PROVIDER_ID : …") { _ in
      ["requestUri": "http://localhost", "postBody": "providerId=nobody.example&id_token=%7B%22sub%22%3A%221%22%7D"]
    },
    Refused("accounts:signInWithIdp", "MISSING_REQUEST_URI") { _ in ["postBody": "providerId=google.com"] },
    Refused("accounts:signInWithIdp", "INVALID_REQUEST_URI") { _ in
      ["postBody": "providerId=google.com", "requestUri": "localhost"]
    },
    Refused("accounts:signInWithIdp", "FEDERATED_USER_ID_ALREADY_LINKED") { town in
      _ = town.google("1")
      return [
        "idToken": .string(try town.anonymous().string("idToken")), "requestUri": "http://localhost",
        "postBody": "providerId=google.com&id_token=%7B%22sub%22%3A%221%22%7D",
      ]
    },
    Refused("accounts:signInWithIdp", "EMAIL_EXISTS") { town in
      try town.signUp("a@b.c")
      return [
        "idToken": .string(try town.anonymous().string("idToken")), "requestUri": "http://localhost",
        "postBody": "providerId=google.com&id_token=%7B%22sub%22%3A%221%22%2C%22email%22%3A%22a%40b.c%22%7D",
      ]
    },
    Refused("accounts:signInWithIdp", "USER_DISABLED") { town in
      town.disable(try town.google("1").string("localId"))
      return [
        "requestUri": "http://localhost", "postBody": "providerId=google.com&id_token=%7B%22sub%22%3A%221%22%7D",
      ]
    },
  ]

  private static let phones: [Refused] = [
    Refused("accounts:signInWithPhoneNumber", "INVALID_SESSION_INFO") { _ in ["sessionInfo": "x", "code": "123456"] },
    Refused("accounts:signInWithPhoneNumber", "INVALID_CODE") { town in
      let (session, code) = try town.sms()
      return ["sessionInfo": session, "code": code == "000000" ? "111111" : "000000"]
    },
    Refused("accounts:signInWithPhoneNumber", "MISSING_CODE") { town in ["sessionInfo": try town.sms().session] },
    Refused("accounts:signInWithPhoneNumber", "MISSING_SESSION_INFO") { _ in ["code": "123456"] },
    Refused("accounts:signInWithPhoneNumber", "INVALID_TEMPORARY_PROOF") { _ in
      ["temporaryProof": "x", "phoneNumber": "+15555550100"]
    },
    Refused("accounts:signInWithPhoneNumber", "PHONE_NUMBER_EXISTS") { town in
      _ = try town.phone()
      let other: JSONValue = .string(try town.anonymous().string("idToken"))
      let proof = try town.phone("+15555550100", ["idToken": other]).string("temporaryProof")
      return ["temporaryProof": .string(proof), "phoneNumber": "+15555550100", "idToken": other]
    },
    Refused("accounts:signInWithPhoneNumber", "UNSUPPORTED_FIRST_FACTOR…") { town in
      let (session, code) = try town.sms()
      try Self.phoneUserWithSecondFactor(town)
      return ["sessionInfo": session, "code": code]
    },
    Refused("accounts:sendVerificationCode", "INVALID_PHONE_NUMBER : Invalid format.") { _ in
      ["phoneNumber": "555"]
    },
    Refused("accounts:sendVerificationCode", "UNSUPPORTED_FIRST_FACTOR…") { town in
      try Self.phoneUserWithSecondFactor(town)
      return ["phoneNumber": "+15555550100"]
    },
    Refused("accounts:sendVerificationCode", "UNSUPPORTED_TENANT_OPERATION") { town in
      ["phoneNumber": "+15555550100", "tenantId": .string(try town.tenant())]
    },
  ]

  /// Somebody whose number is +15555550100, with another one as second factor.
  private static func phoneUserWithSecondFactor(_ town: Town) throws {
    let answer = town.project(
      "accounts",
      [
        "email": "p@b.c", "emailVerified": true, "phoneNumber": "+15555550100",
        "mfaInfo": [["phoneInfo": "+15555550199"]],
      ])
    try #require(answer.status == 200, "\(answer.text)")
  }

  private static let mails: [Refused] = [
    Refused("accounts:signInWithEmailLink", "INVALID_OOB_CODE") { _ in ["email": "a@b.c", "oobCode": "x"] },
    Refused("accounts:signInWithEmailLink", "INVALID_EMAIL : …") { town in
      _ = town.v1("accounts:sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
      return ["email": "other@b.c", "oobCode": .string(try town.mail("EMAIL_SIGNIN"))]
    },
    Refused("accounts:signInWithEmailLink", "EMAIL_EXISTS") { town in
      try town.signUp("a@b.c")
      _ = town.v1("accounts:sendOobCode", ["requestType": "EMAIL_SIGNIN", "email": "a@b.c"])
      return [
        "email": "a@b.c", "oobCode": .string(try town.mail("EMAIL_SIGNIN")),
        "idToken": .string(try town.anonymous().string("idToken")),
      ]
    },
    Refused("accounts:signInWithEmailLink", "OPERATION_NOT_ALLOWED") { town in
      ["email": "a@b.c", "oobCode": "x", "tenantId": .string(try town.tenant())]
    },
    Refused("accounts:sendOobCode", "EMAIL_NOT_FOUND") { _ in ["requestType": "PASSWORD_RESET", "email": "a@b.c"] },
    Refused("accounts:sendOobCode", "MISSING_EMAIL") { _ in ["requestType": "PASSWORD_RESET"] },
    Refused("accounts:sendOobCode", "MISSING_REQ_TYPE") { _ in ["email": "a@b.c"] },
    Refused("accounts:sendOobCode", "MISSING_NEW_EMAIL") { town in
      ["requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(try town.signUp().string("idToken"))]
    },
    Refused("accounts:sendOobCode", "EMAIL_EXISTS") { town in
      try town.signUp("taken@b.c")
      return [
        "requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "taken@b.c",
        "idToken": .string(try town.signUp().string("idToken")),
      ]
    },
    Refused("accounts:sendOobCode", "INVALID_CONTINUE_URI…") { town in
      [
        "requestType": "VERIFY_EMAIL", "idToken": .string(try town.signUp().string("idToken")),
        "continueUrl": "noSchemeOrHost",
      ]
    },
    Refused("accounts:resetPassword", "INVALID_OOB_CODE") { _ in ["oobCode": "x", "newPassword": "secret2"] },
    Refused("accounts:resetPassword", "WEAK_PASSWORD : …") { town in
      try town.signUp()
      _ = town.v1("accounts:sendOobCode", ["requestType": "PASSWORD_RESET", "email": "alice@example.com"])
      return ["oobCode": .string(try town.mail("PASSWORD_RESET")), "newPassword": "12345"]
    },
  ]

  private static let accounts: [Refused] = [
    Refused("accounts:lookup", "MISSING_ID_TOKEN") { _ in [:] },
    Refused("accounts:lookup", "INVALID_ID_TOKEN") { _ in ["idToken": "x"] },
    Refused("accounts:lookup", "USER_NOT_FOUND") { town in
      let token: JSONValue = .string(try town.anonymous().string("idToken"))
      _ = town.v1("accounts:delete", ["idToken": token])
      return ["idToken": token]
    },
    Refused("accounts:lookup", "TOKEN_EXPIRED") { town in
      let alice = try town.signUp()
      town.clock.advance(seconds: 2)
      _ = town.v1("accounts:update", ["idToken": .string(try alice.string("idToken")), "password": "secret2"])
      return ["idToken": .string(try alice.string("idToken"))]
    },
    Refused("accounts:lookup", "USER_DISABLED") { town in
      let dan = try town.anonymous()
      town.disable(try dan.string("localId"))
      return ["idToken": .string(try dan.string("idToken"))]
    },
    Refused("accounts:update", "EMAIL_EXISTS") { town in
      try town.signUp("taken@b.c")
      return ["idToken": .string(try town.signUp().string("idToken")), "email": "taken@b.c"]
    },
    Refused("accounts:update", "WEAK_PASSWORD : …") { town in
      ["idToken": .string(try town.signUp().string("idToken")), "password": "12345"]
    },
    Refused("accounts:update", "INVALID_OOB_CODE") { _ in ["oobCode": "x"] },
    Refused("accounts:update", "CLAIMS_TOO_LARGE", admin: true) { town in
      let text = "{\"a\":\"" + String(repeating: "x", count: 1000) + "\"}"
      return ["localId": .string(try town.anonymous().string("localId")), "customAttributes": .string(text)]
    },
    Refused("accounts:update", "INVALID_CLAIMS", admin: true) { town in
      ["localId": .string(try town.anonymous().string("localId")), "customAttributes": "[1]"]
    },
    Refused("accounts:update", "FORBIDDEN_CLAIM : aud", admin: true) { town in
      ["localId": .string(try town.anonymous().string("localId")), "customAttributes": "{\"aud\":\"x\"}"]
    },
    Refused("accounts:update", "PHONE_NUMBER_EXISTS", admin: true) { town in
      _ = try town.phone()
      return ["localId": .string(try town.anonymous().string("localId")), "phoneNumber": "+15555550100"]
    },
    Refused("accounts:update", "INSUFFICIENT_PERMISSION") { town in
      ["idToken": .string(try town.signUp().string("idToken")), "customAttributes": "{\"admin\":true}"]
    },
    Refused("accounts:update", "OPERATION_NOT_ALLOWED…") { town in
      town.hideEmails()
      return ["idToken": .string(try town.signUp().string("idToken")), "email": "new@b.c"]
    },
    Refused("accounts:update", "INVALID_REQ_TYPE : …") { _ in ["displayName": "x"] },
    Refused("accounts:delete", "USER_NOT_FOUND", admin: true) { _ in ["localId": "nobody"] },
    Refused("accounts:delete", "MISSING_LOCAL_ID", admin: true) { _ in [:] },
  ]

  private static let tokens: [Refused] = [
    Refused("token", "INVALID_REFRESH_TOKEN") { _ in ["grantType": "refresh_token", "refreshToken": "x"] },
    Refused("token", "MISSING_REFRESH_TOKEN") { _ in ["grantType": "refresh_token"] },
    Refused("token", "INVALID_GRANT_TYPE") { _ in ["grant_type": "password", "refresh_token": "x"] },
    Refused("token", "MISSING_GRANT_TYPE") { _ in ["refresh_token": "x"] },
    Refused("token", "USER_DISABLED") { town in
      let dan = try town.anonymous()
      town.disable(try dan.string("localId"))
      return ["grant_type": "refresh_token", "refresh_token": .string(try dan.string("refreshToken"))]
    },
  ]

  @Test("of each row", arguments: cases)
  func row(refused: Refused) throws {
    // Under the name of today, and under that of before.
    let old = try #require(Self.rows.first { $0.0 == refused.endpoint }).1
    let paths =
      refused.endpoint == "token"
      ? ["/securetoken.googleapis.com/v1/token"]
      : [Town.v1 + refused.endpoint] + (old.map { [Town.v3 + $0] } ?? [])
    for path in paths {
      let town = Town()
      let body = try refused.body(town)
      let answer = refused.isAdmin ? town.admin(path, body) : town.post(path, body)
      #expect(answer.status == 400)
      let message = try #require(answer.error, "\(answer.text)")
      if refused.error.hasSuffix("…") {
        #expect(message.hasPrefix(String(refused.error.dropLast())), "\(message)")
      } else {
        #expect(message == refused.error)
      }
      // The whole body, as the specification has it.
      let expected: JSONValue = [
        "error": [
          "code": 400, "message": .string(message),
          "errors": [["message": .string(message), "reason": "invalid", "domain": "global"]],
        ]
      ]
      #expect(answer.json == expected)
    }
  }

  @Test("every error of every row is played")
  func whole() {
    for (endpoint, _, errors) in Self.rows {
      let played = Set(Self.cases.filter { $0.endpoint == endpoint }.map(\.error))
      #expect(played == Set(errors), "\(endpoint)")
    }
  }
}

import Identity
import JSON
import Testing

@testable import EmulatorServer

/// Second factors and passkeys.
@Suite("Auth REST: second factors and passkeys")
struct SecondFactorFlows {
  @Test("by SMS: enrol, sign in, withdraw")
  func sms() throws {
    let town = Town()
    let alice = try town.verified()
    let enrolled = try town.enrol(try alice.string("idToken"))
    #expect(try enrolled.payload["firebase"]?["sign_in_second_factor"] == "phone")
    let user = try town.user(try alice.string("localId"))
    let factor = try #require(user["mfaInfo"]?[0])
    #expect(factor["phoneInfo"] == "+15555550199")
    #expect(factor["enrolledAt"] == "2026-01-01T00:00:00.000Z")
    let id = try #require(factor["mfaEnrollmentId"])
    #expect(try enrolled.payload["firebase"]?["second_factor_identifier"] == id)

    town.clock.advance(seconds: 3)
    let first = town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret1"])
    #expect(first.status == 200)
    #expect(first["idToken"] == nil)
    #expect(first["refreshToken"] == nil)
    #expect(first["mfaInfo"]?[0]?["phoneInfo"] == "+*******0199")
    #expect(first["mfaInfo"]?[0]?["unobfuscatedPhoneInfo"] == nil)
    // Nobody has signed in yet.
    #expect(try town.user(try alice.string("localId"))["lastLoginAt"] == user["lastLoginAt"])
    let pending = JSONValue.string(try first.string("mfaPendingCredential"))
    let started = town.v2("accounts/mfaSignIn:start", ["mfaPendingCredential": pending, "mfaEnrollmentId": id])
    let session = try #require(started["phoneResponseInfo"]?["sessionInfo"])
    let code = try #require(
      town.send("GET", "/emulator/v1/projects/demo/verificationCodes")["verificationCodes"]?.arrayValue?.last?["code"])
    let wrong = town.v2(
      "accounts/mfaSignIn:finalize",
      [
        "mfaPendingCredential": pending,
        "phoneVerificationInfo": ["sessionInfo": session, "code": code == "000000" ? "111111" : "000000"],
      ])
    #expect(wrong.error == "INVALID_CODE")
    let done = town.v2(
      "accounts/mfaSignIn:finalize",
      ["mfaPendingCredential": pending, "phoneVerificationInfo": ["sessionInfo": session, "code": code]])
    #expect(try done.payload["firebase"]?["second_factor_identifier"] == id)
    #expect(try town.user(try alice.string("localId"))["lastLoginAt"] == "1767225603000")

    let gone = town.v2(
      "accounts/mfaEnrollment:withdraw", ["idToken": .string(try done.string("idToken")), "mfaEnrollmentId": id])
    #expect(try gone.payload["firebase"]?["sign_in_second_factor"] == nil)
    let again = town.v2(
      "accounts/mfaEnrollment:withdraw", ["idToken": .string(try done.string("idToken")), "mfaEnrollmentId": id])
    #expect(again.error == "MFA_ENROLLMENT_NOT_FOUND")
  }

  @Test("by authenticator app: enrol, sign in")
  func totp() throws {
    let town = Town()
    let alice = try town.verified()
    let token = JSONValue.string(try alice.string("idToken"))
    let started = town.v2("accounts/mfaEnrollment:start", ["idToken": token, "totpEnrollmentInfo": [:]])
    let info = try #require(started["totpSessionInfo"], "\(started.text)")
    #expect(info["verificationCodeLength"] == 6)
    #expect(info["hashingAlgorithm"] == "SHA1")
    #expect(info["periodSec"] == 30)
    #expect(info["finalizeEnrollmentTime"] == "2026-01-01T00:10:00.000Z")
    let session = try #require(info["sessionInfo"])
    let secret = try #require(info["sharedSecretKey"]?.stringValue.flatMap(Base32.decode))
    func code() -> JSONValue { .string(TOTP.code(secret: secret, at: town.clock.milliseconds / 1000)) }
    let enrolled = town.v2(
      "accounts/mfaEnrollment:finalize",
      [
        "idToken": token, "displayName": "App",
        "totpVerificationInfo": ["sessionInfo": session, "verificationCode": code()],
      ])
    #expect(try enrolled.payload["firebase"]?["sign_in_second_factor"] == "totp", "\(enrolled.text)")
    #expect(enrolled["totpAuthInfo"] == [:])
    town.clock.advance(seconds: 60)
    let first = town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret1"])
    let hint = try #require(first["mfaInfo"]?[0])
    #expect(hint["totpInfo"] == [:])
    #expect(hint["displayName"] == "App")
    func finish(_ code: JSONValue) -> Answer {
      town.v2(
        "accounts/mfaSignIn:finalize",
        [
          "mfaPendingCredential": first["mfaPendingCredential"] ?? nil,
          "mfaEnrollmentId": hint["mfaEnrollmentId"] ?? nil,
          "totpVerificationInfo": ["verificationCode": code],
        ])
    }
    #expect(finish("12345").error == "INVALID_CODE")
    let done = finish(code())
    #expect(try done.payload["firebase"]?["sign_in_second_factor"] == "totp", "\(done.text)")
    #expect(finish(code()).error == "INVALID_MFA_PENDING_CREDENTIAL")
  }

  @Test("what is refused, in whole messages")
  func refusals() throws {
    let town = Town()
    let unverified = JSONValue.string(try town.signUp("u@b.c").string("idToken"))
    let phone: JSONObject = ["phoneNumber": "+15555550199"]
    #expect(
      town.v2("accounts/mfaEnrollment:start", ["idToken": unverified, "phoneEnrollmentInfo": .object(phone)]).error
        == "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.")
    let pia = try town.phone()
    _ = town.project(
      "accounts:update", ["localId": .string(try pia.string("localId")), "email": "p@b.c", "emailVerified": true])
    #expect(
      town.v2(
        "accounts/mfaEnrollment:start",
        ["idToken": .string(try pia.string("idToken")), "phoneEnrollmentInfo": .object(phone)]
      ).error == "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor.")
    let alice = try town.verified()
    let token = JSONValue.string(try alice.string("idToken"))
    _ = try town.enrol(try alice.string("idToken"))
    #expect(
      town.v2("accounts/mfaEnrollment:start", ["idToken": token, "phoneEnrollmentInfo": .object(phone)]).error
        == "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.")
    #expect(
      town.v2("accounts/mfaEnrollment:start", ["idToken": token]).error
        == "INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))")
    #expect(
      town.v2("accounts/mfaEnrollment:start", ["idToken": token, "phoneEnrollmentInfo": ["phoneNumber": "x"]]).error
        == "INVALID_PHONE_NUMBER : Invalid format.")
    for (name, body, code): (String, JSONObject, String) in [
      ("accounts/mfaEnrollment:start", [:], "MISSING_ID_TOKEN"),
      ("accounts/mfaEnrollment:finalize", [:], "MISSING_ID_TOKEN"),
      ("accounts/mfaEnrollment:finalize", ["idToken": token], "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))"),
      (
        "accounts/mfaEnrollment:finalize", ["idToken": token, "phoneVerificationInfo": ["code": "1"]],
        "MISSING_SESSION_INFO"
      ),
      (
        "accounts/mfaEnrollment:finalize", ["idToken": token, "phoneVerificationInfo": ["sessionInfo": "1"]],
        "MISSING_CODE"
      ),
      (
        "accounts/mfaEnrollment:finalize",
        ["idToken": token, "phoneVerificationInfo": ["sessionInfo": "1", "code": "1"]], "INVALID_SESSION_INFO"
      ),
      (
        "accounts/mfaEnrollment:finalize",
        ["idToken": token, "totpVerificationInfo": ["sessionInfo": "1", "verificationCode": "1"]],
        "INVALID_SESSION_INFO"
      ),
      ("accounts/mfaEnrollment:withdraw", [:], "MISSING_ID_TOKEN"),
      ("accounts/mfaEnrollment:withdraw", ["idToken": token], "MISSING_MFA_ENROLLMENT_ID"),
      ("accounts/mfaSignIn:start", [:], "MISSING_MFA_PENDING_CREDENTIAL"),
      ("accounts/mfaSignIn:start", ["mfaPendingCredential": "x"], "MISSING_MFA_ENROLLMENT_ID"),
      (
        "accounts/mfaSignIn:start", ["mfaPendingCredential": "x", "mfaEnrollmentId": "y"],
        "INVALID_MFA_PENDING_CREDENTIAL"
      ),
      ("accounts/mfaSignIn:finalize", [:], "MISSING_MFA_PENDING_CREDENTIAL"),
      (
        "accounts/mfaSignIn:finalize", ["mfaPendingCredential": "x"],
        "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))"
      ),
      (
        "accounts/mfaSignIn:finalize",
        ["mfaPendingCredential": "x", "mfaEnrollmentId": "y", "totpVerificationInfo": ["verificationCode": "1"]],
        "INVALID_MFA_PENDING_CREDENTIAL"
      ),
    ] { #expect(town.v2(name, body).error == code, "\(name)") }
  }

  @Test("switched off: by a tenant, or for the project")
  func off() throws {
    let town = Town()
    for body: JSONObject in [
      ["mfaConfig": ["state": "DISABLED"]],
      ["mfaConfig": ["state": "ENABLED", "enabledProviders": ["PROVIDER_UNSPECIFIED"]]],
    ] {
      let tenant = JSONValue.string(try town.tenant(body))
      for name in ["mfaEnrollment:start", "mfaEnrollment:finalize", "mfaSignIn:start", "mfaSignIn:finalize"] {
        #expect(
          town.v2("accounts/" + name, ["tenantId": tenant]).error
            == "OPERATION_NOT_ALLOWED : SMS based MFA not enabled.")
      }
    }
    let alice = try town.verified()
    _ = try town.enrol(try alice.string("idToken"))
    _ = town.admin(
      "PATCH", Town.v2 + "projects/demo/config?updateMask=mfa", ["mfa": ["state": "DISABLED"]])
    let entered = town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret1"])
    #expect(entered["idToken"] != nil)
  }

  // MARK: Passkeys

  @Test("a passkey: enrol, sign in, take away")
  func passkey() throws {
    let town = Town()
    let alice = try town.signUp("alice@example.com", "secret1", ["displayName": "Alice"])
    let token = JSONValue.string(try alice.string("idToken"))
    let started = town.v2("accounts/passkeyEnrollment:start", ["idToken": token])["credentialCreationOptions"]
    #expect(started?["rp"]?["id"] == "localhost")
    #expect(started?["challenge"]?.stringValue?.isEmpty == false)
    #expect(started?["user"]?["displayName"] == "Alice")
    for (id, name) in [("cred_A", "Key A"), ("cred_B", nil)] {
      var body: JSONObject = ["idToken": token, "authenticatorRegistrationResponse": ["id": .string(id)]]
      body["name"] = name.map(JSONValue.string)
      let enrolled = town.v2("accounts/passkeyEnrollment:finalize", body)
      #expect(enrolled["localId"] == alice["localId"])
      #expect(enrolled["refreshToken"] != nil)
    }
    let keys = town.v1("accounts:lookup", ["idToken": token])["users"]?[0]?["passkeyInfo"]
    #expect(
      keys == [["credentialId": "cred_A", "name": "Key A"], ["credentialId": "cred_B", "name": "Unnamed Passkey"]])
    let options = town.v2("accounts/passkeySignIn:start", [:])["credentialRequestOptions"]
    #expect(options?["rpId"] == "localhost")
    #expect(options?["challenge"]?.stringValue?.isEmpty == false)
    let entered = town.v2(
      "accounts/passkeySignIn:finalize", ["authenticatorAuthenticationResponse": ["id": "cred_A"]])
    #expect(try entered.payload["sub"] == alice["localId"])
    #expect(try entered.payload["firebase"]?["sign_in_provider"] == "passkey")
    _ = town.v1("accounts:update", ["idToken": token, "deletePasskey": ["cred_A", "nonexistent"]])
    let gone = town.v2("accounts/passkeySignIn:finalize", ["authenticatorAuthenticationResponse": ["id": "cred_A"]])
    #expect(gone.error == "PASSKEY_CREDENTIAL_NOT_FOUND")
  }

  @Test("passkeys: what is missing, and what somebody has")
  func passkeyRefusals() throws {
    let town = Town()
    let response: JSONValue = ["id": "c"]
    #expect(town.v2("accounts/passkeyEnrollment:start", [:]).error == "MISSING_ID_TOKEN")
    #expect(
      town.v2("accounts/passkeyEnrollment:finalize", ["authenticatorRegistrationResponse": response]).error
        == "MISSING_ID_TOKEN")
    #expect(
      town.v2("accounts/passkeyEnrollment:finalize", ["idToken": "some"]).error == "MISSING_AUTHENTICATOR_RESPONSE")
    #expect(town.v2("accounts/passkeySignIn:finalize", [:]).error == "MISSING_AUTHENTICATOR_RESPONSE")
    for email in ["a@b.c", "b@b.c"] {
      let token = JSONValue.string(try town.signUp(email).string("idToken"))
      let answer = town.v2(
        "accounts/passkeyEnrollment:finalize", ["idToken": token, "authenticatorRegistrationResponse": response])
      #expect(answer.error == (email == "a@b.c" ? nil : "PASSKEY_ALREADY_ENROLLED"))
    }
  }
}

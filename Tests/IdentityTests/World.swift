import Foundation
import Identity
import JSON
import Testing

/// A server with its clock, and the people that tests speak of.
struct World: Sendable {
  /// 2026-01-01T00:00:00Z.
  static let start: Int64 = 1_767_225_600

  let clock = ManualAuthClock(seconds: start)
  let server: AuthServer
  var admin: AuthAdmin { server.admin }
  var apple: AppleService { server.apple }

  /// By default with answers that tell what is wrong, and passwords that cost nothing.
  init(
    _ settings: AuthSettings = .articles, storage: any IdentityStorage = MemoryIdentityStorage(),
    _ change: (inout AuthSettings) -> Void = { _ in }
  ) {
    var settings = settings
    settings.passwordCost = .none
    change(&settings)
    server = AuthServer(project: "demo", settings: settings, clock: clock, seed: 1, storage: storage)
  }

  var now: Int64 { clock.milliseconds / 1000 }
  func device() -> Device { server.device() }

  static let alice = AppleService.Person(appleID: "alice@icloud.com", fullName: "Alice Apple")
  static let bob = AppleService.Person(appleID: "bob@icloud.com", fullName: "Bob Baker")

  /// Signs in with Apple as an app does: a fresh nonce, hashed for Apple, raw for Firebase.
  func appleCredential(_ person: AppleService.Person = alice, scopes: Set<AppleService.Scope> = []) -> AuthCredential {
    let nonce = UUID().uuidString
    let authorization = apple.authorize(person, scopes: scopes, nonce: AppleNonce.hash(nonce), at: now)
    return .apple(idToken: authorization.idToken, rawNonce: nonce, fullName: authorization.fullName)
  }

  func googleCredential(
    _ sub: String = "g-1", email: String = "alice@example.com", verified: Bool = true, name: String? = "Alice G"
  ) -> AuthCredential {
    var profile: JSONObject = ["sub": .string(sub), "email": .string(email), "email_verified": .bool(verified)]
    profile["name"] = name.map(JSONValue.string)
    return .provider(server.providers.credential("google.com", profile))
  }

  func credential(_ providerID: String, _ profile: JSONObject, rawNonce: String? = nil) -> AuthCredential {
    .provider(server.providers.credential(providerID, profile, rawNonce: rawNonce))
  }

  func phoneCredential(_ number: String, on device: Device) throws -> AuthCredential {
    let id = try device.verifyPhoneNumber(number)
    let sms = try #require(server.smsCodes.last)
    return .phone(verificationID: id, code: sms.code)
  }

  /// A device on which somebody has just signed up with address and password.
  func signedUp(_ email: String = "alice@example.com", password: String = "secret1") throws -> Device {
    let device = device()
    try device.createUser(email: email, password: password)
    return device
  }

  /// The same with a verified address and a token that says so.
  func verified(_ email: String = "alice@example.com") throws -> Device {
    let device = try signedUp(email)
    try device.sendEmailVerification()
    try device.applyActionCode(lastCode(.verifyEmail))
    try device.reload()
    try device.idToken(forcingRefresh: true)
    return device
  }

  func lastCode(_ purpose: EmailCode.Purpose) throws -> String {
    try #require(server.emailCodes.last { $0.purpose == purpose }).code
  }

  func lastLink() throws -> String { try #require(server.emailCodes.last { $0.purpose == .signIn }).link }
}

extension Device {
  /// The payload of the token that the device holds.
  var payload: JSONObject {
    get throws { try UnsignedToken.decode(try #require(heldToken)) }
  }

  /// The claim `firebase.sign_in_provider`.
  var signInProvider: String? { get throws { try payload["firebase"]?["sign_in_provider"]?.stringValue } }
  var identities: JSONObject? { get throws { try payload["firebase"]?["identities"]?.objectValue } }
  var uid: String { get throws { try #require(currentUser).uid } }
}

/// Expects a refusal with this code, and gives it.
@discardableResult
func expectRefusal<R>(
  _ code: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> R
) throws -> IdentityError {
  do {
    _ = try body()
  } catch let error as IdentityError {
    #expect(error.code == code, sourceLocation: sourceLocation)
    return error
  }
  Issue.record("expected \(code), but nothing was refused", sourceLocation: sourceLocation)
  return IdentityError(code: "", message: "")
}

/// The top of the repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

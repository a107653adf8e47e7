import Identity
import JSON
import Testing

@testable import EmulatorServer

/// Functions that are asked before accounts are made and people are signed in.
@Suite("Auth REST: blocking functions")
struct BlockingFunctionFlows {
  /// A function that answers what it is told to, and keeps what it was asked.
  private final class Caller: FunctionCaller, @unchecked Sendable {
    var answers: [String: (Int, String)?] = [:]
    var asked: [JSONObject] = []
    /// Called while the function is asked.
    var meanwhile: () -> Void = {}

    func post(_ url: String, json body: [UInt8], timeout seconds: Int) -> (status: Int, body: [UInt8])? {
      meanwhile()
      if let jwt = (try? JSONValue(parsing: body))?["data"]?["jwt"]?.stringValue,
        let payload = try? UnsignedToken.decode(jwt)
      {
        asked.append(payload)
      }
      guard let answer = answers[url] ?? nil else { return nil }
      return (answer.0, Array(answer.1.utf8))
    }
  }

  private func blocking(_ caller: Caller) throws -> Town {
    let town = Town { $0.functionCaller = caller }
    let answer = town.admin(
      "PATCH", Town.v2 + "projects/demo/config?updateMask=blockingFunctions",
      [
        "blockingFunctions": [
          "triggers": [
            "beforeCreate": ["functionUri": "http://127.0.0.1:5001/create"],
            "beforeSignIn": ["functionUri": "http://localhost:5001/signIn"],
          ]
        ]
      ])
    try #require(answer.status == 200, "\(answer.text)")
    return town
  }

  @Test("functions change the account before it is made, and the session before it begins")
  func blockingFunctions() throws {
    let caller = Caller()
    let town = try blocking(caller)
    caller.answers["http://127.0.0.1:5001/create"] = (
      200,
      "{\"userRecord\":{\"updateMask\":\"displayName,customClaims,emailVerified\",\"displayName\":\"Given\",\"emailVerified\":true,"
        + "\"customClaims\":{\"role\":\"new\"},\"photoUrl\":\"http://ignored\"}}"
    )
    caller.answers["http://localhost:5001/signIn"] = (
      200, "{\"userRecord\":{\"updateMask\":\"sessionClaims\",\"sessionClaims\":{\"device\":\"known\"}}}"
    )
    // A function may ask the server itself.
    caller.meanwhile = { _ = town.project("accounts:query", [:]) }
    let alice = try town.signUp()
    let payload = try alice.payload
    #expect(payload["name"] == "Given")
    #expect(payload["role"] == "new")
    #expect(payload["device"] == "known")
    #expect(payload["email_verified"] == true)
    #expect(payload["picture"] == nil)
    #expect(caller.asked.map { $0["event_type"] } == ["beforeCreate", "beforeSignIn"])
    #expect(caller.asked[0]["user_record"]?["email"] == "alice@example.com")
    #expect(caller.asked[0]["aud"] == "http://127.0.0.1:5001/create")
    // The account that was asked about is the one that came of it.
    #expect(caller.asked[0]["sub"] == alice["localId"])
    #expect(caller.asked[1]["sub"] == alice["localId"])
    #expect(caller.asked[1]["user_record"]?["display_name"] == "Given")
    let refreshed = town.post(
      "/securetoken.googleapis.com/v1/token",
      ["grant_type": "refresh_token", "refresh_token": .string(try alice.string("refreshToken"))])
    #expect(try UnsignedToken.decode(try refreshed.string("id_token"))["device"] == "known")
    caller.asked = []
    _ = town.v1("accounts:signInWithPassword", ["email": "alice@example.com", "password": "secret1"])
    #expect(caller.asked.map { $0["event_type"] } == ["beforeSignIn"])
    caller.asked = []
    let google = town.google("7", ["email": "g@b.c"])
    #expect(google.status == 200)
    #expect(caller.asked.count == 2)
    #expect(caller.asked[0]["raw_user_info"]?.stringValue?.contains("g@b.c") == true)
    #expect(caller.asked[0]["sign_in_method"] == "google.com")
    caller.asked = []
    _ = try town.anonymous()
    #expect(caller.asked.isEmpty)
  }

  @Test("a function that refuses, fails, or is not there: nobody is signed in, no account is made")
  func refusingFunctions() throws {
    let caller = Caller()
    let town = try blocking(caller)
    let create = "http://127.0.0.1:5001/create"
    for (answer, message): ((Int, String)?, String) in [
      (
        (403, "{\"error\":{\"status\":\"PERMISSION_DENIED\",\"message\":\"no\"}}"),
        "BLOCKING_FUNCTION_ERROR_RESPONSE : ((HTTP Cloud Function returned error. Code: 403, Status: "
          + "\"PERMISSION_DENIED\", Message: \"no\"))"
      ),
      (nil, "BLOCKING_FUNCTION_ERROR_RESPONSE : ((Failed to make request to \(create).))"),
      ((200, "no JSON"), "BLOCKING_FUNCTION_ERROR_RESPONSE : ((Response body is not valid JSON.))"),
      (
        (200, "{\"userRecord\":{\"updateMask\":\"customClaims\",\"customClaims\":{\"sub\":\"x\"}}}"),
        "FORBIDDEN_CLAIM : sub"
      ),
    ] {
      caller.answers[create] = answer
      #expect(town.v1("accounts:signUp", ["email": "a@b.c", "password": "secret1"]).error == message)
      #expect(town.project("accounts:query", ["returnUserInfo": false])["recordsCount"] == "0")
    }
    caller.answers[create] = (200, "{\"userRecord\":{\"updateMask\":\"disabled\",\"disabled\":true}}")
    caller.answers["http://localhost:5001/signIn"] = (200, "")
    #expect(town.v1("accounts:signUp", ["email": "a@b.c", "password": "secret1"]).error == "USER_DISABLED")
    #expect(town.project("accounts:lookup", ["email": ["a@b.c"]])["users"]?[0]?["disabled"] == true)
  }

  @Test(
    "only functions of this machine are called",
    arguments: [
      "http://example.com/f", "https://127.0.0.1/f", "http://127.0.0.1.example.com/f", "http://user@evil.example/f",
      "http://localhost@evil.example/f", "nothing", "file:///etc/passwd", "http://[::2]/f",
      "http://127.0.0.1\\@evil.example/f",
    ])
  func functionAddresses(url: String) {
    let town = Town { $0.functionCaller = Caller() }
    let answer = town.admin(
      "PATCH", Town.v2 + "projects/demo/config?updateMask=blockingFunctions",
      ["blockingFunctions": ["triggers": ["beforeCreate": ["functionUri": .string(url)]]]])
    #expect(answer.error?.hasPrefix("INVALID_BLOCKING_FUNCTION : ((") == true, "\(answer.text)")
    let event = town.admin(
      "PATCH", Town.v2 + "projects/demo/config",
      ["blockingFunctions": ["triggers": ["beforeLunch": ["functionUri": "http://localhost/"]]]])
    #expect(event.error == "INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))")
  }
}

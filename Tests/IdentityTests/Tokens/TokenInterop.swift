import Foundation
import Identity
import JSON
import Testing

/// Tokens that PyJWT and google-auth signed: `Corpus/tokens/signed.json`, made by `Corpus/tools/token_interop.py
/// record`.
@Suite("Token interop")
struct TokenInterop {
  struct Recording {
    let project: String
    let now: Int64
    let keyID: String
    let certificates: JSONObject
    let privateKey: String
    let tokens: [(by: String, payload: JSONObject, token: String)]

    init(_ file: URL) throws {
      let document = try JSONValue(parsing: Array(Data(contentsOf: file)))
      project = try #require(document["project"]?.stringValue)
      now = try #require(document["now"]?.intValue)
      keyID = try #require(document["keyID"]?.stringValue)
      certificates = [keyID: try #require(document["certificate"])]
      privateKey = try #require(document["privateKey"]?.stringValue)
      tokens = try #require(document["tokens"]?.arrayValue).map {
        (try #require($0["by"]?.stringValue), try #require($0["payload"]?.objectValue), try #require(
          $0["token"]?.stringValue))
      }
    }

    func check() throws {
      #expect(tokens.count == 14)
      let verifier = try TokenVerifier(project: project, certificates: certificates)
      for (by, payload, token) in tokens {
        #expect(try verifier.verify(token, at: now) == payload, "\(by)")
        for (position, character) in [(20, "A"), (token.count / 2, "B"), (token.count - 10, "C")] {
          var changed = Array(token)
          changed[position] = changed[position] == Character(character) ? "D" : Character(character)
          #expect(throws: TokenFault.self) { try verifier.verify(String(changed), at: now) }
        }
      }
    }
  }

  static let recorded = repository.appending(path: "Corpus/tokens/signed.json")

  @Test("we take the tokens that PyJWT and google-auth signed, and no changed one")
  func recorded() throws { try Recording(Self.recorded).check() }

  @Test("with PyJWT's key we sign the very tokens that PyJWT signs")
  func same() throws {
    let recording = try Recording(Self.recorded)
    let key = try SigningKey(
      privatePEM: recording.privateKey, keyID: recording.keyID, validity: recording.now...recording.now + 1)
    // PyJWT writes other characters than ASCII as escapes.
    let ascii = recording.tokens.filter { $0.by == "pyjwt" && $0.payload.serialized().utf8.allSatisfy { $0 < 0x80 } }
    #expect(ascii.count == 6)
    for (_, payload, token) in ascii { #expect(try key.sign(payload) == token) }
  }

  @Test(
    "a text that is no private key is refused",
    arguments: ["", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
  func noKey(text: String) {
    #expect(throws: IdentityError.self) { try SigningKey(privatePEM: text, validity: 0...1) }
  }

  /// The live half of `make token-interop`: checks what lies in the folder, and leaves our own tokens there.
  @Test("in the folder TOKEN_INTEROP", .enabled(if: ProcessInfo.processInfo.environment["TOKEN_INTEROP"] != nil))
  func live() throws {
    let folder = URL(filePath: try #require(ProcessInfo.processInfo.environment["TOKEN_INTEROP"]))
    let theirs = try Recording(folder.appending(path: "theirs.json"))
    try theirs.check()
    var settings = AuthSettings.articles
    settings.tokens = .signed
    let server = AuthServer(project: theirs.project, settings: settings)
    let anonymous = server.device()
    try anonymous.signInAnonymously()
    let alice = server.device()
    try alice.createUser(email: "alice@example.com", password: "secret1")
    try server.admin.setCustomClaims(["rôle": "ädmin 😀", "n": 1.5], of: try alice.uid)
    let google = server.device()
    try google.signIn(
      with: .provider(
        server.providers.credential("google.com", ["sub": "1", "email": "g@b.c", "email_verified": true])))
    try server.keys.rotate(at: Int64(Date().timeIntervalSince1970))
    let tokens = try [
      #require(anonymous.heldToken), #require(alice.heldToken), alice.idToken(forcingRefresh: true),
      #require(google.heldToken),
    ]
    let ours: JSONObject = [
      "certificates": .object(server.keys.certificates), "tokens": .array(tokens.map(JSONValue.string)),
    ]
    try Data(ours.serialized().utf8).write(to: folder.appending(path: "ours.json"))
  }
}

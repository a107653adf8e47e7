import CLinux
import Identity
import JSON
import LocalFirestore
import RulesEngine
import Testing

@testable import EmulatorServer

/// The server's side of an app with Sign in with Apple, over three ports: ID token in a Bearer header, 401 bodies, data
/// by uid, deletion. Bodies are those of the article that the project's specification describes.
@Suite struct ServerStory {
  private static let rules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents {
        match /users/{uid}/lists/{id} {
          allow read, write: if request.auth != null && request.auth.uid == uid;
        }
        match /{document=**} { allow read, write: if false; }
      }
    }
    """
  private static let lists = "/v1/projects/demo/databases/(default)/documents/users/"

  private struct Ports {
    let auth, firestore, app: UInt16

    func send(_ port: UInt16, _ method: String, _ path: String, _ body: String = "", token: String? = nil) throws
      -> (status: Int, json: JSONValue)
    {
      let client = RawClient(port)
      let caller = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
      client.send(
        "\(method) \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\n\(caller)"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      let text = client.all()
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      let status = try #require(Int(text.split(separator: " ").dropFirst().first ?? ""))
      return (status, (try? JSONValue(parsing: Array((parts.last ?? "").utf8))) ?? .null)
    }

    /// An iPhone signs in with Apple, by a token that nobody needs to have signed.
    func signIn(_ appleSubject: String) throws -> (uid: String, token: String) {
      let idToken = UnsignedToken.encode([
        "sub": .string(appleSubject), "iss": "https://appleid.apple.com", "aud": "com.example.app",
      ])
      let body: JSONValue = [
        "postBody": .string("providerId=apple.com&id_token=" + FormEncoding.encode(idToken)),
        "requestUri": "http://localhost", "returnSecureToken": true, "returnIdpCredential": true,
      ]
      let answer = try send(
        auth, "POST", "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=any", body.serialized())
      return (
        try #require(answer.json["localId"]?.stringValue, "\(answer.json)"),
        try #require(answer.json["idToken"]?.stringValue)
      )
    }
  }

  @Test func fromTheFirstTokenToTheDeletion() throws {
    var options = FirestoreOptions()
    options.project = "demo"
    options.rules.others = try Ruleset(Self.rules)
    let firestore = FirestoreEmulator(options)
    var authOptions = AuthOptions()
    authOptions.project = "demo"
    let auth = AuthEmulator(authOptions)
    let accounts = try auth.project().server(nil)
    let documents = try firestore.project().firestore
    let app = ExampleServer(auth: accounts, agents: AgentTokens(auth: accounts)) { uid in
      try documents.clear(
        under: try ResourcePath(parentName: "projects/demo/databases/(default)/documents/users/\(uid)"))
    }
    let server = try HTTPServer([(0, auth), (0, firestore), (0, ExampleHandler(app))])
    defer { server.stop() }
    let ports = Ports(auth: server.ports[0], firestore: server.ports[1], app: server.ports[2])

    let none = try ports.send(ports.app, "GET", "/v1/me")
    #expect(none.status == 401 && none.json == ["error": "missing bearer token"])
    let bad = try ports.send(ports.app, "GET", "/v1/me", token: "a.b.c")
    #expect(bad.status == 401 && bad.json == ["error": "invalid id token"])

    let alice = try ports.signIn("apple-alice")
    let bob = try ports.signIn("apple-bob")
    #expect(try ports.send(ports.app, "GET", "/v1/me", token: alice.token).json == ["uid": .string(alice.uid)])
    let list = Self.lists + alice.uid + "/lists/a"
    #expect(try ports.send(ports.firestore, "PATCH", list, "{}", token: alice.token).status == 200)
    #expect(try ports.send(ports.firestore, "GET", list, token: bob.token).status == 403)
    #expect(try ports.send(ports.firestore, "GET", list).status == 403)
    // The app is installed anew: the same Apple account is the same user.
    let again = try ports.signIn("apple-alice")
    #expect(again.uid == alice.uid)
    #expect(try ports.send(ports.firestore, "GET", list, token: again.token).status == 200)

    let deletion = try ports.send(ports.app, "DELETE", "/v1/account", "{}", token: alice.token)
    #expect(deletion.status == 200 && deletion.json["deleted"] == true)
    // The token itself holds until its end, as in production: only what it leads to is gone.
    #expect(try ports.send(ports.firestore, "GET", list, token: "owner").status == 404)
    let reborn = try ports.signIn("apple-alice")
    #expect(reborn.uid != alice.uid)
    #expect(try ports.send(ports.firestore, "GET", list, token: reborn.token).status == 403)
  }

  @Test func blockingFunctionsAreCalledOnThisMachine() throws {
    struct Function: HTTPHandler {
      func answer(_ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(status: request.path == "/f" ? 200 : 500, json: ["echo": .int(Int64(request.body.count))])
      }
    }
    let server = try HTTPServer([(0, Function())])
    defer { server.stop() }
    let caller = LoopbackCaller()
    let answer = try #require(
      caller.post("http://127.0.0.1:\(server.ports[0])/f", json: Array("12345".utf8), timeout: 5))
    #expect(answer.status == 200)
    #expect(try JSONValue(parsing: answer.body) == ["echo": 5])
    #expect(caller.post("http://localhost:\(server.ports[0])/g", json: [], timeout: 5)?.status == 500)
    for url in ["http://example.com/f", "https://127.0.0.1/f", "http://127.0.0.1:99999/f", "http://u@127.0.0.1/f", "f"]
    {
      #expect(LoopbackCaller.parts(url) == nil, "\(url)")
    }
  }
}

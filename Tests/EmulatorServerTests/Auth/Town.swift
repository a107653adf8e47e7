import Foundation
import Identity
import JSON
import Testing

@testable import EmulatorServer

/// What a request was answered with.
struct Answer {
  let status: Int
  let text: String
  let headers: [(name: String, value: String)]
  let json: JSONValue

  init(_ reply: HTTPResponse) {
    status = reply.status
    text = String(decoding: reply.bytes, as: UTF8.self)
    headers = reply.headers.fields.map { ($0.name, $0.value) }
    json = (try? JSONValue(parsing: reply.bytes)) ?? .null
  }

  /// As it comes over a connection that ends behind it. Nil for what is no answer.
  init?(raw: String) {
    guard let end = raw.range(of: "\r\n\r\n") else { return nil }
    let lines = raw[..<end.lowerBound].split(separator: "\r\n")
    guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
    self.status = status
    headers = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    text = String(raw[end.upperBound...])
    json = (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }

  subscript(name: String) -> JSONValue? { json[name] }
  var error: String? { json["error"]?["message"]?.stringValue }
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  func string(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    try #require(json[name]?.stringValue, "\(name) is missing in \(text)", sourceLocation: sourceLocation)
  }

  /// The payload of the ID token.
  var payload: JSONObject {
    get throws { try UnsignedToken.decode(try string("idToken")) }
  }
}

/// An Authentication server with its clock, and people who use it.
struct Town {
  static let v1 = "/identitytoolkit.googleapis.com/v1/"
  static let v2 = "/identitytoolkit.googleapis.com/v2/"
  static let v3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
  static let projects = v1 + "projects/demo/"

  let clock = ManualAuthClock()
  let emulator: AuthEmulator
  private let line: Line

  init(_ change: (inout AuthOptions) -> Void = { _ in }) {
    var options = AuthOptions()
    options.project = "demo"
    options.clock = clock
    options.seed = 1
    options.settings.passwordCost = .none
    change(&options)
    emulator = AuthEmulator(options)
    line = Line(emulator)
  }

  /// The server's port, open for as long as the town is there: requests go the way that clients take.
  private final class Line: Sendable {
    let server: HTTPServer?

    init(_ emulator: AuthEmulator) {
      var options = HTTPServerOptions()
      options.workers = 1
      server = try? HTTPServer([(0, emulator)], options: options)
    }

    deinit { server?.stop() }

    /// Nil for what HTTP cannot carry, which is put to the emulator itself.
    func answer(_ request: HTTPRequest) -> Answer? {
      let isPlain = { (text: String) in !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 } }
      guard let port = server?.ports[0], request.headers.fields.allSatisfy({ isPlain($0.name) }),
        isPlain(request.method), isPlain(request.path), request.path.hasPrefix("/"),
        request.query.isEmpty || isPlain(request.query)
      else { return nil }
      let client = RawClient(port)
      var text = "\(request.method) \(request.path)\(request.query.isEmpty ? "" : "?" + request.query) HTTP/1.1\r\n"
      for field in request.headers.fields { text += "\(field.name): \(field.value)\r\n" }
      text += "Content-Length: \(request.body.count)\r\nConnection: close\r\n\r\n"
      client.send(text + String(decoding: request.body, as: UTF8.self))
      return Answer(raw: client.all())
    }
  }

  func send(
    _ method: String, _ path: String, _ body: String = "", headers: [String: String] = [:]
  ) -> Answer {
    let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var all = ["host": "127.0.0.1:9099", "content-type": "application/json"]
    for (name, value) in headers { all[name] = value }
    let request = HTTPRequest(
      method: method, path: parts[0], query: parts.count == 2 ? parts[1] : "",
      headers: HTTPHeaders(all.map { ($0.key, $0.value) }), body: Array(body.utf8))
    return line.answer(request) ?? Answer(emulator.answer(request))
  }

  /// As a client with an API key.
  func post(_ path: String, _ body: JSONObject) -> Answer {
    send("POST", path, body.serialized(), headers: ["x-goog-api-key": "any"])
  }

  func v1(_ name: String, _ body: JSONObject) -> Answer { post(Self.v1 + name, body) }
  func v2(_ name: String, _ body: JSONObject) -> Answer { post(Self.v2 + name, body) }

  /// As a service account.
  func admin(_ method: String, _ path: String, _ body: JSONObject? = nil) -> Answer {
    send(method, path, body?.serialized() ?? "", headers: ["authorization": "Bearer owner"])
  }

  func admin(_ path: String, _ body: JSONObject) -> Answer { admin("POST", path, body) }

  /// Of the project, as a service account.
  func project(_ name: String, _ body: JSONObject) -> Answer { admin(Self.projects + name, body) }

  // MARK: People

  @discardableResult
  func signUp(_ email: String = "alice@example.com", _ password: String = "secret1", _ more: JSONObject = [:]) throws
    -> Answer
  {
    var body: JSONObject = ["email": .string(email), "password": .string(password)]
    for (name, value) in more.members { body[name] = value }
    let answer = v1("accounts:signUp", body)
    try #require(answer.status == 200, "\(answer.text)")
    return answer
  }

  func anonymous() throws -> Answer {
    let answer = v1("accounts:signUp", [:])
    try #require(answer.status == 200, "\(answer.text)")
    return answer
  }

  /// Somebody with a verified address, and tokens that say so.
  func verified(_ email: String = "alice@example.com") throws -> Answer {
    let uid = try signUp(email).string("localId")
    _ = project("accounts:update", ["localId": .string(uid), "emailVerified": true])
    return v1("accounts:signInWithPassword", ["email": .string(email), "password": "secret1"])
  }

  func disable(_ uid: String) { _ = project("accounts:update", ["localId": .string(uid), "disableUser": true]) }

  func google(_ sub: String, _ claims: JSONObject = [:], _ more: JSONObject = [:]) -> Answer {
    signIn("google.com", sub, claims, more)
  }

  func signIn(_ provider: String, _ sub: String, _ claims: JSONObject = [:], _ more: JSONObject = [:]) -> Answer {
    var all = claims
    all["sub"] = .string(sub)
    var body: JSONObject = [
      "requestUri": "http://localhost",
      "postBody": .string(
        "providerId=\(provider)&id_token=" + Encoded.query(all.serialized())),
      "returnSecureToken": true,
    ]
    for (name, value) in more.members { body[name] = value }
    return v1("accounts:signInWithIdp", body)
  }

  /// Session and code of an SMS.
  func sms(_ number: String = "+15555550100") throws -> (session: JSONValue, code: JSONValue) {
    let session = try v1("accounts:sendVerificationCode", ["phoneNumber": .string(number)]).string("sessionInfo")
    let codes = try #require(
      send("GET", "/emulator/v1/projects/demo/verificationCodes")["verificationCodes"]?.arrayValue)
    let found = try #require(codes.first { $0["sessionInfo"]?.stringValue == session })
    return (.string(session), try #require(found["code"]))
  }

  func phone(_ number: String = "+15555550100", _ more: JSONObject = [:]) throws -> Answer {
    let (session, code) = try sms(number)
    var body: JSONObject = ["sessionInfo": session, "code": code]
    for (name, value) in more.members { body[name] = value }
    return v1("accounts:signInWithPhoneNumber", body)
  }

  /// The code of the last mail of that kind.
  func mail(_ type: String) throws -> String {
    let codes = try #require(send("GET", "/emulator/v1/projects/demo/oobCodes")["oobCodes"]?.arrayValue)
    let found = try #require(codes.last { $0["requestType"]?.stringValue == type })
    return try #require(found["oobCode"]?.stringValue)
  }

  func user(_ uid: String, tenant: String? = nil) throws -> JSONValue {
    let path = tenant.map { Town.v1 + "projects/demo/tenants/\($0)/" } ?? Self.projects
    let answer = admin(path + "accounts:lookup", ["localId": [.string(uid)]])
    return try #require(answer["users"]?[0], "\(answer.text)")
  }

  func tenant(_ body: JSONObject = ["allowPasswordSignup": true]) throws -> String {
    let answer = admin(Self.v2 + "projects/demo/tenants", body)
    return try answer.string("tenantId")
  }

  /// Switches hidden addresses on: answers do not tell whether an address has an account.
  func hideEmails() {
    _ = send(
      "PATCH", "/emulator/v1/projects/demo/config", "{\"emailPrivacyConfig\":{\"enableImprovedEmailPrivacy\":true}}")
  }

  /// Enrols a phone as second factor.
  func enrol(_ idToken: String, _ number: String = "+15555550199") throws -> Answer {
    let started = v2(
      "accounts/mfaEnrollment:start",
      ["idToken": .string(idToken), "phoneEnrollmentInfo": ["phoneNumber": .string(number)]])
    let session = try #require(started["phoneSessionInfo"]?["sessionInfo"], "\(started.text)")
    let codes = send("GET", "/emulator/v1/projects/demo/verificationCodes")["verificationCodes"]?.arrayValue ?? []
    let code = try #require(codes.first { $0["sessionInfo"] == session }?["code"])
    return v2(
      "accounts/mfaEnrollment:finalize",
      ["idToken": .string(idToken), "phoneVerificationInfo": ["sessionInfo": session, "code": code]])
  }
}

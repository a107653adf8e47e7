import CLinux
import Foundation
import JSON
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// `serve` and `exec` as users start them.
@Suite(.serialized) struct Serving {
  /// A running `serve` on free ports.
  private final class Server {
    let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    let ready: JSONValue

    init(_ folder: Folder, _ arguments: [String]) throws {
      process.executableURL = try Run.program
      process.arguments = ["serve", "--firestore-port", "0", "--auth-port", "0", "--format", "json"] + arguments
      process.currentDirectoryURL = folder.url
      process.environment = [:]
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      ready = try JSONValue(parsing: Array(Self.line(output).utf8))
    }

    deinit { if process.isRunning { process.terminate() } }

    private static func line(_ pipe: Pipe) throws -> String {
      var text = ""
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      while !text.hasSuffix("\n") {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&wait, 1, 10_000) > 0, "nothing came: \(text)")
        var byte: UInt8 = 0
        try #require(read(descriptor, &byte, 1) == 1)
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
      return text
    }

    func nextLine() throws -> JSONValue { try JSONValue(parsing: Array(Self.line(output).utf8)) }
    func errorLine() throws -> String { try Self.line(errors) }

    func port(_ name: String) throws -> UInt16 { UInt16(try #require(ready[name]?["port"]?.intValue)) }

    /// Status and body of an answer.
    func send(
      _ method: String, _ path: String, _ body: String = "", as bearer: String? = nil, to name: String = "firestore"
    ) throws -> (status: Int, body: String) {
      let descriptor = clinux_connect("127.0.0.1", try port(name), 10)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let caller = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
      let bytes = Array(
        "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\(caller)\r\n\(body)"
          .utf8)
      _ = bytes.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress, $0.count) }
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = buffer.withUnsafeMutableBytes { clinux_receive(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        text += buffer[..<count]
      }
      let answer = String(decoding: text, as: UTF8.self)
      let status = Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
      let end = answer.range(of: "\r\n\r\n")?.upperBound ?? answer.endIndex
      return (status, String(answer[end...]))
    }

    func stop(_ signal: Int32) -> Int32 {
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private static let base = "/v1/projects/demo-project/databases/(default)/documents"

  private static func rules(_ condition: String) -> String {
    "rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents { match /a/{b} { allow read, write: if \(condition); } } }\n"
  }

  @Test func rulesAreReadAgainAndBadOnesChangeNothing() throws {
    let folder = try Folder(["firestore.rules": Self.rules("false")])
    let server = try Server(folder, ["--rules", "firestore.rules"])
    #expect(server.ready["rules"] == ["firestore.rules"])
    #expect(try server.send("GET", Self.base + "/a/b").status == 403)
    let file = folder.url.appending(path: "firestore.rules")
    try Data(Self.rules("true").utf8).write(to: file)
    #expect(try server.nextLine() == ["event": "rules", "ok": true])
    #expect(try server.send("GET", Self.base + "/a/b").status == 404)
    try Data(Self.rules("").utf8).write(to: file)
    #expect(try server.nextLine()["ok"] == false)
    #expect(try server.errorLine().contains("firestore.rules does not compile. The rules before stay in force."))
    #expect(try server.send("GET", Self.base + "/a/b").status == 404)
    #expect(server.stop(SIGTERM) == 0)
  }

  /// Sign up, use the token with Firestore: the two servers are one product.
  @Test func anAccountsTokenIsWhoTheRulesSee() throws {
    let folder = try Folder(["firestore.rules": Self.rules("request.auth.token.email == 'alice@example.com'")])
    let server = try Server(folder, ["--rules", "firestore.rules"])
    let account = try server.send(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
      "{\"email\": \"alice@example.com\", \"password\": \"secret1\"}", to: "auth")
    let token = try #require(try JSONValue(parsing: Array(account.body.utf8))["idToken"]?.stringValue)
    #expect(try server.send("PATCH", Self.base + "/a/b", "{}").status == 403)
    #expect(try server.send("PATCH", Self.base + "/a/b", "{}", as: token).status == 200)
    #expect(server.stop(SIGINT) == 0)
  }

  @Test func dataLastsThroughAKill() throws {
    let folder = try Folder([:])
    let server = try Server(folder, ["--open", "--data", "state.sqlite"])
    #expect(try server.send("PATCH", Self.base + "/a/b", "{\"fields\": {\"n\": {\"integerValue\": 7}}}").status == 200)
    #expect(
      try server.send(
        "POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
        "{\"email\": \"a@b.c\", \"password\": \"secret1\"}", to: "auth"
      ).status == 200)
    #expect(try server.send("PATCH", "/v1/projects/other/databases/(default)/documents/a/b", "{}").status == 200)
    #expect(try server.send("GET", "/v1/projects/..%2f..%2fx/databases/(default)/documents/a/b").status == 404)
    #expect(try server.send("PATCH", "/v1/projects/a.b/databases/(default)/documents/a/b", "{}").status == 400)
    _ = server.stop(SIGKILL)
    let again = try Server(folder, ["--open", "--data", "state.sqlite"])
    #expect(try again.send("GET", Self.base + "/a/b").body.contains("\"integerValue\": \"7\""))
    #expect(try again.send("GET", "/v1/projects/other/databases/(default)/documents/a/b").status == 200)
    let twice = try again.send(
      "POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
      "{\"email\": \"a@b.c\", \"password\": \"secret1\"}", to: "auth")
    #expect(twice.body.contains("EMAIL_EXISTS"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix(".sqlite") }
    #expect(files.sorted() == ["state.accounts.sqlite", "state.other.sqlite", "state.sqlite"])
  }

  @Test func exportsAreWrittenAndBegunWith() throws {
    let folder = try Folder(["exports/.keep": "", "empty/.keep": ""])
    let server = try Server(folder, ["--open", "--exports", "exports"])
    for (name, id) in [("one", "a"), ("two", "b")] {
      #expect(try server.send("DELETE", "/emulator" + Self.base).status == 200)
      #expect(try server.send("PATCH", Self.base + "/a/" + id, "{}").status == 200)
      let body = "{\"export_name\": \"\(name)\"}"
      #expect(try server.send("POST", "/emulator/v1/projects/demo-project:export", body).status == 200)
    }
    #expect(server.stop(SIGTERM) == 0)
    let one = try Server(folder, ["--open", "--import", "exports/one.json"])
    #expect(try ["a", "b"].map { try one.send("GET", Self.base + "/a/" + $0).status } == [200, 404])
    let both = try Server(folder, ["--open", "--import", "exports"])
    #expect(try ["a", "b"].map { try both.send("GET", Self.base + "/a/" + $0).status } == [200, 200])
    let none = try Run(["serve", "--open", "--import", "empty"], in: folder.url)
    #expect(none.exitCode == 2 && none.errors.contains("no export"))
  }

  @Test func databasesOfFirebaseJSONHaveTheirRules() throws {
    let folder = try Folder([
      "firebase.json": """
      {"firestore": [{"database": "(default)", "rules": "a.rules"}, {"database": "open", "rules": "b.rules"}]}
      """,
      "a.rules": Self.rules("false"), "b.rules": Self.rules("true"),
    ])
    let server = try Server(folder, [])
    func status(_ database: String) throws -> Int {
      try server.send("GET", "/v1/projects/demo-project/databases/\(database)/documents/a/b").status
    }
    #expect(try status("(default)") == 403)
    #expect(try status("open") == 404)
    #expect(try status("unknown") == 403)
  }

  @Test func execGivesTheCommandItsServersAndAnswersItsCode() throws {
    let folder = try Folder(["firestore.rules": Self.rules("true")])
    let script = "echo $GCLOUD_PROJECT $FIRESTORE_EMULATOR_HOST $FIREBASE_AUTH_EMULATOR_HOST; exit 7"
    let run = try Run(
      ["exec", "--rules", "firestore.rules", "--project", "p", "--", "sh", "-c", script], in: folder.url,
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(run.exitCode == 7)
    #expect(run.output.wholeMatch(of: /p 127\.0\.0\.1:\d+ 127\.0\.0\.1:\d+\n/) != nil)
    let killed = try Run(
      ["exec", "--open", "--", "sh", "-c", "kill -TERM $$"], in: folder.url, environment: ["PATH": "/usr/bin:/bin"])
    #expect(killed.exitCode == 128 + SIGTERM)
  }

  static let mistakes: [([String], String)] = [
    (["serve", "--rules", "none.rules"], "none.rules"),
    (["serve", "--rules", "bad.rules"], "bad.rules does not compile."),
    (["serve", "--rules", "bad.rules", "--open"], "do not go together"),
    (["serve", "bad.rules"], "serve takes a firebase.json"),
    (["serve", "--firestore-port", "70000"], "a number from 0 to 65535"),
    (["serve", "--host", "nowhere"], "an address is written in digits"),
    (["serve", "--exports", "nowhere"], "no folder"), (["serve", "--data", "bad.rules"], "is not a database"),
    (["serve", "--import", "bad.rules"], "no JSON"), (["exec"], "needs a command behind '--'"),
    (["exec", "--open", "--", "./not-there"], "Cannot run ./not-there"),
  ]

  @Test(arguments: mistakes) func mistakesAreToldAtOnce(arguments: [String], part: String) throws {
    let folder = try Folder(["bad.rules": Self.rules("")])
    let run = try Run(arguments, in: folder.url)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains(part), "\(run.errors)")
  }
}

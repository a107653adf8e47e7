import Identity
import JSON
import LocalFirestore
import RulesEngine
import RulesValues
import Synchronization
import Testing

@testable import EmulatorServer

/// A Firestore server whose answers are those of the official emulator 1.19.9, unless a test says otherwise.
struct Place {
  static let base = "/v1/projects/demo/databases/(default)/documents"
  static let control = "/emulator/v1/projects/demo"
  let emulator: FirestoreEmulator

  init(_ rules: String? = nil, _ change: (inout FirestoreOptions) -> Void = { _ in }) throws {
    var options = FirestoreOptions()
    options.project = "demo"
    options.dialect = .emulator1_19
    if let rules { options.rules.others = try Ruleset(Self.file(rules)) }
    change(&options)
    emulator = FirestoreEmulator(options)
  }

  static func file(_ rules: String) -> String {
    "rules_version = '2';\nservice cloud.firestore { match /databases/{d}/documents {\n\(rules)\n}}"
  }

  func send(
    _ method: String, _ address: String, _ body: String = "", as bearer: String? = nil, headers: [String: String] = [:]
  ) -> Answer {
    let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
    var all = headers.map { (name: $0.key, value: $0.value) }
    if let bearer { all.append(("Authorization", "Bearer " + bearer)) }
    return Answer(
      emulator.answer(
        HTTPRequest(
          method: method, path: parts[0], query: parts.count == 2 ? parts[1] : "", headers: HTTPHeaders(all),
          body: Array(body.utf8))))
  }

  func documents(_ method: String, _ path: String, _ body: String = "", as bearer: String? = nil) -> Answer {
    send(method, Self.base + path, body, as: bearer)
  }

  static func user(_ uid: String) -> String { UnsignedToken.encode(["sub": .string(uid), "user_id": .string(uid)]) }
}

@Suite("Firestore REST: documents") struct FirestoreDocuments {
  static let open = "match /{x=**} { allow read, write: if true; }"

  @Test func withoutRulesEverythingIsRefusedExceptToServers() throws {
    let place = try Place()
    #expect(place.documents("GET", "/a/b").status == 403)
    #expect(place.documents("GET", "/a/b", as: Place.user("u")).status == 403)
    #expect(place.documents("GET", "/a/b", as: "owner").status == 404)
  }

  @Test func callersAreWhoTheirTokensSay() throws {
    let place = try Place("match /o/{x} { allow read, write: if request.auth.uid == 'a'; }")
    #expect(place.documents("PATCH", "/o/x", "{}", as: Place.user("a")).status == 200)
    #expect(place.documents("GET", "/o/x", as: Place.user("b")).status == 403)
    #expect(place.documents("GET", "/o/x").status == 403)
    #expect(place.documents("GET", "/o/x", as: "OWNER").status == 200)
    #expect(place.documents("GET", "/o/x", as: "foo").error == "invalid jwt")
    #expect(place.send("GET", Place.base + "/o/x", headers: ["Authorization": "Basic foo"]).status == 401)
  }

  /// The emulator lets other databases than (default) fall open; here the rules are those of all.
  @Test func otherDatabasesAreNotOpen() throws {
    let place = try Place("match /o/{x} { allow read: if request.auth.uid == 'a'; }")
    let other = "/v1/projects/demo/databases/other/documents/o/x"
    #expect(place.send("GET", other).status == 403)
    #expect(place.send("GET", other, as: Place.user("a")).status == 404)
  }

  @Test func databasesMayHaveRulesOfTheirOwn() throws {
    let open = try Ruleset(Place.file(Self.open))
    let place = try Place { $0.rules = DatabaseRules(named: [(database: "mine", ruleset: open)]) }
    #expect(place.send("GET", "/v1/projects/demo/databases/mine/documents/o/x").status == 404)
    #expect(place.documents("GET", "/o/x").status == 403)
    #expect(place.send("GET", "/v1/projects/other/databases/mine/documents/o/x").status == 404)
  }

  @Test func listsComePageByPage() throws {
    let place = try Place(Self.open)
    for i in 0..<160 {
      _ = place.documents("PATCH", "/n/d\(1000 + i)", "{\"fields\": {\"k\": {\"integerValue\": \(i % 7)}}}")
    }
    func page(_ query: String) -> (ids: [String], token: String?) {
      let answer = place.documents("GET", "/n?" + query)
      let ids = answer.json["documents"]?.arrayValue?.compactMap {
        $0["name"]?.stringValue?.split(separator: "/").last.map(String.init)
      }
      return (ids ?? [], answer.json["nextPageToken"]?.stringValue)
    }
    // 30 unless asked otherwise, 150 at most: as the emulator has it.
    #expect(page("").ids.count == 30)
    #expect(page("pageSize=1000").ids.count == 150)
    for order in ["", "orderBy=k&", "orderBy=k%20desc&", "orderBy=__name__&"] {
      var all: [String] = []
      var token: String? = nil
      repeat {
        let next = page(order + "pageSize=33" + (token.map { "&pageToken=" + FormEncoding.encode($0) } ?? ""))
        all += next.ids
        token = next.token
      } while token != nil
      #expect(all.count == 160 && Set(all).count == 160, "\(order)")
      #expect(all == page0(place, order), "\(order)")
    }
    let token = try #require(page("pageSize=2").token)
    #expect(place.documents("GET", "/m?pageToken=" + FormEncoding.encode(token)).error == "invalid page token")
    #expect(place.documents("GET", "/n?pageToken=foo").error == "invalid page token")
  }

  /// The same by a query.
  private func page0(_ place: Place, _ order: String) -> [String] {
    let name = order.isEmpty || order.contains("__name__") ? nil : "k"
    let direction = order.contains("desc") ? "DESCENDING" : "ASCENDING"
    let orders =
      name.map { ", \"orderBy\": [{\"field\": {\"fieldPath\": \"\($0)\"}, \"direction\": \"\(direction)\"}]" } ?? ""
    let answer = place.documents(
      "POST", ":runQuery", "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"n\"}]\(orders)}}", as: "owner")
    return (answer.json.arrayValue ?? []).compactMap {
      $0["document"]?["name"]?.stringValue?.split(separator: "/").last.map(String.init)
    }
  }

  @Test func rulesSeeThePageAsTheLimit() throws {
    let place = try Place("match /n/{x} { allow list: if request.query.limit == 5; }")
    #expect(place.documents("GET", "/n?pageSize=5").status == 200)
    #expect(place.documents("GET", "/n?pageSize=6").status == 403)
    #expect(place.documents("GET", "/n").status == 403)
  }

  @Test func numbersStandForNames() throws {
    let place = try Place(Self.open)
    _ = place.documents("PATCH", "/n/a", "{\"fields\": {\"k\": {\"integerValue\": 1}}}")
    _ = place.documents("PATCH", "/n/b", "{\"fields\": {\"k\": {\"integerValue\": 2}}}")
    func found(_ filter: String, _ rest: String = "") -> Int {
      let body = "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"n\"}], \"where\": \(filter)\(rest)}}"
      return (place.documents("POST", ":runQuery", body).json.arrayValue ?? []).count { $0["document"] != nil }
    }
    func compare(_ op: String, _ value: Int) -> String {
      "{\"fieldFilter\": {\"field\": {\"fieldPath\": \"k\"}, \"op\": \(op), \"value\": {\"integerValue\": \(value)}}}"
    }
    #expect(found(compare("5", 1)) == 1)
    #expect(found(compare("3", 0)) == 2)
    #expect(found(compare("11", 0)) == 0)
    #expect(
      found("{\"compositeFilter\": {\"op\": 2, \"filters\": [\(compare("5", 1)), \(compare("\"EQUAL\"", 2))]}}") == 2)
    #expect(found("{\"unaryFilter\": {\"field\": {\"fieldPath\": \"k\"}, \"op\": 5}}") == 2)
  }

  @Test func transactionsBeginWithAReadAndFailWhenItIsOutdated() throws {
    let place = try Place(Self.open)
    let document = "projects/demo/databases/(default)/documents/n/a"
    let answer = place.documents(
      "POST", ":batchGet", "{\"documents\": [\"\(document)\"], \"newTransaction\": {\"readWrite\": {}}}")
    let token = try #require(answer.json.arrayValue?.first?["transaction"]?.stringValue)
    #expect(answer.json.arrayValue?.last?["missing"]?.stringValue == document)
    _ = place.documents("PATCH", "/n/a", "{}")
    let write = "{\"transaction\": \"\(token)\", \"writes\": [{\"delete\": \"\(document)\"}]}"
    #expect(place.documents("POST", ":commit", write)["error"]?["status"]?.stringValue == "ABORTED")
    #expect(place.documents("POST", ":commit", write).error == "Invalid transaction.")
  }

  @Test func whatOnlyServersMay() throws {
    let place = try Place(Self.open)
    let writes = """
      {"writes": [{"update": {"name": "projects/demo/databases/(default)/documents/n/a", "fields": {}}},
        {"update": {"name": "projects/demo/databases/(default)/documents/n/b"}, "currentDocument": {"exists": true}}]}
      """
    #expect(place.documents("POST", ":batchWrite", writes).error == "Batch writes require admin authentication.")
    let answer = place.documents("POST", ":batchWrite", writes, as: "owner")
    #expect(answer.json["status"]?.arrayValue?.map { $0["code"]?.intValue ?? 0 } == [0, 5])
    #expect(place.documents("GET", "/n/a").status == 200)
    #expect(place.documents("POST", ":listCollectionIds", "{}").status == 403)
    #expect(place.documents("POST", ":listCollectionIds", "{}", as: "owner").json == ["collectionIds": ["n"]])
    let partition =
      "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"n\", \"allDescendants\": true}]}, \"partitionCount\": 3}"
    // The emulator has none; production answers no cursor where one partition is enough.
    #expect(place.documents("POST", ":partitionQuery", partition, as: "owner").json == [:])
    _ = place.documents("PATCH", "/n/gone/below/x", "{}")
    let missing = place.documents("GET", "/n?showMissing=true", as: "owner").json["documents"]?.arrayValue ?? []
    #expect(missing.map { $0["createTime"] == nil } == [false, true])
  }

  @Test func anIdIsChosenWhereNoneIsGiven() throws {
    let place = try Place(Self.open)
    let name = try place.documents("POST", "/n", "{\"fields\": {\"a\": {\"nullValue\": null}}}").string("name")
    #expect(name.split(separator: "/").last?.count == 20)
    #expect(place.documents("GET", "/n").json["documents"]?.arrayValue?.first?["name"]?.stringValue == name)
  }
}

@Suite("Firestore REST: emulator only") struct FirestoreControl {
  private func rules(_ text: String, _ more: String = "") -> String {
    let file: JSONValue = ["name": "security.rules", "content": .string(text)]
    return "{\"rules\": {\"files\": [\(file.serialized())]}\(more)}"
  }

  @Test func rulesArePutAndBadOnesLeaveThoseBefore() throws {
    let place = try Place()
    let good = Place.file("match /a/{b} { allow read: if true; }")
    let bad = "service cloud.firestore { match /a/{b} { allow read: if ; } }"
    #expect(place.send("PUT", Place.control + ":securityRules", rules(good)).json == [:])
    #expect(place.documents("GET", "/a/b").status == 404)
    let refused = place.send("PUT", Place.control + ":securityRules", rules(bad))
    #expect(refused.status == 400)
    #expect(refused.error == "Error compiling rules:\nL1:57 Missing conditional expression after 'if'.")
    let ignored = place.send("PUT", Place.control + ":securityRules", rules(bad, ", \"ignore_errors\": true"))
    #expect(ignored.status == 200)
    #expect(
      ignored.json["issues"]?.arrayValue?.first == [
        "sourcePosition": [
          "fileName": "security.rules", "line": 1, "column": 57, "currentOffset": 56, "endOffset": 56,
        ],
        "description": "Missing conditional expression after 'if'.", "severity": "ERROR",
      ])
    #expect(place.documents("GET", "/a/b").status == 404)
    #expect(
      place.send("GET", Place.control + ":securityRules").json["rules"]?["files"]?.arrayValue?.first?["content"]
        == .string(good))
  }

  @Test func whatWasPutIsNotReplacedByTheFile() throws {
    let place = try Place("match /a/{b} { allow read: if false; }")
    let put = Place.file("match /a/{b} { allow read: if true; }")
    _ = place.send("PUT", Place.control + ":securityRules", rules(put))
    place.emulator.setRules(DatabaseRules())
    #expect(place.documents("GET", "/a/b").status == 404)
    #expect(place.send("GET", "/v1/projects/p2/databases/(default)/documents/a/b").status == 403)
  }

  @Test func coverageIsWhatTheEmulatorShows() throws {
    let place = try Place("match /a/{b} { allow get: if b == 'x'; }")
    _ = place.documents("GET", "/a/x")
    _ = place.documents("GET", "/a/y")
    let report = place.send("GET", Place.control + ":ruleCoverage").json["report"]?.arrayValue ?? []
    let values = report.first?["values"]?.arrayValue?.compactMap { $0["value"]?["boolValue"]?.boolValue }
    #expect(values == [true, false])
    let page = place.send("GET", Place.control + ":ruleCoverage.html")
    #expect(page.text.contains("true 1, false 1, error 0"))
  }

  @Test func coverageSaysOfHowManyRequestsItIs() throws {
    let ruleset = try Ruleset(Place.file("match /a/{b} { allow get: if b == 'x'; }"))
    let recorder = CoverageRecorder(ruleset, keepsValues: true, maximumRequests: 3)
    let firestore = LocalFirestore()
    firestore.setRules([], others: ruleset, recorder: recorder)
    for id in ["x", "y", "x", "y", "x"] { _ = try? firestore.client(as: nil).get("/a/" + id) }
    #expect(recorder.counted == (all: 5, recorded: 3))
    let json = CoveragePage.json(FirestoreProject.RulesState(recorders: [recorder]))
    #expect(json["requests"] == ["all": 5, "recorded": 3])
    let counts = json["report"]?.arrayValue?.first?["values"]?.arrayValue?.compactMap { $0["count"]?.intValue }
    #expect(counts == [2, 1])
  }

  @Test func documentsAreCleared() throws {
    let place = try Place(FirestoreDocuments.open)
    for path in ["/a/x", "/a/x/b/y", "/c/z"] { _ = place.documents("PATCH", path, "{}") }
    #expect(place.send("DELETE", "/emulator" + Place.base + "/a/x").status == 200)
    #expect(["/a/x", "/a/x/b/y", "/c/z"].map { place.documents("GET", $0).status } == [404, 404, 200])
    #expect(place.send("DELETE", "/emulator" + Place.base).status == 200)
    #expect(place.documents("GET", "/c/z").status == 404)
  }

  @Test func whatIsExportedIsImported() throws {
    let place = try Place(FirestoreDocuments.open)
    _ = place.documents("PATCH", "/a/x", "{\"fields\": {\"n\": {\"integerValue\": \"7\"}}}")
    let export = place.send("POST", Place.control + ":export", "{}")
    let other = try Place(FirestoreDocuments.open)
    #expect(other.send("POST", Place.control + ":import", export.text).status == 200)
    #expect(other.documents("GET", "/a/x").json["fields"]?["n"]?["integerValue"] == "7")
    #expect(place.send("POST", Place.control + ":export", "{\"export_name\": \"e\"}").status == 400)
  }

  private final class Memory: ExportFolder {
    let files = Mutex<[String: [UInt8]]>([:])
    func write(_ text: String, name: String) { files.withLock { $0[name] = Array(text.utf8) } }
    func read(_ name: String) -> [UInt8] { files.withLock { $0[name] ?? [] } }
  }

  @Test func exportsStayInTheirFolder() throws {
    let folder = Memory()
    let place = try Place(FirestoreDocuments.open) { $0.exports = folder }
    _ = place.documents("PATCH", "/a/x", "{}")
    for name in ["../e", "/tmp/e", ".e", "", "a/b", "e\\u0000"] {
      #expect(place.send("POST", Place.control + ":export", "{\"export_name\": \"\(name)\"}").status == 400, "\(name)")
    }
    let body = "{\"export_name\": \"e1\"}"
    #expect(place.send("POST", Place.control + ":export", body).status == 200)
    #expect(folder.files.withLock { Array($0.keys) } == ["e1.json"])
    let foreign = place.send("POST", Place.control + ":export", body, headers: ["Origin": "https://evil.example"])
    #expect(foreign.status == 403)
    #expect(
      place.send("POST", Place.control + ":import", body, headers: ["Origin": "http://localhost:3000"]).status == 200)
  }

  @Test func theMonitorShowsWhoAskedAndWhy() throws {
    let place = try Place("match /a/{b} { allow get: if request.auth.uid == b; }")
    _ = place.documents("GET", "/a/x", as: Place.user("x"))
    _ = place.documents("GET", "/a/y", as: Place.user("x"))
    _ = place.documents("GET", "/a/z", as: "owner")
    let requests = place.send("GET", Place.control + ":requests").json["requests"]?.arrayValue ?? []
    // A server's request is judged by no rules.
    #expect(requests.map { $0["allowed"] } == [true, false])
    #expect(requests.last?["request"]?["auth"]?["uid"] == "x")
    // Refusals with all values, as `explain` has them.
    let allow = requests.last?["matches"]?.arrayValue?.first?["allows"]?.arrayValue?.first
    #expect(allow?["condition"]?["source"] == "request.auth.uid == b")
    #expect(allow?["condition"]?["value"] == ["boolValue": false])
  }

  @Test func whoWatchesIsToldAtOnce() throws {
    let place = try Place("match /a/{b} { allow get: if b == 'x'; }")
    let response = place.emulator.answer(
      HTTPRequest(
        method: "GET", path: Place.control + ":requests", headers: HTTPHeaders([("Accept", "text/event-stream")])))
    guard case .stream(let start) = response.body else {
      Issue.record("no stream")
      return
    }
    let stream = HTTPStream {}
    start(stream)
    _ = stream.take()
    _ = place.documents("GET", "/a/x")
    let text = String(decoding: stream.take().bytes, as: UTF8.self)
    #expect(text.hasPrefix("id: 1\ndata: {"))
    // While somebody watches, what is allowed is explained too.
    #expect(text.contains("\"matches\""))
    stream.close()
    #expect(!place.emulator.options.rules.all.isEmpty)
  }

  @Test func theRulesTestAPIAnswersOffline() throws {
    let place = try Place("match /a/{b} { allow get: if true; }")
    let suite = """
      {"testSuite": {"testCases": [{"expectation": "ALLOW", "request": {"method": "get",
        "path": "/databases/(default)/documents/a/b"}}]}}
      """
    let answer = place.send("POST", "/v1/projects/demo:test", suite)
    #expect(answer.json["testResults"]?.arrayValue?.first?["state"] == "SUCCESS")
    #expect(place.send("POST", "/v1/projects/demo:test", "{}").status == 400)
  }

  @Test func whatIsNowhereIsNotFound() throws {
    let place = try Place()
    #expect(place.send("GET", "/").text == "Ok\n")
    for path in ["/nope", "/v1/projects/p", "/emulator/v1/projects/p:nope", Place.base, Place.base + ":nope"] {
      #expect(place.send("POST", path).text == "Not Found\n", "\(path)")
    }
  }
}

import Foundation
import JSON
import LocalFirestore
import RulesEngine
import RulesValues
import Testing

/// The coverage of recorded requests is the one that the official emulator tells.
@Suite struct RuleCoverage {
  private static let recording = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Corpus/rule-coverage.json")

  @Test func theReportIsTheEmulators() throws {
    let recording = try JSONValue(parsing: Array(Data(contentsOf: Self.recording)))
    let ruleset = try Ruleset(try #require(recording["rules"]?.stringValue))
    let recorder = CoverageRecorder(ruleset, keepsValues: true)
    let firestore = LocalFirestore(project: "demo")
    firestore.setRules(ruleset, recorder: recorder)
    for request in recording["requests"]?.arrayValue ?? [] {
      let auth = request["uid"]?.stringValue.map { uid in
        Auth(
          uid: uid,
          token: ["sub": .string(uid), "iss": "https://securetoken.google.com/demo", "firebase": .map([:])])
      }
      let client = firestore.client(as: auth)
      func path(_ key: String) -> String? { request[key]?.stringValue.map { "/" + $0 } }
      do throws(FirestoreError) {
        if let path = path("get") { _ = try client.get(path) }
        if let path = path("create") { try client.create(path, [Text(request["data"]?.stringValue ?? ""): 1]) }
        if let list = request["list"] {
          _ = try client.query(StructuredQuery(rest: list, parent: ResourcePath(segments: [])))
        }
        if let path = path("delete") { try client.delete(path) }
      } catch {
        // Refused, or missing: as there.
      }
    }
    let ours = ExpressionReports(ruleset.checked).json(recorder.coverage)
    let theirs = recording["report"]?.arrayValue ?? []
    #expect(ours.count == theirs.count)
    for (a, b) in zip(ours, theirs) { compare(a, b) }
    // The halves, by hand from the requests: three times signed in, once not.
    let goals = ruleset.coverageGoals
    let signedIn = goals.filter { $0.range.start.line == 11 && $0.range.start.column == 22 }
    #expect(signedIn.allSatisfy { $0.isMet(by: recorder.coverage) })
  }

  @Test func errorsHaveTheirPlaces() throws {
    let recording = try JSONValue(parsing: Array(Data(contentsOf: Self.recording)))
    let places = recording["places"]?.arrayValue ?? []
    #expect(places.count >= 14)
    for place in places {
      let expression = try #require(place["expression"]?.stringValue)
      let ruleset = try Ruleset(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /t/{id} { allow get: if \(expression); } } }"
      )
      let recorder = CoverageRecorder(ruleset, keepsValues: true)
      let firestore = LocalFirestore(project: "demo")
      firestore.setRules(ruleset, recorder: recorder)
      #expect(throws: FirestoreError.self) { try firestore.client(as: "a").get("/t/a") }
      let root = try #require(ExpressionReports(ruleset.checked).json(recorder.coverage).first)
      let start = try #require(root["sourcePosition"]?["currentOffset"]?.intValue)
      let cause = root["values"]?[0]?["value"]?["undefined"]?["sourcePosition"]
      let (from, to) = (cause?["currentOffset"]?.intValue, cause?["endOffset"]?.intValue)
      #expect(from.map { $0 - start } == place["offset"]?.intValue, "\(expression)")
      #expect(to.map { $0 - (from ?? 0) + 1 } == place["length"]?.intValue, "\(expression)")
    }
  }

  private func compare(_ ours: JSONValue, _ theirs: JSONValue) {
    #expect(ours["sourcePosition"] == theirs["sourcePosition"])
    let (a, b) = (ours["values"]?.arrayValue ?? [], theirs["values"]?.arrayValue ?? [])
    // Times differ from request to request there, where the clock stands still here.
    let isStripped = b.contains { $0["value"] == "…" }
    func total(_ values: [JSONValue]) -> Int64 { values.reduce(0) { $0 + ($1["count"]?.intValue ?? 0) } }
    #expect(total(a) == total(b), "\(ours["sourcePosition"]?.serialized() ?? "")")
    if !isStripped { #expect(a == b, "\(JSONValue.array(a).serialized())\n\(JSONValue.array(b).serialized())") }
    let (below, there) = (ours["children"]?.arrayValue ?? [], theirs["children"]?.arrayValue ?? [])
    #expect(below.count == there.count)
    for (a, b) in zip(below, there) { compare(a, b) }
  }
}

import Identity
import JSON
import Testing

@testable import EmulatorServer

@Suite("Firestore REST: bad input") struct FirestoreAnyRequest {
  private static let pieces = [
    "/", "/v1", "/v1/projects/demo/databases/(default)/documents", "/emulator/v1/projects/demo", "/users", "/alice", ":",
    ":commit", ":runQuery", ":batchGet", ":listCollectionIds", ":securityRules", ":ruleCoverage.html", ":requests", ":test",
    ":export", ":import", "%2F", "%", "%00", "é", "..", "//", "/databases/x/documents", "?", "#",
  ]
  private static let queries = [
    "pageSize=-1", "pageSize=99999999999", "pageToken=", "pageToken=e30=", "orderBy=,,", "mask.fieldPaths=`", "showMissing=1",
    "currentDocument.exists=x", "currentDocument.updateTime=x", "documentId=%2F", "transaction=x", "&&=", "%zz=%",
  ]
  private static let bodies = [
    "", "{", "[]", "null", "1e999", "{\"writes\": [{}]}", "{\"writes\": [{\"update\": {\"name\": 1}}]}",
    "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"a\"}], \"where\": {\"compositeFilter\": {}}}}",
    "{\"structuredAggregationQuery\": {}}", "{\"documents\": [\"projects/x\"]}", "{\"fields\": {\"a\": {\"mapValue\": 1}}}",
    "{\"rules\": {\"files\": [{}]}}", "{\"rules\": {\"files\": [{\"content\": \"match\"}]}}", "{\"transaction\": \"x\"}",
    "{\"options\": {\"readOnly\": 1}}", "{\"newTransaction\": 5}", "{\"testSuite\": []}", "{\"export_name\": \"../x\"}",
    String(repeating: "[", count: 100_000), "\u{0}\u{1}", "{\"a\": \"\\ud800\"}",
  ]

  @Test("any path, any header, any bytes: an answer that says what is wrong", arguments: [1, 2, 3, 4] as [UInt64])
  func anything(seed: UInt64) throws {
    let place = try Place("match /{x=**} { allow read, write: if true; }")
    var random = Dice(seed: seed)
    for _ in 0..<1500 {
      let path = "/" + (0..<random.number(5)).map { _ in random.one(of: Self.pieces) }.joined().drop { $0 == "/" }
      let query = (0..<random.number(3)).map { _ in random.one(of: Self.queries) }.joined(separator: "&")
      let answer = place.send(
        random.one(of: ["GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "", "é"]), path + (query.isEmpty ? "" : "?" + query),
        random.one(of: Self.bodies), as: random.one(of: ["owner", "x", "a.b.c", "e30.e30.", ""]),
        headers: ["Accept": random.one(of: ["", "text/html"])])
      #expect([200, 400, 401, 403, 404, 409].contains(answer.status), "\(path) \(answer.status) \(answer.text)")
      if answer.status >= 400, answer.text != "Not Found\n" {
        #expect(answer.error?.isEmpty == false, "\(path): \(answer.text)")
      }
    }
  }
}

import JSON
import LocalFirestore
import RulesEngine
import RulesValues

/// `/v1/projects/P/databases/D/documents…`: the REST interface of Cloud Firestore.
struct DocumentsAPI {
  private let emulator: FirestoreEmulator
  private let project: String
  private let database: String
  /// `projects/P/databases/D/documents…`, without the method behind a colon.
  private let name: String
  private let method: FirestoreREST.Method?
  /// Whether the address goes on behind `documents`.
  private let isBelow: Bool

  /// Methods of a database, and those that may also be of a document.
  private static let ofDatabase: Set<FirestoreREST.Method> = [
    .commit, .batchGet, .batchWrite, .beginTransaction, .rollback, .runQuery, .runAggregationQuery, .listCollectionIds,
    .partitionQuery,
  ]
  private static let ofDocuments: Set<FirestoreREST.Method> = [
    .runQuery, .runAggregationQuery, .listCollectionIds, .partitionQuery,
  ]

  /// Nil for another address.
  /// - Parameter path: decoded as a whole, as the official emulator does: `%2F` is a slash.
  init?(_ path: String, _ emulator: FirestoreEmulator) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 7, parts[0].isEmpty, parts[1] == "v1" || parts[1] == "v1beta1", parts[2] == "projects",
      parts[4] == "databases"
    else { return nil }
    let words = parts[6].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard words[0] == "documents" else { return nil }
    self.emulator = emulator
    project = String(parts[3])
    database = String(parts[5])
    isBelow = parts.count > 7
    let start = path.utf8.index(path.startIndex, offsetBy: parts[1].utf8.count + 2)
    var name = String(path[start...])
    var method: FirestoreREST.Method?
    if isBelow {
      guard words.count == 1 else { return nil }
      // Only below a document; in other places a colon is a part of an id.
      if let colon = name.lastIndex(of: ":"), let last = name.lastIndex(of: "/"), last < colon,
        let found = FirestoreREST.Method(rawValue: String(name[name.index(after: colon)...])),
        Self.ofDocuments.contains(found)
      {
        method = found
        name = String(name[..<colon])
      }
    } else if words.count == 2 {
      guard let found = FirestoreREST.Method(rawValue: String(words[1])), Self.ofDatabase.contains(found) else {
        return nil
      }
      method = found
      name = "projects/\(project)/databases/\(database)/documents"
    }
    self.name = name
    self.method = method
  }

  func answer(_ request: HTTPRequest) throws(FirestoreError) -> HTTPResponse {
    if request.isForm { return .notFound }
    let project = try emulator.project(project)
    let client = try FirestoreCaller(request.headers["authorization"]).client(project.firestore, Text(database))
    if let method, request.method == "POST" {
      let parent = try ResourcePath(parentName: name)
      let answer = project.rest.answer(method, parent: parent, body: try request.json, as: client)
      return HTTPResponse(status: answer.status, json: answer.body, pretty: answer.status == 200)
    }
    let document: FirestoreREST.DocumentRequest
    switch request.method {
    case "GET": document = .get
    case "POST": document = .create
    case "PATCH": document = .patch
    case "DELETE": document = .delete
    default: return .notFound
    }
    guard isBelow else { return .notFound }
    // A colon in other requests is a part of the id.
    let name = method.map { "\(self.name):\($0.rawValue)" } ?? self.name
    let body = request.method == "GET" || request.method == "DELETE" ? [:] : try request.json
    let answer = project.rest.answer(document, name: name, request.parameters, body: body, as: client)
    return HTTPResponse(status: answer.status, json: answer.body, pretty: answer.status == 200)
  }
}

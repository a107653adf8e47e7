import JSON
import LocalFirestore
import RulesEngine
import RulesValues

/// A Firestore that is asked one request after another, for parity on state. A line is one of
///
/// - `{"open": PROJECT, "rules": TEXT, "sqlite": PATH}`: an empty store; rules and path may be left out;
/// - `{"rules": TEXT}`: other rules;
/// - `{"check": true}`: is the file in order?
/// - `{"method": "commit", "parent": "users/alice", "body": {…}, "auth": null | "owner" | CLAIMS}`: a request in the
///   form of Firestore's REST interface.
struct Session {
  private var service: FirestoreREST?
  private var file: SQLiteStorage?

  /// The answer to a line, or nothing if it is none of a session.
  mutating func answer(_ json: JSONValue) throws -> JSONValue? {
    if let project = json["open"]?.stringValue {
      file = try json["sqlite"]?.stringValue.map { try SQLiteStorage(path: $0) }
      let storage: any DocumentStorage = if let file { file } else { MemoryStorage() }
      service = FirestoreREST(LocalFirestore(project: project, storage: storage, dialect: .emulator1_19))
      if let rules = json["rules"]?.stringValue { service?.firestore.setRules(try Ruleset(rules)) }
      return [:]
    }
    guard let service else { return nil }
    if json["check"] != nil {
      try file?.checkIntegrity()
      return [:]
    }
    guard let name = json["method"]?.stringValue, let method = FirestoreREST.Method(rawValue: name) else {
      guard let rules = json["rules"]?.stringValue, json["requests"] == nil else { return nil }
      service.firestore.setRules(try Ruleset(rules))
      return [:]
    }
    let segments = (json["parent"]?.stringValue ?? "").split(separator: "/").map { Text(String($0)) }
    let answer = service.answer(
      method, parent: ResourcePath(segments: segments), body: json["body"] ?? [:], as: try client(json["auth"], service))
    return ["status": .int(Int64(answer.status)), "body": answer.body]
  }

  private func client(_ auth: JSONValue?, _ service: FirestoreREST) throws -> Client {
    guard let auth, !auth.isNull else { return service.firestore.client(as: nil) }
    if auth.stringValue == "owner" { return service.firestore.admin() }
    return service.firestore.client(
      as: Auth(uid: auth["user_id"]?.stringValue ?? "", token: try DataValue.fields(plain: auth)))
  }
}

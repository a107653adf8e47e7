import Identity
import JSON
import LocalFirestore
import RulesEngine
import RulesValues

/// One question to a rule set, as one JSON object puts it: `rules-test eval`.
///
///     {"rules": "…", "auth": {"uid": "alice", "token": {"admin": true}}, "time": "2026-01-01T00:00:00Z",
///      "documents": [{"name": "users/alice", "fields": {"n": {"integerValue": "1"}}}], "get": "users/alice"}
///
/// In place of `get` there may be a `structuredQuery` with the document it lies below as `parent`, or a list of
/// `writes`; documents, queries and writes are written as Firestore's REST interface writes them. Names may be whole
/// (`projects/P/databases/D/documents/users/alice`) or just `users/alice`.
public struct EvaluationQuestion: Sendable {
  public enum Asked: Sendable {
    case get(ResourcePath)
    case query(StructuredQuery)
    case writes([Write])
  }

  /// The text of the rules file.
  public let rules: String
  public let auth: Auth?
  /// `nil`: the default of tests.
  public let time: Timestamp?
  public let database: Text
  let documents: [Write]
  public let asked: Asked
  /// Whether the answer explains the decision.
  public let isExplained: Bool
  /// Whether the explanation tells what would be allowed in place of what is denied.
  public let isFixed: Bool
  /// Whether the answer says what is taken of the official limits.
  public let isMeasured: Bool
  /// Whether the answer lists all documents as they are afterwards.
  public let listsDocuments: Bool

  private static let keys = [
    "id", "rules", "auth", "time", "database", "documents", "get", "structuredQuery", "parent", "writes", "explain",
    "fixes",
    "budget", "documentsAfter",
  ]

  /// - Throws: what is wrong with the question, and where.
  public init(_ json: JSONValue) throws(EvaluationMistake) {
    guard let object = json.objectValue else { throw EvaluationMistake("Expected a JSON object, found \(json.kind).") }
    for key in object.keys where !Self.keys.contains(key) {
      throw EvaluationMistake("Unknown member \"\(key)\".\(Suggestion.question(key, Self.keys))")
    }
    guard let rules = json["rules"]?.stringValue else {
      throw EvaluationMistake("\"rules\" must be the text of a rules file.")
    }
    self.rules = rules
    auth = try Self.auth(json["auth"] ?? .null)
    time = try Self.time(json["time"] ?? .null)
    let database = Text(try Self.string(json["database"], "database") ?? LocalFirestore.defaultDatabase.string)
    self.database = database
    documents = try Self.documents(json["documents"] ?? .null, database)
    asked = try Self.asked(json, database)
    isFixed = try Self.flag(json["fixes"], "fixes")
    isExplained = try Self.flag(json["explain"], "explain") || isFixed
    isMeasured = try Self.flag(json["budget"], "budget")
    listsDocuments = try Self.flag(json["documentsAfter"], "documentsAfter")
  }

  // MARK: Parts

  private static func string(_ json: JSONValue?, _ key: String) throws(EvaluationMistake) -> String? {
    guard let json, !json.isNull else { return nil }
    guard let text = json.stringValue else { throw EvaluationMistake("\"\(key)\" must be text, not \(json.kind).") }
    return text
  }

  private static func flag(_ json: JSONValue?, _ key: String) throws(EvaluationMistake) -> Bool {
    guard let json, !json.isNull else { return false }
    guard let flag = json.boolValue else {
      throw EvaluationMistake("\"\(key)\" must be true or false, not \(json.kind).")
    }
    return flag
  }

  private static func auth(_ json: JSONValue) throws(EvaluationMistake) -> Auth? {
    if json.isNull { return nil }
    guard let object = json.objectValue, let uid = object["uid"]?.stringValue,
      object.keys.allSatisfy({ $0 == "uid" || $0 == "token" })
    else { throw EvaluationMistake("\"auth\" must be null, or an object with uid and token.") }
    let token = object["token"] ?? [:]
    do {
      let claims = token.objectValue.map { .object($0.withWholeNumbers) } ?? token
      return Auth(uid: uid, token: try DataValue.fields(plain: claims, path: "auth.token"))
    } catch {
      throw EvaluationMistake(error.description)
    }
  }

  private static func time(_ json: JSONValue) throws(EvaluationMistake) -> Timestamp? {
    if json.isNull { return nil }
    guard let time = json.stringValue.flatMap({ Timestamp(rfc3339: $0) }) else {
      throw EvaluationMistake("\"time\" must be a time such as \"2026-01-01T00:00:00Z\".")
    }
    return time
  }

  private static func documents(_ json: JSONValue, _ database: Text) throws(EvaluationMistake) -> [Write] {
    var writes: [Write] = []
    if let object = json.objectValue {
      for (name, document) in object.members {
        let update: JSONValue = ["name": .string(name), "fields": document["fields"] ?? document]
        writes.append(try write(["update": update], database, "documents.\(name)"))
      }
    } else if let array = json.arrayValue {
      for (i, document) in array.enumerated() {
        let update: JSONValue = ["name": document["name"] ?? .null, "fields": document["fields"] ?? [:]]
        writes.append(try write(["update": update], database, "documents[\(i)]"))
      }
    } else if !json.isNull {
      throw EvaluationMistake("\"documents\" must be a list of documents with name and fields, not \(json.kind).")
    }
    return writes
  }

  private static func asked(_ json: JSONValue, _ database: Text) throws(EvaluationMistake) -> Asked {
    let given = ["get", "structuredQuery", "writes"].filter { json[$0] != nil }
    guard given.count == 1, let kind = given.first, let question = json[kind] else {
      throw EvaluationMistake("Ask one thing: \"get\", \"structuredQuery\" or \"writes\".")
    }
    switch kind {
    case "get":
      let name = try string(question, kind) ?? ""
      return .get(try path(name, database, kind))
    case "structuredQuery":
      let parent = try path(try string(json["parent"], "parent") ?? "", database, "parent", mayBeRoot: true)
      do {
        return .query(try StructuredQuery(rest: question, parent: parent))
      } catch {
        throw EvaluationMistake("structuredQuery: \(error.message)", note: error.note)
      }
    default:
      guard let list = question.arrayValue, !list.isEmpty else {
        throw EvaluationMistake("\"writes\" must be a list of at least one write.")
      }
      var writes: [Write] = []
      for (i, item) in list.enumerated() { writes.append(try write(item, database, "writes[\(i)]")) }
      return .writes(writes)
    }
  }

  /// The path that a whole or a short name means.
  private static func path(
    _ name: String, _ database: Text, _ place: String, mayBeRoot: Bool = false
  ) throws(EvaluationMistake) -> ResourcePath {
    let path: ResourcePath? =
      if name.hasPrefix("projects/") {
        ResourcePath(resourceName: name)
      } else if name.isEmpty || name == "/" {
        ResourcePath(database: database, segments: [])
      } else {
        ResourcePath(database: database, relative: name)
      }
    guard let path, path.segments.count.isMultiple(of: 2), mayBeRoot || !path.segments.isEmpty else {
      throw EvaluationMistake("\"\(place)\" must name a document, such as \"users/alice\".")
    }
    guard path.database == database else {
      throw EvaluationMistake("\"\(place)\" is about database '\(path.database)', the question about '\(database)'.")
    }
    return path
  }

  /// A write in the REST encoding, in which names may be short.
  private static func write(_ json: JSONValue, _ database: Text, _ place: String) throws(EvaluationMistake) -> Write {
    guard var object = json.objectValue else {
      throw EvaluationMistake("\(place) must be an object, not \(json.kind).")
    }
    func whole(_ name: JSONValue?) throws(EvaluationMistake) -> JSONValue {
      guard let text = name?.stringValue else { throw EvaluationMistake("\(place) needs the name of a document.") }
      return .string("projects/p\(try path(text, database, place))")
    }
    for key in ["delete", "verify"] where object[key] != nil { object[key] = try whole(object[key]) }
    for (key, name) in [("update", "name"), ("transform", "document")] {
      guard var inner = object[key]?.objectValue else { continue }
      inner[name] = try whole(inner[name])
      object[key] = .object(inner)
    }
    do {
      return try Write(rest: .object(object))
    } catch {
      throw EvaluationMistake("\(place): \(error.message)", note: error.note)
    }
  }
}

/// What is wrong with a question.
public struct EvaluationMistake: Error, Sendable, CustomStringConvertible {
  public let message: String
  public let note: String?

  init(_ message: String, note: String? = nil) {
    self.message = message
    self.note = note
  }

  public var description: String { message + (note.map { " \($0)" } ?? "") }
}

import JSON
import RulesEngine
import RulesSyntax
import RulesValues

/// A rules file, the documents that are there, and requests to be decided by it: as `Corpus/statements.jsonl` writes
/// them, several `requests` to a ruleset.
struct Question {
  let rules: String
  let documents: DocumentTable
  let requests: [(request: Request, documents: Commit)]
  /// Queries to be judged, when `queries` are asked instead of `requests`.
  let lists: [ListRequest]
  /// Are the values of sub-expressions wanted?
  let wantsNodes: Bool

  init(_ json: JSONValue) throws {
    rules = json["rules"]?.stringValue ?? ""
    wantsNodes = json["nodes"]?.boolValue ?? false
    var table = DocumentTable()
    for member in json["documents"]?.objectValue?.members ?? [] {
      table.documents[Self.path(member.key)] = try Self.fields(member.value)
    }
    documents = table
    lists = try (json["queries"]?.arrayValue ?? []).map { try Self.list($0) }
    let asked = json["queries"] == nil ? json["requests"]?.arrayValue ?? [json] : []
    requests = try asked.map { (try Self.request($0, table), Commit(before: table, written: try Self.others($0))) }
  }

  /// The other writes of the request's commit.
  private static func others(_ json: JSONValue) throws -> [ResourcePath: Fields?] {
    var written: [ResourcePath: Fields?] = [:]
    for other in json["others"]?.arrayValue ?? [] {
      written[path(other["path"]?.stringValue ?? "")] = .some(try other["data"].map { try fields($0) })
    }
    return written
  }

  private static func fields(_ json: JSONValue?) throws -> Fields {
    var fields: Fields = [:]
    for member in json?.objectValue?.members ?? [] { fields[Text(member.key)] = try DataValue(rest: member.value) }
    return fields
  }

  /// A document's path as in a URL.
  private static func path(_ text: String) -> ResourcePath {
    ResourcePath(segments: text.split(separator: "/").map { Text(percentDecoded($0)) })
  }

  private static func percentDecoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let time = Timestamp(seconds: 1_767_225_600, nanos: 123_000_000)

  private static func auth(_ json: JSONValue) throws -> Auth? {
    guard let token = json["auth"], token != .null else { return nil }
    return Auth(uid: token["user_id"]?.stringValue ?? "", token: try DataValue.fields(plain: token))
  }

  /// `query` is a structuredQuery in the REST encoding, `parent` the document it is asked below.
  private static func list(_ json: JSONValue) throws -> ListRequest {
    try ListRequest(
      structuredQuery: json["query"] ?? .null, in: path(json["parent"]?.stringValue ?? ""), auth: auth(json), time: time)
  }

  private static func request(_ json: JSONValue, _ documents: DocumentTable) throws -> Request {
    let path = path(json["path"]?.stringValue ?? "")
    let auth = try auth(json)
    switch json["method"]?.stringValue {
    case "get": return .get(path, auth: auth, time: time)
    case "delete": return .delete(path, auth: auth, time: time)
    default: break
    }
    let stored = documents.documents[path]
    let data = try fields(json["data"])
    var resource = data
    let mask = json["mask"]?.arrayValue?.compactMap(\.stringValue)
    if let mask {
      resource = stored ?? [:]
      for field in mask { resource[Text(field)] = data[Text(field)] }
    }
    var transforms: [String]?
    for member in json["increments"]?.objectValue?.members ?? [] {
      let old: Int64 = if case .int(let i)? = resource[Text(member.key)] { i } else { 0 }
      resource[Text(member.key)] = .int(old + (member.value.intValue ?? 0))
      transforms = (transforms ?? []) + [member.key]
    }
    let exists = json["exists"]?.boolValue
    var request: Request =
      stored == nil
      ? .create(path, resource, ifAbsent: exists == false, auth: auth, time: time)
      : .update(path, resource, ifPresent: exists == true, auth: auth, time: time)
    request.writeFields = mask.map { $0 + (transforms ?? []) } ?? transforms
    request.transforms = transforms
    return request
  }
}

/// The documents before and after a commit.
struct Commit: DocumentReader {
  let before: DocumentTable
  /// `nil`: deleted.
  let written: [ResourcePath: Fields?]

  func document(at path: ResourcePath) -> Fields? { before.document(at: path) }
  func documentAfter(at path: ResourcePath) -> Fields? { written[path] ?? before.document(at: path) }
  func isWritten(_ path: ResourcePath) -> Bool { written.keys.contains(path) }
}

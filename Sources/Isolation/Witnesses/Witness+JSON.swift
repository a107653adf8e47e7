import JSON
import RulesEngine
import RulesValues

/// A witness on one line, as corpora of the fuzzer keep it. Queries are made anew from the document they returned.
extension Witness {
  private static let project = "demo-project"

  public var json: JSONValue {
    [
      "method": .string(method.rawValue), "path": .string(path.relative), "time": .string(time.rfc3339),
      "auth": auth.map {
        ["uid": .string($0.uid), "token": DataValue.rest(fields: $0.token, project: Self.project)]
      } ?? .null,
      "data": data.map { DataValue.rest(fields: $0, project: Self.project) } ?? .null,
      "documents": .array(
        documents.sorted { $0.key.relative < $1.key.relative }.map {
          ["path": .string($0.key.relative), "fields": DataValue.rest(fields: $0.value, project: Self.project)]
        }),
    ]
  }

  /// - Returns: `nil` for what is no witness.
  public init?(json: JSONValue, database: Text) {
    guard let members = json.objectValue,
      let method = members["method"]?.stringValue.flatMap({ RequestMethod(rawValue: $0) }),
      let path = members["path"]?.stringValue.flatMap({ ResourcePath(database: database, relative: $0) }),
      path.isDocument,
      let time = members["time"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }),
      let list = members["documents"]?.arrayValue
    else { return nil }
    do throws(DataValueError) {
      var documents: [ResourcePath: Fields] = [:]
      for entry in list {
        guard let name = entry.objectValue?["path"]?.stringValue, let fields = entry.objectValue?["fields"],
          let path = ResourcePath(database: database, relative: name), path.isDocument
        else { return nil }
        documents[path] = try DataValue.fields(rest: fields)
      }
      var auth: Auth?
      if let object = members["auth"]?.objectValue {
        guard let uid = object["uid"]?.stringValue, let token = object["token"] else { return nil }
        auth = Auth(uid: uid, token: try DataValue.fields(rest: token))
      }
      var data: Fields?
      if let fields = members["data"], fields != .null { data = try DataValue.fields(rest: fields) }
      self.init(documents: documents, auth: auth, time: time, method: method, path: path, data: data)
    } catch {
      return nil
    }
  }
}

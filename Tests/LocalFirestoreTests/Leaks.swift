import Foundation
import JSON
import LocalFirestore
import RulesValues
import Testing

/// `Corpus/leaks`: rules that leak, the attack that shows it, rules that do not, and what they must still allow.
@Suite struct LeakTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus/leaks")

  @Test(arguments: ["17-capability-id-enumerable", "71-batch-bypasses-counter"])
  func `the attack passes where the rules leak, and nowhere else`(_ name: String) throws {
    let folder = Self.folder.appending(path: name)
    let attack = try JSONValue(parsing: Array(Data(contentsOf: folder.appending(path: "attack.json"))))
    let control = try #require(attack["control"])
    for kind in ["leaky", "safe"] {
      let rules = try String(contentsOf: folder.appending(path: "\(kind).rules"), encoding: .utf8)
      for request in [attack, control] {
        let isAllowed = try #require(request["expect on \(kind)"]?.stringValue) == "ALLOW"
        #expect(try Self.isAllowed(request, rules) == isAllowed, "\(kind): \(request.serialized())")
      }
    }
  }

  private static func isAllowed(_ json: JSONValue, _ rules: String) throws -> Bool {
    let firestore = try LocalFirestore(rules: rules)
    for (path, fields) in json["documents"]?.objectValue?.members ?? [] {
      try firestore.seed(#require(ResourcePath(relative: path)), DataValue.fields(plain: fields))
    }
    let auth = try json["auth"].flatMap { $0.isNull ? nil : $0 }.map { auth in
      Auth(uid: auth["uid"]?.stringValue ?? "", token: try DataValue.fields(plain: auth["token"] ?? [:]))
    }
    let client = firestore.client(as: auth)
    if let batch = json["batch"]?.arrayValue {
      let writes = try batch.map { try write($0, client) }
      return try client.judge(writes).isAllowed
    }
    let path = try #require(json["path"]?.stringValue)
    switch json["method"]?.stringValue {
    case "get": return try client.allows(.get(path))
    case "list": return try client.allows(.list(client.collection(path)))
    default: return try client.judge([write(json, client)]).isAllowed
    }
  }

  private static func write(_ json: JSONValue, _ client: Client) throws -> Write {
    let path = try client.path(#require(json["path"]?.stringValue))
    let data = try DataValue.fields(plain: json["data"] ?? [:]).mapValues { FieldValue.value($0) }
    switch json["method"]?.stringValue {
    case "create": return try .create(path, data)
    case "update":
      return try .update(path, Dictionary(uniqueKeysWithValues: data.map { (FieldPath($0.key), $0.value) }))
    default: return .delete(path)
    }
  }
}

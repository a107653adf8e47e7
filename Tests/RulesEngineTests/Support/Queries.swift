import JSON
import RulesValues

@testable import RulesEngine

extension Recorded {
  /// A recorded query: `query` is a structuredQuery, `parent` the document it is asked below.
  static func list(_ json: JSONValue, user: JSONValue) throws -> ListRequest {
    var auth: Auth?
    if case let token = json["auth"] ?? user, token != .null {
      auth = Auth(uid: token["user_id"]?.stringValue ?? "", token: try DataValue.fields(plain: token))
    }
    return try ListRequest(
      structuredQuery: json["query"] ?? .null, in: path(json["parent"]?.stringValue ?? ""), auth: auth,
      time: Timestamp(seconds: 1_767_225_600, nanos: 123_000_000))
  }
}

/// Queries in short, for tables of tests: user `u1` lists `/t` with a filter.
enum Query {
  static let time = Timestamp(seconds: 1_767_225_600)
  static let user = Auth(uid: "u1", token: ["sub": .string("u1"), "email": .string("a@b.c")])

  static func list(
    _ filter: QueryFilter? = nil, _ collection: Text = "t", below parent: String = "", group: Bool = false,
    orders: [ListRequest.Order] = [], limit: Int64? = nil, offset: Int64 = 0, auth: Auth? = user
  ) -> ListRequest {
    ListRequest(
      collection, in: Recorded.path(parent), allDescendants: group, filter: filter, orders: orders, limit: limit,
      offset: offset, auth: auth, time: time)
  }

  static func named(_ paths: String...) -> QueryFilter {
    let references = paths.map { DataValue.reference(Recorded.path($0)) }
    return references.count == 1
      ? .compare(.documentName, .equal, references[0]) : .compare(.documentName, .isIn, .array(references))
  }

  static func ruleset(_ matches: String, version: Int = 2) throws -> Ruleset {
    try Ruleset(
      "rules_version = '\(version)';\nservice cloud.firestore {\n match /databases/{database}/documents {\n\(matches)\n }\n}\n")
  }

  /// `ALLOW`, or the message of the denial.
  static func answer(
    _ matches: String, _ list: ListRequest, _ documents: DocumentTable = [:], dialect: Dialect = .emulator1_19
  ) throws -> String {
    let decision = try ruleset(matches).evaluator(dialect: dialect).decide(list, documents)
    return decision.denial?.message ?? "ALLOW"
  }
}

func field(_ path: String, _ op: QueryOperator, _ value: DataValue) -> QueryFilter {
  .compare(QueryField(path.split(separator: ".").map { Text(String($0)) }), op, value)
}

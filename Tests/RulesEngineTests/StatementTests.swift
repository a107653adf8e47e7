import JSON
import RulesSemantics
import RulesSyntax
import RulesValues
import Testing

@testable import RulesEngine

/// `Corpus/statements.jsonl`: a question for every statement of the reference, named after it, with the answer of
/// emulator 1.19.9.
@Suite struct StatementTests {
  struct Question: Sendable, CustomTestStringConvertible {
    let json: JSONValue
    var id: String { json["id"]?.stringValue ?? "" }
    var testDescription: String { "\(id) #\(json["n"]?.intValue ?? 0)" }
  }

  static let questions = ((try? Corpus.lines("statements.jsonl")) ?? []).map(Question.init)

  @Test func theRecordingIsThere() { #expect(Self.questions.count > 600) }

  @Test(arguments: questions) func theStatementHolds(_ question: Question) throws {
    let json = question.json
    let rules = try #require(json["rules"]?.stringValue)
    let (ruleset, diagnostics) = Ruleset.compile(SourceFile(name: "security.rules", text: rules))
    let verdict = try #require(json["verdict"]?.stringValue)
    if verdict == "COMPILE" {
      #expect(ruleset == nil, "accepted:\n\(rules)")
      #expect(OfficialReport.text(diagnostics) == json["message"]?.stringValue, "\(rules)")
      return
    }
    guard let ruleset else {
      Issue.record("\(question): does not compile: \(OfficialReport.text(diagnostics))\n\(rules)")
      return
    }
    let request = try Recorded.request(json)
    let documents = try Recorded.documents(json)
    let decision = ruleset.evaluator(dialect: .emulator1_19).decide(request, documents)
    let explanation = ruleset.evaluator(dialect: .emulator1_19).explain(request, documents)
    #expect(explanation.decision.isAllowed == decision.isAllowed)
    #expect(
      (explanation.deciding != nil) == decision.isAllowed || explanation.cost > 1000,
      "the explaining run decides otherwise")
    // Where the official emulator crashes it has no opinion.
    if verdict == "CRASH" { return }
    #expect(decision.isAllowed == (verdict == "ALLOW"), "\(rules)\n\(decision.denial?.message ?? "")")
    if let message = json["message"]?.stringValue, !decision.isAllowed {
      #expect(decision.denial?.message == message, "\(rules)")
    }
  }
}

/// Requests and documents of a recording.
enum Recorded {
  static func path(_ text: String) -> ResourcePath {
    let decoded = text.split(separator: "/").map { Text($0.removingPercentEncoding ?? String($0)) }
    return ResourcePath(segments: Array(decoded))
  }

  static func fields(_ json: JSONValue?) throws -> Fields {
    guard let members = json?.objectValue?.members else { return [:] }
    var fields: Fields = [:]
    for member in members { fields[Text(member.key)] = try DataValue(rest: member.value) }
    return fields
  }

  static func documents(_ json: JSONValue) throws -> DocumentTable {
    var table = DocumentTable()
    for member in json["documents"]?.objectValue?.members ?? [] {
      table.documents[path(member.key)] = try fields(member.value)
    }
    return table
  }

  /// The request of a recorded question, its write carried out on the recorded documents.
  static func request(_ json: JSONValue) throws -> Request {
    let path = path(json["path"]?.stringValue ?? "")
    var auth: Auth?
    if let token = json["auth"], token != .null {
      auth = Auth(uid: token["user_id"]?.stringValue ?? "", token: try DataValue.fields(plain: token))
    }
    let time = Timestamp(seconds: 1_767_225_600, nanos: 123_000_000)
    switch json["method"]?.stringValue {
    case "get": return .get(path, auth: auth, time: time)
    case "delete": return .delete(path, auth: auth, time: time)
    default: break
    }
    let stored = try documents(json).documents[path]
    let data = try fields(json["data"])
    var mask = json["mask"]?.arrayValue?.compactMap(\.stringValue)
    var resource = data
    if let mask {
      resource = stored ?? [:]
      for field in mask { resource[Text(field)] = data[Text(field)] }
    }
    var transformed: [String]?
    if let transforms = json["transforms"]?.arrayValue {
      transformed = []
      for transform in transforms {
        let name = try #require(transform["fieldPath"]?.stringValue)
        transformed?.append(name)
        resource[Text(name)] = try apply(transform, to: resource[Text(name)], time)
      }
      mask = (mask ?? []) + (transformed ?? [])
    }
    let exists = json["exists"]?.boolValue
    var request: Request =
      stored == nil
      ? .create(path, resource, ifAbsent: exists == false, auth: auth, time: time)
      : .update(path, resource, ifPresent: exists == true, auth: auth, time: time)
    request.writeFields = mask?.sorted()
    request.transforms = transformed?.sorted()
    return request
  }

  private static func apply(_ transform: JSONValue, to value: DataValue?, _ time: Timestamp) throws -> DataValue {
    if transform["setToServerValue"] != nil { return .timestamp(time) }
    if let amount = transform["increment"] {
      guard case .int(let by) = try DataValue(rest: amount) else { return .null }
      if case .int(let old)? = value { return .int(old + by) }
      return .int(by)
    }
    var items: [DataValue] = []
    if case .array(let old)? = value { items = old }
    for item in try (transform["appendMissingElements"]?["values"]?.arrayValue ?? []).map({ try DataValue(rest: $0) })
    where !items.contains(item) { items.append(item) }
    let removed = try (transform["removeAllFromArray"]?["values"]?.arrayValue ?? []).map { try DataValue(rest: $0) }
    return .array(items.filter { !removed.contains($0) })
  }
}

import JSON
import RulesEngine
import RulesSyntax

/// What is wrong with a TestSuite, and where in its JSON.
public struct TestSuiteMistake: Error, Sendable, Equatable, CustomStringConvertible {
  /// `testSuite.testCases[3].request`; empty for the whole.
  public let place: String
  public let reason: String

  public init(_ place: String, _ reason: String) {
    self.place = place
    self.reason = reason
  }

  public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}

/// The request of the Rules API's method `test`: rules, and cases that say what these must allow or deny.
///
///     {"source": {"files": [{"name": "firestore.rules", "content": "…"}]},
///      "testSuite": {"testCases": [{"expectation": "ALLOW", "request": {"method": "get", "path": "/databases/…"}}]}}
///
/// The source may be left out where rules come from elsewhere, and the suite, or the list of its cases, may stand
/// alone. Names may be written in `snake_case`, too. Beside what the API takes a case may have a `name`.
public struct TestSuite: Sendable {
  public enum ReportLevel: String, Sendable, CaseIterable {
    case unspecified = "LEVEL_UNSPECIFIED"
    case none = "NONE"
    case full = "FULL"
    case visited = "VISITED"
  }

  public struct Case: Sendable {
    public let expectation: Expectation
    public let question: TestAPIQuestion
    public let reportLevel: ReportLevel
    /// As the request writes it: `get`, `write`, …
    public let method: String
    /// As the request writes it.
    public let path: String
    /// Ours.
    public let name: String?
  }

  /// The rules, where the request brings them.
  public let source: SourceFile?
  public let cases: [Case]

  /// More cases than this are refused.
  public static let maximumCases = 10_000

  /// - Throws: what is wrong, and where.
  public init(_ json: JSONValue) throws(TestSuiteMistake) {
    let reader = SuiteReader()
    var suite = json
    var place = ""
    var source: SourceFile?
    if json.objectValue?.contains("source") == true || reader.member(json, "testSuite") != nil {
      try reader.check(json, "", ["source", "testSuite"])
      source = try json["source"].map { (files) throws(TestSuiteMistake) in try reader.source(files) }
      suite = reader.member(json, "testSuite") ?? ["testCases": []]
      place = "testSuite"
    }
    if case .array = suite { suite = ["testCases": suite] }
    try reader.check(suite, place, ["testCases"])
    let list = SuiteReader.join(place, "testCases")
    guard let items = reader.member(suite, "testCases")?.arrayValue else {
      throw TestSuiteMistake(list, "A TestSuite needs a list of cases.")
    }
    guard items.count <= Self.maximumCases else {
      throw TestSuiteMistake(list, "There are \(items.count) cases; at most \(Self.maximumCases) are judged.")
    }
    var cases: [Case] = []
    for (i, item) in items.enumerated() { cases.append(try reader.testCase(item, "\(list)[\(i)]")) }
    self.source = source
    self.cases = cases
  }
}

/// Reads the parts of a TestSuite.
private struct SuiteReader {
  static func join(_ place: String, _ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  /// A member under its name, or under that in `snake_case`.
  func member(_ json: JSONValue, _ name: String) -> JSONValue? { json[name] ?? json[Self.snake(name)] }

  private static func snake(_ name: String) -> String {
    var result = ""
    for c in name {
      if c.isUppercase { result += "_" }
      result += c.lowercased()
    }
    return result
  }

  func check(_ json: JSONValue, _ place: String, _ names: [String]) throws(TestSuiteMistake) {
    guard let object = json.objectValue else {
      throw TestSuiteMistake(place, "Expected an object, found \(json.kind).")
    }
    let known = names + names.map(Self.snake)
    for key in object.keys where !known.contains(key) {
      throw TestSuiteMistake(place, "Unknown member \"\(key)\".\(Suggestion.question(key, names))")
    }
  }

  func source(_ json: JSONValue) throws(TestSuiteMistake) -> SourceFile {
    try check(json, "source", ["files", "language"])
    guard let files = json["files"]?.arrayValue, files.count == 1 else {
      throw TestSuiteMistake("source.files", "Expected a list with the one rules file.")
    }
    try check(files[0], "source.files[0]", ["name", "content", "fingerprint"])
    guard let content = files[0]["content"]?.stringValue else {
      throw TestSuiteMistake("source.files[0].content", "The text of the rules is missing.")
    }
    return SourceFile(name: files[0]["name"]?.stringValue ?? "firestore.rules", text: content)
  }

  func testCase(_ json: JSONValue, _ place: String) throws(TestSuiteMistake) -> TestSuite.Case {
    try check(
      json, place,
      [
        "expectation", "request", "resource", "functionMocks", "pathEncoding", "expressionReportLevel", "name",
        "description",
      ])
    let expectation: Expectation
    switch json["expectation"]?.stringValue {
    case "ALLOW": expectation = .allow
    case "DENY": expectation = .deny
    default: throw TestSuiteMistake(Self.join(place, "expectation"), "Expected \"ALLOW\" or \"DENY\".")
    }
    guard let request = json["request"]?.objectValue else {
      throw TestSuiteMistake(Self.join(place, "request"), "Expected an object with method and path.")
    }
    let at = Self.join(place, "request")
    let words = RequestMethod.allCases.map(\.rawValue) + ["read", "write"]
    guard let method = request["method"]?.stringValue, words.contains(method) else {
      let given = request["method"]?.stringValue ?? ""
      throw TestSuiteMistake(
        Self.join(at, "method"),
        "Expected one of \(words.joined(separator: ", ")).\(Suggestion.question(given, words))")
    }
    guard let path = request["path"]?.stringValue, path.hasPrefix("/") else {
      throw TestSuiteMistake(
        Self.join(at, "path"), "Expected a whole path such as /databases/(default)/documents/users/alice.")
    }
    let decodes = try encoding(member(json, "pathEncoding"), place)
    return TestSuite.Case(
      expectation: expectation,
      question: TestAPIQuestion(
        methods: Self.methods(method), path: TestAPIQuestion.segments(path, decoded: decodes), request: request,
        resource: json["resource"], mocks: try mocks(member(json, "functionMocks"), place), decodesPaths: decodes),
      reportLevel: try level(member(json, "expressionReportLevel"), place), method: method, path: path,
      name: json["name"]?.stringValue ?? json["description"]?.stringValue)
  }

  private static func methods(_ word: String) -> [RequestMethod] {
    switch word {
    case "read": [.get, .list]
    case "write": [.create, .update, .delete]
    default: RequestMethod(rawValue: word).map { [$0] } ?? []
    }
  }

  private func encoding(_ json: JSONValue?, _ place: String) throws(TestSuiteMistake) -> Bool {
    switch json?.stringValue {
    case nil where json == nil, "URL_ENCODED", "ENCODING_UNSPECIFIED": return true
    case "PLAIN": return false
    default: throw TestSuiteMistake(Self.join(place, "pathEncoding"), "Expected \"URL_ENCODED\" or \"PLAIN\".")
    }
  }

  private func level(_ json: JSONValue?, _ place: String) throws(TestSuiteMistake) -> TestSuite.ReportLevel {
    guard let json else { return .unspecified }
    guard let level = json.stringValue.flatMap({ TestSuite.ReportLevel(rawValue: $0) }) else {
      throw TestSuiteMistake(
        Self.join(place, "expressionReportLevel"), "Expected \"NONE\", \"FULL\" or \"VISITED\".")
    }
    return level
  }

  private func mocks(_ json: JSONValue?, _ place: String) throws(TestSuiteMistake) -> [TestAPIQuestion.Mock] {
    guard let json else { return [] }
    let list = Self.join(place, "functionMocks")
    guard let items = json.arrayValue else { throw TestSuiteMistake(list, "Expected a list.") }
    var mocks: [TestAPIQuestion.Mock] = []
    for (i, item) in items.enumerated() {
      let at = "\(list)[\(i)]"
      try check(item, at, ["function", "args", "result"])
      guard let function = item["function"]?.stringValue else {
        throw TestSuiteMistake(at, "Expected the name of a function, such as \"get\".")
      }
      var arguments: [TestAPIQuestion.Mock.Argument] = []
      for (j, argument) in (item["args"]?.arrayValue ?? []).enumerated() {
        if let exact = member(argument, "exactValue") {
          arguments.append(.exactly(exact))
        } else if member(argument, "anyValue") != nil {
          arguments.append(.any)
        } else {
          throw TestSuiteMistake("\(at).args[\(j)]", "Expected {\"exactValue\": …} or {\"anyValue\": {}}.")
        }
      }
      let result = item["result"]
      if let value = result?["value"] {
        mocks.append(.init(function: function, arguments: arguments, result: value))
      } else if result?["undefined"] != nil {
        mocks.append(.init(function: function, arguments: arguments, result: nil))
      } else {
        throw TestSuiteMistake("\(at).result", "Expected {\"value\": …} or {\"undefined\": {}}.")
      }
    }
    return mocks
  }
}

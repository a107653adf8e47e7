import JSON
import RulesEngine
import RulesSyntax
import RulesValues

/// Requests written as JSON, which `Evaluator.load(json:)` reads straight into the memory of decisions: it must accept
/// what reading a tree and making a `Request` of it accepts, show the rules the same, and decide it the same.
enum RequestTextProperties {
  /// The text of a request, and behind the first NUL byte choices that make a rules file and documents.
  static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let text = Array(parts[0])
    let reading = Reading(text)
    try checkSight(text, reading)
    let (rules, rest) = RulesGrammar.file(Choices(parts.count > 1 ? Array(parts[1]) : []))
    guard let ruleset = Ruleset.compile(SourceFile(name: "fuzz.rules", text: rules)).ruleset else { return }
    var choices = rest
    let documents = Requests.documents(&choices)
    for dialect in Dialect.allCases {
      let evaluator = ruleset.evaluator(dialect: dialect)
      let loads = loads(text, documents, evaluator)
      // Of what stays loaded the second answer is the first.
      let (first, second) = (evaluator.decideLoaded(), evaluator.decideLoaded())
      try require(first.denial == second.denial, "a second decision differs: \(rules)")
      try require(evaluator.allowsLoaded() == first.isAllowed, "allowsLoaded and decideLoaded differ: \(rules)")
      guard loads else {
        try require(!first.isAllowed, "what could not be loaded is allowed: \(rules)")
        continue
      }
      guard case .request(let request) = reading, !Reading.hasLoneSurrogate(text) else { continue }
      let decision = evaluator.decide(request, documents)
      try require(decision.isAllowed == first.isAllowed, "read \(first), made \(decision): \(rules)")
      try require(decision.denial == first.denial, "read \(first), made \(decision): \(rules)")
    }
  }

  private static func loads(_ text: [UInt8], _ documents: DocumentTable, _ evaluator: Evaluator) -> Bool {
    do throws(JSONError) {
      try evaluator.load(json: text, documents)
      return true
    } catch {
      return false
    }
  }

  // MARK: What the rules see

  /// Compares the request with a stored document that says what it should be.
  private static let comparing = Ruleset.compile(
    SourceFile(
      name: "sight.rules",
      text: """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents/{document=**} {
            function isAsStored() {
              return request.method == resource.data.method && request.auth == resource.data.auth
                && request.time == resource.data.time && request.path == resource.data.path
                && database == resource.data.database;
            }
            allow get, delete: if isAsStored();
            allow create, update: if isAsStored() && request.resource.data == resource.data.data
              && request.resource.data.keys() == resource.data.keys && request.resource.id == resource.data.id;
          }
        }
        """)
  ).ruleset

  private static func checkSight(_ text: [UInt8], _ reading: Reading) throws(BrokenProperty) {
    guard let evaluator = comparing?.evaluator() else { throw BrokenProperty("the comparing rules do not compile") }
    guard case .request(let request) = reading else {
      let loads = loads(text, DocumentTable(), evaluator)
      if case .refused(let why) = reading { try require(!loads, "loads what has no reading: \(why)") }
      if !loads { try require(!evaluator.allowsLoaded(), "allows what did not load") }
      return
    }
    try require(loads(text, [request.path: stored(request)], evaluator), "does not load what can be read")
    // A lone surrogate is lost on the way through a tree.
    guard !Reading.hasLoneSurrogate(text) else { return }
    let decision = evaluator.decideLoaded()
    try require(decision.isAllowed, "the rules see another request: \(decision.denial?.message ?? "")")
  }

  private static func stored(_ request: Request) -> Fields {
    var fields: Fields = [
      "method": .string(request.method.rawValue), "path": .reference(request.path),
      "database": .string(request.path.database.string), "id": .string(request.path.lastID.string),
      "time": .timestamp(Timestamp(seconds: request.time.seconds, nanos: request.time.nanos / 1_000_000 * 1_000_000)),
      "auth": request.auth.map { .map(["uid": .string($0.uid), "token": .map($0.token)]) } ?? .null,
    ]
    if let data = request.resource {
      fields["data"] = .map(data)
      fields["keys"] = .array(data.keys.sorted().map { .string($0.string) })
    }
    return fields
  }
}

/// What a request written as JSON says, read by way of a tree.
private enum Reading {
  case request(Request)
  case refused(String)
  /// Too deep for one of the two ways.
  case unknown

  static let members: Set<String> = ["method", "path", "database", "auth", "time", "data"]

  init(_ text: [UInt8]) {
    let tree: JSONValue
    switch JSONProperties.parsed(text, .standard) {
    case .success(let value): tree = value
    case .failure(let error):
      // Names that differ in lone surrogates only are the same name in a tree.
      self = Self.hasLoneSurrogate(text) ? .unknown : .refused("\(error)")
      return
    }
    guard Self.depth(text) <= 80 else {
      self = .unknown
      return
    }
    do throws(Refusal) {
      self = .request(try Self.request(tree))
    } catch {
      self = .refused(error.description)
    }
  }

  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private static func request(_ tree: JSONValue) throws(Refusal) -> Request {
    guard let object = tree.objectValue, object.keys.allSatisfy(members.contains) else {
      throw Refusal(description: "no object of the known members")
    }
    guard let method = object["method"]?.stringValue.flatMap(RequestMethod.init(rawValue:)) else {
      throw Refusal(description: "no method")
    }
    guard object["database"].map({ $0.stringValue != nil }) ?? true else { throw Refusal(description: "no database") }
    guard let relative = object["path"]?.stringValue,
      let path = ResourcePath(database: Text(object["database"]?.stringValue ?? "(default)"), relative: relative),
      path.isDocument
    else { throw Refusal(description: "no path") }
    guard let time = object["time"]?.stringValue.flatMap(Timestamp.init(rfc3339:)) else {
      throw Refusal(description: "no time")
    }
    let auth = try auth(object["auth"] ?? .null)
    let data = try object["data"].map(fields)
    switch (method, data) {
    case (.get, nil): return .get(path, auth: auth, time: time)
    case (.delete, nil): return .delete(path, auth: auth, time: time)
    case (.create, let data?): return .create(path, data, ifAbsent: true, auth: auth, time: time)
    case (.update, let data?): return .update(path, data, ifPresent: true, auth: auth, time: time)
    default: throw Refusal(description: "data and method do not agree")
    }
  }

  private static func auth(_ tree: JSONValue) throws(Refusal) -> Auth? {
    if tree == .null { return nil }
    guard let object = tree.objectValue, object.keys.allSatisfy({ $0 == "uid" || $0 == "token" }),
      let uid = object["uid"]?.stringValue
    else { throw Refusal(description: "no auth") }
    return Auth(uid: uid, token: try object["token"].map(fields) ?? [:])
  }

  private static func fields(_ tree: JSONValue) throws(Refusal) -> Fields {
    do throws(DataValueError) {
      return try DataValue.fields(plain: tree)
    } catch {
      throw Refusal(description: "\(error)")
    }
  }

  private static func depth(_ text: [UInt8]) -> Int {
    var deepest = 0
    visit(text) { deepest = max(deepest, $0.depth) }
    return deepest
  }

  static func hasLoneSurrogate(_ text: [UInt8]) -> Bool {
    var found = false
    visit(text) { found = found || $0.textHasLoneSurrogate }
    return found
  }

  /// Shows the reader behind each event, up to the first error.
  private static func visit(_ text: [UInt8], _ body: (borrowing JSONReader) -> Void) {
    do throws(JSONError) {
      var reader = try JSONReader(text)
      while try reader.next() != .end { body(reader) }
    } catch {}
  }
}

import JSON
import RulesEngine
import RulesValues

/// What a live database would say to a case of a TestSuite: there an absent user is null, the stored document is read
/// with its id and name, and what the case mocks are documents.
public enum LiveVerdict: Sendable {
  case allowed
  case denied(Denial)
  /// No database can be asked this; with the reason.
  case cannotBeAsked(String)

  public var isAllowed: Bool? {
    switch self {
    case .allowed: true
    case .denied: false
    case .cannotBeAsked: nil
    }
  }
}

extension TestSuiteResult {
  /// A case whose verdict a live database would not share.
  public struct Change: Sendable {
    public let index: Int
    public let verdict: LiveVerdict
  }

  /// Judges every case as a live database would, in the order of the cases.
  public func asDatabase(now: Timestamp) -> [LiveVerdict] {
    guard let ruleset else { return [] }
    let evaluator = ruleset.evaluator()
    return results.map { result in
      do throws(LiveQuestion.Obstacle) {
        let decision = try LiveQuestion(result.question, now: now).decide(evaluator)
        return decision.denial.map { .denied($0) } ?? .allowed
      } catch {
        return .cannotBeAsked(error.reason)
      }
    }
  }
}

/// A case as a request to a database with documents in it.
public struct LiveQuestion: Sendable {
  public struct Obstacle: Error, Sendable {
    public let reason: String
  }

  public let method: RequestMethod
  public let path: ResourcePath
  public let auth: Auth?
  public let time: Timestamp
  public let written: Fields?
  public let documents: MockedDocuments
  let limit: Int64?
  let offset: Int64

  /// - Throws: why no database can be asked this.
  public init(_ question: TestAPIQuestion, now: Timestamp) throws(Obstacle) {
    guard question.methods.count == 1, let method = question.methods.first else {
      throw Obstacle(reason: "A request is one of get, list, create, update and delete, not read or write.")
    }
    let segments = question.path
    guard segments.count > 3, segments[0] == "databases", segments[2] == "documents" else {
      throw Obstacle(reason: "The path is none of a document below /databases/(default)/documents.")
    }
    var path = ResourcePath(database: Text(segments[1]), segments: segments.dropFirst(3).map { Text($0) })
    if method == .list {
      if path.isDocument { path = path.parent }
    } else if !path.isDocument {
      throw Obstacle(reason: "The path is that of a collection, not of a document.")
    }
    self.method = method
    self.path = path
    time = question.request["time"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } ?? now
    auth = try Self.auth(question.request["auth"])
    written =
      method == .create || method == .update
      ? try Self.fields(question.request["resource"]?["data"] ?? [:], "request.resource.data") : nil
    documents = try MockedDocuments(question, path, isList: method == .list)
    limit = question.request["query"]?["limit"]?.intValue
    offset = question.request["query"]?["offset"]?.intValue ?? 0
  }

  private static func auth(_ json: JSONValue?) throws(Obstacle) -> Auth? {
    guard let json, !json.isNull else { return nil }
    guard let uid = json["uid"]?.stringValue else { throw Obstacle(reason: "request.auth has no uid.") }
    return Auth(uid: uid, token: try fields(json["token"] ?? [:], "request.auth.token"))
  }

  static func fields(_ json: JSONValue, _ name: String) throws(Obstacle) -> Fields {
    do {
      return try DataValue.fields(plain: json.withWholeNumbers)
    } catch {
      throw Obstacle(reason: "\(name) cannot be the data of a document: \(error.description)")
    }
  }

  public func decide(_ evaluator: Evaluator) -> Decision {
    let request: Request
    switch method {
    case .get: request = .get(path, auth: auth, time: time)
    case .create: request = .create(path, written ?? [:], ifAbsent: true, auth: auth, time: time)
    case .update: request = .update(path, written ?? [:], ifPresent: true, auth: auth, time: time)
    case .delete: request = .delete(path, auth: auth, time: time)
    case .list:
      let list = ListRequest(
        path.segments.last, in: path.parent, limit: limit, offset: offset, auth: auth, time: time)
      return evaluator.decide(list, documents).decision
    }
    return evaluator.decide(request, documents)
  }
}

/// The documents that a case tells of.
public struct MockedDocuments: DocumentReader, Sendable {
  /// `nil`: the case says that it is not there.
  public private(set) var known: [ResourcePath: Fields?] = [:]
  /// The same after the request, where the case tells.
  private var after: [ResourcePath: Fields?] = [:]
  /// What a mock answers about any path.
  public private(set) var other: Fields?
  /// Whether anything is told of documents after the request.
  var tellsOfLater: Bool { !after.isEmpty }

  init(_ question: TestAPIQuestion, _ path: ResourcePath, isList: Bool) throws(LiveQuestion.Obstacle) {
    if let resource = question.resource, !isList {
      known[path] = .some(try LiveQuestion.fields(resource["data"] ?? [:], "resource.data"))
    }
    // Mocks of `get` tell most, so that they come last and win.
    for mock in question.mocks.sorted(by: { !Self.isGet($0) && Self.isGet($1) }) {
      let name = mock.function.hasPrefix("firestore.") ? String(mock.function.dropFirst(10)) : mock.function
      guard ["get", "exists", "getAfter", "existsAfter"].contains(name), mock.arguments.count == 1 else {
        throw LiveQuestion.Obstacle(reason: "No document can stand for the mock of \(mock.function).")
      }
      let fields = try Self.fields(mock, isGet: Self.isGet(mock))
      guard case .exactly(let json) = mock.arguments[0] else {
        other = fields
        continue
      }
      let segments = TestAPIQuestion.segments(json.stringValue ?? "", decoded: question.decodesPaths)
      guard segments.count > 4, segments.count % 2 == 1, segments[0] == "databases", segments[2] == "documents" else {
        throw LiveQuestion.Obstacle(reason: "The mock of \(mock.function) is about no path of a document.")
      }
      let document = ResourcePath(database: Text(segments[1]), segments: segments.dropFirst(3).map { Text($0) })
      if name.hasSuffix("After") { after[document] = .some(fields) } else { known[document] = .some(fields) }
    }
  }

  private static func isGet(_ mock: TestAPIQuestion.Mock) -> Bool { !mock.function.lowercased().contains("exists") }

  private static func fields(_ mock: TestAPIQuestion.Mock, isGet: Bool) throws(LiveQuestion.Obstacle) -> Fields? {
    guard let result = mock.result, !result.isNull else { return nil }
    if !isGet { return result.boolValue == true ? [:] : nil }
    return try LiveQuestion.fields(result["data"] ?? [:], "The result of the mock of \(mock.function)")
  }

  public func document(at path: ResourcePath) -> Fields? { known[path] ?? other }
  public func documentAfter(at path: ResourcePath) -> Fields? { after[path] ?? document(at: path) }
}

extension JSONValue {
  /// Numbers as the Rules API takes them: whole ones are ints.
  var withWholeNumbers: JSONValue {
    mappingScalars { scalar in
      if case .double(let d) = scalar, let whole = Int64(exactly: d) { .int(whole) } else { scalar }
    }
  }
}

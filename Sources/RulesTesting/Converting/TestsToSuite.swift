import JSON
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// Turns the steps of a test file into cases of a TestSuite, one for each user. The tests are run, so that every case
/// has the documents and the time of its step; what the rules look up becomes mocks. A case that the Rules API would
/// decide otherwise than a database is left out.
public struct TestsToSuite: Sendable {
  /// `{source, testSuite}`
  public let json: JSONValue
  public let converted: Int
  /// In source order.
  public let losses: [ConversionLoss]

  /// - Parameters:
  ///   - test: without errors, as its rules are; of others nothing is converted.
  ///   - rules: what the tests are about.
  public init(_ test: TestFile, _ rules: RulesFile) {
    var losses: [ConversionLoss] = []
    var cases: [JSONValue] = []
    if let ruleset = rules.ruleset, !test.hasErrors {
      let writer = CaseWriter(test, ruleset)
      var runner = Runner()
      runner.observer = writer
      for tested in runner.run(test, rules).tests {
        let mistakes = tested.mistakes + tested.steps.compactMap(\.mistake)
        for mistake in mistakes {
          let place = mistake.range?.start ?? tested.test.range.start
          losses.append(ConversionLoss(.source(place), mistake.message, isLeftOut: true))
        }
      }
      cases = writer.cases
      losses += writer.losses
      for invariant in test.syntax.invariants {
        losses.append(
          ConversionLoss(
            .source(invariant.range.start), "A TestSuite asks for single requests, not for all there are.",
            isLeftOut: true))
      }
    }
    json = [
      "source": ["files": [["name": .string(rules.file.name), "content": .string(rules.file.text)]]],
      "testSuite": ["testCases": .array(cases)],
    ]
    converted = cases.count
    self.losses = losses.enumerated().sorted { a, b in
      a.element.byte == b.element.byte ? a.offset < b.offset : a.element.byte < b.element.byte
    }.map(\.element)
  }
}

extension ConversionLoss {
  fileprivate var byte: Int { if case .source(let position) = place { position.byte } else { 0 } }
}

/// Writes a case for each request of the steps of one file, which are run one after another.
private final class CaseWriter: StepObserver, @unchecked Sendable {
  private let test: TestFile
  private let evaluator: TestAPIEvaluator
  private(set) var cases: [JSONValue] = []
  private(set) var losses: [ConversionLoss] = []
  private var toldReasons: Set<Int> = []

  init(_ test: TestFile, _ ruleset: Ruleset) {
    self.test = test
    evaluator = TestAPIEvaluator(ruleset)
  }

  private struct Obstacle: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  func look(_ request: PlannedRequest, _ step: StepDeclaration, _ verdict: Verdict, _ client: Client) {
    do throws(Obstacle) {
      cases.append(try testCase(request, step, verdict, client))
    } catch {
      lose(step, "As \(verdict.user.text): \(error.reason)", isLeftOut: true)
    }
    if let because = step.because, toldReasons.insert(because.range.start.byte).inserted {
      lose(step, "A case has no reason: because '\(because.text)'.", isLeftOut: false)
    }
  }

  private func lose(_ step: StepDeclaration, _ reason: String, isLeftOut: Bool) {
    losses.append(ConversionLoss(.source(step.range.start), reason, isLeftOut: isLeftOut))
  }

  // MARK: A case

  private func testCase(
    _ planned: PlannedRequest, _ step: StepDeclaration, _ verdict: Verdict, _ client: Client
  ) throws(Obstacle) -> JSONValue {
    guard planned.reads.count + planned.writes.count + (planned.query == nil ? 0 : 1) == 1 else {
      throw Obstacle("A case is one request, not several together.")
    }
    var request = JSONObject()
    var stored: Fields?
    var read: Set<ResourcePath> = []
    if let query = planned.query {
      (request, read) = try list(query, step, client)
    } else {
      let judgement = try judge(planned, client)
      request = try self.request(judgement.request)
      stored = judgement.document
      read = judgement.documentsRead.subtracting([judgement.request.path])
      // A function may ask for the document itself.
      if stored != nil { read.insert(judgement.request.path) }
    }
    var resource: JSONValue?
    if let stored { resource = ["data": try plain(stored, "The stored document")] }
    let asked = question(request, resource, try mocks(read, client))
    let answer = evaluator.judge(asked)
    guard answer.isAllowed == verdict.decision.isAllowed else {
      let here = verdict.decision.isAllowed ? "allows" : "denies"
      let api = answer.isAllowed ? "ALLOW" : "DENY" + (answer.failure.map { " (\($0.message))" } ?? "")
      throw Obstacle("A database \(here) it, the Rules API says \(api)")
    }
    var object: JSONObject = [
      "name": .string(name(step, verdict.user)), "expectation": step.expectation == .allow ? "ALLOW" : "DENY",
      "request": .object(request),
    ]
    if let resource { object["resource"] = resource }
    let called = asked.mocks.filter { mock in answer.calls.contains { Self.isCall($0, of: mock) } }
    if !called.isEmpty {
      object["functionMocks"] = .array(
        called.map { mock in
          guard case .exactly(let path) = mock.arguments[0] else { return .null }
          return [
            "function": .string(mock.function), "args": [["exactValue": path]],
            "result": ["value": mock.result ?? .null],
          ]
        })
    }
    return .object(object)
  }

  private func name(_ step: StepDeclaration, _ user: Name) -> String {
    let owner = test.syntax.tests.first {
      $0.range.start.byte <= step.range.start.byte && step.range.end.byte <= $0.range.end.byte
    }
    return "\(owner?.name.text ?? "test"), line \(step.range.start.line), \(user.text)"
  }

  private func judge(_ planned: PlannedRequest, _ client: Client) throws(Obstacle) -> Judgement {
    do throws(FirestoreError) {
      if let path = planned.reads.first { return try client.judge(.get(path)) }
      if let write = planned.writes.first { return try client.judge(.write(write)) }
    } catch {
      throw Obstacle(error.message)
    }
    throw Obstacle("The step asks for nothing.")
  }

  private func request(_ request: Request) throws(Obstacle) -> JSONObject {
    var object = head(request.method, request.path, request.auth, request.time)
    if request.method == .create || request.method == .update, let written = request.resource {
      object["resource"] = ["data": try plain(written, "The document that is written")]
    }
    return object
  }

  private func head(_ method: RequestMethod, _ path: ResourcePath, _ auth: Auth?, _ time: Timestamp) -> JSONObject {
    [
      "method": .string(method.rawValue), "path": .string(Self.text(path)),
      "auth": auth.map { ["uid": .string($0.uid), "token": JSONValue(claim: .map($0.token)) ?? [:]] } ?? .null,
      "time": .string(time.rfc3339),
    ]
  }

  private func list(
    _ query: StructuredQuery, _ step: StepDeclaration, _ client: Client
  ) throws(Obstacle) -> (JSONObject, read: Set<ResourcePath>) {
    guard query.filter == nil, query.orders.isEmpty, !query.allDescendants, let collection = query.collection,
      case .query(let declaration) = step.request, declaration.aggregates.isEmpty
    else { throw Obstacle("Of a query a case tells its collection, limit and offset alone.") }
    let judgement: QueryJudgement
    do throws(FirestoreError) { judgement = try client.judge(query) } catch { throw Obstacle(error.message) }
    let list = judgement.request
    // The path of any document will do: the rules of a query know no more of it than its collection.
    let path = ResourcePath(
      database: list.parent.database, segments: list.parent.segments + [collection, "document"])
    var object = head(.list, path, list.auth, list.time)
    var asked = JSONObject()
    if let limit = list.limit { asked["limit"] = .int(limit) }
    if list.offset != 0 { asked["offset"] = .int(list.offset) }
    if !asked.isEmpty { object["query"] = .object(asked) }
    return (object, judgement.documentsRead)
  }

  // MARK: Documents

  private func mocks(_ paths: Set<ResourcePath>, _ client: Client) throws(Obstacle) -> [TestAPIQuestion.Mock] {
    var mocks: [TestAPIQuestion.Mock] = []
    for path in paths.sorted(by: { $0.relative < $1.relative }) {
      let fields: Fields?
      do throws(FirestoreError) {
        fields = try client.firestore.admin(database: client.database).judge(.get(path)).document
      } catch {
        throw Obstacle(error.message)
      }
      let document: JSONValue
      if let fields {
        document = ["data": try plain(fields, "The document \(path.relative)")]
      } else {
        document = .null
      }
      let argument = TestAPIQuestion.Mock.Argument.exactly(.string(Self.text(path)))
      mocks.append(.init(function: "get", arguments: [argument], result: document))
      mocks.append(.init(function: "exists", arguments: [argument], result: .bool(fields != nil)))
    }
    return mocks
  }

  private func question(
    _ request: JSONObject, _ resource: JSONValue?, _ mocks: [TestAPIQuestion.Mock]
  ) -> TestAPIQuestion {
    let path = request["path"]?.stringValue ?? ""
    return TestAPIQuestion(
      methods: [request["method"]?.stringValue.flatMap { RequestMethod(rawValue: $0) } ?? .get],
      path: TestAPIQuestion.segments(path, decoded: true), request: request, resource: resource, mocks: mocks)
  }

  private static func isCall(_ call: TestAPIVerdict.Call, of mock: TestAPIQuestion.Mock) -> Bool {
    guard call.function == mock.function || call.function == mock.function + "After", call.arguments.count == 1,
      case .exactly(let path) = mock.arguments[0]
    else { return false }
    func segments(_ json: JSONValue) -> [String] { TestAPIQuestion.segments(json.stringValue ?? "", decoded: true) }
    return segments(call.arguments[0]) == segments(path)
  }

  /// Escapes stand for what would be taken for one.
  private static func text(_ path: ResourcePath) -> String {
    let segments = ["databases", path.database.string, "documents"] + path.segments.map(\.string)
    return segments.map { "/" + $0.replacing("%", with: "%25") }.joined()
  }

  /// The data as plain JSON, of which the Rules API takes every whole number for an int.
  private func plain(_ fields: Fields, _ what: String) throws(Obstacle) -> JSONValue {
    guard let json = JSONValue(claim: .map(fields)), (try? LiveQuestion.fields(json, what)) == fields else {
      throw Obstacle("\(what) holds what JSON has no words for, such as a time or the float 1.0.")
    }
    return json
  }
}

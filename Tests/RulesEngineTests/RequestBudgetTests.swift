import JSON
import RulesValues
import Testing

@testable import RulesEngine

/// What requests take of the official limits, as the emulator measures it.
@Suite struct RequestBudgetTests {
  static let recorded = (try? Corpus.lines("budgets.jsonl")) ?? []

  @Test func theRecordingsAreThere() { #expect(Self.recorded.count == 30) }

  private func budget(_ json: JSONValue) throws -> RequestBudget {
    let ruleset = try Ruleset(json["rules"]?.stringValue ?? "")
    let evaluator = ruleset.evaluator(dialect: .emulator1_19)
    let documents = try Recorded.documents(json)
    if json["method"]?.stringValue == "list" {
      return evaluator.budget(of: try Recorded.list(json, user: .null), documents)
    }
    return evaluator.budget(of: try Recorded.request(json), CommitTable(before: documents, json))
  }

  @Test(arguments: recorded.indices) func theEmulatorHasAsMuchLeftAsIsSaid(_ index: Int) throws {
    let json = Self.recorded[index]
    let budget = try budget(json)
    let rules = json["rules"]?.stringValue ?? ""
    #expect(budget.expressions.used == (json["expressions"]?.intValue).map { Int($0) }, "\(rules)")
    #expect(budget.expressions.limit == 1000)
    #expect(budget.lookups.used == (json["lookups"]?.intValue).map { Int($0) }, "\(rules)")
    #expect(budget.lookups.limit == (json["method"]?.stringValue == "list" ? 20 : 10))
    #expect(budget.documents.count == budget.lookups.used)
    #expect(budget.callDepth.used == (json["callDepth"]?.intValue).map { Int($0) }, "\(rules)")
    #expect(budget.callDepth.limit == 20)
  }

  /// The documents before a recorded write and after it.
  private struct CommitTable: DocumentReader {
    let before: DocumentTable
    let path: ResourcePath

    init(before: DocumentTable, _ json: JSONValue) {
      self.before = before
      path = Recorded.path(json["path"]?.stringValue ?? "")
    }

    func document(at path: ResourcePath) -> Fields? { before.document(at: path) }
    func isWritten(_ path: ResourcePath) -> Bool { path == self.path }
  }

  private func get(_ condition: String, _ documents: DocumentTable = [:]) throws -> Explanation {
    let ruleset = try Query.ruleset("match /t/{id} { allow get: if \(condition); }")
    let request = Request.get(ResourcePath(segments: ["t", "a"]), auth: Query.user, time: Query.time)
    return ruleset.evaluator().explain(request, documents)
  }

  @Test(arguments: [
    // A list costs 1 and one for each element; `.size() > 0` three more.
    (795, false, false), (796, true, false), (996, true, false), (997, true, true), (3000, true, true),
  ])
  func fourFifthsOfTheExpressionsAreNearTheLimit(elements: Int, isNear: Bool, isExceeded: Bool) throws {
    let list = Array(repeating: "1", count: elements).joined(separator: ", ")
    let explanation = try get("[\(list)].size() > 0")
    #expect(explanation.budget.expressions.isNearLimit == isNear)
    #expect(explanation.budget.isNearLimit == isNear)
    #expect(explanation.budget.expressions.isExceeded == isExceeded)
    #expect(explanation.budget.expressions.used == (isExceeded ? 1001 : elements + 4))
    #expect(explanation.decision.isAllowed == !isExceeded)
  }

  @Test(arguments: [(7, false), (8, true), (10, true), (12, true)])
  func documentsBeyondTheLimitAreNamed(count: Int, isNear: Bool) throws {
    let calls = (0..<count).map { "exists(/databases/$(database)/documents/d/d\($0))" }
    let explanation = try get("[\(calls.joined(separator: ", "))].size() > 0")
    let budget = explanation.budget
    #expect(budget.lookups.isNearLimit == isNear)
    #expect(budget.lookups.isExceeded == (count > 10))
    #expect(budget.lookups.used == min(count, 11))
    #expect(budget.documents.map(\.path.relative) == (0..<count).map { "/d/d\($0)" })
    #expect(budget.documents.map(\.isRefused) == (0..<count).map { $0 >= 10 })
    #expect(budget.documents.allSatisfy { $0.function == "exists" })
  }

  @Test func whatIsAskedTwiceBeyondTheLimitCountsOnce() throws {
    let calls = Array(0..<12).map { "exists(/databases/$(database)/documents/d/d\(min($0, 10)))" }
    #expect(try get("[\(calls.joined(separator: ", "))].size() > 0").budget.documents.count == 11)
  }

  @Test func aQueryIsExplainedWithWhatItTook() throws {
    let calls = (0..<21).map { "exists(/databases/$(database)/documents/d/d\($0))" }
    let evaluator = try Query.ruleset("match /t/{id} { allow list: if [\(calls.joined(separator: ", "))].size() > 0; }")
      .evaluator()
    let budget = evaluator.explain(Query.list(), DocumentTable()).budget
    #expect(budget.lookups == .init(used: 21, limit: 20))
    #expect(budget.documents.last?.isRefused == true)
  }
}

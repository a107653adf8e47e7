import JSON
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// The method `projects.test` of the Firebase Rules API, offline: the same request, the same answer.
public enum RulesTestAPI {
  /// Compiles the rules of a request and judges its cases, by `Dialect.testAPI`.
  /// - Parameters:
  ///   - request: `{source, testSuite}`, see `TestSuite`.
  ///   - rules: for a request without `source`.
  ///   - now: `request.time` of cases that give none.
  /// - Returns: `{issues, testResults}`; of rules with errors the issues alone, of empty lists nothing.
  /// - Throws: what is wrong with the request, and where.
  public static func answer(
    _ request: JSONValue, rules: SourceFile? = nil, now: Timestamp
  ) throws(TestSuiteMistake) -> JSONValue {
    try run(TestSuite(request), rules: rules, now: now).json
  }

  /// The same for a suite that was read already.
  /// - Throws: when neither the suite nor `rules` brings rules.
  public static func run(
    _ suite: TestSuite, rules: SourceFile? = nil, now: Timestamp
  ) throws(TestSuiteMistake) -> TestSuiteResult {
    guard let file = rules ?? suite.source else { throw TestSuiteMistake("source", "The rules are missing.") }
    let (ruleset, diagnostics) = Ruleset.compile(file)
    let issues = OfficialReport.withoutRepetitions(diagnostics)
    guard let ruleset else {
      return TestSuiteResult(suite: suite, file: file, ruleset: nil, issues: issues, results: [])
    }
    let evaluator = TestAPIEvaluator(ruleset)
    let results = suite.cases.map { item -> TestSuiteResult.Result in
      var question = item.question
      if !question.request.contains("time") { question.request["time"] = .string(now.rfc3339) }
      return TestSuiteResult.Result(testCase: item, question: question, verdict: evaluator.judge(question))
    }
    return TestSuiteResult(suite: suite, file: file, ruleset: ruleset, issues: issues, results: results)
  }
}

/// What became of a TestSuite.
public struct TestSuiteResult: Sendable {
  public struct Result: Sendable {
    public let testCase: TestSuite.Case
    /// As it was judged: with its time.
    public let question: TestAPIQuestion
    public let verdict: TestAPIVerdict

    /// Whether the expectation held.
    public var hasPassed: Bool { verdict.isAllowed == (testCase.expectation == .allow) }
  }

  public let suite: TestSuite
  /// The rules.
  public let file: SourceFile
  /// `nil`: the rules have errors, and nothing was judged.
  public let ruleset: Ruleset?
  public let issues: [Diagnostic]
  /// In the order of the cases.
  public let results: [Result]

  public var passed: Int { results.count(where: \.hasPassed) }
  public var hasPassed: Bool { ruleset != nil && passed == results.count }

  /// The answer of the Rules API, field by field.
  public var json: JSONValue {
    var answer = JSONObject()
    if !issues.isEmpty { answer["issues"] = .array(issues.map { $0.officialJSON(file: file.name) }) }
    let reports = ruleset.map { ExpressionReports($0.checked) }
    if !results.isEmpty { answer["testResults"] = .array(results.map { json($0, reports) }) }
    return .object(answer)
  }

  private func json(_ result: Result, _ reports: ExpressionReports?) -> JSONValue {
    let verdict = result.verdict
    var object: JSONObject = ["state": .string(result.hasPassed ? "SUCCESS" : "FAILURE")]
    if let failure = verdict.failure {
      object["debugMessages"] = [.string(debugMessage(failure))]
      if let range = failure.range { object["errorPosition"] = range.officialJSON(file: file.name) }
    }
    if !verdict.calls.isEmpty {
      object["functionCalls"] = .array(
        verdict.calls.map { ["function": .string($0.function), "args": .array($0.arguments)] })
    }
    if !verdict.visits.isEmpty {
      object["visitedExpressions"] = .array(
        verdict.visits.map { ["sourcePosition": $0.range.officialJSON(file: nil), "value": .bool($0.value)] })
    }
    let level = result.testCase.reportLevel
    if level == .full || level == .visited, let reports {
      let list = reports.json(verdict, visitedOnly: level == .visited)
      if !list.isEmpty { object["expressionReports"] = .array(list) }
    }
    return .object(object)
  }

  /// `Error: firestore.rules line [5], column [22]. Property id is undefined on object.`
  public func debugMessage(_ failure: TestAPIVerdict.Failure) -> String {
    guard let start = failure.range?.start else { return "Error: \(file.name). \(failure.message)" }
    return "Error: \(file.name) line [\(start.line)], column [\(start.column)]. \(failure.message)"
  }
}

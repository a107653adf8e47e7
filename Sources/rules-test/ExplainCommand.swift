import JSON
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import RulesValues

enum ExplainCommand: Command {
  static let name = "explain"
  static let summary = "Show why one request is allowed or denied"
  static let usage = [
    "explain RULES [--as USER] get|create|update|set|delete PATH [--data DATA] [--given FILE]",
    "explain RULES [--as USER] list|count COLLECTION [where FILTER] [order by FIELDS] [limit N]",
    "explain TEST_FILE:LINE [--as USER]",
  ]
  static let details = """
    The third form explains the step of a test that stands in that line, with all that happened before it. Of a query
    that is denied the report says what it lacks, and with which filters it would be allowed.
    The exit code is 0 whatever the answer is.

    USER  nobody (default), a name (a password user with that uid, or a user of the test file given), or a user as the
          test language writes it, with its name before it or uid 'caller':
            --as alice
            --as "alice=google({ email: 'alice@example.com', claims: { admin: true } })"
    DATA  the fields, as JSON (1 is an int, 1.0 a double) or as a map of the test language; @FILE reads a file:
            --data '{"title": "New", "items": 3}'
            --data "{ title: 'New', created: request.time }"
    FILE  the documents that are there: JSON, { "/users/alice": { "name": "Alice" } }, or a test file with its fixtures.
    TIME  2026-01-01, 2026-01-01T12:00:00Z or milliseconds since 1970.

      rules-test explain firestore.rules --as alice get /users/alice/lists/groceries
      rules-test explain firestore.rules --as alice list /notes where "owner == 'alice'" limit 10
    """
  static let options = [
    OptionSpec(name: "--as", value: "USER", help: "who asks"),
    OptionSpec(
      name: "--auth", value: "JSON", help: "who asks, as {\"uid\": …, \"token\": {…}} or @FILE, in place of --as"),
    OptionSpec(name: "--data", value: "DATA", help: "the fields that are written"),
    OptionSpec(name: "--given", value: "FILE", help: "the documents that are there; none without it"),
    OptionSpec(name: "--now", value: "TIME", help: "request.time; 2026-01-01 without it, as in tests"),
    OptionSpec(name: "--database", value: "ID", help: "the database; (default) without it"),
    .dialect, .format, .color, .quiet, .help,
  ]

  static func run(_ options: Options) throws(UsageError) -> ExitCode {
    if options.operands.count == 1, let place = StepPlace(options.operands[0]) { return try explain(place, options) }
    let operands = options.operands
    guard operands.count >= 3 else {
      throw UsageError("explain needs a rules file, a method and a path.", usage[0])
    }
    let rules = RulesFile(try Files.source(operands[0]))
    let question = try question(operands, options)
    guard rules.ruleset != nil else { return broken(rules, options) }
    let test = question.testFile
    guard !test.hasErrors else { throw reported(test.diagnostics, test.file, options) }
    let runner = Runner(dialect: options.dialect, explaining: true, callers: question.callers)
    guard let result = runner.run(test, rules).tests.last, let step = result.steps.last else {
      throw UsageError("The request could not be made.")
    }
    try checkMistakes(result.mistakes + [step.mistake].compactMap(\.self), test, options)
    return try show(step.verdicts, rules, options, asList: false)
  }

  /// - Parameter operands: the rules, a method, a path, and of a query what it asks for.
  private static func question(_ operands: [String], _ options: Options) throws(UsageError) -> Question {
    let queries = ["list", "count"]
    if queries.contains(operands[1]) {
      return try Question(query: operands[1], operands[2...].joined(separator: " "), options)
    }
    guard operands.count == 3 else {
      throw UsageError("explain takes one method and one path; '\(operands[3])' is too much.", usage[0])
    }
    guard let method = StepOperation(rawValue: operands[1]) else {
      if StepRequest.words.contains(operands[1]) {
        throw UsageError("'\(operands[1])' is explained where it stands in a test file: explain TEST_FILE:LINE")
      }
      let methods = StepOperation.allCases.map(\.rawValue) + queries
      throw UsageError(
        "There is no method '\(operands[1])'.\(Suggestion.question(operands[1], methods))",
        "Methods are \(methods.joined(separator: ", ")).")
    }
    return try Question(method: method, path: operands[2], options)
  }

  /// A step of a test.
  private static func explain(_ place: StepPlace, _ options: Options) throws(UsageError) -> ExitCode {
    for name in ["--data", "--given", "--now", "--auth", "--database"] where options.has(name) {
      throw UsageError("\(name) has no place here: the test says it.")
    }
    let pair: Project.Pair
    do throws(FileError) {
      pair = try Project.load(place.file)
    } catch {
      throw UsageError(error.description)
    }
    let (test, rules) = (pair.test, pair.rules)
    guard rules.ruleset != nil else { return broken(rules, options) }
    guard !test.hasErrors else { throw reported(test.diagnostics, test.file, options) }
    // An explanation takes time: of the other tests nobody reads it.
    var part = Selection.Part.all(of: test)
    part.tests = part.tests.filter { test.syntax.tests[$0].range.holds(line: place.line) }
    let result = Runner(dialect: options.dialect, explaining: true).run(test, rules, part: part)
    for tested in result.tests {
      for step in tested.steps where step.step.range.holds(line: place.line) {
        try checkMistakes(tested.mistakes + [step.mistake].compactMap(\.self), test, options)
        guard let user = options["--as"] else { return try show(step.verdicts, rules, options, asList: true) }
        let verdicts = step.verdicts.filter { $0.user.text == user }
        guard !verdicts.isEmpty else {
          let users = step.verdicts.map(\.user.text)
          throw UsageError(
            "The step in line \(place.line) is not about '\(user)'.\(Suggestion.question(user, users))",
            "It is about \(users.joined(separator: ", ")).")
        }
        return try show(verdicts, rules, options, asList: true)
      }
    }
    let lines = test.syntax.tests.flatMap(\.statements).compactMap { statement in
      if case .step(let step) = statement { step.range.start.line } else { nil }
    }
    let nearest = lines.min { abs($0 - place.line) < abs($1 - place.line) }
    throw UsageError(
      "No step stands in line \(place.line) of \(place.file).", nearest.map { "The nearest is in line \($0)." })
  }

  private static func show(
    _ verdicts: [Verdict], _ rules: RulesFile, _ options: Options, asList: Bool
  ) throws(UsageError) -> ExitCode {
    guard let ruleset = rules.ruleset else { return .failed }
    let (terminal, quiet) = (options.terminal, options.has("--quiet"))
    let reports = verdicts.compactMap { verdict -> (json: JSONValue, text: String)? in
      if let explanation = verdict.explanation {
        let report = ExplanationReport(explanation, of: ruleset)
        return (report.json, options.isJSON ? "" : report.text(terminal, quiet: quiet))
      }
      return verdict.queryExplanation.map { explanation in
        let report = QueryReport(explanation, of: ruleset)
        return (report.json, options.isJSON ? "" : report.text(terminal, quiet: quiet))
      }
    }
    guard let first = reports.first else { throw UsageError("The request could not be explained.") }
    if options.isJSON {
      asList ? JSONValue.array(reports.map(\.json)).printed() : first.json.printed()
    } else {
      Console.write(reports.map(\.text).joined(separator: "\n"))
    }
    return .fine
  }

  /// Rules that do not compile.
  private static func broken(_ rules: RulesFile, _ options: Options) -> ExitCode {
    let report = CheckReport([(rules.file, rules.diagnostics)])
    if options.isJSON { report.json.printed() } else { Console.write(report.text(options.terminal)) }
    return .failed
  }

  private static func checkMistakes(
    _ mistakes: [Diagnostic], _ test: TestFile, _ options: Options
  ) throws(UsageError) {
    if !mistakes.isEmpty { throw reported(mistakes, test.file, options) }
  }

  /// Shows what is wrong with the request.
  private static func reported(_ mistakes: [Diagnostic], _ file: SourceFile, _ options: Options) -> UsageError {
    let errors = mistakes.filter { $0.severity == .error }
    Console.write(
      DiagnosticReport(file, errors).text(Console.terminal(.errors, color: options["--color"])), to: .errors)
    return UsageError("The request cannot be made.")
  }
}

/// `firestore_test.rules:23`
struct StepPlace {
  let file: String
  let line: Int

  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]), line > 0 else {
      return nil
    }
    file = String(text[..<colon])
    self.line = line
    guard file.hasSuffix(".rules") else { return nil }
  }
}

import JSON
import RulesEngine
import RulesSyntax
import RulesValues

/// Turns the cases of a TestSuite into tests, one each. A case is judged both ways: one that a database would decide
/// otherwise than the Rules API is left out, since the test would not say the same.
public struct SuiteToTests: Sendable {
  /// The test file.
  public private(set) var text = ""
  /// The cases that became tests.
  public private(set) var converted: [Int] = []
  /// In the order of the cases.
  public private(set) var losses: [ConversionLoss] = []

  private let result: TestSuiteResult
  private let ruleset: Ruleset
  /// By their names; what is asked by the same caller has the same name.
  private var users: [(name: String, auth: Auth, declaration: String)] = []
  private var tests: [String] = []
  private var titles: Set<String> = []
  private var database: Text?

  /// - Parameters:
  ///   - suite: its cases without a time are taken to be asked when tests begin.
  ///   - rules: for a suite without a source.
  ///   - rulesName: what the test file calls its rules; `nil`: their name follows from its own.
  /// - Throws: when there are no rules, or they have errors.
  public init(_ suite: TestSuite, rules: SourceFile? = nil, rulesName: String? = nil) throws(TestSuiteMistake) {
    result = try RulesTestAPI.run(suite, rules: rules, now: TestFile.defaultNow)
    guard let ruleset = result.ruleset else {
      throw TestSuiteMistake("source", "The rules do not compile: \(result.issues.first?.message ?? "")")
    }
    self.ruleset = ruleset
    for index in result.results.indices { convert(index) }
    var head = rulesName.map { ["rules \(SourceText.quoted($0));"] } ?? []
    if let database, database != "(default)" { head.append("database \(SourceText.quoted(database.string));") }
    head += users.map(\.declaration)
    text = ([head.joined(separator: "\n")] + tests).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  // MARK: A case

  private struct Obstacle: Error {
    let member: String
    let reason: String

    init(_ member: String, _ reason: String) {
      self.member = member
      self.reason = reason
    }
  }

  private mutating func convert(_ index: Int) {
    do throws(Obstacle) {
      let (question, live, notes) = try plan(index)
      try write(index, question, live)
      for (member, reason) in notes { lose(index, member, reason, isLeftOut: false) }
      converted.append(index)
    } catch {
      lose(index, error.member, error.reason, isLeftOut: true)
    }
  }

  private mutating func lose(_ index: Int, _ member: String, _ reason: String, isLeftOut: Bool) {
    let place = "testSuite.testCases[\(index)]" + (member.isEmpty ? "" : ".\(member)")
    losses.append(ConversionLoss(.json(place), reason, isLeftOut: isLeftOut))
  }

  /// What is asked of a database, and what of the case is not.
  private func plan(
    _ index: Int
  ) throws(Obstacle) -> (TestAPIQuestion, LiveQuestion, notes: [(member: String, reason: String)]) {
    let item = result.results[index]
    let question = item.question
    for key in question.request.keys where !["method", "path", "auth", "time", "resource", "query"].contains(key) {
      throw Obstacle("request.\(key)", "A test has no words for it.")
    }
    for key in question.request["query"]?.objectValue?.keys ?? [] where key != "limit" && key != "offset" {
      throw Obstacle("request.query.\(key)", "Of a query only the limit and the offset can be told.")
    }
    for key in question.request["auth"]?.objectValue?.keys ?? [] where key != "uid" && key != "token" {
      throw Obstacle("request.auth.\(key)", "A user of a test has a uid and a token alone.")
    }
    let live: LiveQuestion
    do throws(LiveQuestion.Obstacle) {
      live = try LiveQuestion(question, now: TestFile.defaultNow)
    } catch {
      throw Obstacle("request", error.reason)
    }
    if live.documents.other != nil {
      throw Obstacle("functionMocks", "A mock of any argument would be every document there is.")
    }
    if live.documents.tellsOfLater {
      throw Obstacle("functionMocks", "What is there after the request follows from what is there before.")
    }
    if let database, database != live.path.database {
      throw Obstacle("request.path", "A test file is about one database, this one about '\(database)'.")
    }
    return (question, live, notes(item, live))
  }

  private func notes(_ item: TestSuiteResult.Result, _ live: LiveQuestion) -> [(member: String, reason: String)] {
    var notes: [(String, String)] = []
    let request = item.question.request
    if request["resource"] != nil, live.written == nil {
      notes.append(("request.resource", "A \(live.method.rawValue) writes no document: left out."))
    }
    for (name, resource) in [("request.resource", request["resource"]), ("resource", item.question.resource)] {
      for key in resource?.objectValue?.keys ?? [] where key != "data" {
        notes.append(("\(name).\(key)", "A document has it by itself: left out."))
      }
    }
    if live.method == .list, item.question.resource != nil {
      notes.append(("resource", "A query is judged by what it asks, not by a document: left out."))
    }
    if live.method == .update, live.documents.document(at: live.path) == nil {
      notes.append(("resource", "An update needs a document: an empty one is there."))
    }
    if live.time.nanos % 1_000_000 != 0 {
      notes.append(("request.time", "A database tells the time to the millisecond."))
    }
    if item.testCase.reportLevel != .unspecified {
      notes.append(("expressionReportLevel", "What is reported of tests is chosen on the command line."))
    }
    return notes
  }

  // MARK: A test

  private mutating func write(_ index: Int, _ question: TestAPIQuestion, _ live: LiveQuestion) throws(Obstacle) {
    let item = result.results[index]
    var lines: [String] = []
    var documents = live.documents.known.compactMapValues { $0 }
    if live.method == .update, documents[live.path] == nil { documents[live.path] = [:] }
    if live.method == .create, documents[live.path] != nil {
      throw Obstacle("resource", "A document that is there already cannot be created.")
    }
    if live.time != TestFile.defaultNow {
      lines.append("at \(SourceText.time(Timestamp(milliseconds: live.time.milliseconds)));")
    }
    for (path, fields) in documents.sorted(by: { $0.key.relative < $1.key.relative }) {
      lines.append("given \(SourceText.path(path)) \(try source(fields));")
    }
    var (user, isNew) = ("nobody", false)
    if let auth = live.auth { (user, isNew) = try self.user(auth) }
    let expectation = item.testCase.expectation == .allow ? "allow" : "deny"
    lines.append("\(expectation) \(try step(live)) as \(user);")
    let title = self.title(index)
    let test = "test \(SourceText.quoted(title)) {\n\(lines.map { "  \($0)\n" }.joined())}"
    let declaration = users.first { $0.name == user }?.declaration ?? ""
    do throws(Obstacle) {
      try check(
        "\(live.path.database == "(default)" ? "" : "database '\(live.path.database)';\n")\(declaration)\n\(test)",
        item, live)
    } catch {
      if isNew { users.removeLast() }
      throw error
    }
    if let auth = live.auth { noteClaims(index, auth, declaration) }
    database = live.path.database
    titles.insert(title)
    tests.append(test)
  }

  private func source(_ fields: Fields) throws(Obstacle) -> String {
    guard let text = SourceText.map(fields) else { throw Obstacle("", "Its data cannot be written in a test.") }
    return text
  }

  private func step(_ live: LiveQuestion) throws(Obstacle) -> String {
    let path = SourceText.path(live.path)
    switch live.method {
    case .get, .delete: return "\(live.method.rawValue) \(path)"
    case .create: return "create \(path) \(try source(live.written ?? [:]))"
    // The whole document as it would be.
    case .update: return "set \(path) \(try source(live.written ?? [:]))"
    case .list:
      return "list \(path)" + (live.limit.map { " limit \($0)" } ?? "")
        + (live.offset == 0 ? "" : " offset \(live.offset)")
    }
  }

  private func title(_ index: Int) -> String {
    let name = result.results[index].testCase.name ?? "case \(index + 1)"
    return titles.contains(name) ? "\(name) (case \(index + 1))" : name
  }

  private mutating func user(_ auth: Auth) throws(Obstacle) -> (name: String, isNew: Bool) {
    if let known = users.first(where: { $0.auth == auth }) { return (known.name, false) }
    let isName = SourceText.isWord(auth.uid) && auth.uid != "nobody" && auth.uid != "request"
    let base = isName ? auth.uid : "user"
    let name = (1...(users.count + 1)).lazy.map { $0 == 1 ? base : "\(base)\($0)" }.first { name in
      !users.contains { $0.name == name }
    }
    guard let name, let provider = UserText.provider(of: auth, name: name) else {
      throw Obstacle("request.auth", "No user of a test has such a token.")
    }
    users.append((name, auth, "user \(name) = \(provider);"))
    return (name, true)
  }

  /// Claims that the identity engine makes otherwise than the case has them.
  private mutating func noteClaims(_ index: Int, _ auth: Auth, _ declaration: String) {
    let made = TestFile.load(SourceFile(name: "user", text: declaration)).users.first?.auth.token ?? [:]
    for (claim, value) in auth.token.sorted(by: { $0.key < $1.key }) where made[claim] != value {
      lose(
        index, "request.auth.token.\(claim)",
        "A user's token has \(made[claim].flatMap { SourceText.value($0) } ?? "none").", isLeftOut: false)
    }
  }

  /// Runs the test by itself: it must ask what the case asks, and come to the same verdict.
  private func check(_ text: String, _ item: TestSuiteResult.Result, _ live: LiveQuestion) throws(Obstacle) {
    let file = TestFile.load(SourceFile(name: "case", text: text))
    if let error = file.diagnostics.first(where: { $0.severity == .error }) { throw Obstacle("", error.message) }
    let run = Runner().run(file, RulesFile(result.file))
    guard let test = run.tests.first, let step = test.steps.first, let verdict = step.verdicts.first,
      test.mistakes.isEmpty, step.mistake == nil
    else {
      let mistake = run.tests.first?.mistakes.first ?? run.tests.first?.steps.first?.mistake
      throw Obstacle("", mistake?.message ?? "It cannot be run as a test.")
    }
    guard verdict.asked.path == live.path, verdict.asked.method == live.method,
      verdict.asked.auth?.uid == live.auth?.uid
    else { throw Obstacle("request", "As a test it would ask something else.") }
    guard verdict.decision.isAllowed == item.verdict.isAllowed else {
      let api = item.verdict.isAllowed ? "ALLOW" : "DENY" + (item.verdict.failure.map { " (\($0.message))" } ?? "")
      let here = verdict.decision.denial.map { "denies: \($0.message)" } ?? "allows it"
      throw Obstacle("", "The Rules API says \(api); a database \(here)")
    }
  }
}

import Identity
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// One test on its way through its statements, with a database of its own.
struct TestRun {
  private let declaration: TestDeclaration
  private let test: TestFile
  private let functions: [String: FunctionDeclaration]
  private let ruleset: Ruleset
  private let runner: Runner
  private let clock: ManualClock
  private let firestore: LocalFirestore
  /// Of a test in which users do something between steps.
  private var people: People?
  private var builder: DataBuilder
  private var steps: [StepResult] = []
  private var mistakes: [Diagnostic] = []
  /// Fixtures of this test alone.
  private var ownFixtures: [Fixture] = []
  /// Documents whose write was not done, because of an unexpected verdict, and the line of the step.
  private var missedWrites: [ResourcePath: Int] = [:]
  /// Documents that steps asked for or rules looked at.
  private(set) var touched: Set<ResourcePath> = []

  init(
    _ declaration: TestDeclaration, of test: TestFile, ruleset: Ruleset, runner: Runner,
    recorder: CoverageRecorder? = nil
  ) {
    self.ruleset = ruleset
    self.runner = runner
    self.declaration = declaration
    self.test = test
    functions = Dictionary(test.syntax.functions.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    clock = ManualClock(test.now)
    firestore = LocalFirestore(
      project: test.project, clock: clock, dialect: runner.dialect, queryMode: runner.queryMode)
    firestore.setRules(ruleset, database: test.database, recorder: recorder)
    builder = DataBuilder(evaluator: test.evaluator(at: test.now), database: test.database, functions: functions)
  }

  var unusedFixtures: [Fixture] { ownFixtures.filter { !touched.contains($0.path) } }

  /// Runs the test, once.
  mutating func result() -> TestResult {
    do throws(TestMistake) {
      for fixture in test.fixtures { try firestore.put(fixture) }
      if !declaration.actions.isEmpty { people = try People(of: declaration, in: test, clock: clock) }
    } catch {
      mistakes.append(error.diagnostic)
    }
    for statement in declaration.statements {
      switch statement {
      case .given(let fixture): give(fixture)
      case .at(let time): moveClock(time)
      case .step(let step): steps.append(run(step))
      case .action(let action): act(action)
      }
    }
    return TestResult(test: declaration, steps: steps, mistakes: mistakes)
  }

  private mutating func give(_ declaration: FixtureDeclaration) {
    do throws(TestMistake) {
      let fixture = try builder.fixture(declaration, time: clock.now)
      try firestore.put(fixture)
      ownFixtures.append(fixture)
    } catch {
      mistakes.append(error.diagnostic)
    }
  }

  private mutating func moveClock(_ time: Expression) {
    do throws(TestMistake) {
      clock.now = try builder.time(time)
      try people?.look(time.range)
      renewBuilder()
    } catch {
      mistakes.append(error.diagnostic)
    }
  }

  private mutating func act(_ action: UserAction) {
    do throws(TestMistake) {
      try people?.act(action, builder)
      renewBuilder()
    } catch {
      mistakes.append(error.diagnostic)
    }
  }

  /// Expressions see the present time, and who users are now.
  private mutating func renewBuilder() {
    let evaluator = test.evaluator(at: clock.now, present: people?.lastAuths ?? [:])
    builder = DataBuilder(evaluator: evaluator, database: test.database, functions: functions)
  }

  // MARK: Steps

  private mutating func run(_ step: StepDeclaration) -> StepResult {
    do throws(TestMistake) {
      let request = try builder.request(step.request, users: test.users.map(\.name))
      touch(request)
      try checkExistence(step.request)
      var verdicts: [Verdict] = []
      var limits = LimitWarning()
      // All users meet the same state: writes are made once, when all have been judged.
      for user in step.users { verdicts.append(try judge(request, user, step, &limits)) }
      if !verdicts.allSatisfy(\.isHeld) {
        for write in request.writes { missedWrites[write.path] = step.range.start.line }
      } else if step.expectation == .allow, !request.writes.isEmpty {
        try perform(request.writes, step)
        for write in request.writes { missedWrites[write.path] = nil }
      }
      return StepResult(
        step: step, verdicts: verdicts, mistake: nil,
        warnings: DenialReason.warnings(step, verdicts, ruleset) + Self.queryWarnings(step, verdicts, ruleset)
          + limits.warnings(step))
    } catch {
      return StepResult(step: step, verdicts: [], mistake: error.diagnostic, warnings: [])
    }
  }

  private mutating func touch(_ request: PlannedRequest) {
    touched.formUnion(request.reads)
    touched.formUnion(request.writes.map(\.path))
    guard let query = request.query else { return }
    for fixture in test.fixtures + ownFixtures where query.isAbout(fixture.path) { touched.insert(fixture.path) }
  }

  /// An update of a missing document, or a create of an existing one, fails whatever the rules say.
  private func checkExistence(_ request: StepRequest) throws(TestMistake) {
    var changed: [ResourcePath: Bool] = [:]
    for document in request.documents {
      let path = try builder.path(document.path)
      let exists = if let known = changed[path] { known } else { try isStored(path, document.path.range) }
      switch document.operation {
      case .update: if !exists { throw mistake(about: path, document, isMissing: true) }
      case .create: if exists { throw mistake(about: path, document, isMissing: false) }
      case .get, .set, .delete: break
      }
      if document.operation != .get { changed[path] = document.operation != .delete }
    }
  }

  private func isStored(_ path: ResourcePath, _ range: SourceRange) throws(TestMistake) -> Bool {
    do {
      return try firestore.admin(database: test.database).judge(.get(path)).document != nil
    } catch {
      throw TestMistake(error, range)
    }
  }

  private func mistake(about path: ResourcePath, _ request: DocumentRequest, isMissing: Bool) -> TestMistake {
    var notes = [
      isMissing
        ? "Put it there with 'given', or write it with 'set' or 'create'."
        : "Write it with 'set', or change it with 'update'."
    ]
    if let line = missedWrites[path] {
      notes = ["The write in line \(line) was not done, since its verdict was not the expected one."]
    }
    return TestMistake(
      isMissing ? "update-of-missing" : "create-of-existing", request.path.range,
      isMissing
        ? "There is no document \(path.relative) to update." : "The document \(path.relative) is there already.",
      notes: notes)
  }

  private mutating func judge(
    _ request: PlannedRequest, _ name: Name, _ step: StepDeclaration, _ limits: inout LimitWarning
  ) throws(TestMistake) -> Verdict {
    let client = firestore.client(as: try auth(name), database: test.database)
    do throws(FirestoreError) {
      let judged = try client.judge(request, explaining: false)
      touched.formUnion(judged.documentsRead)
      limits.note(judged)
      let status = Self.status(judged.decision, step)
      let isExplained = status != .held || runner.explaining
      // Where a denial was expected nobody wants a way around it.
      let fixing = runner.explaining || step.expectation == .allow
      let explained = isExplained ? try client.judge(request, explaining: true, fixing: fixing) : nil
      let verdict = Verdict(
        user: name, expected: step.expectation, decision: judged.decision, status: status,
        explanation: explained?.explanation, queryExplanation: explained?.queryExplanation, asked: judged.asked,
        queryWarnings: judged.warnings)
      runner.observer?.look(request, step, verdict, client)
      return verdict
    } catch {
      throw TestMistake(error, step.request.range)
    }
  }

  private static func queryWarnings(
    _ step: StepDeclaration, _ verdicts: [Verdict], _ ruleset: Ruleset
  ) -> [Diagnostic] {
    var known: [QueryWarning] = []
    for warning in verdicts.flatMap(\.queryWarnings) where !known.contains(warning) { known.append(warning) }
    return known.map { warning in
      Diagnostic(
        id: "query-on-absence", severity: .warning, range: step.range,
        message: "Allowed, but the results may break the rule: \(warning.text)",
        notes: ["\(ruleset.file.name):\(warning.line):\(warning.column)"])
    }
  }

  private static func status(_ decision: Decision, _ step: StepDeclaration) -> Verdict.Status {
    guard decision.isAllowed == (step.expectation == .allow) else { return .unexpected }
    guard let because = step.because, let denial = decision.denial else { return .held }
    return denial.message.holds(because.text) ? .held : .otherReason
  }

  private func auth(_ name: Name) throws(TestMistake) -> Auth? {
    if let known = runner.callers[name.text] { return known }
    if let people, people.knows(name.text) { return people.auths[name.text] }
    guard let user = test.users.first(where: { $0.name == name.text }) else {
      if name.text == "nobody" { return nil }
      // Checked when the file was read; a stranger must never be taken for the signed-out caller.
      throw TestMistake("unknown-user", name.range, "Unknown user '\(name.text)'.")
    }
    // Until the clock moves, the token is the one of the beginning.
    if clock.now == test.now { return user.auth }
    do {
      return try user.auth(at: clock.now, project: test.project)
    } catch {
      throw TestMistake("wrong-user", name.range, error.sentence)
    }
  }

  private func perform(_ writes: [Write], _ step: StepDeclaration) throws(TestMistake) {
    do {
      try firestore.admin(database: test.database).commit(writes)
    } catch {
      throw TestMistake(error, step.request.range)
    }
  }
}

extension String {
  /// Whether another text is part of this one, byte for byte. A number is taken as a whole: `@ L1` is no part of `@ L12`.
  func holds(_ part: String) -> Bool {
    let text = Array(utf8)
    let part = Array(part.utf8)
    guard part.count <= text.count else { return false }
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { 0x30...0x39 ~= $0 } ?? false }
    return (0...text.count - part.count).contains { start in
      let end = start + part.count
      guard text[start..<end].elementsEqual(part) else { return false }
      return !(isDigit(part.last) && end < text.count && isDigit(text[end]))
        && !(isDigit(part.first) && start > 0 && isDigit(text[start - 1]))
    }
  }
}

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
  private var builder: DataBuilder
  private var steps: [StepResult] = []
  private var mistakes: [Diagnostic] = []
  /// Fixtures of this test alone.
  private var ownFixtures: [Fixture] = []
  /// Documents whose write was not done, because of an unexpected verdict, and the line of the step.
  private var missedWrites: [ResourcePath: Int] = [:]
  /// Documents that steps asked for or rules looked at.
  private(set) var touched: Set<ResourcePath> = []

  init(_ declaration: TestDeclaration, of test: TestFile, ruleset: Ruleset, runner: Runner) {
    self.ruleset = ruleset
    self.runner = runner
    self.declaration = declaration
    self.test = test
    functions = Dictionary(test.syntax.functions.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    clock = ManualClock(test.now)
    firestore = LocalFirestore(project: test.project, clock: clock, dialect: runner.dialect)
    firestore.setRules(ruleset, database: test.database)
    builder = DataBuilder(evaluator: test.evaluator(at: test.now), database: test.database, functions: functions)
  }

  var unusedFixtures: [Fixture] { ownFixtures.filter { !touched.contains($0.path) } }

  /// Runs the test, once.
  mutating func result() -> TestResult {
    do throws(TestMistake) {
      for fixture in test.fixtures { try firestore.put(fixture) }
    } catch {
      mistakes.append(error.diagnostic)
    }
    for statement in declaration.statements {
      switch statement {
      case .given(let fixture): give(fixture)
      case .at(let time): moveClock(time)
      case .step(let step): steps.append(run(step))
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
      builder = DataBuilder(
        evaluator: test.evaluator(at: clock.now), database: test.database, functions: functions)
    } catch {
      mistakes.append(error.diagnostic)
    }
  }

  // MARK: Steps

  private mutating func run(_ step: StepDeclaration) -> StepResult {
    do throws(TestMistake) {
      let call = try builder.call(step)
      touched.insert(call.path)
      try checkExistence(call, step)
      var verdicts: [Verdict] = []
      // All users meet the same state: the write is done once, when all have been judged.
      for user in step.users { verdicts.append(try judge(call, user, step)) }
      if case .write = call {
        if !verdicts.allSatisfy(\.isHeld) {
          missedWrites[call.path] = step.range.start.line
        } else if step.expectation == .allow {
          try perform(call, step)
          missedWrites[call.path] = nil
        }
      }
      return StepResult(
        step: step, verdicts: verdicts, mistake: nil, warnings: DenialReason.warnings(step, verdicts, ruleset))
    } catch {
      return StepResult(step: step, verdicts: [], mistake: error.diagnostic, warnings: [])
    }
  }

  /// An update of a missing document, or a create of an existing one, fails whatever the rules say.
  private func checkExistence(_ call: Call, _ step: StepDeclaration) throws(TestMistake) {
    let wanted: Bool
    switch step.operation {
    case .update: wanted = true
    case .create: wanted = false
    case .get, .set, .delete: return
    }
    let path = call.path
    let exists: Bool
    do {
      exists = try firestore.admin(database: test.database).judge(.get(path)).document != nil
    } catch {
      throw TestMistake(error, step.path.range)
    }
    guard exists != wanted else { return }
    var notes = [
      wanted
        ? "Put it there with 'given', or write it with 'set' or 'create'."
        : "Write it with 'set', or change it with 'update'."
    ]
    if let line = missedWrites[path] {
      notes = ["The write in line \(line) was not done, since its verdict was not the expected one."]
    }
    throw TestMistake(
      wanted ? "update-of-missing" : "create-of-existing", step.path.range,
      wanted
        ? "There is no document \(path.relative) to update." : "The document \(path.relative) is there already.",
      notes: notes)
  }

  private mutating func judge(_ call: Call, _ name: Name, _ step: StepDeclaration) throws(TestMistake) -> Verdict {
    let client = firestore.client(as: try auth(name), database: test.database)
    do throws(FirestoreError) {
      let judgement = try client.judge(call)
      touched.formUnion(judgement.documentsRead)
      let status = Self.status(judgement.decision, step)
      let isExplained = status != .held || runner.explaining
      let explanation = isExplained ? try client.judge(call, explaining: true).explanation : nil
      return Verdict(
        user: name, expected: step.expectation, decision: judgement.decision, status: status, explanation: explanation,
        request: judgement.request)
    } catch {
      throw TestMistake(error, step.data?.range ?? step.path.range)
    }
  }

  private static func status(_ decision: Decision, _ step: StepDeclaration) -> Verdict.Status {
    guard decision.isAllowed == (step.expectation == .allow) else { return .unexpected }
    guard let because = step.because, let denial = decision.denial else { return .held }
    return denial.message.holds(because.text) ? .held : .otherReason
  }

  private func auth(_ name: Name) throws(TestMistake) -> Auth? {
    if let known = runner.callers[name.text] { return known }
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

  private func perform(_ call: Call, _ step: StepDeclaration) throws(TestMistake) {
    do {
      try firestore.admin(database: test.database).perform(call)
    } catch {
      throw TestMistake(error, step.data?.range ?? step.path.range)
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

import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// Runs test files against rules. Holds no state: files may be run on several threads at once.
public struct Runner: Sendable {
  public let dialect: Dialect
  /// How far queries are trusted that ask nothing of a field on which their rule depends.
  public let queryMode: QueryMode
  /// Whether every verdict comes with an explanation, not only those that did not hold.
  public let explaining: Bool
  /// Who stands behind a name of the test file, in place of the user that the file declares.
  public let callers: [String: Auth]
  /// Is shown every request.
  var observer: (any StepObserver)?

  public init(
    dialect: Dialect = .live, queryMode: QueryMode = .official, explaining: Bool = false, callers: [String: Auth] = [:]
  ) {
    self.dialect = dialect
    self.queryMode = queryMode
    self.explaining = explaining
    self.callers = callers
  }

  /// Runs test files one after another.
  public func run(_ files: [(test: TestFile, rules: RulesFile)], prover: (any InvariantProver)? = nil) -> SuiteResult {
    SuiteResult(files: files.map { run($0.test, $0.rules, prover: prover) })
  }

  /// Runs every test of a file. Nothing is run of a file that has errors, or whose rules have.
  /// - Parameters:
  ///   - test: the file.
  ///   - rules: what is tested.
  ///   - prover: is asked about the file's invariants; without one they stay not proved.
  ///   - part: what of the file is run, in this order; `nil`: everything.
  ///   - stopsAtFailure: whether nothing more is begun after the first test that fails.
  ///   - recorder: keeps the coverage of the rules.
  public func run(
    _ test: TestFile, _ rules: RulesFile, prover: (any InvariantProver)? = nil, part: Selection.Part? = nil,
    stopsAtFailure: Bool = false, recorder: CoverageRecorder? = nil
  ) -> FileResult {
    var test = test
    if let ruleset = rules.ruleset, !ruleset.checked.services.contains(where: { $0.kind == .firestore }) {
      // Storage rules refuse every request to Firestore, as every 'deny' would have it.
      test = test.adding(
        Diagnostic(
          id: "no-firestore", severity: .error, range: test.syntax.rules?.range,
          message: "\(rules.file.name) has no rules for Firestore.",
          notes: ["They stand in service cloud.firestore { … }"]))
    }
    guard !test.hasErrors, let ruleset = rules.ruleset else {
      let invariants = test.syntax.invariants.map { InvariantResult(invariant: $0, status: .notProved) }
      return FileResult(test: test, rules: rules, tests: [], invariants: invariants, diagnostics: test.diagnostics)
    }
    var touched: Set<ResourcePath> = []
    var tests: [TestResult] = []
    var warnings: [Diagnostic] = []
    let part = part ?? .all(of: test)
    var isStopped = false
    for index in part.tests where test.syntax.tests.indices.contains(index) {
      if isStopped { break }
      let declaration = test.syntax.tests[index]
      var run = TestRun(declaration, of: test, ruleset: ruleset, runner: self, recorder: recorder)
      let start = ContinuousClock.now
      var result = run.result()
      result.duration = ContinuousClock.now - start
      tests.append(result)
      isStopped = stopsAtFailure && !result.hasPassed
      touched.formUnion(run.touched)
      warnings += run.unusedFixtures.map(Self.unused)
    }
    // Of a part of the tests, or without a single one, not every fixture has had its chance.
    if !tests.isEmpty, tests.count == test.syntax.tests.count {
      warnings += test.fixtures.filter { !touched.contains($0.path) }.map(Self.unused)
    }
    var invariants: [InvariantResult] = []
    for index in part.invariants where test.syntax.invariants.indices.contains(index) {
      if isStopped { break }
      let invariant = test.syntax.invariants[index]
      let result = InvariantResult(
        invariant: invariant, status: prover?.status(of: invariant, in: test, rules) ?? .notProved)
      invariants.append(result)
      isStopped = stopsAtFailure && result.status == .leak
    }
    return FileResult(
      test: test, rules: rules, tests: tests, invariants: invariants,
      diagnostics: (test.diagnostics + warnings).inSourceOrder)
  }

  private static func unused(_ fixture: Fixture) -> Diagnostic {
    Diagnostic(
      id: "unused-fixture", severity: .warning, range: fixture.declaration.path.range,
      message: "No step asks for this document, and no rule looked at it.")
  }
}

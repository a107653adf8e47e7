import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues

/// What became of one user's request in a step.
public struct Verdict: Sendable {
  public enum Status: Sendable, Equatable {
    /// As expected.
    case held
    /// Allowed instead of denied, or denied instead of allowed.
    case unexpected
    /// Denied as expected, but the message does not hold the text of `because`.
    case otherReason
  }

  public let user: Name
  public let expected: Expectation
  public let decision: Decision
  public let status: Status
  /// Of verdicts that did not hold, and of all where the runner was asked to explain.
  public let explanation: Explanation?
  /// The same for a query.
  public let queryExplanation: QueryExplanation?
  /// What was asked for. Of several writes the first that was refused, else the first.
  public let asked: Asked
  /// Of an allowed query: where it can return what its condition seems to forbid.
  public let queryWarnings: [QueryWarning]

  public struct Asked: Sendable {
    /// `nil`: signed out.
    public let auth: Auth?
    /// Of a document, or of the collection of a query.
    public let path: ResourcePath
    /// The methods of the rules that it is judged by.
    public let method: RequestMethod
  }

  public var isHeld: Bool { status == .held }
}

public struct StepResult: Sendable {
  public let step: StepDeclaration
  /// One for each user; empty when a mistake kept the step from being judged.
  public let verdicts: [Verdict]
  /// What is wrong with the test: a value that cannot be worked out, an update of a missing document, …
  public let mistake: Diagnostic?
  /// Denials that held for a reason that nobody may have meant.
  public let warnings: [Diagnostic]

  public var isHeld: Bool { mistake == nil && verdicts.allSatisfy(\.isHeld) }
}

public struct TestResult: Sendable {
  public let test: TestDeclaration
  public let steps: [StepResult]
  /// Mistakes in statements of the test that are no steps.
  public let mistakes: [Diagnostic]
  /// How long it took.
  public internal(set) var duration = Duration.zero

  public var name: String { test.name.text }
  public var hasPassed: Bool { mistakes.isEmpty && steps.allSatisfy(\.isHeld) }
}

public struct InvariantResult: Sendable {
  public enum Status: String, Sendable, CaseIterable {
    /// No request and no database break it.
    case proved
    /// The same, but only since no allow covers what it speaks of, which may be misspelt.
    case vacuous
    /// A request breaks it.
    case leak
    /// Somebody looked, and found neither.
    case unknown
    /// Nobody looked: never to be taken for passed.
    case notProved
  }

  public let invariant: InvariantDeclaration
  public let status: Status
}

/// Finds out whether invariants hold, which running tests cannot.
public protocol InvariantProver {
  func status(of invariant: InvariantDeclaration, in test: TestFile, _ rules: RulesFile) -> InvariantResult.Status
}

/// What became of one test file.
public struct FileResult: Sendable {
  public let test: TestFile
  public let rules: RulesFile
  /// Empty when the test file or the rules have errors: see `canRun`.
  public let tests: [TestResult]
  public let invariants: [InvariantResult]
  /// About the test file: those of reading it, and what running it brought to light.
  public let diagnostics: [Diagnostic]

  /// Whether the tests could be run at all.
  public var canRun: Bool { !test.hasErrors && rules.ruleset != nil }
  public var totals: Totals {
    Totals(
      passed: tests.count(where: \.hasPassed), failed: tests.count { !$0.hasPassed },
      steps: tests.reduce(0) { $0 + $1.steps.count },
      invariants: Dictionary(invariants.map { ($0.status, 1) }, uniquingKeysWith: +), notRun: canRun ? 0 : 1)
  }
}

/// Numbers of a run.
public struct Totals: Sendable, Equatable {
  /// Tests.
  public var passed = 0
  public var failed = 0
  /// Steps of all tests that ran.
  public var steps = 0
  /// How many invariants are of each status.
  public var invariants: [InvariantResult.Status: Int] = [:]
  /// Test files that could not be run, for errors in them or in their rules.
  public var notRun = 0

  public init(
    passed: Int = 0, failed: Int = 0, steps: Int = 0, invariants: [InvariantResult.Status: Int] = [:], notRun: Int = 0
  ) {
    self.passed = passed
    self.failed = failed
    self.steps = steps
    self.invariants = invariants
    self.notRun = notRun
  }

  public static func + (a: Totals, b: Totals) -> Totals {
    Totals(
      passed: a.passed + b.passed, failed: a.failed + b.failed, steps: a.steps + b.steps,
      invariants: a.invariants.merging(b.invariants, uniquingKeysWith: +), notRun: a.notRun + b.notRun)
  }

  public func count(_ status: InvariantResult.Status) -> Int { invariants[status] ?? 0 }
}

/// What became of all test files of a run, in the order in which they were given.
public struct SuiteResult: Sendable {
  public let files: [FileResult]

  public init(files: [FileResult]) { self.files = files }

  public var totals: Totals { files.reduce(Totals()) { $0 + $1.totals } }
  public var hasPassed: Bool { totals.failed == 0 && totals.notRun == 0 && totals.count(.leak) == 0 }
}

/// A rules file that was compiled.
public struct RulesFile: Sendable {
  public let file: SourceFile
  /// `nil` when it does not compile.
  public let ruleset: Ruleset?
  public let diagnostics: [Diagnostic]

  public init(_ file: SourceFile) {
    self.file = file
    (ruleset, diagnostics) = Ruleset.compile(file)
  }
}

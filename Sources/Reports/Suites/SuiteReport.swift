import RulesEngine
import RulesSyntax
import RulesTesting

/// What became of the tests, for people: a line for each test, then the failures in full, then totals. The last line is
/// `N passed, N failed`.
public struct SuiteReport: Sendable {
  /// How much is shown.
  public enum Detail: Sendable {
    /// Failures and totals.
    case quiet
    /// A line for each test as well, and warnings.
    case normal
    /// The steps of each test as well.
    case verbose
  }

  /// How much is told of a step that did not hold.
  public enum Explaining: String, CaseIterable, Sendable {
    /// What decided, in at most a screen.
    case screen
    /// Everything that was evaluated.
    case full
  }

  let result: SuiteResult
  let dialect: Dialect
  /// What kept files from being used.
  let errors: [FileError]
  private let proofs: [ProofReport.Entry]
  private let noProofs: String?
  let selection: SelectionSummary?
  let coverage: CoverageReport?

  /// - Parameters:
  ///   - result: what was run.
  ///   - dialect: whose behaviour is followed.
  ///   - errors: what kept files from being run.
  ///   - proofs: what is known of invariants that somebody looked at.
  ///   - noProofs: why nobody could, and what would help.
  ///   - selection: how the tests that ran were chosen, where not all of them were meant to.
  ///   - coverage: what they made of the rules, where that was asked for.
  public init(
    _ result: SuiteResult, dialect: Dialect = .live, errors: [FileError] = [], proofs: [ProofReport.Entry] = [],
    noProofs: String? = nil, selection: SelectionSummary? = nil,
    coverage: CoverageReport? = nil
  ) {
    self.result = result
    self.dialect = dialect
    self.errors = errors
    self.proofs = proofs
    self.noProofs = noProofs
    self.selection = selection
    self.coverage = coverage
  }

  func proof(of result: InvariantResult, in file: FileResult) -> ProofReport.Entry? {
    proofs.first { proof in
      guard case .written(let invariant, let test) = proof.origin else { return false }
      return test.name == file.test.file.name && invariant.range == result.invariant.range
    }
  }

  public func text(_ terminal: Terminal, _ detail: Detail = .normal, explaining: Explaining = .screen) -> String {
    var page = Page(terminal)
    if detail != .quiet {
      for file in result.files {
        page.gap()
        addOverview(file, detail, to: &page)
      }
      addWarnings(to: &page)
    }
    addFailures(explaining, to: &page)
    if let coverage {
      page.gap()
      coverage.add(to: &page, verbose: detail == .verbose)
    }
    page.gap()
    for line in selection?.lines ?? [] { page.add(StyledLine(line, .dim)) }
    page.add(totals)
    if result.totals.count(.proved) > 0 {
      page.add(StyledLine("What the proofs take for granted: rules-test prove", .dim))
    }
    if let noProofs, result.totals.count(.notProved) > 0 { page.add(StyledLine(noProofs, .dim)) }
    page.add(lastLine)
    return page.text
  }

  // MARK: A line for each test

  private func addOverview(_ file: FileResult, _ detail: Detail, to page: inout Page) {
    var title = StyledLine(SafeText.line(file.test.file.name), .bold)
    if !file.canRun { title.add("  not run", .bad) }
    page.add(title)
    for test in file.tests {
      var line = StyledLine(test.hasPassed ? "  ✔ " : "  ✘ ", test.hasPassed ? .good : .bad)
      line.add(SafeText.cut(SafeText.line(test.name), max(20, page.terminal.width - 4)))
      page.add(line)
      if detail == .verbose { addSteps(test, file.test.file, to: &page) }
    }
    for invariant in file.invariants { page.add(Self.line(invariant, file.test.file, page.terminal)) }
  }

  private func addSteps(_ test: TestResult, _ file: SourceFile, to page: inout Page) {
    for step in test.steps {
      var line = StyledLine(step.isHeld ? "      ✔ " : "      ✘ ", step.isHeld ? .good : .bad)
      line.add(Self.source(step.step.range, file, page.terminal.width - 16))
      line.add("  :\(step.step.range.start.line)", .dim)
      page.add(line)
    }
  }

  private static func line(_ result: InvariantResult, _ file: SourceFile, _ terminal: Terminal) -> StyledLine {
    let (mark, note, style): (String, String, Style) =
      switch result.status {
      case .proved: ("✔", "proved", .good)
      case .vacuous: ("○", "vacuous: no allow covers it", .warning)
      case .leak: ("✘", "broken", .bad)
      case .unknown: ("○", "unknown", .warning)
      case .notProved: ("○", "not proved yet", .warning)
      }
    var line = StyledLine("  \(mark) ", style)
    line.add(source(result.invariant.range, file, max(20, terminal.width - 6 - note.count)))
    line.add("  " + note, style)
    return line
  }

  /// A piece of source on one line, without its semicolon.
  static func source(_ range: SourceRange, _ file: SourceFile, _ width: Int) -> String {
    var text = SafeText.line(file.text(range)).split(separator: " ").joined(separator: " ")
    if text.hasSuffix(";") { text.removeLast() }
    return SafeText.cut(text, max(20, width))
  }

  // MARK: Findings

  private func addWarnings(to page: inout Page) {
    var seen: Set<String> = []
    for file in result.files {
      if file.rules.ruleset != nil, seen.insert(file.rules.file.name).inserted {
        add(file.rules.diagnostics.filter { $0.severity == .warning }, file.rules.file, to: &page)
      }
      add(Self.warnings(file), file.test.file, to: &page)
    }
    addProofs(of: .unknown, to: &page)
  }

  private func addProofs(of status: InvariantResult.Status, to page: inout Page) {
    for file in result.files {
      for invariant in file.invariants where invariant.status == status {
        guard let proof = proof(of: invariant, in: file) else { continue }
        page.gap()
        ProofReport.add(proof, to: &page)
      }
    }
  }

  static func warnings(_ file: FileResult) -> [Diagnostic] {
    file.diagnostics.filter { $0.severity == .warning } + file.tests.flatMap(\.steps).flatMap(\.warnings)
  }

  private func add(_ diagnostics: [Diagnostic], _ file: SourceFile, to page: inout Page) {
    let (shown, left) = diagnostics.shownToPeople
    for diagnostic in shown {
      page.gap()
      page.add(DiagnosticReport(file, diagnostics).lines(diagnostic, page.terminal))
    }
    if left > 0 {
      page.gap()
      page.add([Diagnostic].leftOut(left))
    }
  }

  private func addFailures(_ explaining: Explaining, to page: inout Page) {
    var seen: Set<String> = []
    for file in result.files {
      if file.rules.ruleset == nil, seen.insert(file.rules.file.name).inserted {
        add(file.rules.diagnostics, file.rules.file, to: &page)
      }
      add(file.diagnostics.filter { $0.severity == .error }, file.test.file, to: &page)
      let failed = file.tests.filter { !$0.hasPassed }
      guard !failed.isEmpty else { continue }
      let source = ExpressionText(file.rules.file)
      for test in failed {
        page.gap()
        let failure = FailureReport(test, of: file, dialect, source, explaining: explaining)
        page.add(failure.lines(page.terminal))
      }
    }
    addProofs(of: .leak, to: &page)
  }

  // MARK: Totals

  /// Warnings of test files and of rules, each rules file counted once.
  var warningCount: Int {
    var seen: Set<String> = []
    return result.files.reduce(0) { count, file in
      let isNew = seen.insert(file.rules.file.name).inserted
      return count + Self.warnings(file).count
        + (isNew ? file.rules.diagnostics.count { $0.severity == .warning } : 0)
    }
  }

  private var totals: StyledLine {
    let totals = result.totals
    var line = StyledLine()
    if totals.notRun > 0 {
      line.add("\(Counted.text(totals.notRun, "file")) not run", .badBold)
      line.add(", ")
    }
    line.add(Counted.text(totals.steps, "step"))
    for (status, word, style) in Self.statuses where totals.count(status) > 0 {
      line.add(", ")
      line.add("\(Counted.text(totals.count(status), "invariant")) \(word)", style)
    }
    let warnings = warningCount
    if warnings > 0 {
      line.add(", ")
      line.add(Counted.text(warnings, "warning"), .warning)
    }
    return line
  }

  private static let statuses: [(InvariantResult.Status, String, Style)] = [
    (.proved, "proved", .plain), (.leak, "broken", .badBold), (.vacuous, "vacuous", .warning),
    (.unknown, "unknown", .warning), (.notProved, "not proved yet", .warning),
  ]

  private var lastLine: StyledLine {
    let totals = result.totals
    // Whoever looks for "0 failed" must not be told so of a file that did not run, or of a leak.
    let failed = totals.failed + totals.notRun + totals.count(.leak) + errors.count
    return StyledLine(
      "\(totals.passed) passed, \(failed) failed", failed == 0 ? .good : .badBold)
  }
}

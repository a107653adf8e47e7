import RulesEngine
import RulesSyntax
import RulesTesting

extension SuiteReport {
  /// The run as cases and problems, for the formats that machines read.
  public var record: RunRecord {
    var seen: Set<String> = []
    var files = result.files.map { file in
      let isNew = seen.insert(file.rules.file.name).inserted
      return RecordMaker(report: self, file: file).file(rulesAreNew: isNew)
    }
    for error in errors {
      let problem = RunRecord.Problem(
        id: "unusable-file", severity: .error, message: error.reason, file: error.path, range: nil)
      files.append(
        RunRecord.File(
          name: error.path,
          cases: [
            RunRecord.Case(
              name: "can be used", line: 1, outcome: .errored, problems: [problem],
              details: SafeText.line(error.description) + "\n")
          ],
          warnings: []))
    }
    return RunRecord(files: files, hasPassed: result.hasPassed && errors.isEmpty)
  }
}

/// Makes the cases of one test file.
private struct RecordMaker {
  let report: SuiteReport
  let file: FileResult
  private let source: ExpressionText
  private static let terminal = Terminal(width: 100)

  init(report: SuiteReport, file: FileResult) {
    self.report = report
    self.file = file
    source = ExpressionText(file.rules.file)
  }

  private var testFile: SourceFile { file.test.file }

  func file(rulesAreNew: Bool) -> RunRecord.File {
    var cases: [RunRecord.Case] = []
    if !file.canRun { cases.append(notRun) }
    cases += file.tests.map(test)
    cases += file.invariants.map(invariant)
    var warnings = SuiteReport.warnings(file).map { problem($0, testFile) }
    if rulesAreNew {
      warnings += file.rules.diagnostics.filter { $0.severity == .warning }.map { problem($0, file.rules.file) }
    }
    return RunRecord.File(name: testFile.name, cases: cases, warnings: warnings)
  }

  private func problem(_ diagnostic: Diagnostic, _ file: SourceFile) -> RunRecord.Problem {
    RunRecord.Problem(
      id: diagnostic.id, severity: diagnostic.severity, message: diagnostic.message, notes: diagnostic.notes,
      file: file.name, range: diagnostic.range)
  }

  private func details(_ lines: [StyledLine]) -> String {
    var page = Page(Self.terminal)
    page.add(lines)
    return page.text
  }

  // MARK: A file that did not run

  private var notRun: RunRecord.Case {
    let own = file.test.diagnostics.filter { $0.severity == .error }
    let ofRules = file.rules.ruleset == nil ? file.rules.diagnostics.filter { $0.severity == .error } : []
    var text = ""
    for (source, diagnostics) in [(file.rules.file, ofRules), (testFile, own)] where !diagnostics.isEmpty {
      text += DiagnosticReport(source, Array(diagnostics.prefix([Diagnostic].maximumShown))).text(Self.terminal)
    }
    let problems = ofRules.map { problem($0, file.rules.file) } + own.map { problem($0, testFile) }
    return RunRecord.Case(
      name: "can be run", line: own.first?.range?.start.line ?? 1, outcome: .errored, problems: problems, details: text)
  }

  // MARK: Tests

  private func test(_ test: TestResult) -> RunRecord.Case {
    let mistakes = test.mistakes + test.steps.compactMap(\.mistake)
    let outcome: RunRecord.Case.Outcome = test.hasPassed ? .passed : mistakes.isEmpty ? .failed : .errored
    var problems = test.mistakes.map { problem($0, testFile) }
    for step in test.steps where !step.isHeld {
      if let mistake = step.mistake {
        problems.append(problem(mistake, testFile))
      } else {
        problems += self.problems(of: step)
      }
    }
    let text =
      test.hasPassed
      ? "" : details(FailureReport(test, of: file, report.dialect, source).lines(Self.terminal))
    return RunRecord.Case(
      name: test.name, line: test.test.range.start.line, outcome: outcome, problems: problems, details: text,
      duration: test.duration)
  }

  /// Users to whom the same happened share one.
  private func problems(of step: StepResult) -> [RunRecord.Problem] {
    var groups: [(users: [String], problem: (String) -> RunRecord.Problem, key: String)] = []
    for verdict in step.verdicts where !verdict.isHeld {
      let (id, message, notes, related) = story(verdict, step)
      let key = "\(id)|\(message)|\(notes)"
      if let i = groups.firstIndex(where: { $0.key == key }) {
        groups[i].users.append(verdict.user.text)
        continue
      }
      let range = verdict.user.range
      groups.append(
        (
          [verdict.user.text],
          { users in
            RunRecord.Problem(
              id: id, severity: .error, message: "As \(users): \(message)", notes: notes, file: testFile.name,
              range: range, related: related)
          }, key
        ))
    }
    return groups.map { $0.problem($0.users.joined(separator: ", ")) }
  }

  private func story(
    _ verdict: Verdict, _ step: StepResult
  ) -> (id: String, message: String, notes: [String], related: [RunRecord.Problem.Place]) {
    let explain = ExplainHint.command(testFile, step.step, verdict.user.text, report.dialect)
    var notes: [String] = []
    var related: [RunRecord.Problem.Place] = []
    guard let denial = verdict.decision.denial else {
      var message = "expected denied, got allowed"
      if let allow = verdict.explanation?.deciding {
        message += " by line \(allow.statement.range.start.line) of \(file.rules.file.name)"
        related.append(place(allow.statement.range, "This allow let the request pass."))
      }
      return ("unexpected-allow", message + ".", [explain], related)
    }
    let because = step.step.because?.text ?? ""
    let quote = because.contains("'") ? "\"" : "'"
    let expected = verdict.expected == .allow ? "allowed" : "denied because \(quote)\(because)\(quote)"
    if let explanation = verdict.explanation, let ruleset = file.rules.ruleset?.checked {
      notes += Advice(explanation, ruleset, source).lines
      if let condition = Advice.mainAllow(explanation)?.condition {
        related.append(place(TracedNode(condition, in: ruleset).cause.expression.range, "This decided."))
      }
    }
    if let query = verdict.queryExplanation { notes += QueryReport.advice(query) }
    return (
      verdict.expected == .allow ? "unexpected-deny" : "other-reason",
      "expected \(expected), got denied: \(denial.message)", notes + [explain], related
    )
  }

  private func place(_ range: SourceRange, _ message: String) -> RunRecord.Problem.Place {
    RunRecord.Problem.Place(file: file.rules.file.name, range: range, message: message)
  }

  // MARK: Invariants

  private func invariant(_ result: InvariantResult) -> RunRecord.Case {
    let name = SuiteReport.source(result.invariant.range, testFile, .max)
    var text = ""
    var notes: [String] = []
    if let proof = report.proof(of: result, in: file) {
      var page = Page(Self.terminal)
      ProofReport.add(proof, to: &page)
      text = page.text
      if case .unknown(let reasons, _) = proof.verdict { notes = reasons.map(\.text) }
      if case .leak(let leak) = proof.verdict, !leak.lines.isEmpty {
        notes = ["allowed by line \(leak.lines.map(String.init).joined(separator: ", ")) of \(file.rules.file.name)"]
      }
    }
    let isPossibility = result.invariant.form == .allows
    let (outcome, id, word): (RunRecord.Case.Outcome, String, String) =
      switch result.status {
      case .proved: (.passed, "", "")
      case .leak where isPossibility: (.failed, "impossible-invariant", "is possible for nobody")
      case .leak: (.failed, "broken-invariant", "is broken by a request")
      case .vacuous:
        (.undecided("vacuous: no allow covers it"), "undecided-invariant", "is vacuous: no allow covers it")
      case .unknown: (.undecided("unknown"), "undecided-invariant", "could be neither proved nor broken")
      case .notProved: (.undecided("not proved yet"), "undecided-invariant", "is not proved: nobody looked")
      }
    var problems: [RunRecord.Problem] = []
    if outcome != .passed {
      problems.append(
        RunRecord.Problem(
          id: id, severity: outcome == .failed ? .error : .warning, message: "\(name) \(word).", notes: notes,
          file: testFile.name, range: result.invariant.range))
    }
    return RunRecord.Case(
      name: name, line: result.invariant.range.start.line, outcome: outcome, problems: problems, details: text)
  }
}

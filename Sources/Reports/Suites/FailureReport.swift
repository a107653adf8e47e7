import RulesEngine
import RulesSyntax
import RulesTesting

/// A test that failed: each step that did not hold, who asked, what was expected, and why it came otherwise.
struct FailureReport {
  let test: TestResult
  let file: FileResult
  let dialect: Dialect
  /// The texts of the rules' expressions.
  let source: ExpressionText

  init(_ test: TestResult, of file: FileResult, _ dialect: Dialect, _ source: ExpressionText) {
    self.test = test
    self.file = file
    self.dialect = dialect
    self.source = source
  }

  func lines(_ terminal: Terminal) -> [StyledLine] {
    var title = StyledLine("✘ ", .badBold)
    title.add(SafeText.line(test.name), .bold)
    var result = [title]
    let testFile = file.test.file
    for mistake in test.mistakes { result += DiagnosticReport(testFile, []).lines(mistake, terminal) }
    for step in test.steps where !step.isHeld {
      if result.count > 1 { result.append(StyledLine()) }
      if let mistake = step.mistake {
        result += DiagnosticReport(testFile, []).lines(mistake, terminal)
        continue
      }
      result += SourceFrame(
        file: testFile, range: step.step.range, marks: step.verdicts.filter { !$0.isHeld }.map(\.user.range),
        style: .bad,
        wraps: true
      ).lines(terminal)
      result += lines(step, terminal)
    }
    return result
  }

  /// Users to whom the same happened for the same reason share their lines.
  private func lines(_ step: StepResult, _ terminal: Terminal) -> [StyledLine] {
    var groups: [Group] = []
    for verdict in step.verdicts where !verdict.isHeld {
      let group = Group(
        verdict, got: got(verdict), frames: frames(verdict, terminal), advice: advice(verdict, terminal),
        cause: cause(verdict))
      if let i = groups.firstIndex(where: { $0.isSame(as: group) }) {
        groups[i].verdicts.append(verdict)
      } else {
        groups.append(group)
      }
    }
    var result: [StyledLine] = []
    for (i, group) in groups.enumerated() {
      guard let first = group.verdicts.first else { continue }
      // Where the same part of the rules decided in the same way for another user, values in words are enough.
      let isKnown = groups[..<i].contains { $0.got == group.got && $0.cause != nil && $0.cause === group.cause }
      result.append(StyledLine())
      if !isKnown {
        result += Self.fact("expected", expected(first, step.step), .good, terminal)
        result += Self.fact("got", group.got, .bad, terminal)
      }
      for verdict in group.verdicts { result += Self.fact("as", caller(verdict), .plain, terminal) }
      if !isKnown { result += group.frames }
      result += group.advice
      var command = StyledLine("  $ ", .dim)
      command.add(ExplainHint.command(file.test.file, step.step, first.user.text, dialect), .code)
      result.append(command)
    }
    return result
  }

  /// Verdicts with one story.
  private struct Group {
    var verdicts: [Verdict]
    let got: String
    let frames: [StyledLine]
    let advice: [StyledLine]
    let cause: Expression?

    init(_ verdict: Verdict, got: String, frames: [StyledLine], advice: [StyledLine], cause: Expression?) {
      verdicts = [verdict]
      self.got = got
      self.frames = frames
      self.advice = advice
      self.cause = cause
    }

    func isSame(as other: Group) -> Bool {
      func text(_ lines: [StyledLine]) -> [String] { lines.map { $0.text(Terminal()) } }
      return got == other.got && verdicts.first?.status == other.verdicts.first?.status
        && text(frames) == text(other.frames) && text(advice) == text(other.advice)
    }
  }

  private func expected(_ verdict: Verdict, _ step: StepDeclaration) -> String {
    guard verdict.expected == .deny else { return "allowed" }
    guard let because = step.because?.text else { return "denied" }
    return because.contains("'") ? "denied because \"\(because)\"" : "denied because '\(because)'"
  }

  private func got(_ verdict: Verdict) -> String {
    guard let denial = verdict.decision.denial else {
      guard let start = verdict.explanation?.deciding?.statement.range.start else { return "allowed" }
      return "allowed, by line \(start.line) of \(file.rules.file.name)"
    }
    return "denied: \(denial.message)"
  }

  private func caller(_ verdict: Verdict) -> String {
    let line = Caller(verdict.asked.auth).line
    let name = verdict.user.text
    return verdict.asked.auth == nil || verdict.asked.auth?.uid == name ? line : "\(name): \(line)"
  }

  private static func fact(_ title: String, _ text: String, _ style: Style, _ terminal: Terminal) -> [StyledLine] {
    var result: [StyledLine] = []
    for (i, piece) in SafeText.wrapped(text, max(30, terminal.width - 12)).enumerated() {
      var line = StyledLine(i == 0 ? "  " + title : "", .dim)
      line.pad(to: 12)
      line.add(piece, style)
      result.append(line)
    }
    return result
  }

  // MARK: Why

  /// The conditions that decided, with the values under their parts.
  private func frames(_ verdict: Verdict, _ terminal: Terminal) -> [StyledLine] {
    guard let ruleset = file.rules.ruleset?.checked else { return [] }
    let conditions = Self.conditions(verdict)
    if conditions.isEmpty, verdict.explanation == nil { return [] }
    var result: [StyledLine] = []
    for condition in conditions {
      result.append(StyledLine())
      result += ValuesUnderSource(condition, in: ruleset).lines(terminal)
    }
    result.append(StyledLine())
    return result
  }

  private func advice(_ verdict: Verdict, _ terminal: Terminal) -> [StyledLine] {
    if let query = verdict.queryExplanation { return DecisionLines.advice(QueryReport.advice(query), terminal) }
    guard let explanation = verdict.explanation, let ruleset = file.rules.ruleset?.checked else { return [] }
    let advice = Advice(explanation, ruleset, source)
    // Who expects a denial needs no way around it.
    return DecisionLines.advice(verdict.expected == .allow ? advice.lines : advice.causes, terminal)
  }

  private func cause(_ verdict: Verdict) -> Expression? {
    Self.conditions(verdict).first?.cause.expression
  }

  /// Of an allowed request the condition that let it pass; of a denied one those that did not, without the ones that
  /// are just `false` where others say more. At most two: the rest is for `explain`.
  private static func conditions(_ verdict: Verdict) -> [Explanation.Node] {
    var matches = verdict.explanation?.matches ?? []
    if let query = verdict.queryExplanation {
      // Of the alternatives of a query the first that was refused.
      matches = (query.branches.first { !$0.isAllowed } ?? query.branches.first)?.matches ?? []
    }
    let allows = matches.flatMap(\.allows)
    if let deciding = allows.first(where: { $0.verdict == .allowed }) { return deciding.condition.map { [$0] } ?? [] }
    let tried = allows.compactMap(\.condition)
    let telling = tried.filter { !$0.expression.isLiteral }
    return Array((telling.isEmpty ? tried : telling).prefix(2))
  }
}

/// The command that explains a step in full.
enum ExplainHint {
  static func command(_ file: SourceFile, _ step: StepDeclaration, _ user: String, _ dialect: Dialect) -> String {
    let place = SafeText.shellWord("\(file.name):\(step.range.start.line)")
    let choice = dialect == .live ? "" : " --dialect \(dialect.rawValue)"
    return "rules-test explain \(place) --as \(user)\(choice)"
  }
}

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
  let explaining: SuiteReport.Explaining

  /// Lines of one step: what a screen holds.
  static let screen = 50
  /// More users to whom the same happened are only named.
  static let maximumCallers = 6

  init(
    _ test: TestResult, of file: FileResult, _ dialect: Dialect, _ source: ExpressionText,
    explaining: SuiteReport.Explaining = .screen
  ) {
    self.test = test
    self.file = file
    self.dialect = dialect
    self.source = source
    self.explaining = explaining
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
      let frame = SourceFrame(
        file: testFile, range: step.step.range, marks: step.verdicts.filter { !$0.isHeld }.map(\.user.range),
        style: .bad, wraps: true
      ).lines(terminal)
      result += frame
      result +=
        explaining == .full
        ? fullLines(step, terminal) : lines(step, terminal, room: Self.screen - frame.count)
    }
    return result
  }

  /// Users to whom the same happened for the same reason share their lines.
  private func lines(_ step: StepResult, _ terminal: Terminal, room: Int) -> [StyledLine] {
    var groups: [Group] = []
    for verdict in step.verdicts where !verdict.isHeld {
      let group = Group(verdict, got: got(verdict), frames(verdict), advice: advice(verdict, terminal), terminal)
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
      var head = [StyledLine()]
      if !isKnown {
        head += Self.fact("expected", expected(first, step.step), .good, terminal)
        head += Self.fact("got", group.got, .bad, terminal, maximum: 4)
      }
      for verdict in group.verdicts.prefix(Self.maximumCallers) {
        head += Self.fact("as", caller(verdict), .plain, terminal)
      }
      head += others(group.verdicts.dropFirst(Self.maximumCallers), terminal)
      var command = StyledLine("  $ ", .dim)
      command.add(ExplainHint.command(file.test.file, step.step, first.user.text, dialect), .code)
      let foot = group.advice + [command]
      // Of those behind it at least the names are told.
      let rest = i + 1 < groups.count ? 2 : 0
      let left = room - result.count - head.count - foot.count - rest
      if i > 0, left < 0 {
        result += [StyledLine()] + others(groups[i...].flatMap(\.verdicts)[...], terminal)
        break
      }
      result += head
      if !isKnown { result += group.frames.lines(terminal, within: left) }
      result += foot
    }
    return result
  }

  /// Those of whom no more is told than that it went wrong for them, too.
  private func others(_ verdicts: ArraySlice<Verdict>, _ terminal: Terminal) -> [StyledLine] {
    verdicts.isEmpty
      ? []
      : Self.fact(
        "and for", SafeText.cut(verdicts.map(\.user.text).joined(separator: ", "), max(30, terminal.width - 12)),
        .plain, terminal)
  }

  /// Every verdict with everything that led to it.
  private func fullLines(_ step: StepResult, _ terminal: Terminal) -> [StyledLine] {
    var result: [StyledLine] = []
    for verdict in step.verdicts where !verdict.isHeld {
      result.append(StyledLine())
      result += Self.fact("expected", expected(verdict, step.step), .good, terminal) + [StyledLine()]
      guard let ruleset = file.rules.ruleset else { continue }
      if let explanation = verdict.explanation {
        result += ExplanationReport(explanation, of: ruleset).lines(terminal)
      }
      if let query = verdict.queryExplanation { result += QueryReport(query, of: ruleset).lines(terminal) }
    }
    return result
  }

  /// Verdicts with one story.
  private struct Group {
    var verdicts: [Verdict]
    let got: String
    let frames: ConditionFrames
    let advice: [StyledLine]
    private let text: [String]

    init(_ verdict: Verdict, got: String, _ frames: ConditionFrames, advice: [StyledLine], _ terminal: Terminal) {
      verdicts = [verdict]
      self.got = got
      self.frames = frames
      self.advice = advice
      text = (frames.lines(terminal, within: .max) + advice).map { $0.text(Terminal()) }
    }

    var cause: Expression? { frames.conditions.first?.cause.expression }

    func isSame(as other: Group) -> Bool {
      got == other.got && verdicts.first?.status == other.verdicts.first?.status && text == other.text
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

  /// - Parameter maximum: of lines.
  private static func fact(
    _ title: String, _ text: String, _ style: Style, _ terminal: Terminal, maximum: Int = .max
  ) -> [StyledLine] {
    var result: [StyledLine] = []
    var pieces = SafeText.wrapped(text, max(30, terminal.width - 12))
    if pieces.count > maximum {
      pieces = Array(pieces.prefix(maximum))
      pieces[maximum - 1] += " …"
    }
    for (i, piece) in pieces.enumerated() {
      var line = StyledLine(i == 0 ? "  " + title : "", .dim)
      line.pad(to: 12)
      line.add(piece, style)
      result.append(line)
    }
    return result
  }

  // MARK: Why

  /// Of an allowed request the condition that let it pass; of a denied one all that did not, without the ones that are
  /// just `false` where others say more.
  private func frames(_ verdict: Verdict) -> ConditionFrames {
    var matches = verdict.explanation?.matches ?? []
    if let query = verdict.queryExplanation {
      // Of the alternatives of a query the first that was refused.
      matches = (query.branches.first { !$0.isAllowed } ?? query.branches.first)?.matches ?? []
    }
    return ConditionFrames(matches, of: file.rules.ruleset?.checked)
  }

  private func advice(_ verdict: Verdict, _ terminal: Terminal) -> [StyledLine] {
    if let query = verdict.queryExplanation { return DecisionLines.advice(QueryReport.advice(query), terminal) }
    guard let explanation = verdict.explanation, let ruleset = file.rules.ruleset?.checked else { return [] }
    let advice = Advice(explanation, ruleset, source)
    // Who expects a denial needs no way around it.
    return DecisionLines.advice(verdict.expected == .allow ? advice.lines : advice.causes, terminal)
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

import Isolation
import JSON
import RulesEngine
import RulesSyntax
import RulesTesting

/// What became of invariants: proved, broken by a request, or unknown.
public struct ProofReport: Sendable {
  public struct Entry: Sendable {
    public enum Origin: Sendable {
      /// An invariant of a test file.
      case written(InvariantDeclaration, in: SourceFile)
      /// What the rules seem to promise.
      case inferred(InferredStatement)
    }

    public let rules: SourceFile
    public let origin: Origin
    public let verdict: StatementVerdict

    public init(rules: SourceFile, origin: Origin, verdict: StatementVerdict) {
      self.rules = rules
      self.origin = origin
      self.verdict = verdict
    }

    /// As it stands in the file.
    public var statement: String {
      switch origin {
      case .written(let invariant, let test): test.text(invariant.range)
      case .inferred(let statement): statement.text
      }
    }
    public var file: SourceFile {
      switch origin {
      case .written(_, let test): test
      case .inferred: rules
      }
    }
    public var line: Int {
      switch origin {
      case .written(let invariant, _): invariant.range.start.line
      case .inferred(let statement): statement.line
      }
    }
    /// Whether it holds.
    var isFine: Bool {
      switch verdict {
      case .proved, .possible: true
      case .leak, .impossible, .unknown, .vacuous: false
      }
    }
    public var inferred: InferredStatement? {
      if case .inferred(let statement) = origin { statement } else { nil }
    }
  }

  public let entries: [Entry]
  /// What takes more than one request.
  public let attacks: [(rules: SourceFile, attack: Attack)]

  public init(_ entries: [Entry], attacks: [(rules: SourceFile, attack: Attack)] = []) {
    self.entries = entries
    self.attacks = attacks
  }

  public var leaks: Int { entries.count { if case .leak = $0.verdict { true } else { false } } }
  public var impossible: Int { entries.count { if case .impossible = $0.verdict { true } else { false } } }
  public var unknown: Int { entries.count { if case .unknown = $0.verdict { true } else { false } } }
  /// Invariants that hold, those of which a request shows that they do among them.
  public var proved: Int { entries.count(where: \.isFine) }
  public var vacuous: Int { entries.count { if case .vacuous = $0.verdict { true } else { false } } }

  // MARK: For people

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - detail: quiet, what is proved is only counted; verbose, the values under which a request is allowed.
  public func text(_ terminal: Terminal, _ detail: SuiteReport.Detail = .normal) -> String {
    var page = Page(terminal)
    guard !entries.isEmpty || !attacks.isEmpty else {
      page.add(StyledLine("No invariants to prove. One is a line of a test file:"))
      page.add(
        StyledLine("  never read /users/{uid}/{rest=**} unless request.auth != null && request.auth.uid == uid;", .code)
      )
      return page.text
    }
    for entry in entries where detail != .quiet || !entry.isFine {
      Self.add(entry, showingValues: detail == .verbose, to: &page)
      page.gap()
    }
    for (rules, attack) in attacks {
      AttackText.add(attack, rules, to: &page)
      page.gap()
    }
    if proved > 0, detail != .quiet {
      page.add(StyledLine("Taken for granted by every proof:", .dim))
      page.addAssumptions()
      page.gap()
    }
    if detail != .quiet, entries.contains(where: { $0.inferred != nil }) {
      page.add(StyledLine("Nobody wrote what is inferred: copy what is meant into a test file, as invariants."))
      page.gap()
    }
    var tally = Tally()
    tally.add(proved, of: "proved", .good)
    tally.add(leaks, Counted.text(leaks, "leak"), .badBold)
    tally.add(unknown, of: "unknown", .warning)
    tally.add(attacks.count, Counted.text(attacks.count, "attack") + " in steps", .badBold, leavesOutZero: true)
    tally.add(impossible, of: "impossible", .badBold, leavesOutZero: true)
    tally.add(vacuous, of: "vacuous", .warning, leavesOutZero: true)
    page.add(tally.line)
    return page.text
  }

  /// One invariant, in full.
  static func add(_ entry: Entry, showingValues: Bool = false, to page: inout Page) {
    let style: Style
    switch entry.verdict {
    case .proved, .possible: style = .good
    case .leak, .impossible: style = .badBold
    case .unknown, .vacuous: style = .warning
    }
    var head = StyledLine(entry.verdict.name, style)
    head.add("  " + SafeText.line(entry.statement))
    page.add(head)
    let kind = entry.inferred.map { "  inferred: \($0.kind.rawValue)" } ?? ""
    page.add(StyledLine("        \(SafeText.line(entry.file.name)):\(entry.line)\(kind)", .place))
    switch entry.verdict {
    case .vacuous:
      page.add(StyledLine("        No allow of \(SafeText.line(entry.rules.name)) covers this: nobody can do it."))
    case .proved(let evidence):
      page.add(
        StyledLine(
          "        \(Counted.text(evidence.questions, "question")), "
            + "\(evidence.withoutSolver) of them decided without the solver", .dim))
      if evidence.agreed + evidence.undecided > 0 {
        var text = "a second solver agrees with \(Counted.text(evidence.agreed, "answer"))"
        if evidence.undecided > 0 { text += ", and does not know \(evidence.undecided) more" }
        page.add(StyledLine("        " + text, .dim))
      }
      for text in evidence.assumptions {
        page.add(StyledLine("        relies on: \(SafeText.line(text))", .dim))
      }
      for text in evidence.approximations {
        page.add(StyledLine("        taken for anything: \(SafeText.line(text))", .dim))
      }
    case .unknown(let reasons, let tries):
      for reason in reasons {
        page.add(StyledLine("        \(SafeText.line(reason.text))" + (reason.line.map { " (line \($0))" } ?? "")))
      }
      if tries > 0 { page.add(StyledLine("        none of \(Counted.text(tries, "random request")) broke it", .dim)) }
    case .leak(let leak):
      add(leak, statement: entry.statement, rules: entry.rules, showingValues: showingValues, to: &page)
    case .possible(let example):
      page.gap()
      page.add(WitnessText.lines(example.witness))
      if showingValues { LeakValues.add(example, rules: entry.rules, to: &page) }
    case .impossible:
      page.add(StyledLine("        Nothing of the kind is allowed, whatever is stored and written."))
    }
  }

  static func add(
    _ leak: Leak, statement: String, rules: SourceFile, showingValues: Bool = false, to page: inout Page
  ) {
    page.gap()
    page.add(WitnessText.lines(leak.witness))
    if leak.dialect != .live {
      page.add(
        StyledLine("        only where the rules are read as emulator 1.19 reads them: see docs/parity.md", .dim))
    }
    for number in leak.lines {
      page.add(StyledLine("        allowed by \(SafeText.line(rules.name)):\(number)", .place))
      page.add(StyledLine("          " + SafeText.line(rules.line(number)).drop(while: { $0 == " " }), .code))
    }
    if showingValues { LeakValues.add(leak, rules: rules, to: &page) }
    guard let test = WitnessTest(leak, of: rules, title: "broken: \(statement)").lines() else { return }
    page.gap()
    page.add(StyledLine("        As a test, which fails until the rules refuse it:"))
    for line in test { page.add(StyledLine("          " + line, .code)) }
  }

  // MARK: JSON

  /// `{"invariants": […], "proved": n, "leaks": n, "unknown": n, "vacuous": n}`; see `docs/json.md`.
  public var json: JSONValue {
    [
      "invariants": .array(entries.map { Self.json($0) }),
      "attacks": .array(attacks.map { AttackText.json($0.attack, $0.rules) }), "proved": .int(Int64(proved)),
      "leaks": .int(Int64(leaks)), "unknown": .int(Int64(unknown)), "vacuous": .int(Int64(vacuous)),
      "impossible": .int(Int64(impossible)),
      "assumptions": .array(Prover.assumptions.map { .string($0) }),
    ]
  }

  private static func json(_ entry: Entry) -> JSONValue {
    [
      "statement": .string(entry.statement), "file": .string(entry.file.name), "line": .int(Int64(entry.line)),
      "inferred": entry.inferred.map { .string($0.kind.rawValue) } ?? .null, "verdict": .string(entry.verdict.name),
      "detail": detail(entry),
    ]
  }

  /// What there is to tell of a verdict.
  static func detail(_ entry: Entry) -> JSONValue {
    switch entry.verdict {
    case .vacuous, .impossible: .null
    case .proved(let evidence):
      [
        "questions": .int(Int64(evidence.questions)), "withoutSolver": .int(Int64(evidence.withoutSolver)),
        "agreed": .int(Int64(evidence.agreed)), "undecided": .int(Int64(evidence.undecided)),
        "assumptions": .array(evidence.assumptions.map { .string($0) }),
        "approximations": .array(evidence.approximations.map { .string($0) }),
      ]
    case .unknown(let reasons, let tries):
      [
        "reasons": .array(
          reasons.map { ["reason": .string($0.text), "line": $0.line.map { .int(Int64($0)) } ?? .null] }),
        "tries": .int(Int64(tries)),
      ]
    case .leak(let leak): json(leak, statement: entry.statement, rules: entry.rules)
    // Only what is broken can be a test that fails.
    case .possible(let leak): json(leak, statement: nil, rules: entry.rules)
    }
  }

  static func json(_ leak: Leak, statement: String?, rules: SourceFile) -> JSONValue {
    let test = statement.flatMap { WitnessTest(leak, of: rules, title: "broken: \($0)").lines() }
    return [
      "request": WitnessText.json(leak.witness), "dialect": .string(leak.dialect.rawValue),
      "lines": .array(leak.lines.map { .int(Int64($0)) }),
      "test": test.map { .string($0.joined(separator: "\n")) } ?? .null,
    ]
  }
}

extension Page {
  /// What every proof takes for granted.
  mutating func addAssumptions() {
    for assumption in Prover.assumptions {
      for (i, line) in SafeText.wrapped(assumption, terminal.width - 4).enumerated() {
        add(StyledLine((i == 0 ? "  - " : "    ") + line, .dim))
      }
    }
  }
}

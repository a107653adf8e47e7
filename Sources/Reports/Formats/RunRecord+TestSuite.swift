import RulesEngine
import RulesSyntax
import RulesTesting

extension TestSuiteReport {
  /// The cases of the suite as a file of a run.
  /// - Parameter file: the JSON.
  public func record(_ file: SourceFile) -> RunRecord.File {
    let places = CasePlaces(file).ranges
    let rules = result.suite.source == nil ? result.file : nil
    let issues = result.issues.map { issue in
      // Rules that stand in the JSON have no lines of their own there.
      RunRecord.Problem(
        id: issue.id, severity: issue.severity, message: issue.message, notes: issue.notes,
        file: rules?.name ?? file.name, range: rules == nil ? nil : issue.range)
    }
    guard result.ruleset != nil else {
      let broken = RunRecord.Case(
        name: "can be run", line: 1, outcome: .errored, problems: issues.filter { $0.severity == .error },
        details: text(Terminal(), .quiet))
      return RunRecord.File(name: file.name, cases: [broken], warnings: [])
    }
    let cases = result.results.indices.map { i in
      let place = places.indices.contains(i) ? places[i] : nil
      return RunRecord.Case(
        name: name(i), line: place?.start.line ?? 1, outcome: result.results[i].hasPassed ? .passed : .failed,
        problems: problem(i, file, place, rules).map { [$0] } ?? [], details: details(i))
    }
    return RunRecord.File(
      name: file.name, cases: cases, warnings: issues.filter { $0.severity == .warning } + changed(file, places))
  }

  private func name(_ i: Int) -> String {
    let item = result.results[i].testCase
    return item.name ?? "case \(i + 1): \(item.method) \(item.path)"
  }

  private func details(_ i: Int) -> String {
    guard !result.results[i].hasPassed else { return "" }
    var page = Page(Terminal())
    page.add(lines(i, result.results[i], page.terminal))
    return page.text
  }

  private func problem(
    _ i: Int, _ file: SourceFile, _ place: SourceRange?, _ rules: SourceFile?
  ) -> RunRecord.Problem? {
    let item = result.results[i]
    guard !item.hasPassed else { return nil }
    let verdict = item.verdict
    var related: [RunRecord.Problem.Place] = []
    if let rules, let ruleset = result.ruleset?.checked,
      let condition = verdict.isAllowed ? verdict.conditions.last : verdict.conditions.first
    {
      let cause = TracedNode(condition, in: ruleset).cause.expression
      related.append(RunRecord.Problem.Place(file: rules.name, range: cause.range, message: "This decided."))
    }
    let got = verdict.isAllowed ? "ALLOW" : "DENY" + (verdict.failure.map { ": \($0.message)" } ?? "")
    let expected = item.testCase.expectation == .allow ? "ALLOW" : "DENY"
    return RunRecord.Problem(
      id: verdict.isAllowed ? "unexpected-allow" : "unexpected-deny", severity: .error,
      message: "\(item.testCase.name ?? "case \(i + 1)"): expected \(expected), got \(got)", file: file.name,
      range: place, related: related)
  }

  private func changed(_ file: SourceFile, _ places: [SourceRange]) -> [RunRecord.Problem] {
    guard let live else { return [] }
    return changes(live).map { i in
      let there =
        switch live[i] {
        case .allowed: "A live database would allow it."
        case .denied(let denial): "A live database would deny it: \(denial.message)"
        case .cannotBeAsked(let reason): "No database can be asked this: \(reason)"
        }
      return RunRecord.Problem(
        id: "other-in-database", severity: .warning, message: "\(name(i)): \(there)", file: file.name,
        range: places.indices.contains(i) ? places[i] : nil)
    }
  }
}

extension RunRecord {
  /// Suites that were run together.
  public init(_ files: [File]) {
    self.init(files: files, hasPassed: !files.contains { $0.cases.contains(where: \.isFailure) })
  }
}

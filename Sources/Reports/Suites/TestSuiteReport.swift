import JSON
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesTesting

/// What became of a TestSuite, for people: a line for each case, the cases that failed in full, totals; and what a live
/// database would say otherwise, where that was asked for. The last line is `N passed, N failed`.
public struct TestSuiteReport: Sendable {
  let result: TestSuiteResult
  /// The suite's file.
  let name: String
  /// In the order of the cases; `nil`: not asked for.
  let live: [LiveVerdict]?

  public init(_ result: TestSuiteResult, name: String, live: [LiveVerdict]? = nil) {
    self.result = result
    self.name = name
    self.live = live
  }

  public func text(_ terminal: Terminal, _ detail: SuiteReport.Detail = .normal) -> String {
    var page = Page(terminal)
    guard result.ruleset != nil else {
      page.add(StyledLine(SafeText.line(name), .bold))
      for diagnostic in result.issues {
        page.gap()
        page.add(DiagnosticReport(result.file, result.issues).lines(diagnostic, terminal))
      }
      page.gap()
      page.add(StyledLine("0 passed, \(max(1, result.suite.cases.count)) failed", .badBold))
      return page.text
    }
    if detail != .quiet {
      page.add(StyledLine(SafeText.line(name), .bold))
      for i in result.results.indices { page.add(overview(i, terminal)) }
      let warnings = result.issues.filter { $0.severity == .warning }
      let (shown, left) = warnings.shownToPeople
      for diagnostic in shown {
        page.gap()
        page.add(DiagnosticReport(result.file, result.issues).lines(diagnostic, terminal))
      }
      if left > 0 { page.add([Diagnostic].leftOut(left)) }
    }
    for (i, item) in result.results.enumerated() where !item.hasPassed || detail == .verbose {
      page.gap()
      page.add(lines(i, item, terminal))
    }
    if let live { add(live, to: &page) }
    page.gap()
    let failed = result.results.count - result.passed
    page.add(StyledLine("\(result.passed) passed, \(failed) failed", failed == 0 ? .good : .badBold))
    return page.text
  }

  // MARK: Cases

  private func title(_ i: Int) -> String {
    let item = result.results[i].testCase
    let request = "\(item.expectation == .allow ? "ALLOW" : "DENY") \(item.method) \(Self.shortened(item.path))"
    return SafeText.line("case \(i + 1): " + (item.name.map { "\($0) (\(request))" } ?? request))
  }

  /// Without what every path begins with.
  private static func shortened(_ path: String) -> String {
    for start in ["/databases/(default)/documents", "/databases/%28default%29/documents"] where path.hasPrefix(start) {
      return String(path.dropFirst(start.count))
    }
    return path
  }

  private func overview(_ i: Int, _ terminal: Terminal) -> StyledLine {
    let hasPassed = result.results[i].hasPassed
    var line = StyledLine(hasPassed ? "  ✔ " : "  ✘ ", hasPassed ? .good : .bad)
    line.add(SafeText.cut(title(i), max(20, terminal.width - 4)))
    return line
  }

  func lines(_ i: Int, _ item: TestSuiteResult.Result, _ terminal: Terminal) -> [StyledLine] {
    var first = StyledLine(item.hasPassed ? "✔ " : "✘ ", item.hasPassed ? .good : .badBold)
    first.add(SafeText.cut(title(i), max(20, terminal.width - 2)), .bold)
    var lines = [first]
    func fact(_ title: String, _ text: String, _ style: Style = .plain) {
      for (j, piece) in SafeText.wrapped(SafeText.line(text), max(30, terminal.width - 12)).enumerated() {
        var line = StyledLine(j == 0 ? "  " + title : "", .dim)
        line.pad(to: 12)
        line.add(piece, style)
        lines.append(line)
      }
    }
    let verdict = item.verdict
    fact("expected", item.testCase.expectation == .allow ? "ALLOW" : "DENY", .good)
    fact(
      "got", (verdict.isAllowed ? "ALLOW" : "DENY") + (verdict.failure.map { ": \($0.message)" } ?? ""),
      item.hasPassed ? .good : .bad)
    fact("auth", item.question.request["auth"]?.serialized() ?? "undefined: the case gives none")
    for call in verdict.calls {
      fact("called", "\(call.function)(\(call.arguments.map { $0.serialized() }.joined(separator: ", ")))")
    }
    guard let ruleset = result.ruleset?.checked else { return lines }
    if verdict.conditions.isEmpty, !verdict.isAllowed {
      fact("why", "No match block with an allow for \(item.testCase.method) covers the path.")
    }
    let frames = ConditionFrames(verdict.isAllowed ? verdict.conditions.suffix(1) : verdict.conditions, of: ruleset)
    return lines + frames.lines(terminal, within: FailureReport.screen - lines.count).dropLast()
  }

  // MARK: As a database

  private func add(_ live: [LiveVerdict], to page: inout Page) {
    page.gap()
    let changed = changes(live)
    var line = StyledLine("As a live database: ", .bold)
    line.add(
      changed.isEmpty
        ? "the same verdict in every case." : "\(changed.count) of \(Counted.text(live.count, "case")) otherwise.")
    page.add(line)
    for i in changed {
      var first = StyledLine("  ≠ ", .warning)
      first.add(SafeText.cut(title(i), max(20, page.terminal.width - 4)))
      page.add(first)
      let here = result.results[i].verdict.isAllowed ? "ALLOW" : "DENY"
      let there: String
      switch live[i] {
      case .allowed: there = "Test API \(here), database ALLOW"
      case .denied(let denial): there = "Test API \(here), database DENY: \(denial.message)"
      case .cannotBeAsked(let reason): there = "Test API \(here); no database can be asked this: \(reason)"
      }
      for piece in SafeText.wrapped(SafeText.line(there), max(30, page.terminal.width - 6)) {
        var more = StyledLine("      ")
        more.add(piece, .dim)
        page.add(more)
      }
    }
  }

  /// The cases that a live database would judge otherwise, or that it cannot be asked.
  func changes(_ live: [LiveVerdict]) -> [Int] {
    // By place: the optimizer of Swift 6.3 stumbles over the same as a filter of pairs.
    let (here, there) = (result.results.map(\.verdict.isAllowed), live.map(\.isAllowed))
    return here.indices.filter { $0 < there.count && here[$0] != there[$0] }
  }

  /// The answer of the Rules API; with what a live database would say as `asDatabase`, which the API does not have.
  public var json: JSONValue {
    guard let live, var answer = result.json.objectValue else { return result.json }
    answer["asDatabase"] = .array(
      zip(result.results, live).map { item, verdict in
        var object = JSONObject()
        switch verdict {
        case .allowed: object["verdict"] = "ALLOW"
        case .denied(let denial):
          object["verdict"] = "DENY"
          object["message"] = .string(denial.message)
        case .cannotBeAsked(let reason):
          object["verdict"] = .null
          object["message"] = .string(reason)
        }
        object["changed"] = .bool(verdict.isAllowed != item.verdict.isAllowed)
        return .object(object)
      })
    return .object(answer)
  }
}

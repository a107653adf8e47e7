import JSON
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Why a query may run or not, for people: who asked for what, for each alternative of its filters the matches with
/// the values that their conditions took, the decision, and what the query lacks.
public struct QueryReport {
  let explanation: QueryExplanation
  let ruleset: CheckedRuleset
  let source: ExpressionText

  public init(_ explanation: QueryExplanation, of ruleset: Ruleset) {
    self.explanation = explanation
    self.ruleset = ruleset.checked
    source = ExpressionText(ruleset.checked.file)
  }

  /// - Parameters:
  ///   - terminal: where the text will stand.
  ///   - quiet: only the decision and its reason.
  public func text(_ terminal: Terminal, quiet: Bool = false) -> String {
    var page = Page(terminal)
    page.add(lines(terminal, quiet: quiet))
    return page.text
  }

  func lines(_ terminal: Terminal, quiet: Bool = false) -> [StyledLine] {
    var result: [StyledLine] = []
    if !quiet {
      result += requestLines(terminal)
      result += matchLines(terminal)
      result.append(StyledLine())
    }
    result += decisionLines(terminal)
    if !quiet || explanation.budget.isNearLimit { result += BudgetReport(explanation.budget).lines(terminal) }
    return result
  }

  /// Of each alternative of the filters the matches with their conditions and the values of these.
  func matchLines(_ terminal: Terminal) -> [StyledLine] {
    var result: [StyledLine] = []
    for (i, branch) in explanation.branches.enumerated() {
      if explanation.branches.count > 1 { result += [StyledLine(), title(branch, i, terminal)] }
      for match in branch.matches { result += [StyledLine()] + MatchLines(ruleset, source).lines(match, terminal) }
    }
    return result
  }

  private func requestLines(_ terminal: Terminal) -> [StyledLine] {
    let list = explanation.request
    var first = StyledLine("list ", .bold)
    first.add(Self.place(list), .bold)
    var result = [first]
    func add(_ title: String, _ text: String) {
      var line = StyledLine("  " + title, .dim)
      line.pad(to: 12)
      line.add(SafeText.cut(SafeText.line(text), max(20, terminal.width - 12)))
      result.append(line)
    }
    if list.parent.database.string != "(default)" { add("database", list.parent.database.string) }
    if let filter = list.filter { add("where", filter.written) }
    if !list.orders.isEmpty {
      add("order by", list.orders.map { "\($0.field)\($0.isDescending ? " desc" : "")" }.joined(separator: ", "))
    }
    if let limit = list.limit { add("limit", "\(limit)") }
    if list.offset != 0 { add("offset", "\(list.offset)") }
    add("as", Caller(list.auth).line)
    add("at", list.time.rfc3339)
    return result
  }

  /// `alternative 2 of 3: a == 1, b > 2`
  private func title(_ branch: QueryExplanation.Branch, _ index: Int, _ terminal: Terminal) -> StyledLine {
    var line = StyledLine(branch.isAllowed ? "✔ " : "✘ ", branch.isAllowed ? .good : .bad)
    line.add("alternative \(index + 1) of \(explanation.branches.count)", .bold)
    if !branch.filters.isEmpty {
      line.add(": " + SafeText.cut(SafeText.line(branch.filters.joined(separator: ", ")), max(20, terminal.width - 24)))
    }
    return line
  }

  private func decisionLines(_ terminal: Terminal) -> [StyledLine] {
    guard let denial = explanation.decision.denial else {
      return [StyledLine("✔ allowed", .good)] + DecisionLines.advice(warnings, terminal)
    }
    return DecisionLines.denied(denial.message, terminal) + DecisionLines.advice(Self.advice(explanation), terminal)
  }

  private var warnings: [String] {
    explanation.decision.warnings.map { "The results may break the rule: \($0.text) (line \($0.line))" }
  }

  /// What the query lacks, and what would be allowed.
  static func advice(_ explanation: QueryExplanation) -> [String] {
    guard let advice = explanation.advice else { return [] }
    return advice.missing.map { SafeText.line($0) }
      + (advice.proposal.map { ["Allowed would be, with these filters added: \(SafeText.line($0))"] } ?? [])
  }

  /// `/users/alice/lists`, `/{any=**}/lists`
  static func place(_ list: ListRequest) -> String {
    let parent = list.parent.segments.isEmpty ? "" : PathText.text(list.parent)
    return parent + (list.allDescendants ? "/{any=**}/" : "/") + SafeText.line(list.collectionID?.string ?? "{any}")
  }

  // MARK: JSON

  /// Everything that is known, with positions; see `docs/json.md`.
  public var json: JSONValue {
    var object: JSONObject = [
      "rules": .string(ruleset.file.name), "request": Self.json(explanation.request),
      "allowed": .bool(explanation.decision.isAllowed),
    ]
    object["message"] = explanation.decision.denial.map { .string($0.message) } ?? .null
    object["budget"] = explanation.budget.json
    object["branches"] = .array(
      explanation.branches.map { branch in
        [
          "filters": .array(branch.filters.map { .string($0) }), "allowed": .bool(branch.isAllowed),
          "matches": .array(branch.matches.map(MatchJSON(ruleset, source).json)),
        ]
      })
    object["advice"] = .array((explanation.advice?.missing ?? []).map { .string($0) })
    object["suggestion"] = explanation.advice?.proposal.map { .string($0) } ?? .null
    return .object(object)
  }

  static func json(_ list: ListRequest) -> JSONValue {
    var object: JSONObject = [
      "method": "list", "path": .string(place(list)), "database": .string(list.parent.database.string),
      "time": .string(list.time.rfc3339), "auth": JSONValue(caller: list.auth),
      "orderBy": .array(
        list.orders.map { ["field": .string("\($0.field)"), "descending": .bool($0.isDescending)] }),
      "limit": list.limit.map { .int($0) } ?? .null, "offset": .int(list.offset),
    ]
    object["where"] = list.filter.map { .string($0.written) } ?? .null
    return .object(object)
  }
}

extension JSONValue {
  /// Who asks, the claims in the form of the REST interface, which keeps every type.
  init(caller: Auth?) {
    guard let caller else {
      self = .null
      return
    }
    self = ["uid": .string(caller.uid), "token": DataValue.rest(fields: caller.token, project: "demo-project")]
  }
}

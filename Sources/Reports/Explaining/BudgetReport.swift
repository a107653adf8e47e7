import JSON
import RulesEngine

/// What a request takes of the official limits.
struct BudgetReport {
  let budget: RequestBudget

  init(_ budget: RequestBudget) { self.budget = budget }

  func lines(_ terminal: Terminal) -> [StyledLine] {
    var line = StyledLine("  takes", .dim)
    line.pad(to: 12)
    let uses = [
      (Self.text(budget.expressions, "expressions"), budget.expressions),
      (Self.text(budget.lookups, "documents looked up"), budget.lookups),
      (Self.text(budget.callDepth, "calls inside calls"), budget.callDepth),
    ].filter { $0.1 == budget.expressions || $0.1.used > 0 }
    for (i, (text, use)) in uses.enumerated() {
      line.add(i == 0 ? "" : ", ")
      line.add(text, use.isNearLimit ? .bad : .plain)
    }
    var result = [line]
    for lookup in budget.documents {
      var line = StyledLine()
      line.pad(to: 12)
      line.add(
        SafeText.cut("\(lookup.function) \(PathText.text(lookup.path))", max(20, terminal.width - 30)),
        lookup.isRefused ? .bad : .dim)
      if lookup.isRefused { line.add("  beyond the limit", .bad) }
      result.append(line)
    }
    return result
  }

  /// `16 of 1,000 expressions`
  static func text(_ use: RequestBudget.Use, _ things: String) -> String {
    let limit = number(use.limit)
    return use.isExceeded ? "more than \(limit) \(things)" : "\(number(use.used)) of \(limit) \(things)"
  }

  private static func number(_ count: Int) -> String {
    count < 1000 ? "\(count)" : "\(count / 1000),\(String(1000 + count % 1000).dropFirst())"
  }

  var json: JSONValue {
    [
      "expressions": Self.json(budget.expressions), "lookups": Self.json(budget.lookups),
      "callDepth": Self.json(budget.callDepth),
      "documents": .array(
        budget.documents.map { lookup in
          [
            "function": .string(lookup.function), "path": .string(lookup.path.relative),
            "refused": .bool(lookup.isRefused),
          ]
        }),
    ]
  }

  static func json(_ use: RequestBudget.Use) -> JSONValue {
    ["used": .int(Int64(use.used)), "limit": .int(Int64(use.limit)), "exceeded": .bool(use.isExceeded)]
  }
}

extension RequestBudget {
  /// Used, limit, whether it is exceeded, for each kind; and the documents looked up.
  public var json: JSONValue { BudgetReport(self).json }
}

extension RequestBudget.Use {
  public var json: JSONValue { BudgetReport.json(self) }
}

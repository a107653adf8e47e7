import RulesSyntax
import RulesValues

/// The rules of a new project let everybody do everything for thirty days.
enum TestModeEnds: LintRule {
  static let id = "test-mode"

  static func findings(_ rules: LintedRules) -> [Diagnostic] {
    rules.allows.compactMap { one in
      guard let condition = one.allow.condition, let end = end(condition) else { return nil }
      let text = end.rfc3339.prefix(10)
      let isOver = end < rules.now
      return finding(
        condition.range,
        isOver
          ? "test mode that ended on \(text): nobody is let through any more"
          : "test mode: everybody is let through until \(text), and nobody afterwards",
        ["Say who may: if request.auth != null && request.auth.uid == …"])
    }
  }

  /// Of a condition that asks for nothing but the time.
  private static func end(_ e: Expression) -> Timestamp? {
    guard case .binary(let op, let a, let b) = e.kind else { return nil }
    switch op {
    case .less, .lessOrEqual: return isTime(a) ? date(b) : nil
    case .greater, .greaterOrEqual: return isTime(b) ? date(a) : nil
    default: return nil
    }
  }

  private static func isTime(_ e: Expression) -> Bool {
    guard case .member(let request, let name) = e.kind, case .identifier("request") = request.kind else { return false }
    return name.text == "time"
  }

  private static func date(_ e: Expression) -> Timestamp? {
    guard case .methodCall(let package, let name, let arguments) = e.kind, case .identifier("timestamp") = package.kind
    else { return nil }
    let numbers = arguments.compactMap { argument -> Int64? in
      if case .int(let i) = argument.kind { i } else { nil }
    }
    func padded(_ n: Int64, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - "\(n)".count)) + "\(n)"
    }
    if name.text == "date", numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) {
      return Timestamp(rfc3339: "\(padded(numbers[0], 4))-\(padded(numbers[1], 2))-\(padded(numbers[2], 2))T00:00:00Z")
    }
    if name.text == "value", numbers.count == 1 { return Timestamp(seconds: numbers[0] / 1_000, nanos: 0) }
    return nil
  }
}

import RulesEngine
import RulesSyntax

/// Tells denials that somebody meant from those that came about by accident.
enum DenialReason {
  /// Warnings about denials that held without a condition being false: no rule for the path, or only errors.
  static func warnings(_ step: StepDeclaration, _ verdicts: [Verdict]) -> [Diagnostic] {
    guard step.expectation == .deny, step.because == nil, verdicts.allSatisfy(\.isHeld) else { return [] }
    let denials = verdicts.compactMap { verdict in verdict.decision.denial.map { (verdict.user.text, $0) } }
    var result: [Diagnostic] = []
    let withoutRule = denials.filter { $0.1.entries.isEmpty }.map(\.0)
    if !withoutRule.isEmpty {
      result.append(
        Diagnostic(
          id: "deny-without-rule", severity: .warning, range: step.range,
          message: "Denied to \(list(withoutRule)) only because no rule is about this path and method.",
          notes: ["If that is meant, say so: because 'No matching allow statements'"]))
    }
    var byError: [(message: String, users: [String])] = []
    for (user, denial) in denials {
      guard let message = error(denial) else { continue }
      if let i = byError.firstIndex(where: { $0.message == message }) {
        byError[i].users.append(user)
      } else {
        byError.append((message, [user]))
      }
    }
    for (message, users) in byError {
      result.append(
        Diagnostic(
          id: "deny-by-error", severity: .warning, range: step.range,
          message: "Denied to \(list(users)) only through an evaluation error: \(message)",
          notes: ["If that is meant, say so: because '\(quoted(message))'"]))
    }
    return result
  }

  /// The first error of a denial that no false condition is part of.
  private static func error(_ denial: Denial) -> String? {
    // In the official first pass, without documents, what needs one is no error yet.
    let texts = denial.entries.map(\.text).filter { !$0.hasPrefix("evaluation error at L") }
    guard let first = texts.first, !texts.contains("false") else { return nil }
    return first
  }

  private static func quoted(_ message: String) -> String {
    var text = ""
    for c in message { text += c == "'" || c == "\\" ? "\\\(c)" : String(c) }
    return text
  }

  private static func list(_ users: [String]) -> String {
    guard let last = users.last, users.count > 1 else { return users.first ?? "" }
    return users.dropLast().joined(separator: ", ") + " and " + last
  }
}

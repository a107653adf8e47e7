import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesValues

/// Tells denials that somebody meant from those that came about by accident.
enum DenialReason {
  /// Warnings about denials that held without a condition being false: no rule for the path, only errors, or nothing
  /// but `if false` at a path that looks misspelt.
  static func warnings(_ step: StepDeclaration, _ verdicts: [Verdict], _ ruleset: Ruleset) -> [Diagnostic] {
    guard step.expectation == .deny, step.because == nil, verdicts.allSatisfy(\.isHeld) else { return [] }
    var withoutRule: [String] = []
    var plainlyFalse: [String] = []
    var byError: [(message: String, users: [String])] = []
    for verdict in verdicts {
      let user = verdict.user.text
      switch cause(verdict) {
      case nil, .condition: break
      case .noRule: withoutRule.append(user)
      case .plainFalse: plainlyFalse.append(user)
      case .error(let message):
        if let i = byError.firstIndex(where: { $0.message == message }) {
          byError[i].users.append(user)
        } else {
          byError.append((message, [user]))
        }
      }
    }
    var result: [Diagnostic] = []
    let mayBeMisspelt = !withoutRule.isEmpty || !plainlyFalse.isEmpty
    let question = mayBeMisspelt ? verdicts.first.map { misspelling($0.asked.path, ruleset) } ?? "" : ""
    if !withoutRule.isEmpty {
      result.append(
        Diagnostic(
          id: "deny-without-rule", severity: .warning, range: step.range,
          message: "Denied to \(list(withoutRule)) only because no rule is about this path and method.\(question)",
          notes: ["If that is meant, say so: because 'No matching allow statements'"]))
    }
    if !plainlyFalse.isEmpty, !question.isEmpty {
      result.append(
        Diagnostic(
          id: "deny-by-plain-false", severity: .warning, range: step.range,
          message: "Denied to \(list(plainlyFalse)) only by 'if false', which refuses whatever the path is.\(question)",
          notes: ["If the path is meant as it is, say so: because 'false for'"]))
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

  private enum Cause {
    /// A condition that was false for this request.
    case condition
    case noRule
    /// Only the word `false`.
    case plainFalse
    /// The first error of a denial that no false condition is part of.
    case error(String)
  }

  private static func cause(_ verdict: Verdict) -> Cause? {
    guard let denial = verdict.decision.denial else { return nil }
    // The official message speaks of create and update when a `set` is refused; only one of them was asked for.
    let entries = denial.entries.filter { $0.method == verdict.asked.method }
    if entries.isEmpty { return .noRule }
    if entries.contains(where: { $0.text == "false" && !$0.isPlainFalse }) { return .condition }
    // In the official first pass, without documents, what needs one is no error yet.
    let error = entries.first { $0.text != "false" && !$0.text.hasPrefix("evaluation error at L") }
    // Of a query it is the usual reason: the condition asks for a field that is not filtered on.
    if verdict.asked.method == .list, let error, error.text.hasSuffix(" is undefined on object.") { return .condition }
    return error.map { .error($0.text) } ?? .plainFalse
  }

  /// A question about the first collection of a path that no rule names, but for one that is spelt almost like it.
  private static func misspelling(_ path: ResourcePath, _ ruleset: Ruleset) -> String {
    var known: Set<String> = []
    for service in ruleset.checked.services where service.kind == .firestore {
      for match in service.matches { collectNames(match, &known) }
    }
    let candidates = known.subtracting(["databases", "documents"]).sorted()
    let collections = path.segments.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element.string)
    for collection in collections where !known.contains(collection) {
      if let name = Suggestion.nearest(to: collection, among: candidates) { return " Did you mean '\(name)'?" }
    }
    return ""
  }

  // Depth is bounded by the official limit on nested matches.
  private static func collectNames(_ match: CheckedMatch, _ names: inout Set<String>) {
    for segment in match.segments { if case .literal(let name) = segment { names.insert(name) } }
    for child in match.children { collectNames(child, &names) }
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

import JSON
import RulesTesting

/// How the tests of a run were chosen, for whoever wonders why there are so few, or in which order they ran.
public struct SelectionSummary: Sendable {
  let selection: Selection
  /// Tests and invariants that were not meant to run.
  let leftOut: Int
  /// Those that were, but a failure came before.
  let notBegun: Int
  /// Whether there were failures to run again; `nil`: nobody asked for them.
  let foundFailures: Bool?

  public init(_ selection: Selection, leftOut: Int, notBegun: Int, foundFailures: Bool? = nil) {
    self.selection = selection
    self.leftOut = leftOut
    self.notBegun = notBegun
    self.foundFailures = foundFailures
  }

  /// Sentences.
  var lines: [String] {
    var lines: [String] = []
    if foundFailures == false { lines.append("Nothing is known to have failed here before: all tests are run.") }
    var reasons: [String] = []
    if foundFailures == true { reasons.append("those that failed before") }
    if !selection.filters.isEmpty {
      reasons.append("names with \(selection.filters.map { "'\(SafeText.line($0))'" }.joined(separator: " or "))")
    }
    if let shard = selection.shard { reasons.append("part \(shard.index) of \(shard.count)") }
    if !reasons.isEmpty { lines.append("Only \(reasons.joined(separator: ", ")): \(leftOut) left out.") }
    if let seed = selection.seed { lines.append("In the order of --seed \(seed).") }
    if notBegun > 0 { lines.append("Stopped at the first failure: \(notBegun) not begun.") }
    return lines
  }

  /// See `docs/json.md`.
  var json: JSONValue {
    [
      "filters": .array(selection.filters.map { .string($0) }),
      "shard": selection.shard.map { .string("\($0.index)/\($0.count)") } ?? .null,
      // As text: not every reader of JSON keeps so great a number.
      "seed": selection.seed.map { .string(String($0)) } ?? .null, "rerunFailed": .bool(foundFailures != nil),
      "leftOut": .int(Int64(leftOut)), "notBegun": .int(Int64(notBegun)),
    ]
  }
}

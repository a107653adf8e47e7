import RulesValues

/// May a query run?
public struct QueryDecision: Sendable {
  public let decision: Decision
  /// Where an allowed query can return documents that its condition seems to forbid.
  public let warnings: [QueryWarning]

  public var isAllowed: Bool { decision.isAllowed }
  public var denial: Denial? { decision.denial }

  init(_ decision: Decision, warnings: [QueryWarning] = []) {
    self.decision = decision
    self.warnings = warnings
  }
}

/// How far a query is trusted.
public enum QueryMode: String, Sendable, CaseIterable {
  /// As the official emulator judges it.
  case official
  /// Denied, too, where the emulator lets a query through only because it does not filter on a field, or does not
  /// know enough of one. Whether live production does the same is not known.
  case productionStrict = "production-strict"
}

/// A part of a condition that let a query through without anything being known of the documents.
public struct QueryWarning: Sendable, Equatable {
  /// What the condition does at `line` and `column`.
  public let text: String
  public let line: Int
  public let column: Int
}

import RulesEngine

/// Is told of each call that the rules judge; calls of servers, which they do not, pass unseen.
public protocol RequestObserver: Sendable {
  /// Whether an explanation is wanted, for which the rules are asked once more.
  func wantsExplanation(of decision: Decision) -> Bool
  /// Called from the thread that answers, before the answer.
  func judged(_ call: JudgedCall)
}

/// A call with what the rules said.
public struct JudgedCall: Sendable {
  public enum Kind: Sendable {
    case document(Request, Explanation?)
    case query(ListRequest, QueryExplanation?)
  }

  public let kind: Kind
  public let decision: Decision
  /// Those that judged it; `nil`: there were none.
  public let ruleset: Ruleset?

  public var isAllowed: Bool { decision.isAllowed }
}

/// The answer to a request.
public struct Decision: Sendable {
  public let isAllowed: Bool
  /// Why not; `nil` when allowed.
  public let denial: Denial?

  public static var allowed: Decision { Decision(isAllowed: true, denial: nil) }
  public static func denied(_ denial: Denial) -> Decision { Decision(isAllowed: false, denial: denial) }
}

/// What became of each `allow` in the two passes in which the official implementation decides: the first knows no
/// documents.
public struct OfficialPasses: Sendable {
  public let first: [Denial.Entry]
  public var second: [Denial.Entry] = []
  /// The first pass was enough.
  public var isDecidedFirst = true
  public let isAllowed: Bool
}

/// A refusal as the official implementation words it.
public struct Denial: Sendable, Equatable {
  /// What became of one `allow` in one pass.
  public struct Entry: Sendable, Equatable {
    public let text: String
    public let method: RequestMethod
    /// Line of the first token of the condition.
    public let line: Int
    /// The condition is the word `false`: it refuses everybody, and says nothing about this request.
    public let isPlainFalse: Bool
  }

  /// Empty when no `allow` covers the path and method.
  public let entries: [Entry]

  /// Why a query is refused that the official implementation might let through; `nil` where the entries say all.
  public let reason: String?

  public init(entries: [Entry]) {
    self.entries = entries
    reason = nil
  }

  init(reason: String) {
    entries = []
    self.reason = reason
  }

  /// The official message without the line break that precedes it on the wire.
  public var message: String {
    if let reason { return reason }
    if entries.isEmpty { return "No matching allow statements" }
    return entries.map { "\($0.text) for '\($0.method.rawValue)' @ L\($0.line)" }.joined(separator: ", ")
  }

  /// As the REST and gRPC answers carry it: with a leading line break, unless no `allow` matched.
  public var wireMessage: String { entries.isEmpty ? message : "\n" + message }
}

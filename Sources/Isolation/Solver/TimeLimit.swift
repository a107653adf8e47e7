/// How long all questions about a rule set may take together. What is left then is UNKNOWN.
public struct TimeLimit: Sendable {
  public let seconds: Double
  private let end: ContinuousClock.Instant

  public init(seconds: Double) {
    self.seconds = seconds
    end = ContinuousClock.now + .seconds(seconds)
  }

  public var isOver: Bool { millisecondsLeft <= 0 }

  var millisecondsLeft: Int64 {
    let left = (end - ContinuousClock.now).components
    return left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000
  }

  /// Why nothing is known of what was left.
  public var text: String {
    let whole = Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
    return "the limit of \(whole) s for all questions together was reached"
  }
}

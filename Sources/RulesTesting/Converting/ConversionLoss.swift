import RulesSyntax

/// What a conversion could not carry over, and where it stands.
public struct ConversionLoss: Sendable, Equatable, CustomStringConvertible {
  public enum Place: Sendable, Equatable {
    /// `testSuite.testCases[3].request`
    case json(String)
    case source(SourcePosition)
  }

  public let place: Place
  public let reason: String
  /// Whether the case or the step is missing as a whole, or is there without something.
  public let isLeftOut: Bool

  public init(_ place: Place, _ reason: String, isLeftOut: Bool) {
    self.place = place
    self.reason = reason
    self.isLeftOut = isLeftOut
  }

  public var description: String { "\(isLeftOut ? "left out" : "changed"): \(reason)" }
}

/// How deep an expression may be.
enum DepthLaw {
  static let message = "Expression is too complex to evaluate safely."
  /// Trees below this height cannot break the law.
  static let suspiciousHeight = 90
}

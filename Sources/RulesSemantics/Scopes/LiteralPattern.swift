/// Validity of a regular expression that is written as a literal.
enum LiteralPattern {
  static func isValid(_ pattern: [UInt8]) -> Bool { true }
}

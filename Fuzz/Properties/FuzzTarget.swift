/// Everything that is fuzzed. Each target takes any bytes and checks what must hold whatever they are; `make fuzz` and
/// the replay in `make test` run the same functions.
public enum FuzzTarget: String, CaseIterable, Sendable {
  // The bytes are the text.
  case json, values, token, lexer, parser, checker
  /// A rules file, and behind the first NUL byte choices that make a request.
  case evaluator
  /// A request as JSON, and behind the first NUL byte choices that make rules and documents.
  case request
  case tests
  /// A pattern, and behind the first NUL byte a text.
  case pattern
  /// What a client of `Identity` sends.
  case credentials
  /// What comes over a connection, and behind the last NUL byte where it is cut.
  case http
  // The bytes are choices from which a grammar makes the text, or a walk its steps.
  case automaton, rules, suites, flows

  /// - Throws: what does not hold. A trap, a hang or a leak is for the caller to notice.
  public func check(_ bytes: [UInt8]) throws(BrokenProperty) {
    switch self {
    case .json: try JSONProperties.check(bytes)
    case .values: try ValueProperties.check(bytes)
    case .token: try TokenProperties.check(bytes)
    case .lexer: try SyntaxProperties.checkTokens(bytes)
    case .parser: try SyntaxProperties.checkTree(bytes)
    case .checker: try RulesetProperties.check(bytes)
    case .evaluator: try EvaluationProperties.check(bytes)
    case .request: try RequestTextProperties.check(bytes)
    case .tests: try SuiteProperties.check(bytes)
    case .pattern: try PatternProperties.check(bytes)
    case .automaton: try PatternProperties.checkGenerated(bytes)
    case .rules: try EvaluationProperties.checkGenerated(bytes)
    case .suites: try SuiteProperties.checkGenerated(bytes)
    case .credentials: try IdentityProperties.checkInputs(bytes)
    case .http: try HTTPProperties.check(bytes)
    case .flows: try IdentityProperties.checkFlows(bytes)
    }
  }
}

/// Something that must hold and does not.
public struct BrokenProperty: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

func require(_ holds: Bool, _ complaint: @autoclosure () -> String) throws(BrokenProperty) {
  if !holds { throw BrokenProperty(complaint()) }
}

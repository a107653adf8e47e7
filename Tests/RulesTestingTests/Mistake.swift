import Testing

/// A source with a mistake, and the whole report about it.
struct Mistake: Sendable, CustomTestStringConvertible {
  var source: String
  var expected: String

  init(_ source: String, _ expected: String) {
    self.source = source
    self.expected = expected
  }

  var testDescription: String { source.split(separator: "\n").joined(separator: " ") }
}

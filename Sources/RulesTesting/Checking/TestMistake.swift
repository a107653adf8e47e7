import RulesSyntax

/// A mistake of a test file that shows when a value is worked out.
struct TestMistake: Error {
  var diagnostic: Diagnostic

  init(_ id: String, _ range: SourceRange, _ message: String, notes: [String] = []) {
    diagnostic = Diagnostic(id: id, severity: .error, range: range, message: message, notes: notes)
  }
}

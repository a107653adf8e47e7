/// Our own words beside the official ones.
enum SyntaxAdvice {
  /// The stable name of an official message.
  static func identifier(_ message: String) -> String {
    for (part, id) in identifiers where message.contains(part) { return id }
    return "syntax-error"
  }

  private static let identifiers: [(String, String)] = [
    ("Unexpected '", "unexpected-token"), ("mismatched input", "mismatched-input"), ("missing ", "missing-token"),
    ("Missing 'match'", "missing-match"), ("Forward slash", "stray-slash"), (" closing '}'", "extra-brace-in-path"),
    ("Missing ':'", "missing-colon"), ("Missing 'if'", "missing-if"), ("Missing conditional", "missing-condition"),
    ("Expected at least one", "missing-method"), ("Missing 'function' body", "missing-function-body"),
    ("Missing 'function' id", "missing-function-name"), ("Missing 'function' signature", "missing-function-signature"), ("body must contain", "empty-body"),
    ("Missing a closing", "unclosed-quote"), ("Increment (++)", "increment"), ("is' operator", "unknown-type"),
    ("Import statement with alias", "import-alias"), ("Cannot use keyword", "service-name"),
  ]
}

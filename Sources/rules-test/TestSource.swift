import RulesTesting

/// A test file from disk with the rules that it tests.
enum TestSource {
  /// The rules are those that the file names, else those that its name says: `X_test.rules` tests `X.rules`.
  static func load(_ path: String) throws(UsageError) -> (TestFile, RulesFile) {
    let test = TestFile.load(try Files.source(path))
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let rules: String
    if let named = test.syntax.rules?.text {
      rules = named.hasPrefix("/") ? named : folder + named
    } else if path.hasSuffix("_test.rules") {
      rules = path.dropLast("_test.rules".count) + ".rules"
    } else {
      throw UsageError("\(path) does not say which rules it tests.", "rules 'firestore.rules'; at its top does.")
    }
    return (test, RulesFile(try Files.source(rules)))
  }
}

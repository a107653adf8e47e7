import RulesTesting

/// Finds the test files that the command line means.
enum TestDiscovery {
  typealias Source = (test: TestFile, rules: RulesFile)

  static func sources(_ paths: [String]) throws(UsageError) -> [Source] {
    var files: [String] = []
    for path in paths.isEmpty ? ["."] : paths {
      switch Files.kind(path) {
      case .missing: throw UsageError("Cannot read \(path): there is no such file or folder.")
      case .file:
        guard path.hasSuffix(".rules") else {
          throw UsageError("\(path) is no test file.", "Test files end in _test.rules.")
        }
        files.append(try testFile(path))
      case .folder:
        let found = Files.find(path) { $0.hasSuffix("_test.rules") }
        guard !found.isEmpty else {
          throw UsageError(
            "There is no test file in \(path).",
            "Write firestore_test.rules beside firestore.rules; docs/test-language.md shows how.")
        }
        files += found
      }
    }
    var sources: [Source] = []
    var seen: Set<String> = []
    for file in files where seen.insert(file).inserted { sources.append(try TestSource.load(file)) }
    return sources
  }

  /// Of rules the tests beside them.
  private static func testFile(_ path: String) throws(UsageError) -> String {
    if path.hasSuffix("_test.rules") { return path }
    let beside = path.dropLast(".rules".count) + "_test.rules"
    guard Files.kind(String(beside)) == .file else {
      throw UsageError("\(path) has no tests: there is no \(beside).", "rules-test check \(path) compiles rules.")
    }
    return String(beside)
  }
}

import RulesSyntax

/// Files that were read and checked, for whoever looks at a project again and again: what has not changed is not checked
/// anew. Holds what the last look used, and no more.
public final class ProjectCache {
  private var tests: [String: TestFile] = [:]
  private var rules: [String: RulesFile] = [:]
  private var used: Set<String> = []

  public init() {}

  func test(_ path: String, _ bytes: [UInt8]) -> TestFile {
    let source = SourceFile(name: path, utf8: bytes)
    used.insert(path)
    if let known = tests[path], known.file.utf8 == source.utf8 { return known }
    let test = TestFile.load(source)
    tests[path] = test
    return test
  }

  func rules(_ path: String, _ bytes: [UInt8]) -> RulesFile {
    let source = SourceFile(name: path, utf8: bytes)
    used.insert(path)
    if let known = rules[path], known.file.utf8 == source.utf8 { return known }
    let file = RulesFile(source)
    rules[path] = file
    return file
  }

  /// Forgets what this look at the project did not come across.
  func endLook() {
    tests = tests.filter { used.contains($0.key) }
    rules = rules.filter { used.contains($0.key) }
    used = []
  }
}

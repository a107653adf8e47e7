import RulesSyntax
import RulesValues

/// The test files to run, each with the rules it tests.
public struct Project: Sendable {
  public struct Pair: Sendable {
    public let test: TestFile
    public let rules: RulesFile
  }

  /// Rules that `firebase.json` puts in force, but no test is about.
  public struct Untested: Sendable {
    /// Of the database, or of the deploy target.
    public let name: String
    public let rules: RulesFile
  }

  /// In the order in which they were named, and below a folder by path.
  public let pairs: [Pair]
  /// What kept a file from being used: then the run as a whole has failed, whatever the tests say.
  public let errors: [FileError]
  /// The `firebase.json` that was found, if it was looked for.
  public let config: FirebaseConfig?
  /// Where the tests of a whole project were looked for.
  public let untested: [Untested]

  /// Folders in which a change of a file may make it another project.
  public let folders: Set<String>

  /// The end of the name of a test file.
  public static let testSuffix = "_test.rules"
  static let rulesSuffix = ".rules"
  static let defaultRules = "firestore.rules"

  /// Finds and reads everything.
  /// - Parameters:
  ///   - paths: test files, and folders to search for them. When empty, the folder of the nearest `firebase.json` is
  ///     searched, or without one the folder `start`.
  ///   - start: where to begin, by default where the program runs.
  ///   - cache: files that an earlier look has read; for a single look there is no use in one.
  public static func find(
    _ paths: [String] = [], from start: String = ".", cache: ProjectCache = ProjectCache()
  ) -> Project {
    var finder = Finder(cache: cache)
    var config: FirebaseConfig?
    if paths.isEmpty {
      config = finder.config(near: start)
      finder.search(config.map { FileAccess.folder(of: $0.path) } ?? FileAccess.tidy(start))
    }
    for path in paths { finder.take(FileAccess.tidy(path)) }
    let untested = config.map { finder.untested($0) } ?? []
    cache.endLook()
    return Project(
      pairs: finder.pairs, errors: finder.errors, config: config, untested: untested, folders: finder.folders)
  }

  /// Reads a test file and the rules that it tests.
  /// - Throws: `FileError` when one of them cannot be read or found.
  public static func load(_ path: String) throws(FileError) -> Pair {
    if FileAccess.kind(path) == .folder { throw FileError(path: path, reason: "This is a folder, not a file.") }
    var finder = Finder()
    finder.take(FileAccess.tidy(path))
    if let error = finder.errors.first { throw error }
    guard let pair = finder.pairs.first else { throw FileError(path: path, reason: "This is no test file.") }
    return pair
  }

  public func run(_ runner: Runner = Runner()) -> SuiteResult {
    runner.run(pairs.map { ($0.test, $0.rules) })
  }
}

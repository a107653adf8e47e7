import CBuild
import RulesEngine
import RulesPatterns
import RulesValues
import SQLiteStore

/// What a report of a fault should name: `rules-test --version`.
enum BuildFacts {
  static var text: String {
    let commit = String(cString: rules_test_commit())
    return """
      rules-test \(Program.version)
      built      \(configuration), \(commit.isEmpty ? "commit not known" : "commit \(commit)"), Swift \(swift)
      with       PCRE2 \(PatternLibrary.version), SQLite \(SQLiteLibrary.version), \(HashLibrary.version)
      dialects   \(Dialect.allCases.map(\.rawValue).joined(separator: ", "))

      """
  }

  private static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// The language tells its version only to conditions.
  private static var swift: String {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1"
    #endif
  }
}

import JSON
import RulesTesting

/// Which tests failed when they last ran, kept in a file for `--rerun-failed`: `failed-….json`, one for each project, in
/// the folder that RULES_TEST_STATE names, else in `rules-test` in XDG_STATE_HOME, else in ~/.local/state/rules-test.
struct FailedTests {
  /// `nil`: there is no place to keep anything.
  private let path: String?
  private let folder: String?
  private static let limit = 10_000

  /// - Parameter root: the absolute path of the project.
  init(root: String) {
    func set(_ name: String) -> String? { Console.environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    folder =
      Console.environment("RULES_TEST_STATE").flatMap { $0.isEmpty ? nil : $0 }
      ?? set("XDG_STATE_HOME").map { $0 + "/rules-test" } ?? set("HOME").map { $0 + "/.local/state/rules-test" }
    // FNV-1a: folders of one machine, with no enemy among them.
    let sum = root.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    path = folder.map { "\($0)/failed-\(String(sum, radix: 16)).json" }
  }

  /// - Throws: when there is a file that cannot be read.
  func read() throws(UsageError) -> Set<Selection.Key> {
    guard let path else {
      throw UsageError("There is no place where failures are kept.", "Name a folder: RULES_TEST_STATE=FOLDER")
    }
    guard Files.kind(path) != .missing else { return [] }
    let bytes = try Files.read(path)
    do {
      let keys = try JSONValue(parsing: bytes)["failed"]?.arrayValue ?? []
      return Set(
        keys.compactMap { key in
          guard let file = key["file"]?.stringValue, let name = key["name"]?.stringValue else { return nil }
          return Selection.Key(file: file, name: name)
        })
    } catch {
      throw UsageError("\(path) is no JSON: \(error)", "Remove it: it is written anew when a test fails.")
    }
  }

  /// Takes in what ran. That this cannot be kept is no failure of the tests: it is passed over.
  func note(_ results: [FileResult]) {
    guard let path, let folder else { return }
    var known = (try? read()) ?? []
    let before = known
    for (key, failed) in results.flatMap(\.outcomes) {
      if failed { known.insert(key) } else { known.remove(key) }
    }
    guard known != before, known.count <= Self.limit else { return }
    let keys = known.sorted { ($0.file, $0.name) < ($1.file, $1.name) }
    let value: JSONValue = ["failed": .array(keys.map { ["file": .string($0.file), "name": .string($0.name)] })]
    guard Files.makeFolder(folder) else { return }
    try? Files.replace(path, with: value.serialized(pretty: true) + "\n")
  }
}

import EmulatorServer
import Reports
import RulesEngine
import RulesSyntax
import RulesTesting
import RulesValues

/// Where the rules of the servers come from: `--rules`, or the `firebase.json` that is named or lies in the folder.
struct ServedRules {
  enum Origin {
    case file(String)
    case configuration(FirebaseConfig)
    case open
    case nothing
  }

  let origin: Origin
  /// Those that `firebase.json` gives the emulators.
  let ports: (firestore: UInt16?, auth: UInt16?)?

  private static let openRules = """
    rules_version = '2';
    service cloud.firestore {
      match /databases/{database}/documents { match /{document=**} { allow read, write: if true; } }
    }
    """

  init(_ options: Options) throws(UsageError) {
    let operand = options.operands.dropLast(options.trailing.count).first
    if let operand, !operand.hasSuffix(".json") {
      throw UsageError("serve takes a firebase.json, not '\(operand)'.", "Rules are given by --rules \(operand)")
    }
    let path = operand ?? (Files.kind(FirebaseConfig.fileName) == .file ? FirebaseConfig.fileName : nil)
    var configuration: FirebaseConfig?
    if let path {
      do throws(FileError) {
        configuration = try FirebaseConfig.read(path)
      } catch {
        throw UsageError(error.description)
      }
    }
    ports = configuration.map { ($0.firestorePort, $0.authPort) }
    if let file = options["--rules"] {
      if options.has("--open") { throw UsageError("--rules and --open do not go together.") }
      origin = .file(file)
    } else if options.has("--open") {
      origin = .open
    } else if let configuration, configuration.entries.contains(where: { $0.rules != nil }) {
      origin = .configuration(configuration)
    } else {
      origin = .nothing
    }
  }

  /// The files that a change of which matters.
  var files: [String] {
    switch origin {
    case .file(let path): [path]
    case .configuration(let configuration): configuration.entries.compactMap(\.rules)
    case .open, .nothing: []
    }
  }

  /// In one line, for people.
  var summary: String {
    switch origin {
    case .file(let path): path
    case .configuration(let configuration): files.joined(separator: ", ") + " (\(configuration.path))"
    case .open: "open to everybody (--open)"
    case .nothing: "none, so everything is refused: --rules FILE, or --open"
    }
  }

  /// Reads and compiles the files.
  /// - Throws: what does not compile, as `check` shows it.
  func load() throws(UsageError) -> DatabaseRules {
    switch origin {
    case .nothing: return DatabaseRules()
    case .open: return DatabaseRules(others: try Self.compile(SourceFile(name: "open.rules", text: Self.openRules)))
    case .file(let path): return DatabaseRules(others: try Self.compile(Files.source(path)))
    case .configuration(let configuration):
      var named: [(database: Text, ruleset: Ruleset)] = []
      for entry in configuration.entries {
        guard let path = entry.rules else { continue }
        let ruleset = try Self.compile(Files.source(path))
        // An entry by deploy target has no database of its own to be told by; alone it is for all of them.
        guard let database = entry.database else {
          guard configuration.entries.count > 1 else { return DatabaseRules(others: ruleset) }
          continue
        }
        named.append((Text(database), ruleset))
      }
      return DatabaseRules(named: named)
    }
  }

  private static func compile(_ file: SourceFile) throws(UsageError) -> Ruleset {
    let (ruleset, diagnostics) = Ruleset.compile(file)
    guard let ruleset else {
      let report = CheckReport([(file, diagnostics.filter { $0.severity == .error })])
      throw UsageError(
        "\(file.name) does not compile.", report.text(Console.terminal(.errors, color: "never"), quiet: true))
    }
    return ruleset
  }
}

import Reports
import RulesSyntax
import RulesTesting

/// What `init` has to write for a project: nothing is written here.
struct StarterPlan {
  struct File: Equatable {
    enum Content: Equatable {
      case text(String, what: String)
      case kept(why: String)
      /// Rules that do not compile.
      case broken
    }

    let path: String
    let content: Content
  }

  /// The folder of `firebase.json`, or the one that was named.
  let base: String
  private(set) var files: [File] = []
  private(set) var notes: [String] = []

  /// - Throws: for a `firebase.json` that cannot be read, or that names rules outside of its folder.
  init(_ folder: String) throws(UsageError) {
    var entries: [(path: String, database: String)] = []
    if let path = FirebaseConfig.find(from: folder) {
      base = Files.folder(of: path)
      do throws(FileError) {
        for entry in try FirebaseConfig.read(path).entries {
          guard let rules = entry.rules, !entries.contains(where: { $0.path == rules }) else { continue }
          entries.append((rules, entry.database ?? "(default)"))
        }
      } catch {
        throw UsageError(error.description)
      }
      if entries.isEmpty {
        notes.append("\(path) names no rules yet. In it: \"firestore\": { \"rules\": \"firestore.rules\" }")
      }
    } else {
      base = folder
    }
    if entries.isEmpty { entries = [(InitCommand.join(base, "firestore.rules"), "(default)")] }
    for entry in entries {
      // `..` and `/` lead to files that other projects may use.
      guard Self.isInside(entry.path, base) else {
        throw UsageError(
          "\(entry.path), which firebase.json names, is not in the folder of firebase.json.",
          "Name rules that are inside it.")
      }
    }
    let tested = Set(Project.find([], from: base).pairs.map(\.rules.file.name))
    for entry in entries { try add(entry.path, database: entry.database, isTested: tested.contains(entry.path)) }
  }

  private static func isInside(_ path: String, _ base: String) -> Bool {
    let rest = base == "." ? path : path.hasPrefix(base + "/") ? String(path.dropFirst(base.count + 1)) : "/"
    return !rest.hasPrefix("/") && !rest.split(separator: "/").contains("..")
  }

  private mutating func add(_ path: String, database: String, isTested: Bool) throws(UsageError) {
    let hasSuffix = path.hasSuffix(".rules")
    let tests = (hasSuffix ? String(path.dropLast(".rules".count)) : path) + Project.testSuffix
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var head = hasSuffix ? "" : "rules '\(name)';\n"
    if database != "(default)" { head += "database '\(database)';\n" }
    if !head.isEmpty { head += "\n" }
    switch Files.kind(path) {
    case .folder: throw UsageError("\(path), which firebase.json names as rules, is a folder.")
    case .missing:
      files.append(File(path: path, content: .text(Starter.rules, what: "rules to begin with: read the comments")))
      files.append(
        File(path: tests, content: .text(Starter.tests(of: name, head: head), what: "their tests, and invariants")))
    case .file:
      let rules = RulesFile(try Files.source(path))
      if rules.ruleset == nil {
        files.append(File(path: path, content: .broken))
      } else if isTested {
        files.append(File(path: path, content: .kept(why: "has rules and tests already")))
      } else {
        files.append(File(path: path, content: .kept(why: "has rules already")))
        let text = RecordedTests(rules, name: name, head: head, path: tests).text
        files.append(File(path: tests, content: .text(text, what: "what the rules say today: read each line")))
      }
    }
  }

  // MARK: The repository

  var isCurrentFolder: Bool { base == "." }

  /// The folder that holds `.git`, as a path from here, and the path of the project inside it.
  var repository: (path: String, inside: String) {
    let absolute = Self.absolute(base)
    var folder = absolute
    var up = base
    while true {
      if Files.kind(folder == "/" ? "/.git" : folder + "/.git") != .missing {
        let inside = folder == absolute ? "" : String(absolute.dropFirst(folder == "/" ? 1 : folder.count + 1))
        return (up, inside)
      }
      if folder == "/" { return (base, "") }
      folder = Files.folder(of: folder)
      up = up == "." ? ".." : "\(up)/.."
    }
  }

  private static func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    let whole = path.hasPrefix("/") ? path : "\(Files.currentFolder)/\(path)"
    for part in whole.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

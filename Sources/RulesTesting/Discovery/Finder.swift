import RulesSyntax
import RulesValues

/// Collects test files and finds their rules.
struct Finder {
  private(set) var pairs: [Project.Pair] = []
  private(set) var errors: [FileError] = []
  /// Rules files that are read already, by path.
  private var rules: [String: RulesFile] = [:]
  /// The configuration that holds for a folder; `nil` inside: there is none.
  private var configs: [String: FirebaseConfig?] = [:]
  private var seen: Set<String> = []
  /// Where something was looked for or found.
  private(set) var folders: Set<String> = []
  private let cache: ProjectCache

  init(cache: ProjectCache = ProjectCache()) { self.cache = cache }

  /// Folders that hold other people's files.
  private static let skipped: Set<String> = ["node_modules"]
  private static let maximumDepth = 64

  /// A test file, or a folder to search.
  mutating func take(_ path: String) {
    folders.insert(FileAccess.folder(of: path))
    switch FileAccess.kind(path) {
    case nil: errors.append(FileError(path: path, reason: "There is no such file or folder."))
    case .folder: search(path)
    case .file:
      if path.hasSuffix(Project.testSuffix) {
        add(path)
      } else if path.hasSuffix(Project.rulesSuffix) {
        takeTests(of: path)
      } else {
        errors.append(
          FileError(path: path, reason: "This is no test file: the name of one ends in \(Project.testSuffix)"))
      }
    }
  }

  /// Somebody named the rules: the test file that belongs to them by its name is meant.
  private mutating func takeTests(of rules: String) {
    let test = rules.dropLast(Project.rulesSuffix.count) + Project.testSuffix
    if FileAccess.kind(String(test)) == .file {
      add(String(test))
    } else {
      errors.append(
        FileError(path: rules, reason: "There are no tests beside it: expected \(FileAccess.name(of: String(test)))"))
    }
  }

  /// Searches a folder that somebody asked for: there must be tests in it.
  mutating func search(_ folder: String) {
    let before = errors.count
    if !collect(folder, depth: 0), errors.count == before {
      errors.append(
        FileError(path: folder, reason: "There are no test files here: their names end in \(Project.testSuffix)"))
    }
  }

  /// Adds all test files in a folder and below it, and says whether there are any. Hidden folders, links to folders
  /// and those of package managers are passed over.
  private mutating func collect(_ folder: String, depth: Int) -> Bool {
    guard depth <= Self.maximumDepth else {
      errors.append(
        FileError(
          path: folder, reason: "Folders are nested more than \(Self.maximumDepth) deep here. Name the tests below."))
      return false
    }
    folders.insert(folder)
    var isFound = false
    var folders: [String] = []
    do throws(FileError) {
      for name in try FileAccess.names(in: folder) {
        let path = FileAccess.join(folder, name)
        switch FileAccess.kind(path) {
        case .file where name.hasSuffix(Project.testSuffix):
          add(path)
          isFound = true
        case .folder where !name.hasPrefix(".") && !Self.skipped.contains(name) && !FileAccess.isLink(path):
          folders.append(path)
        case nil where name.hasSuffix(Project.testSuffix):
          errors.append(FileError(path: path, reason: "The file that this link leads to is not there."))
        default: break
        }
      }
    } catch {
      errors.append(error)
    }
    for path in folders where collect(path, depth: depth + 1) { isFound = true }
    return isFound
  }

  private mutating func add(_ path: String) {
    guard seen.insert(FileAccess.absolute(path)).inserted else { return }
    do throws(FileError) {
      let test = cache.test(path, try FileAccess.read(path))
      let rulesPath = try rulesPath(of: test, at: path)
      let rules = try readRules(rulesPath, for: test)
      let doubt = doubt(about: test, rulesPath, config(near: FileAccess.folder(of: path)))
      pairs.append(Project.Pair(test: doubt.map(test.adding) ?? test, rules: rules))
    } catch {
      errors.append(error)
    }
  }

  // MARK: Rules

  /// By order: what the file says, the rules of the same name, those that `firebase.json` gives the database,
  /// `firestore.rules` beside the file.
  private mutating func rulesPath(of test: TestFile, at path: String) throws(FileError) -> String {
    let folder = FileAccess.folder(of: path)
    if let named = test.syntax.rules { return FileAccess.join(folder, named.text) }
    let sibling = String(path.dropLast(Project.testSuffix.count)) + Project.rulesSuffix
    let database = test.database.string
    let config = config(near: folder)
    if FileAccess.kind(sibling) == .file {
      try check(sibling, isFor: database, config, path)
      return sibling
    }
    if let entry = config?.entries.first(where: { $0.database == database }), let rules = entry.rules { return rules }
    let common = FileAccess.join(folder, Project.defaultRules)
    // Another database must never be tested by the rules of the default one.
    if database == FirebaseConfig.defaultDatabase, FileAccess.kind(common) == .file {
      try check(common, isFor: database, config, path)
      return common
    }
    var reason = "No rules found for it: neither \(FileAccess.name(of: sibling)) beside it"
    reason += config.map { " nor an entry for the database '\(database)' in \($0.path)." } ?? " nor a firebase.json."
    throw FileError(path: path, reason: reason + " Name them: rules 'firestore.rules';")
  }

  /// Rules that `firebase.json` gives to other databases only are not taken for this one because of their name.
  private func check(
    _ rules: String, isFor database: String, _ config: FirebaseConfig?, _ path: String
  ) throws(FileError) {
    let absolute = FileAccess.absolute(rules)
    let owners = (config?.entries ?? []).filter { $0.rules.map(FileAccess.absolute) == absolute }
    guard let owner = owners.first, !owners.contains(where: { $0.database == database || $0.database == nil }) else {
      return
    }
    throw FileError(
      path: path,
      reason: "It tests the database '\(database)', but \(rules) beside it belongs to '\(owner.database ?? "")' by "
        + "\(config?.path ?? FirebaseConfig.fileName). Name the rules that are meant, rules '…'; or another database.")
  }

  /// A warning about rules that by `firebase.json` are not in force in the database of the test.
  private func doubt(about test: TestFile, _ rules: String, _ config: FirebaseConfig?) -> Diagnostic? {
    guard let config, !config.entries.isEmpty, !config.entries.contains(where: { $0.database == nil }) else {
      return nil
    }
    let database = test.database.string
    let range = test.syntax.database?.range ?? test.syntax.rules?.range
    let names = config.entries.compactMap(\.database)
    guard names.contains(database) else {
      return Diagnostic(
        id: "unknown-database", severity: .warning, range: range,
        message: "\(config.path) has no database '\(database)'.\(Suggestion.question(database, names))")
    }
    let absolute = FileAccess.absolute(rules)
    let owners = config.entries.filter { $0.rules.map(FileAccess.absolute) == absolute }.compactMap(\.database)
    guard let owner = owners.first, !owners.contains(database) else { return nil }
    return Diagnostic(
      id: "rules-of-another", severity: .warning, range: test.syntax.rules?.range ?? range,
      message: "\(config.path) gives these rules to the database '\(owner)'; the test is about '\(database)'.",
      notes: ["The database is named at the top of the test file: database '\(owner)';"])
  }

  /// The rules of a configuration that no test was found for.
  mutating func untested(_ config: FirebaseConfig) -> [Project.Untested] {
    let tested = Set(pairs.map { FileAccess.absolute($0.rules.file.name) })
    var result: [Project.Untested] = []
    for entry in config.entries {
      guard let path = entry.rules, !tested.contains(FileAccess.absolute(path)) else { continue }
      let name = entry.database ?? entry.target ?? ""
      guard FileAccess.kind(path) == .file else {
        errors.append(
          FileError(path: path, reason: "There is no such rules file, which \(config.path) gives to '\(name)'."))
        continue
      }
      do throws(FileError) {
        result.append(Project.Untested(name: name, rules: cache.rules(path, try FileAccess.read(path))))
      } catch {
        errors.append(error)
      }
    }
    return result
  }

  private mutating func readRules(_ path: String, for test: TestFile) throws(FileError) -> RulesFile {
    folders.insert(FileAccess.folder(of: path))
    if let known = rules[path] { return known }
    guard FileAccess.kind(path) == .file else {
      throw FileError(path: path, reason: "There is no such rules file, which \(test.file.name) tests.")
    }
    let file = cache.rules(path, try FileAccess.read(path))
    rules[path] = file
    return file
  }

  /// The configuration for a folder. One that cannot be read is reported once.
  mutating func config(near folder: String) -> FirebaseConfig? {
    guard let path = FirebaseConfig.find(from: folder) else { return nil }
    folders.insert(FileAccess.folder(of: path))
    if let known = configs[path] { return known }
    do throws(FileError) {
      let config = try FirebaseConfig.read(path)
      configs[path] = .some(config)
      return config
    } catch {
      errors.append(error)
      configs[path] = .some(nil)
      return nil
    }
  }
}

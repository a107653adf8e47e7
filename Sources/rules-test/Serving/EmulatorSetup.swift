import EmulatorServer
import Identity
import JSON
import LocalFirestore
import Reports
import RulesEngine
import RulesTesting

extension OptionSpec {
  static let serving: [OptionSpec] = [
    OptionSpec(name: "--rules", value: "FILE", help: "the rules of all databases, in place of firebase.json's"),
    OptionSpec(name: "--open", help: "without rules: allow everything, in place of nothing"),
    OptionSpec(name: "--project", value: "ID", help: "the project's id (default: demo-project)"),
    OptionSpec(name: "--firestore-port", value: "N", help: "default 8080; 0 is any that is free"),
    OptionSpec(name: "--auth-port", value: "N", help: "default 9099; 0 is any that is free"),
    OptionSpec(name: "--host", value: "ADDRESS", help: "where to listen (default 127.0.0.1: this machine only)"),
    OptionSpec(name: "--data", value: "FILE", help: "keep documents in this SQLite file, and accounts beside it"),
    OptionSpec(name: "--import", value: "PATH", help: "begin with the documents of an export, or of a folder of them"),
    OptionSpec(name: "--exports", value: "FOLDER", help: "where the endpoints :export and :import may write and read"),
    OptionSpec(name: "--test-hooks", help: "let tests move the clock of Authentication and empty it"), .dialect,
    .queries,
  ]
}

/// What `serve` and `exec` start: both servers, as the options say.
struct EmulatorSetup {
  let rules: ServedRules
  let firestore: FirestoreEmulator
  let auth: AuthEmulator
  let server: HTTPServer
  let host: String
  let project: String

  var firestorePort: UInt16 { server.ports[0] }
  var authPort: UInt16 { server.ports[1] }

  /// - Throws: for rules that do not compile or cannot be read, ports that are taken, data that cannot be used.
  init(_ options: Options) throws(UsageError) {
    let project = options["--project"] ?? "demo-project"
    self.project = project
    host = options["--host"] ?? "127.0.0.1"
    rules = try ServedRules(options)
    let files = options["--data"].map { DataFiles($0, project: project) }
    var firestoreOptions = FirestoreOptions()
    firestoreOptions.project = project
    firestoreOptions.rules = try rules.load()
    firestoreOptions.dialect = options.dialect
    firestoreOptions.queryMode = options.queryMode
    if let folder = options["--exports"] {
      guard Files.kind(folder) == .folder else { throw UsageError("\(folder) is no folder.", "mkdir \(folder)") }
      firestoreOptions.exports = FolderOfExports(path: folder)
    }
    if let files {
      firestoreOptions.storage = { (project) throws(FirestoreError) in
        try SQLiteStorage(path: try files.documents(project))
      }
    }
    let firestore = FirestoreEmulator(firestoreOptions)
    var authOptions = AuthOptions()
    authOptions.project = project
    authOptions.hasTestHooks = options.has("--test-hooks")
    authOptions.functionCaller = LoopbackCaller()
    if let files {
      authOptions.storage = { (project, tenant) throws(IdentityError) in
        try SQLiteIdentityStorage(path: try files.accounts(project, tenant))
      }
    }
    let auth = AuthEmulator(authOptions)
    do throws(FirestoreError) {
      // Now, so that a file that cannot be used is told at once.
      let project = try firestore.project()
      if let path = options["--import"] { try Self.importDocuments(path, into: project.firestore) }
    } catch {
      throw UsageError(error.description)
    }
    do throws(IdentityError) {
      _ = try auth.project()
    } catch {
      throw UsageError(error.description)
    }
    self.firestore = firestore
    self.auth = auth
    let firestorePort = try Self.port(options, "--firestore-port", rules.ports?.firestore ?? 8080)
    let authPort = try Self.port(options, "--auth-port", rules.ports?.auth ?? 9099)
    do throws(HTTPServerError) {
      server = try HTTPServer(address: host, [(firestorePort, firestore), (authPort, auth)])
    } catch {
      throw UsageError(
        error.message, "Another port: --firestore-port N, --auth-port N; 0 takes any that is free.")
    }
  }

  private static func port(_ options: Options, _ name: String, _ usual: UInt16) throws(UsageError) -> UInt16 {
    guard let text = options[name] else { return usual }
    guard let port = UInt16(text) else { throw UsageError("\(name) is a number from 0 to 65535, not '\(text)'.") }
    return port
  }

  /// The documents of an export, or of all exports in a folder, in the order of their names.
  private static func importDocuments(_ path: String, into firestore: LocalFirestore) throws(FirestoreError) {
    guard Files.kind(path) == .folder else { return try importFile(path, into: firestore) }
    do throws(FileError) {
      let names = try FileAccess.names(in: path).filter { $0.hasSuffix(".json") }.sorted()
      guard !names.isEmpty else { throw FileError(path: path, reason: "There is no export (NAME.json) in this folder.") }
      for name in names {
        do throws(FirestoreError) {
          try importFile(path + "/" + name, into: firestore)
        } catch {
          throw FileError(path: path + "/" + name, reason: error.description)
        }
      }
    } catch {
      throw FirestoreError(.invalidArgument, error.description)
    }
  }

  private static func importFile(_ path: String, into firestore: LocalFirestore) throws(FirestoreError) {
    let text: [UInt8]
    do throws(UsageError) {
      text = try Files.read(path)
    } catch {
      throw FirestoreError(.invalidArgument, error.message)
    }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text)
    } catch {
      throw FirestoreError(.invalidArgument, "\(path) is no JSON: \(error).")
    }
    try firestore.importDocuments(json)
  }
}

/// The files of `--data`: one for the documents of the default project, others beside it.
struct DataFiles: Sendable {
  private let stem: String
  private let suffix: String
  private let project: String

  init(_ path: String, project: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let dot = name.dropFirst().lastIndex(of: ".")
    let end = dot.map { path.index(path.endIndex, offsetBy: -name[$0...].count) } ?? path.endIndex
    stem = String(path[..<end])
    suffix = String(path[end...])
    self.project = project
  }

  func documents(_ project: String) throws(FirestoreError) -> String {
    guard let part = part(project) else {
      throw FirestoreError(.invalidArgument, "With --data a project's id has letters, digits and '-' only.")
    }
    return stem + part + suffix
  }

  func accounts(_ project: String, _ tenant: String?) throws(IdentityError) -> String {
    guard let part = part(project), let place = tenant.map(Self.plain) ?? "" else {
      throw IdentityError(
        code: "INVALID_PROJECT_ID",
        message: "with --data the ids of projects and tenants have letters, digits and '-' only")
    }
    return stem + part + place + ".accounts" + suffix
  }

  private func part(_ project: String) -> String? { project == self.project ? "" : Self.plain(project) }

  /// Nil for what could lead to another file.
  private static func plain(_ id: String) -> String? {
    let isPlain =
      !id.isEmpty && id.utf8.count <= 128
      && id.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      }
    return isPlain ? "." + id : nil
  }
}

/// The folder of `--exports`. Names come checked.
struct FolderOfExports: ExportFolder {
  let path: String

  func write(_ text: String, name: String) throws(FirestoreError) {
    do throws(UsageError) {
      try Files.replace(path + "/" + name, with: text)
    } catch {
      throw FirestoreError(.failedPrecondition, error.message)
    }
  }

  func read(_ name: String) throws(FirestoreError) -> [UInt8] {
    do throws(UsageError) {
      return try Files.read(path + "/" + name)
    } catch {
      throw FirestoreError(.notFound, error.message)
    }
  }
}

import JSON
import LocalFirestore
import RulesEngine
import RulesSemantics
import RulesSyntax
import RulesTesting
import RulesValues

/// What the emulator has besides the database: rules and their coverage, clearing, exports, the monitor of requests,
/// and the Rules Test API.
struct EmulatorControl {
  private enum Subject {
    /// `/emulator/v1/projects/P:ACTION`
    case action(String)
    /// `/emulator/v1/projects/P/databases/D/documents…`
    case documents(ResourcePath)
    /// `/v1/projects/P:test`
    case test
  }

  private let emulator: FirestoreEmulator
  private let project: String
  private let subject: Subject

  /// Nil for another address.
  init?(_ path: String, _ emulator: FirestoreEmulator) {
    self.emulator = emulator
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    if parts.count == 3, parts[0] == "v1", parts[1] == "projects", parts[2].hasSuffix(":test") {
      project = String(parts[2].dropLast(5))
      subject = .test
      return
    }
    guard parts.count >= 4, parts[0] == "emulator", parts[1] == "v1", parts[2] == "projects" else { return nil }
    let words = parts[3].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    project = String(words[0])
    if parts.count == 4, words.count == 2 {
      subject = .action(String(words[1]))
    } else if parts.count >= 7, words.count == 1, parts[4] == "databases", parts[6] == "documents" {
      let ids = parts[7...].filter { !$0.isEmpty }
      subject = .documents(ResourcePath(database: Text(parts[5]), segments: ids.map { Text($0) }))
    } else {
      return nil
    }
  }

  func answer(_ request: HTTPRequest) throws(FirestoreError) -> HTTPResponse {
    let project = try emulator.project(project)
    switch subject {
    case .test:
      guard request.method == "POST" else { return .notFound }
      return try test(project, try request.json)
    case .documents(let path):
      guard request.method == "DELETE" else { return .notFound }
      if path.segments.isEmpty {
        try project.firestore.clear(database: path.database)
      } else {
        try project.firestore.clear(under: path)
      }
      return HTTPResponse(json: [:])
    case .action(let action):
      switch (request.method, action) {
      case ("PUT", "securityRules"): return try putRules(project, try request.json)
      case ("GET", "securityRules"): return Self.rules(project)
      case ("GET", "ruleCoverage"): return HTTPResponse(json: CoveragePage.json(project.rules))
      case ("GET", "ruleCoverage.html"): return CoveragePage.answer(project.rules)
      case ("GET", "requests"):
        if request.headers["accept"]?.lowercased().contains("text/event-stream") ?? false {
          return HTTPResponse(
            headers: HTTPHeaders([("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]),
            body: .stream { [monitor = project.monitor] in monitor.watch($0) })
        }
        return HTTPResponse(json: project.monitor.json)
      case ("DELETE", "requests"):
        project.monitor.clear()
        return HTTPResponse(json: [:])
      case ("POST", "export"):
        try mustBeLocal(request)
        return try export(project, try request.json)
      case ("POST", "import"):
        try mustBeLocal(request)
        return try importDocuments(project, try request.json)
      default: return .notFound
      }
    }
  }

  /// A page of another site must not read or write files through a browser.
  private func mustBeLocal(_ request: HTTPRequest) throws(FirestoreError) {
    guard let origin = request.headers["origin"] else { return }
    guard let address = WebAddress(origin), WebAddress.isLoopback(address.host) else {
      throw FirestoreError(.permissionDenied, "Exports are for this machine only, not for \(origin).")
    }
  }

  // MARK: Rules

  private func putRules(_ project: FirestoreProject, _ body: JSONValue) throws(FirestoreError) -> HTTPResponse {
    guard let file = body["rules"]?["files"]?.arrayValue?.first, let text = file["content"]?.stringValue else {
      throw FirestoreError(
        .invalidArgument, "Payload isn't valid for request.",
        note: "It is written {\"rules\": {\"files\": [{\"name\": \"firestore.rules\", \"content\": \"…\"}]}}.")
    }
    let name = file["name"]?.stringValue ?? "firestore.rules"
    let (ruleset, diagnostics) = Ruleset.compile(SourceFile(name: name, text: text))
    let issues = OfficialReport.withoutRepetitions(diagnostics)
    guard let ruleset else {
      guard body["ignore_errors"]?.boolValue ?? body["ignoreErrors"]?.boolValue ?? false else {
        throw FirestoreError(.invalidArgument, OfficialReport.text(diagnostics))
      }
      return HTTPResponse(json: Self.json(issues, name))
    }
    project.setRules(DatabaseRules(others: ruleset), isOwn: true)
    return HTTPResponse(json: Self.json(issues, name))
  }

  private static func json(_ issues: [Diagnostic], _ file: String) -> JSONValue {
    guard !issues.isEmpty else { return [:] }
    return ["issues": .array(issues.map { $0.officialJSON(file: file, isWhole: true) })]
  }

  private static func rules(_ project: FirestoreProject) -> HTTPResponse {
    HTTPResponse(json: ["rules": ["files": .array(project.rules.files.map { CoveragePage.json($0) })]])
  }

  private func test(_ project: FirestoreProject, _ body: JSONValue) throws(FirestoreError) -> HTTPResponse {
    do throws(TestSuiteMistake) {
      let now = project.firestore.now
      return HTTPResponse(
        json: try RulesTestAPI.answer(body, rules: body["source"] == nil ? project.rules.files.last : nil, now: now))
    } catch {
      throw FirestoreError(.invalidArgument, error.description)
    }
  }

  // MARK: Exports

  private static let suffix = ".json"

  /// The name of an export, which must not lead out of its folder.
  private func name(_ body: JSONValue) throws(FirestoreError) -> String? {
    let given = ["export_name", "exportName", "export_directory", "exportDirectory"].lazy.compactMap {
      body[$0]?.stringValue
    }.first
    guard let given else { return nil }
    let isName =
      (1...100).contains(given.utf8.count) && !given.hasPrefix(".")
      && given.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_.".utf8.contains(byte)
      }
    guard isName else {
      throw FirestoreError(
        .invalidArgument, "\"\(given)\" is no name of an export.",
        note: "It has letters, digits, '-', '_' and '.'; exports lie in the folder given by --exports.")
    }
    return given + Self.suffix
  }

  private func export(_ project: FirestoreProject, _ body: JSONValue) throws(FirestoreError) -> HTTPResponse {
    let documents = try project.firestore.export()
    guard let name = try name(body) else { return HTTPResponse(json: documents) }
    try folder.write(documents.serialized(pretty: true) + "\n", name: name)
    return HTTPResponse(json: ["file": .string(name)])
  }

  private func importDocuments(_ project: FirestoreProject, _ body: JSONValue) throws(FirestoreError) -> HTTPResponse {
    guard let name = try name(body) else {
      try project.firestore.importDocuments(body)
      return HTTPResponse(json: [:])
    }
    let bytes = try folder.read(name)
    do {
      try project.firestore.importDocuments(try JSONValue(parsing: bytes))
    } catch let error as FirestoreError {
      throw error
    } catch {
      throw FirestoreError(.invalidArgument, "\(name) is no export: \(error)")
    }
    return HTTPResponse(json: [:])
  }

  private var folder: any ExportFolder {
    get throws(FirestoreError) {
      guard let folder = emulator.options.exports else {
        throw FirestoreError(
          .failedPrecondition, "The server was started without a folder for exports.",
          note: "Start it with --exports FOLDER, or leave the name out: the documents are then in the answer.")
      }
      return folder
    }
  }
}

import JSON
import LocalFirestore
import RulesEngine
import RulesSyntax
import RulesValues
import Synchronization

/// The Firestore server over HTTP: what clients of Cloud Firestore and of its emulator call, over `LocalFirestore`.
///
/// A request goes in and a response comes out; nothing here knows of sockets. It may be used from many threads.
public final class FirestoreEmulator: HTTPHandler {
  public let options: FirestoreOptions
  private let state: Mutex<State>

  private struct State: Sendable {
    var projects: [String: FirestoreProject] = [:]
    var rules: DatabaseRules
  }

  /// How many projects there can be at a time.
  static let mostProjects = 1000

  public init(_ options: FirestoreOptions = FirestoreOptions()) {
    self.options = options
    state = Mutex(State(rules: options.rules))
  }

  /// The project of that id; it is made if nobody asked for it before.
  /// - Throws: INVALID_ARGUMENT, RESOURCE_EXHAUSTED, and what its storage throws.
  public func project(_ id: String? = nil) throws(FirestoreError) -> FirestoreProject {
    let id = id ?? options.project
    guard (1...128).contains(id.utf8.count), id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }) else {
      throw FirestoreError(.invalidArgument, "A project's id has 1 to 128 ASCII characters.")
    }
    return try state.withLock { (state) throws(FirestoreError) in
      if let project = state.projects[id] { return project }
      guard state.projects.count < Self.mostProjects else {
        throw FirestoreError(
          .resourceExhausted, "There are \(Self.mostProjects) projects already, the most there can be.")
      }
      let project = try FirestoreProject(id, options, state.rules)
      state.projects[id] = project
      return project
    }
  }

  /// Puts rules in force for every project that was given none over the network.
  public func setRules(_ rules: DatabaseRules) {
    let projects = state.withLock { state in
      state.rules = rules
      return Array(state.projects.values)
    }
    for project in projects { project.setRules(rules, isOwn: false) }
  }

  // MARK: Requests

  /// Answers a request. Bad input of any kind gets the error that is documented for it.
  public func answer(_ request: HTTPRequest) -> HTTPResponse {
    let path = HTTPRequest.decode(request.path)
    do throws(FirestoreError) {
      if path == "/" { return HTTPResponse(text: "Ok\n") }
      if let control = EmulatorControl(path, self) { return try control.answer(request) }
      if let documents = DocumentsAPI(path, self) { return try documents.answer(request) }
      return .notFound
    } catch {
      return HTTPResponse(error)
    }
  }
}

extension HTTPResponse {
  static let notFound = HTTPResponse(status: 404, text: "Not Found\n")

  /// In the form of the REST interface. What we can say beyond the official message stands in `details`.
  init(_ error: FirestoreError) {
    var body = error.restBody
    if let note = error.note, case .object(var object) = body, case .object(var inner)? = object["error"] {
      inner["details"] = [["note": .string(note)]]
      object["error"] = .object(inner)
      body = .object(object)
    }
    self.init(status: error.code.httpStatus, json: body, pretty: false)
  }
}

extension HTTPRequest {
  /// The body as JSON; an empty one is an empty object.
  /// - Throws: INVALID_ARGUMENT.
  var json: JSONValue {
    get throws(FirestoreError) {
      guard body.contains(where: { $0 > 0x20 }) else { return [:] }
      do {
        return try JSONValue(
          parsing: body, limits: JSONLimits(maxDepth: 400, maxBytes: 10 << 20, duplicateKeys: .lastWins))
      } catch {
        throw FirestoreError(
          .invalidArgument, "Payload isn't valid for request.", note: "The body is no JSON: \(error)")
      }
    }
  }
}

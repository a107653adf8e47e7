import RulesValues

/// Who asks: what `request.auth` shows the rules.
public struct Auth: Sendable, Equatable {
  public var uid: String
  /// The claims of the ID token, all of them, as `request.auth.token` shows them.
  public var token: Fields

  /// Claims that Firebase sets: every other one is custom, and only a server can have given it.
  public static let standardClaims: Set<String> = [
    "name", "picture", "email", "email_verified", "phone_number", "provider_id", "auth_time", "user_id", "firebase",
    "iat", "exp", "aud", "iss", "sub",
  ]

  public init(uid: String, token: Fields = [:]) {
    self.uid = uid
    self.token = token
  }
}

/// What a request does. `read` and `write` of the language stand for several of these. `list` is of no `Request`, but
/// of a `ListRequest`.
public enum RequestMethod: String, Sendable, CaseIterable {
  case get, list, create, update, delete

  var isWrite: Bool { self == .create || self == .update || self == .delete }
}

/// One request for one document, as the rules see it.
public struct Request: Sendable {
  public var method: RequestMethod
  public var path: ResourcePath
  /// `nil`: signed out.
  public var auth: Auth?
  /// `request.time`; Firestore gives it in milliseconds.
  public var time: Timestamp
  /// The whole document as it will be after the write: masks applied, transforms computed. For create and update.
  public var resource: Fields?
  /// Names of the fields a masked write or a transform touches (`request.writeFields`); `nil` for a full replacement.
  public var writeFields: [String]?
  /// Names of transformed fields (`request.transforms`); `nil` when there are none.
  public var transforms: [String]?
  /// Of a read: made in a transaction that may write (`request.inTransaction`). Writes always are in one.
  public var inTransaction = false
  /// Of a create: the server chooses the id, as the REST API does for a `POST` without one. Rules do not see it; what
  /// they see instead is told at `Arena.hideID`.
  public private(set) var isIDHidden = false
  /// The methods that the write might turn out to be before the stored document is known: a set without
  /// precondition is create or update. Shows in denial messages only.
  public var alternatives: [RequestMethod]

  /// A read of one document.
  public static func get(_ path: ResourcePath, auth: Auth?, time: Timestamp) -> Request {
    Request(method: .get, path: path, auth: auth, time: time)
  }

  /// A write that makes a new document.
  /// - Parameters:
  ///   - path: the document.
  ///   - resource: the document after the write.
  ///   - ifAbsent: the client said that the document must not exist (precondition `exists: false`).
  ///   - auth: who asks; `nil`: somebody who is signed out.
  ///   - time: when it is asked, `request.time`.
  public static func create(
    _ path: ResourcePath, _ resource: Fields, ifAbsent: Bool = false, auth: Auth?, time: Timestamp
  ) -> Request {
    var request = Request(method: .create, path: path, auth: auth, time: time)
    request.resource = resource
    if !ifAbsent { request.alternatives = [.create, .update] }
    return request
  }

  /// A write that makes a new document in a collection, under an id that the server chooses, which rules do not see.
  /// - Parameters:
  ///   - path: the document's, with the id that was chosen.
  ///   - resource: the document after the write.
  ///   - auth: who asks; `nil`: somebody who is signed out.
  ///   - time: when it is asked, `request.time`.
  public static func createUnderHiddenID(
    _ path: ResourcePath, _ resource: Fields, auth: Auth?, time: Timestamp
  ) -> Request {
    var request = create(path, resource, ifAbsent: true, auth: auth, time: time)
    request.isIDHidden = true
    return request
  }

  /// A write to an existing document.
  /// - Parameters:
  ///   - path: the document.
  ///   - resource: the document after the write.
  ///   - ifPresent: the client said that the document must exist (precondition `exists: true`), as `update` does.
  ///   - auth: who asks; `nil`: somebody who is signed out.
  ///   - time: when it is asked, `request.time`.
  public static func update(
    _ path: ResourcePath, _ resource: Fields, ifPresent: Bool = false, auth: Auth?, time: Timestamp
  ) -> Request {
    var request = Request(method: .update, path: path, auth: auth, time: time)
    request.resource = resource
    if !ifPresent { request.alternatives = [.create, .update] }
    return request
  }

  public static func delete(_ path: ResourcePath, auth: Auth?, time: Timestamp) -> Request {
    Request(method: .delete, path: path, auth: auth, time: time)
  }

  private init(method: RequestMethod, path: ResourcePath, auth: Auth?, time: Timestamp) {
    self.method = method
    self.path = path
    self.auth = auth
    self.time = time
    alternatives = [method]
  }

  /// The document after the write can only be told from the stored one: a masked write or a transform.
  var dependsOnStoredDocument: Bool { writeFields != nil || transforms != nil }
}

/// Where documents come from: the requested one, and those that `get()` and `exists()` ask for. Synchronous, and on
/// one snapshot for the whole request.
public protocol DocumentReader {
  /// The fields of a stored document as they are before the request; `nil` when it does not exist.
  func document(at path: ResourcePath) -> Fields?
  /// The same after all writes of the request's commit. Only asked for documents other than the requested one.
  func documentAfter(at path: ResourcePath) -> Fields?
  /// Does the request's commit write this document? The requested document itself is always taken to be.
  func isWritten(_ path: ResourcePath) -> Bool
  /// May the rules ask for a further document? Called where the limit on one request allows it; a call about several
  /// documents has a limit of its own. `after`: of `getAfter` and `existsAfter`.
  func mayLookUp(_ path: ResourcePath, after: Bool) -> Bool
}

extension DocumentReader {
  public func documentAfter(at path: ResourcePath) -> Fields? { document(at: path) }
  public func isWritten(_ path: ResourcePath) -> Bool { false }
  public func mayLookUp(_ path: ResourcePath, after: Bool) -> Bool { true }
}

/// A database that holds what it is given: for decisions without a store.
public struct DocumentTable: DocumentReader, Sendable, ExpressibleByDictionaryLiteral {
  public var documents: [ResourcePath: Fields]

  public init(_ documents: [ResourcePath: Fields] = [:]) { self.documents = documents }
  public init(dictionaryLiteral elements: (ResourcePath, Fields)...) {
    documents = Dictionary(elements, uniquingKeysWith: { $1 })
  }

  public func document(at path: ResourcePath) -> Fields? { documents[path] }
}

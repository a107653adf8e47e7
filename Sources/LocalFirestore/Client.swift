import RulesEngine
import RulesValues

/// What a client asks for.
public enum Call: Sendable {
  case get(ResourcePath)
  case write(Write)

  public var path: ResourcePath {
    switch self {
    case .get(let path): path
    case .write(let write): write.path
    }
  }
}

/// What the rules say to a call.
public struct Judgement: Sendable {
  public let request: Request
  public let decision: Decision
  /// Where it was asked for, and there are rules.
  public let explanation: Explanation?
  /// The stored document before the call.
  public let document: Fields?
  /// Of a write: what it makes of the document.
  public let write: PreparedWrite?
  /// The documents that the rules looked at.
  public let documentsRead: Set<ResourcePath>

  public var isAllowed: Bool { decision.isAllowed }
}

/// Somebody's access to one database. Paths are relative to it: `/users/alice`.
public struct Client: Sendable {
  enum Access: Sendable {
    case admin
    case rules(Auth?)
  }

  public let firestore: LocalFirestore
  public let database: Text
  let access: Access

  /// - Throws: INVALID_ARGUMENT for a path that has an empty id.
  public func path(_ relative: String) throws(FirestoreError) -> ResourcePath {
    guard let path = ResourcePath(database: database, relative: relative) else {
      throw FirestoreError(
        .invalidArgument, "Document name \"\(relative)\" contains an empty id.",
        note: "A path is written like /users/alice, without a slash at its end.")
    }
    return path
  }

  /// The fields of a document; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func get(_ path: String) throws(FirestoreError) -> Fields? {
    try perform(.get(self.path(path))).document
  }

  /// Makes a document that is not there yet.
  /// - Throws: PERMISSION_DENIED, ALREADY_EXISTS, INVALID_ARGUMENT.
  public func create(_ path: String, _ data: [Text: FieldValue]) throws(FirestoreError) {
    try perform(.write(.create(self.path(path), data)))
  }

  /// Writes a whole document, or with `merge` the named fields of it.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func set(_ path: String, _ data: [Text: FieldValue], merge: Bool = false) throws(FirestoreError) {
    try perform(.write(.set(self.path(path), data, merge: merge)))
  }

  /// Changes fields of a document. Names with dots lead into maps: `address.city`.
  /// - Throws: PERMISSION_DENIED, NOT_FOUND, INVALID_ARGUMENT.
  public func update(_ path: String, _ data: [String: FieldValue]) throws(FirestoreError) {
    var fields: [FieldPath: FieldValue] = [:]
    for (name, value) in data.sorted(by: { $0.key < $1.key }) { fields[try FieldPath(parsing: name)] = value }
    try perform(.write(.update(self.path(path), fields)))
  }

  /// Removes a document; no error if there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func delete(_ path: String) throws(FirestoreError) {
    try perform(.write(.delete(self.path(path))))
  }

  /// Does a call.
  /// - Throws: PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENT.
  @discardableResult
  public func perform(_ call: Call) throws(FirestoreError) -> Judgement {
    try check(call)
    let judgement = try firestore.run(call, access: access, commit: true).get()
    if let denial = judgement.decision.denial { throw FirestoreError(denial) }
    if let obstacle = judgement.write?.obstacle { throw obstacle }
    return judgement
  }

  /// What the rules say to a call, which is not done. An explanation takes time of its own.
  /// - Throws: INVALID_ARGUMENT.
  public func judge(_ call: Call, explaining: Bool = false) throws(FirestoreError) -> Judgement {
    try check(call)
    return try firestore.run(call, access: access, explaining: explaining, commit: false).get()
  }

  /// A client of one database cannot reach into another.
  private func check(_ call: Call) throws(FirestoreError) {
    guard call.path.database == database else {
      throw FirestoreError(
        .invalidArgument, "The database of \"\(call.path)\" is not \"\(database)\", which this client uses.")
    }
  }
}

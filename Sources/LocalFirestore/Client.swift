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

/// Somebody's access to one database. Paths are relative to it: `/users/alice`.
///
/// Every call is there twice: for `async` functions, in which it is awaited and leaves the caller's actor, and for
/// others.
public struct Client: Sendable {
  enum Access: Sendable {
    case admin
    case rules(Auth?)

    var auth: Auth? { if case .rules(let auth) = self { auth } else { nil } }
  }

  public let firestore: LocalFirestore
  public let database: Text
  private let caller: @Sendable () throws(FirestoreError) -> Access

  init(
    firestore: LocalFirestore, database: Text, caller: @escaping @Sendable () throws(FirestoreError) -> Access
  ) {
    self.firestore = firestore
    self.database = database
    self.caller = caller
  }

  init(firestore: LocalFirestore, database: Text, access: Access) {
    self.init(firestore: firestore, database: database) { access }
  }

  /// Who it is now.
  /// - Throws: UNAUTHENTICATED where that cannot be told.
  var access: Access { get throws(FirestoreError) { try caller() } }

  /// - Throws: INVALID_ARGUMENT for a path that has an empty id.
  public func path(_ relative: String) throws(FirestoreError) -> ResourcePath {
    guard let path = ResourcePath(database: database, relative: relative) else {
      throw FirestoreError(
        .invalidArgument, "Document name \"\(relative)\" contains an empty id.",
        note: "A path is written like /users/alice, without a slash at its end.")
    }
    return path
  }

  // MARK: Documents

  /// The fields of a document; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func get(_ path: String) throws(FirestoreError) -> Fields? { try document(path)?.fields }

  /// A document with its times; `nil` when there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func document(_ path: String) throws(FirestoreError) -> StoredDocument? {
    try firestore.read(self.path(path), access: try access).allowed()
  }

  /// Makes a document that is not there yet.
  /// - Throws: PERMISSION_DENIED, ALREADY_EXISTS, INVALID_ARGUMENT.
  public func create(_ path: String, _ data: [Text: FieldValue]) throws(FirestoreError) {
    try commit([.create(self.path(path), data)])
  }

  /// Writes a whole document, or with `merge` the named fields of it.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func set(_ path: String, _ data: [Text: FieldValue], merge: Bool = false) throws(FirestoreError) {
    try commit([.set(self.path(path), data, merge: merge)])
  }

  /// Changes fields of a document. Names with dots lead into maps: `address.city`.
  /// - Throws: PERMISSION_DENIED, NOT_FOUND, INVALID_ARGUMENT.
  public func update(_ path: String, _ data: [String: FieldValue]) throws(FirestoreError) {
    try commit([updating(path, data)])
  }

  /// Removes a document; no error if there is none.
  /// - Throws: PERMISSION_DENIED, INVALID_ARGUMENT.
  public func delete(_ path: String) throws(FirestoreError) {
    try commit([.delete(self.path(path))])
  }

  func updating(_ path: String, _ data: [String: FieldValue]) throws(FirestoreError) -> Write {
    var fields: [FieldPath: FieldValue] = [:]
    for (name, value) in data.sorted(by: { $0.key < $1.key }) { fields[try FieldPath(parsing: name)] = value }
    return try .update(self.path(path), fields)
  }

  // MARK: Several writes

  /// Makes all writes, or none.
  /// - Throws: PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, INVALID_ARGUMENT.
  @discardableResult
  public func commit(_ writes: [Write]) throws(FirestoreError) -> CommitResult {
    try check(writes)
    return try firestore.commit(writes, access: try access)
  }

  /// Collects writes and makes them together: `try alice.batch { $0.delete("/a/x"); $0.delete("/b/x") }`
  /// - Throws: INVALID_ARGUMENT for a write that cannot be, and what `commit` throws.
  @discardableResult
  public func batch(_ body: (inout WriteBatch) throws(FirestoreError) -> Void) throws(FirestoreError) -> CommitResult {
    try commit(writes(body))
  }

  // MARK: Calls as values

  /// Does a call.
  /// - Throws: PERMISSION_DENIED, NOT_FOUND, ALREADY_EXISTS, FAILED_PRECONDITION, INVALID_ARGUMENT.
  public func perform(_ call: Call) throws(FirestoreError) {
    try check([call.path])
    switch call {
    case .get(let path): _ = try firestore.read(path, access: try access).allowed()
    case .write(let write): try firestore.commit([write], access: try access)
    }
  }

  /// What the rules say to a call, which is not done. An explanation takes time of its own, and so does measuring what
  /// the call takes of the official limits.
  /// - Parameters:
  ///   - call: what would be done.
  ///   - explaining: whether to tell why.
  ///   - fixing: whether the explanation of a refusal tells what would be allowed, which is searched for and
  ///     takes much longer.
  ///   - measuring: whether to tell what it takes of the limits.
  /// - Throws: INVALID_ARGUMENT.
  public func judge(
    _ call: Call, explaining: Bool = false, fixing: Bool = false, measuring: Bool = false
  ) throws(FirestoreError) -> Judgement {
    try check([call.path])
    switch call {
    case .get(let path):
      return try firestore.read(
        path, access: try access, explaining: explaining, fixing: fixing, measuring: measuring
      ).judgement
    case .write(let write):
      let judged = try firestore.judge(
        [write], access: try access, explaining: explaining, fixing: fixing, measuring: measuring)
      guard let judgement = judged.judgements.first else {
        throw FirestoreError(.internalError, "A write was not judged.")
      }
      return judgement
    }
  }

  /// What the rules say to writes that are made together, and are not made.
  /// - Throws: INVALID_ARGUMENT.
  public func judge(
    _ writes: [Write], explaining: Bool = false, fixing: Bool = false, measuring: Bool = false
  ) throws(FirestoreError) -> CommitJudgement {
    try check(writes)
    return try firestore.judge(
      writes, access: try access, explaining: explaining, fixing: fixing, measuring: measuring)
  }

  private func check(_ writes: [Write]) throws(FirestoreError) { try check(writes.map(\.path)) }

  /// A client of one database cannot reach into another.
  func check(_ paths: [ResourcePath]) throws(FirestoreError) {
    for path in paths where path.database != database {
      throw FirestoreError(
        .invalidArgument, "The database of \"\(path)\" is not \"\(database)\", which this client uses.")
    }
  }
}

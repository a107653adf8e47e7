import RulesEngine
import RulesValues

/// What the writes of one commit make of one document.
struct DocumentChange {
  let path: ResourcePath
  let before: StoredDocument?
  /// `nil`: there is none.
  private(set) var after: Fields?
  /// Of the first write: the others know what that one left.
  let precondition: Write.Precondition?
  private let first: Kind
  let isVerification: Bool
  private let isIDHidden: Bool
  /// The document was taken away on the way, so that what is there now is a new one.
  private var isRecreated = false
  private var last: Kind
  /// Nothing of what was there may be left, whatever the masks of other writes say.
  private var isWhole = false
  private var masked: [FieldPath] = []
  private var transformed: [FieldPath] = []

  /// What a write is called where two of them don't go together.
  private enum Kind: String {
    case insert, update, upsert, delete

    init(_ write: Write) {
      self =
        switch (write.kind, write.precondition) {
        case (.delete, _): .delete
        case (_, .exists(false)): .insert
        case (_, .exists(true)), (_, .updateTime): .update
        case (_, nil): .upsert
        }
    }
  }

  init(_ write: Write, before: StoredDocument?) {
    path = write.path
    self.before = before
    after = before?.fields
    precondition = write.precondition
    isVerification = write.kind == .verify
    isIDHidden = write.isIDHidden
    first = Kind(write)
    last = first
  }

  /// Checks that a further write goes together with those before it.
  /// - Throws: INVALID_ARGUMENT.
  mutating func add(_ write: Write) throws(FirestoreError) {
    guard !isVerification, write.kind != .verify else {
      let order = isVerification ? "verified and then written" : "written and then verified"
      throw FirestoreError(.invalidArgument, "the same document cannot be \(order) in a single request")
    }
    let kind = Kind(write)
    switch write.precondition {
    case .exists(let wanted) where wanted != (last != .delete):
      throw FirestoreError(
        .invalidArgument, "Cannot \(last.rawValue) then \(kind.rawValue) an entity in the same request.")
    case .updateTime where last == .delete && kind == .update:
      throw FirestoreError(.invalidArgument, "Cannot delete then update an entity in the same request.")
    case .updateTime where write.precondition != precondition:
      throw FirestoreError(
        .invalidArgument,
        "Cannot collapse mutations with different version preconditions (\(Self.version(precondition)) and "
          + "\(Self.version(write.precondition)))",
        note: "Of several writes to one document the first alone may name an update time.")
    default: break
    }
    last = kind
  }

  private static func version(_ precondition: Write.Precondition?) -> String {
    guard case .updateTime(let time) = precondition else { return "null" }
    return "VersionPrecondition{exactBaseVersion=\(time.microseconds), maxBaseVersion=null}"
  }

  /// Does a write to the document as the earlier ones left it.
  /// - Returns: the results of its transforms.
  /// - Throws: INVALID_ARGUMENT when the document would break a law of data.
  mutating func apply(_ write: Write, time: Timestamp) throws(FirestoreError) -> [DataValue] {
    switch write.kind {
    case .verify: return []
    case .delete:
      after = nil
      isRecreated = true
      isWhole = true
      transformed = []
      return []
    case .write: break
    }
    var document = write.fields
    if let mask = write.mask {
      document = after ?? [:]
      for field in mask {
        if let value = write.fields[at: field] { document.set(value, at: field) } else { document.remove(field) }
      }
      masked += mask
    } else {
      isWhole = true
    }
    var results: [DataValue] = []
    for change in write.transforms {
      let value = change.transform.apply(to: document[at: change.path], time: time).kept
      document.set(value, at: change.path)
      results.append(change.transform.isOfArray ? .null : value)
      transformed.append(change.path)
    }
    try DataLaws.check(document, at: path)
    after = document.mapValues(\.kept)
    return results
  }

  /// The document as it is stored by a commit at this time. One that stays what it is keeps its times.
  func document(at time: Timestamp) -> StoredDocument? {
    guard let after else { return nil }
    if let before, before.fields == after, !isRecreated { return before }
    let createTime = isRecreated ? time : before?.createTime ?? time
    return StoredDocument(path: path, fields: after, createTime: createTime, updateTime: time)
  }

  /// The request that the rules judge.
  func request(auth: Auth?, time: Timestamp) -> Request {
    if isVerification { return .get(path, auth: auth, time: time) }
    guard let after else { return .delete(path, auth: auth, time: time) }
    // Written as: a create by precondition is judged as one even if the document exists, an update likewise.
    var request: Request =
      switch precondition {
      case .exists(false) where isIDHidden: .createUnderHiddenID(path, after, auth: auth, time: time)
      case .exists(false): .create(path, after, ifAbsent: true, auth: auth, time: time)
      case .exists(true): .update(path, after, ifPresent: true, auth: auth, time: time)
      case .updateTime where first != .delete: .update(path, after, ifPresent: true, auth: auth, time: time)
      case .updateTime, nil:
        before == nil
          ? .create(path, after, auth: auth, time: time) : .update(path, after, auth: auth, time: time)
      }
    if !isWhole || !transformed.isEmpty {
      request.writeFields = (isWhole ? transformed : transformed + masked).map(\.description)
    }
    if !transformed.isEmpty { request.transforms = transformed.map(\.description) }
    return request
  }
}

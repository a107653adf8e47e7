import RulesEngine
import RulesValues

/// What a write makes of its document: worked out once, for `request.resource` and for the store alike.
public struct PreparedWrite: Sendable {
  public let write: Write
  public let before: Fields?
  /// `nil` after a delete.
  public let after: Fields?
  /// What stands against doing it, rules apart: NOT_FOUND or ALREADY_EXISTS. Firestore asks the rules first.
  public let obstacle: FirestoreError?

  /// - Parameters:
  ///   - before: the stored document.
  ///   - time: the time of the write, in milliseconds.
  /// - Throws: INVALID_ARGUMENT when the path or the document would break a law of Firestore.
  init(_ write: Write, before: Fields?, time: Timestamp, resourceName: (ResourcePath) -> String) throws(FirestoreError) {
    try DataLaws.check(write.path)
    self.write = write
    self.before = before
    obstacle =
      switch (write.precondition, before) {
      case (.exists(true), nil):
        FirestoreError(.notFound, "No document to update: \(resourceName(write.path))")
      case (.exists(false), .some):
        FirestoreError(.alreadyExists, "Document already exists: \(resourceName(write.path))")
      default: nil
      }
    if write.isDelete {
      after = nil
      return
    }
    var document = write.fields
    if let mask = write.mask {
      document = before ?? [:]
      for path in mask {
        if let value = write.fields[at: path] { document.set(value, at: path) } else { document.remove(path) }
      }
    }
    for change in write.transforms {
      document.set(change.transform.apply(to: document[at: change.path], time: time), at: change.path)
    }
    try DataLaws.check(document, at: write.path)
    after = document
  }

  /// The request that the rules judge.
  func request(auth: Auth?, time: Timestamp) -> Request {
    guard let after else { return .delete(write.path, auth: auth, time: time) }
    // Written as: a create by precondition is judged as one even if the document exists, an update likewise.
    var request: Request =
      switch write.precondition {
      case .exists(false): .create(write.path, after, ifAbsent: true, auth: auth, time: time)
      case .exists(true): .update(write.path, after, ifPresent: true, auth: auth, time: time)
      case nil:
        before == nil
          ? .create(write.path, after, auth: auth, time: time) : .update(write.path, after, auth: auth, time: time)
      }
    let transformed = write.transforms.map(\.path.description)
    if write.mask != nil || !transformed.isEmpty {
      request.writeFields = transformed + (write.mask ?? []).map(\.description)
    }
    if !transformed.isEmpty { request.transforms = transformed }
    return request
  }
}

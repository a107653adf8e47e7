import RulesValues

/// Writes that are made together, or not at all. What is wrong with one of them is said when they are made.
public struct WriteBatch: Sendable {
  private let client: Client
  public private(set) var writes: [Write] = []
  /// The first thing wrong with a write.
  private(set) var mistake: FirestoreError?

  init(_ client: Client) { self.client = client }

  /// Makes a document that is not there yet.
  public mutating func create(_ path: String, _ data: [Text: FieldValue]) {
    add { (client) throws(FirestoreError) in try .create(client.path(path), data) }
  }

  /// Writes a whole document, or with `merge` the named fields of it.
  public mutating func set(_ path: String, _ data: [Text: FieldValue], merge: Bool = false) {
    add { (client) throws(FirestoreError) in try .set(client.path(path), data, merge: merge) }
  }

  /// Changes fields of a document. Names with dots lead into maps: `address.city`.
  public mutating func update(_ path: String, _ data: [String: FieldValue]) {
    add { (client) throws(FirestoreError) in try client.updating(path, data) }
  }

  /// Removes a document; no error if there is none.
  public mutating func delete(_ path: String) {
    add { (client) throws(FirestoreError) in .delete(try client.path(path)) }
  }

  private mutating func add(_ write: (Client) throws(FirestoreError) -> Write) {
    do throws(FirestoreError) {
      writes.append(try write(client))
    } catch {
      note(error)
    }
  }

  mutating func note(_ error: FirestoreError) { mistake = mistake ?? error }
}

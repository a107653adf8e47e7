import RulesValues

/// Bytes by which documents lie in the store: database, path of the collection, id. The documents of a collection are
/// neighbours, and so is all that lies below a document.
///
/// `database id id … END id`: the end of a collection's path sorts before any id, so that a collection's documents
/// precede those of deeper collections.
struct DocumentKey: Sendable {
  static let end: UInt8 = 0x00

  /// The key of a document.
  static func document(_ path: ResourcePath) -> [UInt8] {
    var key = database(path.database)
    for (i, id) in path.segments.enumerated() {
      if i == path.segments.count - 1 { key.append(byte: end) }
      key.append(id: id)
    }
    return key.bytes
  }

  /// What the keys of a collection's documents begin with.
  static func collection(_ path: ResourcePath) -> [UInt8] {
    var key = descendants(path)
    key.append(byte: end)
    return key.bytes
  }

  /// What the keys of all that lies deeper than a document, or than a collection's documents, begin with.
  static func descendants(_ path: ResourcePath) -> KeyBytes {
    var key = database(path.database)
    for id in path.segments { key.append(id: id) }
    return key
  }

  static func database(_ name: Text) -> KeyBytes {
    var key = KeyBytes()
    key.append(escaped: name.string.utf8)
    return key
  }
}

extension ResourcePath {
  /// Bytes in the order of `__name__`.
  var orderKey: [UInt8] { KeyBytes(.reference(self)).bytes }
}

import RulesValues

/// The index over documents: keys that lead from a field's value, an element of an array or the id of a collection to
/// documents. A key tells where the document lies, so that entries need no content.
///
/// - fields: `F`, collection, field, value, id of the document;
/// - elements: `A`, collection, field, element, id of the document;
/// - groups: `G`, database, id of the collection, path of the document.
///
/// At the end of each stand two bytes, the length of the document's id within the key. Every field is indexed, maps
/// as wholes and by their fields, as Firestore does it for single collections.
enum IndexEntries {
  static let fields = UInt8(ascii: "F")
  static let elements = UInt8(ascii: "A")
  static let groups = UInt8(ascii: "G")

  /// Longer values are cut: what shares its beginning is found together and told apart by the documents.
  static let maximumValueBytes = 1500

  static func keys(of document: StoredDocument) -> Set<[UInt8]> {
    var id = KeyBytes()
    id.append(id: document.path.lastID)
    let tail = id.bytes + [UInt8(truncatingIfNeeded: id.bytes.count >> 8), UInt8(truncatingIfNeeded: id.bytes.count)]
    var keys: Set<[UInt8]> = []
    if document.path.segments.count >= 2 {
      let collection = document.path.segments[document.path.segments.count - 2]
      var key = groupPrefix(database: document.path.database, collection: collection)
      for segment in document.path.segments.dropLast() { key.append(id: segment) }
      keys.insert(key.bytes + tail)
    }
    let parent = DocumentKey.collection(document.path.parent)
    add(document.fields, [fields] + parent, [elements] + parent, tail, &keys)
    return keys
  }

  // Depth is bounded by the laws of data.
  private static func add(
    _ map: Fields, _ fieldPrefix: [UInt8], _ elementPrefix: [UInt8], _ tail: [UInt8], _ keys: inout Set<[UInt8]>
  ) {
    for (name, value) in map {
      let step = nameBytes(name)
      keys.insert(fieldPrefix + step + [nameEnd] + cut(value) + tail)
      switch value {
      case .array(let items):
        for item in items { keys.insert(elementPrefix + step + [nameEnd] + cut(item) + tail) }
      case .map(let inner): add(inner, fieldPrefix + step, elementPrefix + step, tail, &keys)
      default: break
      }
    }
  }

  private static let nameStart: UInt8 = 0x02
  private static let nameEnd: UInt8 = 0x01

  private static func nameBytes(_ name: Text) -> [UInt8] {
    var key = KeyBytes()
    key.append(byte: nameStart)
    key.append(escaped: name.string.utf8)
    return key.bytes
  }

  static func cut(_ value: DataValue) -> [UInt8] { Array(KeyBytes(value).bytes.prefix(maximumValueBytes)) }

  // MARK: Looking up

  /// What the entries of a field of a collection begin with.
  static func prefix(_ kind: UInt8, collection: ResourcePath, field: FieldPath) -> [UInt8] {
    var prefix = [kind] + DocumentKey.collection(collection)
    for name in field.names { prefix += nameBytes(name) }
    return prefix + [nameEnd]
  }

  static func groupPrefix(database: Text, collection: Text) -> KeyBytes {
    var key = KeyBytes()
    key.append(byte: groups)
    key.append(escaped: database.string.utf8)
    key.append(id: collection)
    return key
  }

  /// The parts of an entry behind its prefix: the bytes of the value, or for a group of the collection's path, and
  /// those of the document's id.
  static func parts(_ entry: [UInt8], prefix: Int) -> (value: ArraySlice<UInt8>, id: ArraySlice<UInt8>)? {
    guard entry.count >= prefix + 2 else { return nil }
    let length = Int(entry[entry.count - 2]) << 8 | Int(entry[entry.count - 1])
    let end = entry.count - 2
    guard end - length >= prefix else { return nil }
    return (entry[prefix..<(end - length)], entry[(end - length)..<end])
  }
}

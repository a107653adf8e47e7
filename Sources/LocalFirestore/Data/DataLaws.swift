import RulesValues

/// What Firestore accepts as paths and documents. Limits and messages as observed on the official emulator 1.19.9,
/// the size of a document as documented.
enum DataLaws {
  static let maximumNameBytes = 1500
  static let maximumDepth = 20
  static let maximumDocumentBytes = 1 << 20
  /// 1 MiB less 89 bytes.
  static let maximumValueBytes = 1_048_487
  static let maximumPathSegments = 200

  /// Checks the path of a document.
  static func check(_ path: ResourcePath) throws(FirestoreError) {
    for (i, id) in path.segments.enumerated() {
      let isCollection = i.isMultiple(of: 2)
      let kind = isCollection ? "Collection" : "Resource"
      let text = id.string
      if text.isEmpty {
        throw FirestoreError(.invalidArgument, "Document name \"\(path)\" lacks a \(kind.lowercased()) id.")
      }
      if text == "." || text == ".." || text.utf8.contains(0x2F) {
        throw FirestoreError(
          .invalidArgument, "Document name \"\(path)\" contains a \(kind.lowercased()) id \"\(text)\".",
          note: "An id is neither \".\" nor \"..\" and holds no slash.")
      }
      if isReserved(text), isCollection || !isNumericID(text) {
        throw FirestoreError(
          .invalidArgument, "\(kind) id \"\(text)\" is invalid because it is reserved.",
          note: "Ids that begin and end with two underscores belong to Firestore.")
      }
      if text.utf8.count > maximumNameBytes {
        throw FirestoreError(
          .invalidArgument,
          "The key path element \(isCollection ? "kind" : "name") is longer than \(maximumNameBytes) bytes.")
      }
    }
    guard path.isDocument else {
      throw FirestoreError(
        .invalidArgument, "Document name \"\(path)\" lacks \"/\".",
        note: "It names a collection: a document has an even number of ids.")
    }
    guard path.segments.count <= maximumPathSegments else {
      throw FirestoreError(.invalidArgument, "A document name has at most \(maximumPathSegments / 2) collections.")
    }
  }

  /// `__x__`
  static func isReserved(_ text: String) -> Bool {
    text.utf8.count > 4 && text.hasPrefix("__") && text.hasSuffix("__")
  }

  /// `__id7__`: documents whose ids are numbers.
  private static func isNumericID(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst(4).dropLast(2)
    return text.hasPrefix("__id") && !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Checks a document as it will be stored.
  static func check(_ fields: Fields, at path: ResourcePath) throws(FirestoreError) {
    var size = 48
    for id in path.segments { size += id.string.utf8.count + 1 }
    // In a fixed order, so that of several mistakes always the same one is reported.
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      try check(name: name)
      let bytes = try check(value, in: name, depth: 0, inArray: false)
      guard bytes <= maximumValueBytes + 1 else {
        throw FirestoreError(
          .invalidArgument, "The value of property \"\(name)\" is longer than \(maximumValueBytes) bytes.")
      }
      size += name.string.utf8.count + 1 + bytes
    }
    guard size <= maximumDocumentBytes else {
      throw FirestoreError(
        .invalidArgument, "Document size \(size) exceeds the maximum of \(maximumDocumentBytes) bytes.")
    }
  }

  static func check(name: Text) throws(FirestoreError) {
    let text = name.string
    if text.isEmpty { throw FirestoreError(.invalidArgument, "The property.name is the empty string.") }
    if isReserved(text) {
      throw FirestoreError(
        .invalidArgument, "field name \(text) is reserved",
        note: "Names that begin and end with two underscores belong to Firestore.")
    }
    if text.utf8.count > maximumNameBytes {
      throw FirestoreError(.invalidArgument, "The property.name is longer than \(maximumNameBytes) bytes.")
    }
  }

  /// The bytes a value takes by Firestore's documented measure. Maps and arrays count as levels.
  private static func check(
    _ value: DataValue, in field: Text, depth: Int, inArray: Bool
  ) throws(FirestoreError) -> Int {
    switch value {
    case .null, .bool: return 1
    case .int, .double, .timestamp: return 8
    case .geoPoint(let latitude, let longitude):
      guard abs(latitude) <= 90, abs(longitude) <= 180 else {
        throw FirestoreError(
          .invalidArgument, "Latitude must be in the range of [-90, 90], longitude of [-180, 180].")
      }
      return 16
    case .string(let text): return text.utf8.count + 1
    case .bytes(let bytes): return bytes.count
    case .vector(let numbers): return numbers.count * 8
    case .reference(let path): return path.segments.reduce(16) { $0 + $1.string.utf8.count + 1 }
    case .array(let items):
      if inArray {
        throw FirestoreError(.invalidArgument, "Cannot convert an array value in an array value.")
      }
      try checkDepth(depth, field)
      var size = 0
      for item in items { size += try check(item, in: field, depth: depth + 1, inArray: true) }
      return size
    case .map(let fields):
      try checkDepth(depth, field)
      var size = 32
      for (name, value) in fields {
        try check(name: name)
        size += name.string.utf8.count + 1
        size += try check(value, in: field, depth: depth + 1, inArray: false)
      }
      return size
    }
  }

  private static func checkDepth(_ depth: Int, _ field: Text) throws(FirestoreError) {
    guard depth < maximumDepth else {
      throw FirestoreError(
        .invalidArgument, "Property \(field) contains an invalid nested entity.",
        note: "Maps and arrays are nested at most \(maximumDepth) deep.")
    }
  }
}

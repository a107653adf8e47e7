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
  static let maximumDimensions = 2048

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
      if isReserved(text), isCollection || numericID(text) == nil {
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

  /// The number of `__id7__`: documents whose ids are numbers, written without zeros in front.
  static func numericID(_ text: String) -> Int64? {
    guard text.hasPrefix("__id"), text.hasSuffix("__"), text.utf8.count > 6 else { return nil }
    let number = text.utf8.dropFirst(4).dropLast(2)
    let digits = number.first == 0x2D ? number.dropFirst() : number
    guard let first = digits.first, first != 0x30, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(Substring(number))
  }

  /// Checks a document as it will be stored.
  static func check(_ fields: Fields, at path: ResourcePath) throws(FirestoreError) {
    var size = 48 + bytes(of: path)
    // In a fixed order, so that of several mistakes always the same one is reported.
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      try check(name: name)
      let bytes = try check(value, in: name, depth: 0, place: .field)
      guard bytes <= maximumValueBytes + 1 else {
        throw FirestoreError(
          .invalidArgument, "The value of property \"\(name)\" is longer than \(maximumValueBytes) bytes.")
      }
      size += name.string.utf8.count + 1 + bytes
    }
    guard size <= maximumDocumentBytes else {
      throw FirestoreError(
        .invalidArgument, "maximum entity size is \(maximumDocumentBytes) bytes",
        note: "The document has \(size) bytes.")
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

  private enum Place { case field, array, map }

  private static func bytes(of path: ResourcePath) -> Int {
    path.segments.reduce(0) { $0 + $1.string.utf8.count + 1 }
  }

  /// The bytes a value takes by Firestore's documented measure. Maps and arrays count as levels.
  private static func check(
    _ value: DataValue, in field: Text, depth: Int, place: Place
  ) throws(FirestoreError) -> Int {
    switch value {
    case .null, .bool: return 1
    case .int, .double: return 8
    case .timestamp(let time):
      guard time.isInRange else {
        throw FirestoreError(.invalidArgument, "A timestamp lies between the years 1 and 9999.")
      }
      return 8
    case .geoPoint(let latitude, let longitude):
      try checkRange(latitude, "latitude", 90)
      try checkRange(longitude, "longitude", 180)
      return 16
    case .string(let text): return text.utf8.count + 1
    case .bytes(let bytes): return bytes.count
    case .vector(let numbers):
      if place == .array {
        throw FirestoreError(.invalidArgument, "Cannot convert a vector value in an array value.")
      }
      if numbers.isEmpty { throw FirestoreError(.invalidArgument, "Cannot have a zero length vector.") }
      guard numbers.count <= maximumDimensions else {
        throw FirestoreError(.invalidArgument, "Vectors must be at most \(maximumDimensions) dimensions.")
      }
      return numbers.count * 8
    case .reference(let path):
      guard path.isDocument else {
        throw FirestoreError(.invalidArgument, "A reference names a document, which \"\(path.relative)\" does not.")
      }
      return 16 + bytes(of: path)
    case .array(let items):
      if place == .array {
        throw FirestoreError(.invalidArgument, "Cannot convert an array value in an array value.")
      }
      guard depth < maximumDepth else { throw nested(field) }
      var size = 0
      for item in items { size += try checkInner(item, in: field, depth: depth + 1, place: .array) }
      return max(1, size)
    case .map(let fields):
      guard depth < maximumDepth else { throw nested(field) }
      var size = 0
      for (name, value) in fields {
        let text = name.string
        if isReserved(text) { throw FirestoreError(.invalidArgument, "field name '\(text)' is reserved.") }
        guard !text.isEmpty, text.utf8.count <= maximumNameBytes else { throw nested(field) }
        size += text.utf8.count + 1
        size += try checkInner(value, in: field, depth: depth + 1, place: .map)
      }
      return max(1, size)
    }
  }

  /// The same measure, of a value that is not stored and may break a law. Depth is bounded by the readers of queries.
  static func size(of value: DataValue) -> Int {
    switch value {
    case .null, .bool: 1
    case .int, .double, .timestamp: 8
    case .geoPoint: 16
    case .string(let text): text.utf8.count + 1
    case .bytes(let bytes): bytes.count
    case .vector(let numbers): numbers.count * 8
    case .reference(let path): 16 + bytes(of: path)
    case .array(let items): items.reduce(0) { $0 + size(of: $1) }
    case .map(let fields): fields.reduce(0) { $0 + $1.key.string.utf8.count + 1 + size(of: $1.value) }
    }
  }

  private static func checkInner(
    _ value: DataValue, in field: Text, depth: Int, place: Place
  ) throws(FirestoreError) -> Int {
    let size = try check(value, in: field, depth: depth, place: place)
    guard size <= maximumValueBytes + 1 else { throw nested(field) }
    return size
  }

  private static func checkRange(_ number: Double, _ name: String, _ limit: Double) throws(FirestoreError) {
    guard number >= -limit, number <= limit else {
      throw FirestoreError(
        .invalidArgument,
        "Geo point \(name) '\(number.isNaN ? "NaN" : "\(number)")' outside permitted range -\(limit) to \(limit).")
    }
  }

  /// Whatever is wrong with a value in a map or an array.
  private static func nested(_ field: Text) -> FirestoreError {
    FirestoreError(
      .invalidArgument, "Property \(field) contains an invalid nested entity.",
      note: "Maps and arrays are nested at most \(maximumDepth) deep; names in maps obey the laws of field names.")
  }
}

extension DataValue {
  /// As Firestore keeps it: times to the microsecond, and of the two zeros the positive one. Rules see it so, too.
  /// Depth is bounded: the laws of data are asked before.
  var kept: DataValue {
    switch self {
    case .double(let d): d == 0 ? .double(0) : self
    case .timestamp(let time): .timestamp(time.wholeMicroseconds)
    case .geoPoint(let latitude, let longitude):
      .geoPoint(latitude: latitude == 0 ? 0 : latitude, longitude: longitude == 0 ? 0 : longitude)
    case .vector(let numbers): .vector(numbers.map { $0 == 0 ? 0 : $0 })
    case .array(let items): .array(items.map(\.kept))
    case .map(let fields): .map(fields.mapValues(\.kept))
    case .null, .bool, .int, .string, .bytes, .reference: self
    }
  }
}

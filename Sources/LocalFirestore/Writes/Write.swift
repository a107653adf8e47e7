import RulesValues

/// One write to one document, in the form in which Firestore's protocol carries it: fields, the mask of those that
/// count, transforms, and what must be so beforehand.
public struct Write: Sendable, Equatable {
  public struct FieldTransform: Sendable, Equatable {
    public var path: FieldPath
    public var transform: Transform
  }

  public enum Precondition: Sendable, Equatable {
    /// The document must, or must not, exist.
    case exists(Bool)
    /// The document must exist and have last changed at this time.
    case updateTime(Timestamp)
  }

  public enum Kind: Sendable {
    case write, delete
    /// Changes nothing: the precondition must hold.
    case verify
  }

  public let path: ResourcePath
  public internal(set) var kind = Kind.write
  /// The values of the fields.
  public internal(set) var fields: Fields = [:]
  /// The fields that are written; one that is named here but has no value is deleted. `nil`: the whole document.
  public internal(set) var mask: [FieldPath]?
  public internal(set) var transforms: [FieldTransform] = []
  public internal(set) var precondition: Precondition?
  /// The document is made under an id that the server chose.
  var isIDHidden = false

  init(path: ResourcePath) { self.path = path }

  /// Makes a document that must not be there yet.
  public static func create(_ path: ResourcePath, _ data: [Text: FieldValue]) throws(FirestoreError) -> Write {
    var write = try set(path, data)
    write.precondition = .exists(false)
    return write
  }

  /// Replaces the whole document, or with `merge` the named fields only, through nested maps.
  public static func set(
    _ path: ResourcePath, _ data: [Text: FieldValue], merge: Bool = false
  ) throws(FirestoreError) -> Write {
    var write = Write(path: path)
    if merge { write.mask = [] }
    for (name, value) in data.sorted(by: { $0.key < $1.key }) {
      try write.add(value, at: FieldPath(name), deep: merge, mayDelete: merge)
    }
    return write
  }

  /// Changes fields of a document that must be there.
  public static func update(_ path: ResourcePath, _ data: [FieldPath: FieldValue]) throws(FirestoreError) -> Write {
    var write = Write(path: path)
    write.mask = []
    write.precondition = .exists(true)
    let ordered = data.sorted { $0.key.description < $1.key.description }
    if let (outer, inner) = FieldPath.overlapping(Array(data.keys)) {
      throw FirestoreError(
        .invalidArgument, "The fields \"\(outer)\" and \"\(inner)\" overlap.",
        note: "Of one write, no field may lie within another.")
    }
    for (path, value) in ordered { try write.add(value, at: path, deep: false, mayDelete: true) }
    return write
  }

  public static func delete(_ path: ResourcePath) -> Write {
    var write = Write(path: path)
    write.kind = .delete
    return write
  }

  /// The same write, done only if this holds.
  public func requiring(_ precondition: Precondition) -> Write {
    var write = self
    write.precondition = precondition
    return write
  }

  /// Adds one field. `deep`: maps are merged, so that the mask names their leaves.
  private mutating func add(
    _ value: FieldValue, at path: FieldPath, deep: Bool, mayDelete: Bool, inMap: Bool = false
  ) throws(FirestoreError) {
    guard path.names.count <= DataLaws.maximumDepth + 1 else {
      throw FirestoreError(
        .invalidArgument, "Property \(path.names[0]) contains an invalid nested entity.",
        note: "Maps and arrays are nested at most \(DataLaws.maximumDepth) deep.")
    }
    switch value {
    case .value(.map(let inner)) where deep:
      try add(.map(inner.mapValues { .value($0) }), at: path, deep: true, mayDelete: mayDelete, inMap: inMap)
    case .value(let data):
      fields.set(data, at: path)
      if deep || !inMap { mask?.append(path) }
    case .transform(let transform):
      try transform.check()
      transforms.append(FieldTransform(path: path, transform: transform))
    case .delete:
      guard mayDelete, deep || !inMap else {
        throw FirestoreError(
          .invalidArgument, "deleteField() cannot stand at \"\(path)\".",
          note: "It belongs to the top level of an update, or to a set that merges.")
      }
      mask?.append(path)
    case .map(let inner):
      // A map without entries is a value of its own; else a merge is about its leaves.
      if !deep || inner.isEmpty {
        fields.set(.map([:]), at: path)
        if !inMap || deep { mask?.append(path) }
      }
      for (name, value) in inner.sorted(by: { $0.key < $1.key }) {
        try add(value, at: path.appending(name), deep: deep, mayDelete: mayDelete, inMap: true)
      }
    }
  }
}

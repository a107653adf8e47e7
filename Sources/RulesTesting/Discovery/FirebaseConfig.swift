import JSON

/// What `firebase.json` says about Firestore: which rules file belongs to which database.
public struct FirebaseConfig: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    /// The id of the database; `nil` when the entry names a deploy target instead.
    public let database: String?
    public let target: String?
    /// The rules file, as a path from where the program runs; `nil` when the entry names none.
    public let rules: String?
  }

  /// Where the file lies.
  public let path: String
  /// In the order of the file; empty when it does not speak of Firestore.
  public let entries: [Entry]
  /// Those of the emulators, if it gives any.
  public var firestorePort: UInt16?
  public var authPort: UInt16?

  public static let fileName = "firebase.json"
  static let defaultDatabase = "(default)"

  /// The nearest `firebase.json` in a folder or one above it; `nil` when there is none.
  package static func find(from folder: String) -> String? {
    var absolute = FileAccess.absolute(folder)
    // People recognize paths in the form in which they gave them.
    var shown = FileAccess.tidy(folder)
    while true {
      if FileAccess.kind(FileAccess.join(absolute, fileName)) == .file { return FileAccess.join(shown, fileName) }
      if absolute == "/" { return nil }
      absolute = FileAccess.folder(of: absolute)
      shown = FileAccess.isAbsolute(shown) ? absolute : FileAccess.join(shown, "..")
    }
  }

  /// Reads and checks the file.
  /// - Throws: `FileError` for a file that cannot be read, is no JSON, or says something else than paths.
  public static func read(_ path: String) throws(FileError) -> FirebaseConfig {
    let bytes = try FileAccess.read(path)
    let root: JSONValue
    do {
      root = try JSONValue(parsing: bytes)
    } catch {
      throw FileError(path: path, reason: "This is no JSON: \(error)")
    }
    guard let object = root.objectValue else {
      throw FileError(path: path, reason: "Expected an object, found \(root.kind).")
    }
    func port(_ emulator: String) -> UInt16? {
      object["emulators"]?[emulator]?["port"]?.intValue.flatMap { UInt16(exactly: $0) }
    }
    let ports = (firestore: port("firestore"), auth: port("auth"))
    guard let firestore = object["firestore"] else {
      return FirebaseConfig(path: path, entries: [], firestorePort: ports.firestore, authPort: ports.auth)
    }
    let items: [JSONValue]
    switch firestore {
    case .object: items = [firestore]
    case .array(let elements): items = elements
    default:
      throw FileError(
        path: path, reason: "'firestore' must be an object or an array of objects, not \(firestore.kind).")
    }
    var entries: [Entry] = []
    for (i, item) in items.enumerated() {
      let place = firestore.arrayValue == nil ? "firestore" : "firestore[\(i)]"
      guard let object = item.objectValue else {
        throw FileError(path: path, reason: "'\(place)' must be an object, not \(item.kind).")
      }
      func text(_ key: String) throws(FileError) -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
          throw FileError(path: path, reason: "'\(place).\(key)' must be a text, not \(value.serialized()).")
        }
        return text
      }
      let target = try text("target")
      let database = try text("database") ?? (target == nil ? defaultDatabase : nil)
      let rules = try text("rules").map { FileAccess.join(FileAccess.folder(of: path), $0) }
      if let database, entries.contains(where: { $0.database == database }) {
        throw FileError(path: path, reason: "The database '\(database)' has two entries.")
      }
      entries.append(Entry(database: database, target: target, rules: rules))
    }
    return FirebaseConfig(path: path, entries: entries, firestorePort: ports.firestore, authPort: ports.auth)
  }
}

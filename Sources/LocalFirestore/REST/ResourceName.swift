import RulesValues

/// Reads `projects/P/databases/D/documents/…`, with the emulator's words for what is wrong (1.19.9).
struct ResourceName {
  let project: String
  let path: ResourcePath

  /// - Parameter kind: what it is called in messages: `Document name`, `Document parent name`, `Resource name`.
  init(_ text: String, kind: String = "Document name", mayBeDatabase: Bool = false) throws(FirestoreError) {
    func wrong(_ what: String) -> FirestoreError { FirestoreError(.invalidArgument, "\(kind) \"\(text)\" \(what).") }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var at = 0
    for (i, word) in ["projects", nil, "databases", nil, "documents"].enumerated() {
      guard i < parts.count, !parts[i].isEmpty, parts[i] == word ?? parts[i] else {
        throw wrong("lacks \"\(word ?? "/")\" at index \(min(at, text.utf16.count))")
      }
      at += parts[i].utf16.count + 1
    }
    var ids: [Text] = []
    for (i, part) in parts.dropFirst(5).enumerated() {
      let isLast = i == parts.count - 6
      if part.isEmpty, isLast { throw wrong("has invalid trailing \"/\"") }
      if part.isEmpty { throw wrong("lacks a \(i % 2 == 0 ? "collection" : "resource") id at index \(at)") }
      if part == "." || part == ".." {
        throw wrong("contains a \(i % 2 == 0 ? "collection" : "resource") id \"\(part)\" at index \(at)")
      }
      ids.append(Text(part))
      at += part.utf16.count + 1
    }
    if ids.isEmpty, !mayBeDatabase {
      throw wrong("is invalid: Omit \"/documents\" when referencing a database (except as the parent of a document)")
    }
    guard ids.count.isMultiple(of: 2) else { throw wrong("lacks \"/\" at index \(text.utf16.count)") }
    project = parts[1]
    path = ResourcePath(database: Text(parts[3]), segments: ids)
  }
}

extension ResourcePath {
  /// The parent of collections: `projects/P/databases/D/documents`, or a document below it.
  /// - Throws: INVALID_ARGUMENT.
  public init(parentName text: String) throws(FirestoreError) {
    self = try ResourceName(text, kind: "Document parent name", mayBeDatabase: true).path
  }
}

extension FieldPath {
  /// Reads a path as the protocol writes it: simple names, or quoted ones, separated by dots.
  init(protocol text: String) throws(FirestoreError) {
    guard !text.isEmpty else { throw FirestoreError(.invalidArgument, "Invalid empty property path string.") }
    guard Self.isWellFormed(text), let path = try? FieldPath(parsing: text) else {
      throw FirestoreError(
        .invalidArgument,
        "Invalid property path \"\(text)\". Unquoted property paths must match regex ([a-zA-Z_][a-zA-Z_0-9]*), and "
          + "quoted property paths must match regex (`(?:[^`\\\\]|(?:\\\\.))+`)")
    }
    self = path
  }

  private static func isWellFormed(_ text: String) -> Bool {
    var isQuoted = false
    var isStart = true
    var isEscaped = false
    for c in text.unicodeScalars {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        if c == "\\" { isEscaped = true }
        if c == "`" { isQuoted = false }
      } else if c == "`" {
        guard isStart else { return false }
        isQuoted = true
        isStart = false
      } else if c == "." {
        isStart = true
      } else {
        guard c == "_" || (c.isASCII && (c.properties.isAlphabetic || (!isStart && c.properties.numericType != nil)))
        else { return false }
        isStart = false
      }
    }
    return !isQuoted
  }
}

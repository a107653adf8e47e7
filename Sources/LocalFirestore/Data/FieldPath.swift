import RulesValues

/// The way to a field through nested maps: `address.city`.
public struct FieldPath: Sendable, Hashable, CustomStringConvertible {
  /// Never empty.
  public let names: [Text]

  public init(_ first: Text, _ rest: Text...) { names = [first] + rest }

  public init(names: [Text]) { self.names = names.isEmpty ? [""] : names }

  /// Reads names separated by dots. A name that holds dots stands in backquotes, in which a backslash escapes.
  /// - Throws: INVALID_ARGUMENT for an empty name or an unclosed backquote.
  public init(parsing text: String) throws(FirestoreError) {
    var names: [Text] = []
    var rest = Array(text.unicodeScalars)[...]
    while true {
      var name = String.UnicodeScalarView()
      if rest.first == "`" {
        rest.removeFirst()
        while let c = rest.first, c != "`" {
          rest.removeFirst()
          if c == "\\", let escaped = rest.popFirst() { name.append(escaped) } else { name.append(c) }
        }
        guard rest.popFirst() == "`" else { throw FieldPath.invalid(text, "a backquote is not closed") }
      } else {
        while let c = rest.first, c != "." {
          name.append(c)
          rest.removeFirst()
        }
      }
      guard !name.isEmpty else { throw FieldPath.invalid(text, "a name in it is empty") }
      names.append(Text(String(name)))
      guard let dot = rest.popFirst() else { break }
      guard dot == "." else { throw FieldPath.invalid(text, "a dot is missing behind a backquote") }
    }
    self.names = names
  }

  private static func invalid(_ text: String, _ why: String) -> FirestoreError {
    FirestoreError(.invalidArgument, "Invalid property path \"\(text)\".", note: "As a path of fields \(why).")
  }

  /// As `request.writeFields` shows it: a dot inside a name is escaped.
  public var description: String {
    names.map { name in
      var text = ""
      for c in name.string { text += c == "." ? "\\." : String(c) }
      return text
    }.joined(separator: ".")
  }

  /// Whether one of the two leads to, or through, the other.
  func overlaps(_ other: FieldPath) -> Bool {
    zip(names, other.names).allSatisfy { $0 == $1 }
  }

  /// Two of several fields of which one lies within the other. Sorted by their names, what lies within a field follows
  /// it at once, so that neighbours are all there is to compare.
  public static func overlapping(_ paths: [FieldPath]) -> (outer: FieldPath, inner: FieldPath)? {
    let sorted = paths.sorted { $0.names.lexicographicallyPrecedes($1.names) }
    for (outer, inner) in zip(sorted, sorted.dropFirst()) where outer.overlaps(inner) { return (outer, inner) }
    return nil
  }

  func appending(_ name: Text) -> FieldPath { FieldPath(names: names + [name]) }
}

extension [Text: DataValue] {
  /// The value of a field; `nil` when it is not there, or a value on the way is no map.
  public subscript(at path: FieldPath) -> DataValue? { value(at: path.names[...]) }

  private func value(at names: ArraySlice<Text>) -> DataValue? {
    guard let first = names.first, let value = self[first] else { return nil }
    if names.count == 1 { return value }
    guard case .map(let inner) = value else { return nil }
    return inner.value(at: names.dropFirst())
  }

  /// Sets a field, making maps on the way and replacing what is none.
  mutating func set(_ value: DataValue, at path: FieldPath) { change(path.names[...], to: value) }

  /// Takes a field away. What is on the way stays, and is not made.
  mutating func remove(_ path: FieldPath) { change(path.names[...], to: nil) }

  // Depth is that of the path, which the laws of data bound to 20.
  private mutating func change(_ names: ArraySlice<Text>, to value: DataValue?) {
    guard let first = names.first else { return }
    if names.count == 1 {
      self[first] = value
      return
    }
    var inner: Fields = [:]
    if case .map(let map) = self[first] {
      inner = map
    } else if value == nil {
      return
    }
    inner.change(names.dropFirst(), to: value)
    self[first] = .map(inner)
  }
}

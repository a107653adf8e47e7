/// Text that is equal only to the same bytes and ordered by them.
///
/// Swift's `String` takes canonically equivalent texts (a composed and a decomposed "é") for equal; Firestore and
/// the rules language do not. Keys, ids and field names are therefore never compared as `String`.
public struct Text: Sendable, Hashable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let string: String

  public init(_ string: String) { self.string = string }
  public init(stringLiteral value: String) { string = value }

  public var description: String { string }

  public static func == (a: Text, b: Text) -> Bool {
    let (x, y) = (a.string.utf8, b.string.utf8)
    guard x.count == y.count else { return false }
    let answer = x.withContiguousStorageIfAvailable { p in
      y.withContiguousStorageIfAvailable { q in p.elementsEqual(q) }
    }
    return (answer ?? nil) ?? x.elementsEqual(y)
  }

  /// By UTF-8 bytes, which is Firestore's order of strings.
  public static func < (a: Text, b: Text) -> Bool { a.string.utf8.lexicographicallyPrecedes(b.string.utf8) }

  public func hash(into hasher: inout Hasher) {
    let hashed: Void? = string.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if hashed == nil { Array(string.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    hasher.combine(0xFF as UInt8)
  }
}

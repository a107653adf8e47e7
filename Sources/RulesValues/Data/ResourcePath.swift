/// The place of a document or collection: `/databases/(default)/documents/users/alice`.
public struct ResourcePath: Sendable, Hashable, CustomStringConvertible {
  /// `(default)` or the id of another database.
  public var database: Text
  /// Alternating collection and document ids below `documents`; an even count names a document.
  public var segments: [Text]

  public init(database: Text = "(default)", segments: [Text]) {
    self.database = database
    self.segments = segments
  }

  /// From `users/alice`, with or without a leading slash; `nil` when a segment is empty.
  public init?(database: Text = "(default)", relative: String) {
    var parts = relative.split(separator: "/", omittingEmptySubsequences: false).map { Text(String($0)) }
    if parts.first == "" { parts.removeFirst() }
    guard !parts.isEmpty, !parts.contains("") else { return nil }
    self.init(database: database, segments: parts)
  }

  public var isDocument: Bool { !segments.isEmpty && segments.count.isMultiple(of: 2) }
  public var isCollection: Bool { !segments.count.isMultiple(of: 2) }
  public var lastID: Text { segments.last ?? "" }
  public var parent: ResourcePath { ResourcePath(database: database, segments: Array(segments.dropLast())) }

  /// `/users/alice`
  public var relative: String { segments.map { "/" + $0.string }.joined() }
  public var description: String { "/databases/\(database)/documents\(relative)" }
}

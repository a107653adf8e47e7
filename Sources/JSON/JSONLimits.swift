/// How much a JSON text may ask of us, and what happens to a repeated member name.
public struct JSONLimits: Sendable, Equatable {
  /// What to do when an object names a member twice. RFC 8259 leaves it open.
  public enum DuplicateKeys: Sendable, Equatable {
    /// The second one is an error.
    case refuse
    /// The last value counts, in the place of the first (as JavaScript does).
    case lastWins
  }

  /// The deepest nesting of arrays and objects; `[]` has depth 1. `JSONValue` never goes beyond
  /// `deepestValue`, whatever stands here; `JSONReader` takes any depth.
  public var maxDepth: Int
  /// The longest text, in bytes.
  public var maxBytes: Int
  /// Followed by `JSONValue`. `JSONReader` does not remember names, so its caller decides.
  public var duplicateKeys: DuplicateKeys

  public init(maxDepth: Int = 200, maxBytes: Int = 64 << 20, duplicateKeys: DuplicateKeys = .refuse) {
    self.maxDepth = maxDepth
    self.maxBytes = maxBytes
    self.duplicateKeys = duplicateKeys
  }

  /// Depth 200, 64 MiB, repeated names are errors.
  public static let standard = JSONLimits()

  /// The deepest tree: Swift releases nested values by recursion, which must fit a small stack.
  public static let deepestValue = 1000
}

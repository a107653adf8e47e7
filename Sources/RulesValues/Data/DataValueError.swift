/// What is wrong with JSON that was to become document data.
public struct DataValueError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The place in the JSON: `fields.user.arrayValue.values[2]`; empty for the whole of it.
  public let path: String
  /// `unknown kind of value "integervalue"`
  public let reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

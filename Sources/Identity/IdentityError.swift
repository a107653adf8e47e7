/// Why a user, a claim or a token cannot be, in the words of Firebase Authentication and in ours.
public struct IdentityError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What the Authentication server answers in such a case (`FORBIDDEN_CLAIM : sub`). Where the server
  /// has no word, because its clients cannot get there, a code in its manner.
  public var code: String
  /// What is wrong, and what would be right.
  public var message: String

  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(message) (\(code))" }
}

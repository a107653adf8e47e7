import RulesSyntax

/// What users, or an administrator, do between two steps: `sign out alice;`, `link guest with apple();`
public struct UserAction: Sendable {
  public enum Kind: Sendable {
    /// In the way of the last time.
    case signIn
    case signOut
    /// Empties the device.
    case reinstall
    /// Asks for a new ID token.
    case refresh
    /// Deletes the account.
    case delete
    /// Ends all sessions of the account, on the server.
    case revoke
    case link(ProviderCall)
    /// A map of what an administrator changes of the account.
    case change(Expression)
  }

  /// The first words of such statements, as they are listed.
  public static let words = ["sign in", "sign out", "reinstall", "refresh", "delete", "revoke", "link", "change"]

  public let kind: Kind
  /// At least one; just one for `link` and `change`.
  public let users: [Name]
  /// From the first word to the semicolon.
  public let range: SourceRange
}

/// `apple({ email: '…' })`: a way to sign in.
public struct ProviderCall: Sendable {
  public let provider: Name
  public let arguments: [Expression]
  public let range: SourceRange
}

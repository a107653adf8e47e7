import RulesSyntax

/// A statement about the rules for every user, document and query: `never … unless …;` and its short forms.
public struct InvariantDeclaration: Sendable {
  public enum Form: String, Sendable, CaseIterable {
    case never, isolate, `private`, `public`, readonly, immutable, tenant, server, allows, assume
  }

  public enum Condition: Sendable {
    /// Broken by an allowed request for which the expression is not true: false or an error.
    case unless(Expression)
    /// Broken by an allowed request for which the expression is true.
    case `if`(Expression)

    public var expression: Expression {
      switch self {
      case .unless(let e), .if(let e): e
      }
    }
  }

  public let form: Form
  /// Of `never` and `allows`: what is asked for, e.g. `get`, `list`, `write`. Of `public`: `read`.
  public let methods: [Name]
  public let path: PathSyntax
  /// Of `never` and `assume` (where it is an `if`).
  public let condition: Condition?
  /// Of `isolate` and `tenant`: to whom the path belongs.
  public let owner: Expression?
  /// Of `immutable` and `server`; dotted names reach into maps.
  public let fields: [Name]
  /// Of `allows`.
  public let user: Name?
  public let range: SourceRange

  static let methodNames = ["get", "list", "read", "create", "update", "delete", "write"]
}

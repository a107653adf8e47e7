import RulesSyntax

/// A whole test file as written. Every list is in source order.
public struct TestFileSyntax: Sendable {
  public let file: SourceFile
  /// `rules 'firestore.rules';`
  public internal(set) var rules: Name?
  /// `database 'archive';`
  public internal(set) var database: Name?
  /// `now timestamp.date(2026, 1, 1);`
  public internal(set) var now: Expression?
  public internal(set) var users: [UserDeclaration] = []
  public internal(set) var fixtures: [FixtureDeclaration] = []
  public internal(set) var functions: [FunctionDeclaration] = []
  public internal(set) var tests: [TestDeclaration] = []
  public internal(set) var invariants: [InvariantDeclaration] = []

  init(file: SourceFile) { self.file = file }
}

/// `user alice = password({ email: 'alice@example.com' });`
public struct UserDeclaration: Sendable {
  public let name: Name
  /// How the user signed in: `password`, `apple`, …
  public let provider: Name
  public let arguments: [Expression]
  public let range: SourceRange
}

/// The path of a document in a step or a fixture, or the pattern of an invariant.
public struct PathSyntax: Sendable {
  public let segments: [Expression.PathSegment]
  public let range: SourceRange
}

/// `given /users/alice { name: 'Alice' };`
public struct FixtureDeclaration: Sendable {
  public let path: PathSyntax
  /// A map.
  public let data: Expression
  public let range: SourceRange
}

/// `test 'a list belongs to its uid' { … }`
public struct TestDeclaration: Sendable {
  public enum Statement: Sendable {
    case given(FixtureDeclaration)
    /// `at timestamp.date(2027, 1, 1);` moves the clock of the steps that follow.
    case at(Expression)
    case step(StepDeclaration)
    case action(UserAction)
  }

  /// Its range is that of the quoted text.
  public let name: Name
  public let statements: [Statement]
  public let range: SourceRange

  public var actions: [UserAction] {
    statements.compactMap { if case .action(let action) = $0 { action } else { nil } }
  }

  public var steps: [StepDeclaration] {
    statements.compactMap { if case .step(let step) = $0 { step } else { nil } }
  }
}

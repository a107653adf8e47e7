/// A whole rules file.
public struct RulesetSyntax: Sendable {
  public enum Item: Sendable {
    case function(FunctionDeclaration)
    case service(ServiceDeclaration)
  }

  public let version: VersionStatement?
  public let imports: [ImportStatement]
  /// In source order.
  public let items: [Item]
  /// Expression ids of this file are below this number.
  public let expressionCount: Int
  public let end: SourcePosition

  public init(
    version: VersionStatement?, imports: [ImportStatement], items: [Item], expressionCount: Int, end: SourcePosition
  ) {
    self.version = version
    self.imports = imports
    self.items = items
    self.expressionCount = expressionCount
    self.end = end
  }

  public var functions: [FunctionDeclaration] {
    items.compactMap { if case .function(let f) = $0 { f } else { nil } }
  }
  public var services: [ServiceDeclaration] {
    items.compactMap { if case .service(let s) = $0 { s } else { nil } }
  }
}

public struct VersionStatement: Sendable {
  /// The text between the quotes.
  public let value: String
  public let range: SourceRange

  public init(value: String, range: SourceRange) {
    self.value = value
    self.range = range
  }
}

/// `import "module" as name;`: parsed, and always refused by the compiler.
public struct ImportStatement: Sendable {
  public let module: String
  public let alias: Name?
  public let range: SourceRange

  public init(module: String, alias: Name?, range: SourceRange) {
    self.module = module
    self.alias = alias
    self.range = range
  }
}

public final class ServiceDeclaration: Sendable {
  /// e.g. `cloud.firestore`
  public let name: Name
  public let functions: [FunctionDeclaration]
  public let matches: [MatchDeclaration]
  public let range: SourceRange

  public init(name: Name, functions: [FunctionDeclaration], matches: [MatchDeclaration], range: SourceRange) {
    self.name = name
    self.functions = functions
    self.matches = matches
    self.range = range
  }
}

public final class MatchDeclaration: Sendable {
  public let path: [Expression.PathSegment]
  public let pathRange: SourceRange
  public let functions: [FunctionDeclaration]
  public let allows: [AllowStatement]
  public let matches: [MatchDeclaration]
  /// From `match` to the closing brace.
  public let range: SourceRange

  public init(
    path: [Expression.PathSegment], pathRange: SourceRange, functions: [FunctionDeclaration],
    allows: [AllowStatement], matches: [MatchDeclaration], range: SourceRange
  ) {
    self.path = path
    self.pathRange = pathRange
    self.functions = functions
    self.allows = allows
    self.matches = matches
    self.range = range
  }
}

public final class AllowStatement: Sendable {
  /// As written; method names are compared without regard to case.
  public let methods: [Name]
  /// `nil`: always.
  public let condition: Expression?
  /// From `allow` to the last token of the statement.
  public let range: SourceRange

  public init(methods: [Name], condition: Expression?, range: SourceRange) {
    self.methods = methods
    self.condition = condition
    self.range = range
  }
}

public final class FunctionDeclaration: Sendable {
  public struct Let: Sendable {
    public let name: Name
    public let value: Expression
    /// From `let` to the last token before the semicolon.
    public let range: SourceRange

    public init(name: Name, value: Expression, range: SourceRange) {
      self.name = name
      self.value = value
      self.range = range
    }
  }

  public let name: Name
  public let parameters: [Name]
  public let lets: [Let]
  public let result: Expression
  /// From `function` to the closing brace.
  public let range: SourceRange

  public init(name: Name, parameters: [Name], lets: [Let], result: Expression, range: SourceRange) {
    self.name = name
    self.parameters = parameters
    self.lets = lets
    self.result = result
    self.range = range
  }
}

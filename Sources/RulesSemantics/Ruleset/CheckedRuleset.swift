import RulesSyntax

/// A function of the file, wherever it is declared.
public final class CheckedFunction: Sendable {
  public let declaration: FunctionDeclaration
  /// Its place in `CheckedRuleset.functions`.
  public let index: Int
  /// Whether some `allow` statement can come to call it, directly or through other functions.
  public let isReachable: Bool
  /// How many captures the matches around the declaration have: `wildcard` resolutions in the body are below this
  /// number, and they count the same captures as those of every `allow` from which the function can be seen.
  public let visibleCaptures: Int

  init(declaration: FunctionDeclaration, index: Int, isReachable: Bool, visibleCaptures: Int) {
    self.declaration = declaration
    self.index = index
    self.isReachable = isReachable
    self.visibleCaptures = visibleCaptures
  }
}

public final class CheckedAllow: Sendable {
  /// `read` and `write` expanded; names that the service does not know are left out.
  public let methods: Set<RulesMethod>
  /// `nil`: always.
  public let condition: Expression?
  public let statement: AllowStatement
  /// Running number in file order, from 0.
  public let index: Int

  init(methods: Set<RulesMethod>, statement: AllowStatement, index: Int) {
    self.methods = methods
    condition = statement.condition
    self.statement = statement
    self.index = index
  }
}

/// One segment of the pattern of a `match`.
public enum MatchSegment: Sendable, Equatable {
  case literal(String)
  case capture(slot: Int, name: String)
  case glob(slot: Int, name: String)
}

public final class CheckedMatch: Sendable {
  public let declaration: MatchDeclaration
  /// The part that this `match` adds to those around it.
  public let segments: [MatchSegment]
  public let allows: [CheckedAllow]
  public let children: [CheckedMatch]

  init(declaration: MatchDeclaration, segments: [MatchSegment], allows: [CheckedAllow], children: [CheckedMatch]) {
    self.declaration = declaration
    self.segments = segments
    self.allows = allows
    self.children = children
  }
}

public final class CheckedService: Sendable {
  public let kind: ServiceKind
  public let name: String
  public let matches: [CheckedMatch]

  init(kind: ServiceKind, name: String, matches: [CheckedMatch]) {
    self.kind = kind
    self.name = name
    self.matches = matches
  }
}

/// A rules file without compile-time errors: its structure with every name resolved.
public final class CheckedRuleset: Sendable {
  public let file: SourceFile
  public let version: RulesVersion
  public let services: [CheckedService]
  /// All functions of the file in the order of their declarations' depth-first walk.
  public let functions: [CheckedFunction]
  public let syntax: RulesetSyntax
  /// Both by `Expression.id`.
  private let resolutions: [Resolution]
  private let callees: [Callee?]

  init(
    file: SourceFile, version: RulesVersion, services: [CheckedService], functions: [CheckedFunction],
    syntax: RulesetSyntax, resolutions: [Resolution], callees: [Callee?]
  ) {
    self.file = file
    self.version = version
    self.services = services
    self.functions = functions
    self.syntax = syntax
    self.resolutions = resolutions
    self.callees = callees
  }

  /// What an identifier of this file means; `unknown` for any other expression.
  public func resolution(of expression: Expression) -> Resolution {
    expression.id >= 0 && expression.id < resolutions.count ? resolutions[expression.id] : .unknown
  }

  /// What a call or method call of this file means; `unknown("")` for any other expression.
  public func callee(of expression: Expression) -> Callee {
    guard expression.id >= 0, expression.id < callees.count else { return .unknown("") }
    return callees[expression.id] ?? .unknown("")
  }
}

import RulesSyntax

/// A parsed file while it is being checked: every declaration with its scope, and what is found out about each
/// expression. The passes read and fill it in turn.
final class Program {
  /// Who is called from a function or condition.
  final class Calls {
    /// Functions of the file, by index, in source order.
    var functions: [Int] = []
    /// Functions of the file that merely have the name of a package function that is called: `math.abs(1)` counts as
    /// a call of a function `abs` when the official compiler looks for recursion, and only then.
    var namesakes: [Int] = []
    /// Names of functions and of methods, found or not: where the official compiler asks whether a function is used,
    /// a method of its name counts as well.
    var names: Set<String> = []
  }

  final class Function {
    let declaration: FunctionDeclaration
    let index: Int
    /// The first function of the same name in the same scope, which is this one unless the file has an error.
    let primary: Int
    let scope: Scope
    let calls = Calls()
    /// Whether it calls itself, directly or through others.
    var isInCycle = false
    /// Whether an expression somewhere calls it, or a method of its name.
    var isCalled = false
    /// Whether an `allow` with a method that its service knows can come to call it.
    var isReachable = false
    /// What the official compiler lets the body see of services; see `ServicePass`.
    var context = ServiceContext()

    init(declaration: FunctionDeclaration, index: Int, primary: Int, scope: Scope) {
      self.declaration = declaration
      self.index = index
      self.primary = primary
      self.scope = scope
    }
  }

  final class Allow {
    let statement: AllowStatement
    let scope: Scope
    let service: ServiceKind
    let index: Int
    /// In the order of writing, without the unknown ones.
    let methods: [RulesMethod]
    let calls = Calls()

    init(statement: AllowStatement, scope: Scope, service: ServiceKind, index: Int, methods: [RulesMethod]) {
      self.statement = statement
      self.scope = scope
      self.service = service
      self.index = index
      self.methods = methods
    }

    var hasKnownMethod: Bool { !methods.isEmpty }

    var context: ServiceContext {
      if !hasKnownMethod { return ServiceContext() }
      return ServiceContext(
        services: [service], hasResource: methods.contains { service != .storage || $0 != .list })
    }
  }

  let file: SourceFile
  let syntax: RulesetSyntax
  let version: RulesVersion
  let top = Scope(parent: nil, service: nil)
  var functions: [Function] = []
  var allows: [Allow] = []
  var services: [CheckedServiceDraft] = []
  /// Both by `Expression.id`.
  var resolutions: [Resolution]
  var callees: [Callee?]
  var diagnostics: [Diagnostic] = []

  init(file: SourceFile, syntax: RulesetSyntax, version: RulesVersion) {
    self.file = file
    self.syntax = syntax
    self.version = version
    let count = max(0, syntax.expressionCount)
    resolutions = Array(repeating: .unknown, count: count)
    callees = Array(repeating: nil, count: count)
  }

  func resolution(of expression: Expression) -> Resolution {
    expression.id >= 0 && expression.id < resolutions.count ? resolutions[expression.id] : .unknown
  }

  func callee(of expression: Expression) -> Callee {
    guard expression.id >= 0, expression.id < callees.count else { return .unknown("") }
    return callees[expression.id] ?? .unknown("")
  }

  func error(_ id: String, _ range: SourceRange, _ message: String) {
    diagnostics.append(Diagnostic(id: id, severity: .error, range: range, message: message))
  }

  func warn(_ id: String, _ range: SourceRange, _ message: String) {
    diagnostics.append(Diagnostic(id: id, severity: .warning, range: range, message: message))
  }
}

/// A service with its matches as `DeclarationPass` builds them.
struct CheckedServiceDraft {
  let kind: ServiceKind
  let name: String
  let matches: [CheckedMatch]
}

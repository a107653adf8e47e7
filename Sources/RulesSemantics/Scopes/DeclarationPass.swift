import RulesSyntax

/// Walks the declarations of the file: makes the scopes, numbers functions, statements and captures, and reports
/// what is wrong with declarations themselves (double names, unknown services and methods, too many of something).
struct DeclarationPass {
  let program: Program

  static func run(_ program: Program) {
    DeclarationPass(program: program).walk()
  }

  private func walk() {
    let top = program.top
    declare(program.syntax.functions, in: top)
    var names: Set<String> = []
    for service in program.syntax.services {
      let kind = ServiceKind(name: service.name.text)
      if !kind.isKnown {
        program.warn("unknown-service", service.name.range, "Invalid service name: \(service.name.text).")
      }
      if !names.insert(service.name.text).inserted {
        program.error("duplicate-service", service.name.range, "Duplicate service name declaration.")
      }
      let scope = Scope(parent: top, service: kind)
      declare(service.functions, in: scope)
      let limits = MatchLimits()
      let matches = service.matches.map { checked($0, in: scope, kind, limits) }
      program.services.append(CheckedServiceDraft(kind: kind, name: service.name.text, matches: matches))
    }
  }

  private func checked(
    _ match: MatchDeclaration, in outer: Scope, _ service: ServiceKind, _ limits: MatchLimits
  ) -> CheckedMatch {
    let inner = limits.entering(match, program)
    if program.version == .two, outer.hasGlob, match.path.contains(where: \.isGlob) {
      program.error("second-glob", match.range, TreePass.secondGlob)
    }
    if program.version == .one, !match.matches.isEmpty, match.path.contains(where: \.isGlob) {
      program.warn(
        "matches-in-glob", match.range, "Glob(**) resource rules should not have child resource rules.")
    }
    var captures: [Scope.Capture] = []
    var segments: [MatchSegment] = []
    for segment in match.path {
      let slot = outer.captureCount + captures.count
      switch segment.kind {
      case .literal(let text): segments.append(.literal(text))
      case .capture(let name):
        captures.append(Scope.Capture(name: name.text, slot: slot, isGlob: false))
        segments.append(.capture(slot: slot, name: name.text))
      case .glob(let name):
        captures.append(Scope.Capture(name: name.text, slot: slot, isGlob: true))
        segments.append(.glob(slot: slot, name: name.text))
      case .interpolation: break  // The grammar has none in match patterns.
      }
    }
    let scope = Scope(parent: outer, service: service, captures: captures)
    declare(match.functions, in: scope)
    let allows = match.allows.map { declare($0, in: scope, service) }
    let children = match.matches.map { checked($0, in: scope, service, inner) }
    return CheckedMatch(declaration: match, segments: segments, allows: allows, children: children)
  }

  private func declare(_ statement: AllowStatement, in scope: Scope, _ service: ServiceKind) -> CheckedAllow {
    var methods: [RulesMethod] = []
    for name in statement.methods {
      if service.isKnown, let known = RulesMethod.expand(name.text) {
        methods += known
      } else {
        program.warn("unknown-method", name.range, "Invalid method name: \(name.text).")
      }
    }
    let allow = Program.Allow(
      statement: statement, scope: scope, service: service, index: program.allows.count, methods: methods)
    scope.allows.append(allow.index)
    program.allows.append(allow)
    return CheckedAllow(methods: Set(methods), statement: statement, index: allow.index)
  }

  private func declare(_ functions: [FunctionDeclaration], in scope: Scope) {
    for declaration in functions {
      let name = declaration.name
      if scope.functions[name.text] != nil {
        program.error("duplicate-function", name.range, "Function \(name.text) is already defined.")
      }
      FunctionLimits.report(on: declaration, to: program)
      scope.functions[name.text, default: []].append(program.functions.count)
      program.functions.append(
        Program.Function(
          declaration: declaration, index: program.functions.count,
          primary: scope.functions[name.text]?.first ?? program.functions.count, scope: scope))
    }
  }
}

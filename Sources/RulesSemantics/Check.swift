import RulesSyntax

/// What the compiler says to a rules file.
public struct Check: Sendable {
  /// `nil` when there is any error.
  public let ruleset: CheckedRuleset?
  /// Errors and warnings in the official order, those of the syntax included.
  public let diagnostics: [Diagnostic]

  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Parses and checks a file. Never fails: what is wrong is in `diagnostics`.
  public static func check(_ file: SourceFile) -> Check {
    let parsed = Parser.parse(file)
    return check(file, parsed)
  }

  /// Checks a file that is parsed already.
  public static func check(_ file: SourceFile, _ parsed: ParseResult) -> Check {
    guard let syntax = parsed.syntax else { return Check(errors: parsed.diagnostics) }
    let version: RulesVersion = syntax.version?.value == "2" ? .two : .one
    let program = Program(file: file, syntax: syntax, version: version)
    TreePass.run(program)
    // The official compiler builds its own tree first, and looks at meaning only if that went well.
    if parsed.syntaxErrors || program.hasErrors {
      return Check(errors: parsed.diagnostics + OfficialReport.withoutRepetitions(program.diagnostics))
    }

    DeclarationPass.run(program)
    ResolutionPass.run(program)
    ServicePass.run(program)
    CallGraph.run(program)
    NamePass.run(program)
    TypeInference.run(program)
    program.reportOldVersion()
    let diagnostics = OfficialReport.sorted(
      parsed.diagnostics + OfficialReport.withoutRepetitions(program.diagnostics))
    return Check(ruleset: program.hasErrors ? nil : program.ruleset, diagnostics: diagnostics)
  }

  private init(ruleset: CheckedRuleset?, diagnostics: [Diagnostic]) {
    self.ruleset = ruleset
    self.diagnostics = diagnostics
  }

  private init(errors: [Diagnostic]) {
    self.init(ruleset: nil, diagnostics: OfficialReport.sorted(errors))
  }
}

extension Program {
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The official compiler says this without a place.
  func reportOldVersion() {
    guard version == .one else { return }
    diagnostics.append(
      Diagnostic(
        id: "old-version", severity: .warning, range: nil,
        message: "Ruleset uses old version (version [1]). Please update to the latest version (version [2])."))
  }

  var ruleset: CheckedRuleset {
    CheckedRuleset(
      file: file, version: version,
      services: services.map { CheckedService(kind: $0.kind, name: $0.name, matches: $0.matches) },
      functions: functions.map {
        CheckedFunction(
          declaration: $0.declaration, index: $0.index, isReachable: $0.isReachable,
          visibleCaptures: $0.scope.captureCount)
      },
      syntax: syntax, resolutions: resolutions, callees: callees)
  }
}

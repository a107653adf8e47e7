import RulesSyntax

/// The official limits on a function's own declaration, and double names within it.
enum FunctionLimits {
  static let maximumParameters = 7
  /// One more than documented: the official compiler refuses the twelfth.
  static let maximumLets = 11

  static func report(on function: FunctionDeclaration, to program: Program) {
    let name = function.name
    if function.parameters.count > maximumParameters {
      program.error(
        "too-many-parameters", name.range,
        "Maximum allowed function arguments of 7 for function \(name.text) is reached.")
    }
    if program.version == .one {
      for binding in function.lets {
        program.error(
          "let-in-version-1", binding.name.range, "Let bindings are not allowed in rules_version=\"1\";")
      }
    }
    var seen: Set<String> = []
    for parameter in function.parameters where !seen.insert(parameter.text).inserted {
      program.error("duplicate-parameter", parameter.range, "Variable \(parameter.text) is already defined.")
    }
    for binding in function.lets where !seen.insert(binding.name.text).inserted {
      program.error(
        "duplicate-let", binding.name.range,
        "The identifier [\(binding.name.text)] is already bound in the current scope.")
    }
    if exceedsLets(function) {
      // Each binding encloses the rest of the body; reported is the body of the twelfth.
      let rest = function.lets.count > maximumLets + 1 ? function.lets[maximumLets + 1].range : function.result.range
      program.error(
        "too-many-lets", rest, "Maximum allowed variable count of 10 for a given function has been reached.")
    }
  }

  /// The official compiler does not look into the body of such a function.
  static func exceedsLets(_ function: FunctionDeclaration) -> Bool { function.lets.count > maximumLets }
}

/// The official limits on the accumulated pattern of nested matches.
struct MatchLimits {
  /// One more than documented, for the match of the database.
  static let maximumDepth = 11
  static let maximumSegments = 100
  static let maximumCaptures = 20

  private var depth = 0
  private var segments = 0
  private var captures = 0

  init() {}

  /// Counts what `match` adds, and reports each limit at the first match that exceeds it.
  func entering(_ match: MatchDeclaration, _ program: Program) -> MatchLimits {
    var inner = self
    inner.depth += 1
    inner.segments += match.path.count
    for segment in match.path {
      switch segment.kind {
      case .capture, .glob: inner.captures += 1
      case .literal, .interpolation: break
      }
    }
    if depth <= Self.maximumDepth, inner.depth > Self.maximumDepth {
      program.error("match-too-deep", match.range, "Maximum allowed resource rule depth of 10 is reached.")
    }
    if segments <= Self.maximumSegments, inner.segments > Self.maximumSegments {
      program.error("match-path-too-long", match.range, "Maximum allowed path length of 100 is reached.")
    }
    if captures <= Self.maximumCaptures, inner.captures > Self.maximumCaptures {
      program.error(
        "too-many-captures", match.range, "Maximum allowed amount of 20 match field variables is reached.")
    }
    return inner
  }
}

import RulesSyntax

/// The errors that the official compiler finds while it builds its own tree from the parsed file, before it looks
/// at the meaning of anything: names that are reserved for packages, unknown type names, globs. (Those about version
/// and imports the parser makes.)
/// When it finds one of them it says nothing else, neither other errors nor warnings.
struct TreePass {
  let program: Program

  static func run(_ program: Program) {
    let pass = TreePass(program: program)
    pass.check(program.syntax.functions)
    for service in program.syntax.services {
      pass.check(service.functions)
      service.matches.forEach(pass.check)
    }
  }

  private var hasUnsupportedVersion: Bool {
    guard let version = program.syntax.version else { return false }
    return version.value != "1" && version.value != "2"
  }

  private func check(_ functions: [FunctionDeclaration]) {
    for function in functions {
      for parameter in function.parameters { check(variable: parameter) }
      for binding in function.lets {
        check(variable: binding.name)
        check(binding.value)
      }
      check(function.result)
    }
  }

  private func check(_ match: MatchDeclaration) {
    check(captures: match.path)
    checkGlobs(match.path)
    check(match.functions)
    for allow in match.allows {
      if let condition = allow.condition { check(condition) }
    }
    match.matches.forEach(check)
  }

  /// Version 1 wants a glob to be the last segment, version 2 wants only one. (Of a glob in an enclosing match
  /// `DeclarationPass` knows.)
  private func checkGlobs(_ path: [Expression.PathSegment]) {
    var seen = false
    for (i, segment) in path.enumerated() {
      guard segment.isGlob else { continue }
      switch program.version {
      case .one where i < path.count - 1:
        program.error(
          "glob-not-last", segment.range,
          "Invalid glob match expression. Glob matches are permitted as the last segment in a match declaration path.")
      case .two where seen: program.error("second-glob", segment.range, Self.secondGlob)
      case .one, .two: break
      }
      seen = true
    }
  }

  static let secondGlob =
    "Invalid glob match expression. Only one glob match is permitted in a match declaration path."

  /// The captures of a match pattern or of a path in an expression.
  private func check(captures path: [Expression.PathSegment]) {
    var names: Set<String> = []
    for segment in path {
      switch segment.kind {
      case .capture(let name), .glob(let name):
        check(variable: name)
        if !names.insert(name.text).inserted {
          program.error(
            "duplicate-capture", name.range, "Variable \(name.text) already exists in the PathTemplate.")
        }
      case .literal, .interpolation: break
      }
    }
  }

  private func check(variable name: Name) {
    if Packages.names.contains(name.text) { reportPackage(name.text, name.range) }
  }

  private func reportPackage(_ name: String, _ range: SourceRange) {
    if hasUnsupportedVersion { return }  // Such a version has no packages.
    program.error("package-as-variable", range, "\(name) is a package and cannot be used as variable name.")
  }

  private func check(_ expression: Expression) {
    switch expression.kind {
    case .identifier(let name):
      if Packages.names.contains(name) { reportPackage(name, expression.anchor) }
    case .methodCall(let receiver, _, let arguments) where receiver.packageName != nil:
      arguments.forEach(check)
      return
    case .path(let segments): check(captures: segments)
    case .typeTest(_, let type):
      if !Self.typeNames.contains(type.text) {
        let next = program.file.nextToken(after: type.range.end)
        program.error(
          "unknown-type", SourceRange(next, next),
          "An unsupported type identifier was used with the 'is' operator. Received \(type.text). Expected one of "
            + Self.typeNames.joined(separator: ","))
      }
    default: break
    }
    expression.forEachChild(check)
  }

  /// In the order of the official message.
  static let typeNames = [
    "bool", "bytes", "constraint", "duration", "float", "int", "latlng", "list", "vector", "set", "number", "map",
    "string", "timestamp", "path", "map_diff",
  ]
}

extension Expression.PathSegment {
  var isGlob: Bool {
    if case .glob = kind { true } else { false }
  }
}

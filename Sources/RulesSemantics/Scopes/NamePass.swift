import RulesPatterns
import RulesSyntax

/// Warnings about names and numbers of arguments, and the errors of regular expressions written as literals.
struct NamePass {
  let program: Program

  static func run(_ program: Program) {
    let pass = NamePass(program: program)
    for function in program.functions { pass.check(function) }
    for allow in program.allows {
      guard let condition = allow.statement.condition else { continue }
      pass.check(condition, allow.access)
    }
  }

  private func check(_ function: Program.Function) {
    let declaration = function.declaration
    let name = declaration.name
    // Of functions with one name in one scope a call means any.
    let used = function.scope.functions[name.text, default: []].contains { program.functions[$0].isCalled }
    if !used { program.warn("unused-function", name.range, "Unused function: \(name.text).") }
    if FunctionLimits.exceedsLets(declaration) { return }
    reportUnusedVariables(declaration)
    for binding in declaration.lets { check(binding.value, function.access) }
    check(declaration.result, function.access)
  }

  private func reportUnusedVariables(_ function: FunctionDeclaration) {
    // A binding hides earlier ones of its name, though doing so is an error.
    var usedParameters: Set<String> = []
    var usedLets: Set<Int> = []
    func note(_ expression: Expression) {
      switch program.resolution(of: expression) {
      case .parameter(let i): usedParameters.insert(function.parameters[i].text)
      case .letBinding(let i): usedLets.insert(i)
      default: break
      }
      expression.forEachChild(note)
    }
    for binding in function.lets { note(binding.value) }
    note(function.result)
    for parameter in function.parameters where !usedParameters.contains(parameter.text) { unused(parameter) }
    for (i, binding) in function.lets.enumerated() where !usedLets.contains(i) { unused(binding.name) }
  }

  private func unused(_ name: Name) {
    program.warn("unused-variable", name.range, "Unused variable: \(name.text).")
  }

  private func check(_ expression: Expression, _ access: ServiceAccess) {
    switch expression.kind {
    case .identifier(let name): check(identifier: name, expression, access)
    case .call(let name, let arguments): check(call: name, arguments.count, expression, access)
    case .methodCall(let receiver, let name, let arguments):
      if let package = receiver.packageName {
        let overloads = Signatures.packages[package]?[name.text]
        check(name, "\(package).\(name.text)", arguments.count, overloads)
        for argument in arguments { check(argument, access) }
        return
      }
      check(name, name.text, arguments.count + 1, Signatures.methods[name.text])
      checkPattern(name.text, arguments)
    default: break
    }
    expression.forEachChild { check($0, access) }
  }

  private func check(identifier name: String, _ expression: Expression, _ access: ServiceAccess) {
    let isKnown =
      switch program.resolution(of: expression) {
      case .unknown: false
      case .request: access.hasRequest
      case .resource: access.hasResource
      case .parameter, .letBinding, .wildcard: true
      }
    if !isKnown { program.warn("unknown-variable", expression.anchor, "Invalid variable name: \(name).") }
  }

  private func check(call name: Name, _ count: Int, _ expression: Expression, _ access: ServiceAccess) {
    let text = name.text
    switch program.callee(of: expression) {
    case .function(let index):
      let function = program.functions[index]
      let candidates = function.scope.functions[function.declaration.name.text] ?? [index]
      if !candidates.contains(where: { program.functions[$0].declaration.parameters.count == count }) {
        wrongCount(text, name.range)
      }
    case .builtin(Signatures.debugName):
      if access.source == .none {
        unknownFunction(text, name.range)
      } else if count != 1 {
        wrongCount(text, name.range)
      }
    case .builtin: check(name, text, count, Signatures.conversions[text])
    case .service:
      switch access.source {
      case .inside(.firestore): check(name, text, count, Signatures.service[text])
      case .borrowed:
        program.warn(
          "service-function-outside", name.range,
          "Call to service function '\(text)' occurs outside of defining scope.")
        check(name, text, count, Signatures.service[text])
      case .none, .inside: unknownFunction(text, name.range)
      }
    case .package, .method, .unknown: unknownFunction(text, name.range)
    }
  }

  private func check(_ name: Name, _ written: String, _ count: Int, _ overloads: [Overload]?) {
    guard let overloads else { return unknownFunction(written, name.range) }
    if !overloads.contains(where: { $0.parameters.count == count }) { wrongCount(written, name.range) }
  }

  private func unknownFunction(_ name: String, _ range: SourceRange) {
    program.warn("unknown-function", range, "Invalid function name: \(name).")
  }

  private func wrongCount(_ name: String, _ range: SourceRange) {
    program.warn("argument-count", range, "Incorrect number of arguments supplied to function: \(name).")
  }

  /// A regular expression written as a literal must be valid; that of `replace` is not looked at.
  private func checkPattern(_ method: String, _ arguments: [Expression]) {
    guard method == "matches" || method == "split", arguments.count == 1,
      case .string(let pattern) = arguments[0].kind, (try? Pattern(wtf8: pattern)) == nil
    else { return }
    program.error(
      "invalid-pattern", arguments[0].range,
      "Invalid regular expression pattern. Pattern: \(String(decoding: pattern, as: UTF8.self)).")
  }
}

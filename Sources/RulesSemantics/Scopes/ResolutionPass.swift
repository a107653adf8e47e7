import RulesSyntax

/// Says of every identifier what it stands for and of every call what it calls, and notes who calls whom.
struct ResolutionPass {
  let program: Program

  static func run(_ program: Program) {
    let pass = ResolutionPass(program: program)
    for function in program.functions { pass.resolve(function) }
    for allow in program.allows {
      guard let condition = allow.statement.condition else { continue }
      pass.resolve(condition, Place(scope: allow.scope), allow.calls)
    }
    pass.findReachable()
  }

  /// Where an expression stands: its scope and the local names that hide those of the scope.
  private struct Place {
    let scope: Scope
    var locals: [String: Resolution] = [:]
  }

  private func resolve(_ function: Program.Function) {
    var place = Place(scope: function.scope)
    for (i, parameter) in function.declaration.parameters.enumerated() where place.locals[parameter.text] == nil {
      place.locals[parameter.text] = .parameter(i)
    }
    for (i, binding) in function.declaration.lets.enumerated() {
      // A binding is not visible in its own value.
      resolve(binding.value, place, function.calls)
      place.locals[binding.name.text] = .letBinding(i)
    }
    resolve(function.declaration.result, place, function.calls)
  }

  private func resolve(_ expression: Expression, _ place: Place, _ calls: Program.Calls) {
    switch expression.kind {
    case .identifier(let name): set(resolution(name, place), expression)
    case .call(let name, let arguments):
      let callee = callee(name.text, arguments.count, place.scope)
      calls.names.insert(name.text)
      if case .function(let index) = callee {
        program.functions[index].isCalled = true
        calls.functions.append(index)
      }
      set(callee, expression)
    case .methodCall(let receiver, let name, let arguments):
      if let package = receiver.packageName {
        set(.package(package, name.text), expression)
        if let namesake = place.scope.lookUpFunctions(name.text).first { calls.namesakes.append(namesake) }
        for argument in arguments { resolve(argument, place, calls) }
        return
      }
      set(method(name.text, receiver, place), expression)
      calls.names.insert(name.text)
      for namesake in place.scope.lookUpFunctions(name.text) { program.functions[namesake].isCalled = true }
    default: break
    }
    expression.forEachChild { resolve($0, place, calls) }
  }

  private func resolution(_ name: String, _ place: Place) -> Resolution {
    if let local = place.locals[name] { return local }
    if let capture = place.scope.lookUpCapture(name) { return .wildcard(capture.slot) }
    return switch name {
    case "request": .request
    case "resource": .resource
    default: .unknown
    }
  }

  private func callee(_ name: String, _ count: Int, _ scope: Scope) -> Callee {
    let functions = scope.lookUpFunctions(name)
    let fitting = functions.first { program.functions[$0].declaration.parameters.count == count }
    if let index = fitting ?? functions.first { return .function(index) }
    if Signatures.conversions[name] != nil || name == Signatures.debugName { return .builtin(name) }
    if Signatures.service[name] != nil, offersDocumentReads(scope) { return .service(name) }
    return .unknown(name)
  }

  /// In Storage rules `firestore.get` and `firestore.exists` read documents unless a variable hides `firestore`.
  private func method(_ name: String, _ receiver: Expression, _ place: Place) -> Callee {
    if case .identifier("firestore") = receiver.kind, name == "get" || name == "exists",
      place.scope.service == .storage, resolution("firestore", place) == .unknown
    {
      return .service("firestore." + name)
    }
    return .method(name)
  }

  /// `get` and its like belong to Firestore; a function at the top level of the file has them where the file has
  /// rules for Firestore.
  private func offersDocumentReads(_ scope: Scope) -> Bool {
    if let service = scope.service { return service == .firestore }
    return program.services.contains { $0.kind == .firestore }
  }

  private func set(_ resolution: Resolution, _ expression: Expression) {
    if program.resolutions.indices.contains(expression.id) { program.resolutions[expression.id] = resolution }
  }

  private func set(_ callee: Callee, _ expression: Expression) {
    if program.callees.indices.contains(expression.id) { program.callees[expression.id] = callee }
  }

  private func findReachable() {
    var stack = program.allows.filter(\.hasKnownMethod).flatMap(\.calls.functions)
    while let index = stack.popLast() {
      let function = program.functions[index]
      if function.isReachable { continue }
      function.isReachable = true
      stack += function.calls.functions
    }
  }
}

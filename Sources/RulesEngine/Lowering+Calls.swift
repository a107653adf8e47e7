import RulesPatterns
import RulesSemantics
import RulesSyntax
import RulesValues

extension Lowering {
  func call(_ e: Expression, _ name: String, _ receiver: Expression?, _ arguments: [Expression]) -> Lowered {
    switch scope.callee(of: e) {
    case .function(let index): userCall(index, name, arguments)
    case .builtin("debug") where isTestAPI: mockedCall("debug", arguments)
    case .builtin(let name): libraryCall(Library.builtin(name), name, arguments)
    case .package(let package, let name):
      libraryCall(Library.function(package: package, name), "\(package).\(name)", arguments)
    case .service(let service) where isTestAPI: mockedCall(service, arguments)
    case .service(let service):
      // Storage rules call them with the prefix `firestore.`.
      serviceCall(Service(rawValue: String(service.split(separator: ".").last ?? "")), service, arguments)
    case .method(let name):
      if let receiver { methodCall(receiver, name, arguments) } else { libraryCall(nil, name, arguments) }
    case .unknown(let name): isTestAPI ? mockedCall(name, arguments) : libraryCall(nil, name, arguments)
    }
  }

  private func methodCall(_ receiver: Expression, _ name: String, _ arguments: [Expression]) -> Lowered {
    let r = lower(receiver)
    let runReceiver = r.run
    let method = Library.method(name) ?? missingMethod(name)
    if let compiled = patternCall(r, name, arguments) { return compiled }
    if let fused = keysCall(receiver, name, arguments) ?? sizeCall(r, name, arguments) { return fused }
    switch arguments.count {
    case 0:
      return Lowered(cost: 1 + r.cost) { m in
        let target = runReceiver(m)
        return target.isFailure ? target : method(target, Arguments(), m.arena)
      }
    case 1:
      let a = lower(arguments[0])
      let runArgument = a.run
      return Lowered(cost: 1 + r.cost + a.cost) { m in
        let target = runReceiver(m)
        let argument = runArgument(m)
        if target.isFailure { return target }
        return argument.isFailure
          ? Library.failed(method, target, argument, m.arena) : method(target, Arguments(argument), m.arena)
      }
    default:
      let (evaluate, cost) = self.arguments(arguments)
      return Lowered(cost: 1 + r.cost + cost) { m in
        let target = runReceiver(m)
        let (values, failure) = evaluate(m)
        if target.isFailure { return target }
        return failure.isFailure
          ? Library.failed(method, target, failure, m.arena) : method(target, values, m.arena)
      }
    }
  }

  /// `matches` with a literal pattern: compiled here, once.
  private func patternCall(_ receiver: Lowered, _ name: String, _ arguments: [Expression]) -> Lowered? {
    guard !tracing, name == "matches", arguments.count == 1, case .string(let source) = arguments[0].kind,
      let pattern = try? Pattern(wtf8: source), let method = Library.method(name)
    else { return nil }
    let run = receiver.run
    let argument = Arguments(constants.string(source))
    return Lowered(cost: 2 + receiver.cost) { m in
      let target = run(m)
      if target.has(.string) { return StringMethods.matches(target, pattern: pattern, m.arena) }
      return target.isFailure ? target : method(target, argument, m.arena)
    }
  }

  private func missingMethod(_ name: String) -> LibraryMethod {
    let name = constants.string(name)
    return { receiver, _, arena in arena.noMethod(receiver, name) }
  }

  private func libraryCall(_ function: LibraryFunction?, _ name: String, _ arguments: [Expression]) -> Lowered {
    let (evaluate, cost) = self.arguments(arguments)
    let name = constants.string(name)
    return Lowered(cost: 1 + cost) { m in
      let (values, failure) = evaluate(m)
      guard let function else { return m.arena.functionNotFound(name) }
      return failure.isFailure ? failure : function(values, m.arena)
    }
  }

  private func serviceCall(_ service: Service?, _ name: String, _ arguments: [Expression]) -> Lowered {
    guard let service else { return libraryCall(nil, name, arguments) }
    let (evaluate, cost) = self.arguments(arguments)
    return Lowered(cost: 1 + cost) { m in
      let (values, failure) = evaluate(m)
      if failure.isFailure { return failure }
      guard values.count == 1 else { return m.arena.argumentCount(service.operation, values) }
      return m.call(service, values.a)
    }
  }

  /// A function that a case of a TestSuite may mock.
  private func mockedCall(_ name: String, _ arguments: [Expression]) -> Lowered {
    let (evaluate, cost) = self.arguments(arguments)
    return Lowered(cost: 1 + cost) { m in
      let (values, failure) = evaluate(m)
      return failure.isFailure ? failure : m.callMocked(name, values)
    }
  }

  private func userCall(_ index: Int, _ name: String, _ arguments: [Expression]) -> Lowered {
    guard let function = function(index) else { return libraryCall(nil, name, arguments) }
    let lowered = arguments.map { lower($0) }
    let runs = lowered.map(\.run)
    let cost = 1 + lowered.reduce(0) { $0 + $1.cost }
    guard runs.count == function.parameters.count else {
      let signature = function.signature
      return Lowered(cost: cost) { m in
        for run in runs { _ = run(m) }
        return m.arena.argumentCount(received: runs.count, expected: signature)
      }
    }
    let count = runs.count
    let slots = count + function.letCount
    let (bindLets, result) = (function.bindLets, function.result)
    let bindArguments: @Sendable (Machine, Int) -> Void = inTurn(runs) { m, base, i, value in
      m.arena.setGlobal(base + i, value)
    }
    return Lowered(cost: cost + function.cost) { m in
      let arena = m.arena
      guard let base = arena.reserve(slots) else { return .error(.memory) }
      // Arguments are evaluated in the caller's frame, and lets in the callee's. An erring one only matters
      // where it is used.
      bindArguments(m, base)
      let frame = arena.enterFrame(base)
      bindLets(m, base + count)
      let value = result(m)
      arena.leaveFrame(frame)
      arena.release(to: base)
      return value
    }
  }

  /// Evaluates all arguments of a call, and gives the first failure among them (else null).
  private func arguments(_ arguments: [Expression]) -> (run: @Sendable (Machine) -> (Arguments, Value), cost: Int) {
    let lowered = arguments.map { lower($0) }
    let cost = lowered.reduce(0) { $0 + $1.cost }
    let runs = lowered.map(\.run)
    if runs.count == 1 {
      let run = runs[0]
      return (
        { m in
          let value = run(m)
          return (Arguments(value), value.isFailure ? value : .null)
        }, cost
      )
    }
    if runs.count == 2 {
      let (first, second) = (runs[0], runs[1])
      return (
        { m in
          let a = first(m)
          let b = second(m)
          return (Arguments(a, b), a.isFailure ? a : b.isFailure ? b : .null)
        }, cost
      )
    }
    return (
      { m in
        var values = Arguments(count: runs.count)
        var failure = Value.null
        for i in 0..<runs.count {
          let value = runs[i](m)
          if value.isFailure, !failure.isFailure { failure = value }
          values[i] = value
        }
        return (values, failure)
      }, cost
    )
  }
}

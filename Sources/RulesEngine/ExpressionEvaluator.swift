import RulesSemantics
import RulesSyntax
import RulesValues

/// Evaluates stand-alone expressions of the rules language, as test files have them: with helper functions and named
/// values, without a request to a document.
public struct ExpressionEvaluator: Sendable {
  /// Why an expression has no value.
  public struct Failure: Error, Sendable, Equatable {
    /// In the official words.
    public let message: String
    /// The token at which it arose, where known.
    public let range: SourceRange?
  }

  private let scope: FreeScope

  /// - Parameters:
  ///   - functions: helper functions; they see the variables and each other.
  ///   - variables: named values.
  public init(functions: [FunctionDeclaration] = [], variables: [String: DataValue] = [:]) {
    scope = FreeScope(functions: functions, variables: variables)
  }

  /// - Throws: `Failure` when the expression errs, or when its value is none that a document can hold (a set, say).
  public func evaluate(_ expression: Expression) throws(Failure) -> DataValue {
    if let data = literal(expression) { return data }
    let owner = ArenaOwner.forConstants()
    let lowering = Lowering(scope: scope.prepared(for: expression), constants: owner.arena, tracing: true)
    let lowered = lowering.lower(expression)
    let names = RequestNames(owner.arena)
    let machine = Machine(constants: owner.freeze(), names: names, dialect: .live)
    machine.load(.get(ResourcePath(segments: []), auth: nil, time: Timestamp(seconds: 0)), DocumentTable())
    let value = machine.arena.spend(lowered.cost) ? lowered.run(machine) : .exhausted
    if value.isFailure || machine.arena.budget < 0 {
      let failure = machine.arena.budget < 0 ? .exhausted : value
      let place = machine.trace.nodes.first { $0.value.isFailure && $0.expression.id == value.failureNode }
      throw Failure(
        message: machine.arena.message(failure) ?? "The value is not known.", range: place?.expression.anchor)
    }
    guard let data = machine.arena.data(value) else {
      throw Failure(
        message: "A \(value.tag.typeName) is no value that a document can hold.", range: expression.anchor)
    }
    return data
  }

  /// What needs no evaluation, as most of the data in tests.
  private func literal(_ expression: Expression) -> DataValue? {
    switch expression.kind {
    case .null: .null
    case .bool(let b): .bool(b)
    case .int(let i): .int(i)
    case .float(let d): .double(d)
    case .string(let text) where text.allSatisfy { $0 < 0x80 }: .string(String(decoding: text, as: UTF8.self))
    default: nil
    }
  }
}

/// The scope of expressions outside a ruleset: names are looked up by text.
private struct FreeScope: NameScope {
  private let functions: [FunctionDeclaration]
  private let variables: [String: DataValue]
  private var resolutions: [Int: Resolution] = [:]
  private var callees: [Int: Callee] = [:]

  init(functions: [FunctionDeclaration], variables: [String: DataValue]) {
    self.functions = functions
    self.variables = variables
    for function in functions {
      var locals: [String: Resolution] = [:]
      for (i, name) in function.parameters.enumerated() { locals[name.text] = .parameter(i) }
      for (i, binding) in function.lets.enumerated() {
        resolve(binding.value, locals)
        locals[binding.name.text] = .letBinding(i)
      }
      resolve(function.result, locals)
    }
  }

  func prepared(for expression: Expression) -> FreeScope {
    var copy = self
    copy.resolve(expression, [:])
    return copy
  }

  private mutating func resolve(_ expression: Expression, _ locals: [String: Resolution]) {
    expression.forEachNode { e in
      switch e.kind {
      case .identifier(let name): resolutions[e.id] = locals[name] ?? .unknown
      case .call(let name, _): callees[e.id] = callee(name.text)
      case .methodCall(let receiver, let name, _):
        if case .identifier(let package) = receiver.kind, Packages.names.contains(package),
          locals[package] == nil, variables[package] == nil
        {
          callees[e.id] = .package(package, name.text)
        } else {
          callees[e.id] = .method(name.text)
        }
      default: break
      }
    }
  }

  private func callee(_ name: String) -> Callee {
    if let index = functions.firstIndex(where: { $0.name.text == name }) { return .function(index) }
    return Library.builtin(name) != nil ? .builtin(name) : .unknown(name)
  }

  func resolution(of identifier: Expression) -> Resolution { resolutions[identifier.id] ?? .unknown }
  func callee(of call: Expression) -> Callee { callees[call.id] ?? .unknown("") }
  func declaration(of function: Int) -> FunctionDeclaration? {
    functions.indices.contains(function) ? functions[function] : nil
  }
  func value(of identifier: Expression) -> DataValue? {
    guard case .identifier(let name) = identifier.kind else { return nil }
    return variables[name]
  }
}

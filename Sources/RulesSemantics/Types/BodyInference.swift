import RulesSyntax

/// Type inference within one function body or condition; see `TypeInference`.
struct BodyInference {
  struct Result {
    var types: TypeSet
    var constraints = Constraints()
    /// Whether a finding about the type of this very expression was made.
    var isMismatch = false
  }

  let program: Program
  /// `nil` in a condition.
  let function: FunctionDeclaration?
  let scope: Scope
  let access: ServiceAccess
  let summaries: FunctionSummaries
  var isReporting = false
  /// Summaries that were needed and not there; the outcome is provisional then.
  private(set) var missing: [FunctionSummaries.Need] = []

  init(_ program: Program, _ function: Program.Function, _ summaries: FunctionSummaries) {
    self.init(program, function.declaration, function.scope, function.access, summaries)
  }

  init(_ program: Program, _ allow: Program.Allow, _ summaries: FunctionSummaries) {
    self.init(program, nil, allow.scope, allow.access, summaries)
  }

  private init(
    _ program: Program, _ function: FunctionDeclaration?, _ scope: Scope, _ access: ServiceAccess,
    _ summaries: FunctionSummaries
  ) {
    self.program = program
    self.function = function
    self.scope = scope
    self.access = access
    self.summaries = summaries
  }

  // MARK: Bodies

  mutating func infer(permission condition: Expression) -> Result {
    infer(condition, [.bool], isPermission: true)
  }

  /// Each binding encloses the rest of the body, so the rest comes first, and says what is expected of the value.
  mutating func infer(_ function: FunctionDeclaration, _ expected: TypeSet) -> FunctionSummary {
    if FunctionLimits.exceedsLets(function) { return .unknown }
    let result = infer(function.result, expected)
    var constraints = result.constraints
    for (i, binding) in function.lets.enumerated().reversed() {
      let demanded = constraints[.letBinding(i)]
      constraints.remove(.letBinding(i))
      let value = infer(binding.value, demanded)
      report(conflicts: constraints.merge(value.constraints), binding.range)
    }
    return FunctionSummary(
      result: result.types, parameters: function.parameters.indices.map { constraints[.parameter($0)] })
  }

  // MARK: Expressions

  mutating func infer(_ e: Expression, _ expected: TypeSet, isPermission: Bool = false) -> Result {
    switch e.kind {
    case .null: return value(e, [.null], expected, isPermission)
    case .bool: return value(e, [.bool], expected, isPermission)
    case .int: return value(e, [.int], expected, isPermission)
    case .float: return value(e, [.float], expected, isPermission)
    case .string: return value(e, [.string], expected, isPermission)
    case .bytes: return value(e, [.bytes], expected, isPermission)
    case .identifier(let name): return identifier(name, e, expected, isPermission)
    case .list(let items):
      return literal(e, [.list], items.map { ($0, TypeSet.any) }, expected, isPermission)
    case .map(let entries):
      let operands = entries.flatMap { [($0.key, TypeSet(.string)), ($0.value, TypeSet.any)] }
      return literal(e, [.map], operands, expected, isPermission)
    case .path(let segments):
      let operands = segments.compactMap { segment -> (Expression, TypeSet)? in
        guard case .interpolation(let operand) = segment.kind else { return nil }
        return (operand, Signatures.pathSegment)
      }
      return literal(e, [.path], operands, expected, isPermission)
    case .member(let receiver, _): return apply(Signatures.member, e, [receiver], expected, isPermission)
    case .index(let receiver, let index):
      return apply(Signatures.index, e, [receiver, index], expected, isPermission)
    case .slice(let receiver, let lower, let upper):
      return slice(e, receiver, lower, upper, expected, isPermission)
    case .unary(let op, let operand):
      return apply(op == .not ? Signatures.not : Signatures.negate, e, [operand], expected, isPermission)
    case .binary(let op, let a, let b): return binary(op, a, b, e, expected, isPermission)
    case .typeTest(let operand, _): return literal(e, [.bool], [(operand, .any)], expected, isPermission)
    case .ternary(let condition, let a, let b): return ternary(condition, a, b, e, expected)
    case .call(let name, let arguments): return call(name.text, arguments, e, expected, isPermission)
    case .methodCall(let receiver, let name, let arguments):
      if let package = receiver.packageName {
        return apply(Signatures.packages[package]?[name.text] ?? [], e, arguments, expected, isPermission)
      }
      return apply(Signatures.methods[name.text] ?? [], e, [receiver] + arguments, expected, isPermission)
    }
  }

  /// Something whose types are known.
  private func value(_ e: Expression, _ types: TypeSet, _ expected: TypeSet, _ isPermission: Bool) -> Result {
    guard types.isDisjoint(with: expected) else { return Result(types: types) }
    reportMismatch(e, types, expected, isPermission)
    return Result(types: types, isMismatch: true)
  }

  private mutating func literal(
    _ e: Expression, _ types: TypeSet, _ operands: [(Expression, TypeSet)], _ expected: TypeSet, _ isPermission: Bool
  ) -> Result {
    var result = value(e, types, expected, isPermission)
    result.constraints = infer(operands, in: e)
    return result
  }

  private func identifier(_ name: String, _ e: Expression, _ expected: TypeSet, _ isPermission: Bool) -> Result {
    switch program.resolution(of: e) {
    case .wildcard:
      let isGlob = scope.lookUpCapture(name)?.isGlob ?? false
      let result = value(e, isGlob ? [.path] : [.string], expected, isPermission)
      if result.isMismatch { reportNoType(name, e.anchor) }
      return result
    case .parameter(let i): return Result(types: expected, constraints: Constraints(.parameter(i), expected))
    case .letBinding(let i): return Result(types: expected, constraints: Constraints(.letBinding(i), expected))
    case .request where access != .none:
      return Result(types: expected, constraints: Constraints(.request, expected))
    case .resource where access != .none:
      return Result(types: expected, constraints: Constraints(.resource, expected))
    case .request, .resource, .unknown: return Result(types: .any)
    }
  }

  /// An operator or function with overloads; none fit the number of arguments where there is none of that name.
  private mutating func apply(
    _ overloads: [Overload], _ e: Expression, _ operands: [Expression], _ expected: TypeSet, _ isPermission: Bool
  ) -> Result {
    let fitting = overloads.filter { $0.parameters.count == operands.count }
    let useful = fitting.filter { !$0.result.isDisjoint(with: expected) }
    var result = Result(types: .any)
    var demands = operands.map { _ in TypeSet.any }
    if let first = useful.first {
      result.types = first.result
      demands = first.parameters
      for overload in useful.dropFirst() {
        result.types.formUnion(overload.result)
        for i in demands.indices { demands[i].formUnion(overload.parameters[i]) }
      }
    } else if let first = fitting.first {
      let types = fitting.dropFirst().reduce(into: first.result) { $0.formUnion($1.result) }
      reportMismatch(e, types, expected, isPermission)
      result.isMismatch = true
    }
    result.constraints = infer(Array(zip(operands, demands)), in: e)
    return result
  }

  private mutating func slice(
    _ e: Expression, _ receiver: Expression, _ lower: Expression?, _ upper: Expression?, _ expected: TypeSet,
    _ isPermission: Bool
  ) -> Result {
    // An omitted bound is null to the official compiler, which is always accepted.
    let overloads = Signatures.slice.map { overload in
      Overload(
        parameters: [overload.parameters[0]] + [lower, upper].compactMap { $0 }.map { _ in Signatures.sliceBound },
        result: overload.result)
    }
    return apply(overloads, e, [receiver] + [lower, upper].compactMap { $0 }, expected, isPermission)
  }

  private mutating func binary(
    _ op: BinaryOperator, _ a: Expression, _ b: Expression, _ e: Expression, _ expected: TypeSet,
    _ isPermission: Bool
  ) -> Result {
    switch op {
    case .multiply, .divide, .remainder: return apply(Signatures.multiplicative, e, [a, b], expected, isPermission)
    case .add: return apply(Signatures.add, e, [a, b], expected, isPermission)
    case .subtract: return apply(Signatures.subtract, e, [a, b], expected, isPermission)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return apply(Signatures.ordering, e, [a, b], expected, isPermission)
    case .in: return apply(Signatures.contains, e, [a, b], expected, isPermission)
    case .and, .or: return apply(Signatures.logical, e, [a, b], expected, isPermission)
    case .equal, .notEqual: return equality(op, a, b, e, expected, isPermission)
    }
  }

  private mutating func equality(
    _ op: BinaryOperator, _ a: Expression, _ b: Expression, _ e: Expression, _ expected: TypeSet,
    _ isPermission: Bool
  ) -> Result {
    var result = value(e, [.bool], expected, isPermission)
    let (left, right) = (infer(a, .any), infer(b, .any))
    if !Self.areComparable(left.types, right.types) {
      warn(
        "never-equal", e.anchor,
        "The sub-expressions are not comparable, so this comparison will always return \(op == .notEqual).")
    }
    result.constraints = left.constraints
    report(conflicts: result.constraints.merge(right.constraints), e.range)
    return result
  }

  private static func areComparable(_ a: TypeSet, _ b: TypeSet) -> Bool {
    let numbers: TypeSet = [.int, .float]
    if !a.isDisjoint(with: numbers) && !b.isDisjoint(with: numbers) { return true }
    return !a.isDisjoint(with: b)
  }

  /// What the whole may be is not derived from the branches.
  private mutating func ternary(
    _ condition: Expression, _ a: Expression, _ b: Expression, _ e: Expression, _ expected: TypeSet
  ) -> Result {
    let test = infer(condition, [.bool])
    let (first, second) = (infer(a, expected), infer(b, expected))
    if !first.isMismatch, !second.isMismatch, first.types.isDisjoint(with: second.types) {
      warn(
        "ternary-types", program.file.questionMark(after: condition),
        "Ternary operator result if condition is true has a different type than if condition is false.")
    }
    var result = Result(types: .any, constraints: test.constraints)
    var conflicts = result.constraints.merge(first.constraints)
    conflicts += result.constraints.merge(second.constraints)
    report(conflicts: conflicts, e.range)
    return result
  }

  private mutating func call(
    _ name: String, _ arguments: [Expression], _ e: Expression, _ expected: TypeSet, _ isPermission: Bool
  ) -> Result {
    switch program.callee(of: e) {
    case .function(let index): return call(function: index, arguments, e, expected)
    case .builtin(Signatures.debugName) where access != .none:
      return apply(Signatures.debug, e, arguments, expected, isPermission)
    case .builtin: return apply(Signatures.conversions[name] ?? [], e, arguments, expected, isPermission)
    case .service where access == .inside(.firestore) || access == .borrowed:
      return apply(Signatures.service[name] ?? [], e, arguments, expected, isPermission)
    case .service, .package, .method, .unknown: return apply([], e, arguments, expected, isPermission)
    }
  }

  private mutating func call(
    function index: Int, _ arguments: [Expression], _ e: Expression, _ expected: TypeSet
  ) -> Result {
    let function = program.functions[index]
    let isAmbiguous = (function.scope.functions[function.declaration.name.text]?.count ?? 1) > 1
    if isAmbiguous || function.declaration.parameters.count != arguments.count {
      return apply([], e, arguments, expected, false)
    }
    let key = FunctionSummaries.Key(function: index, expected: expected.mask)
    let summary: FunctionSummary
    if let known = summaries[key] {
      summary = known
    } else {
      missing.append(FunctionSummaries.Need(key: key, expected: expected))
      summary = .unknown
    }
    let operands = arguments.enumerated().map { i, argument in
      (argument, summary.parameters.indices.contains(i) ? summary.parameters[i] : .any)
    }
    return Result(types: summary.result, constraints: infer(operands, in: e))
  }

  private mutating func infer(_ operands: [(Expression, TypeSet)], in e: Expression) -> Constraints {
    var constraints = Constraints()
    for (operand, expected) in operands {
      report(conflicts: constraints.merge(infer(operand, expected).constraints), e.range)
    }
    return constraints
  }

  // MARK: Findings

  private func warn(_ id: String, _ range: SourceRange, _ message: String) {
    if isReporting { program.warn(id, range, message) }
  }

  private func reportMismatch(_ e: Expression, _ received: TypeSet, _ expected: TypeSet, _ isPermission: Bool) {
    if !isReporting { return }
    warn(
      "wrong-type", e.anchor,
      isPermission
        ? "Invalid type. Permission statements expect a boolean value. Received one of [\(received.description)]."
        : "Invalid type. Received one of [\(received.description)]. Expected one of [\(expected.description)].")
  }

  private func report(conflicts: [TypeVariable], _ range: SourceRange) {
    if !isReporting { return }
    for variable in conflicts { reportNoType(name(variable), range) }
  }

  private func name(_ variable: TypeVariable) -> String {
    switch variable {
    case .request: "request"
    case .resource: "resource"
    case .parameter(let i): function.flatMap { $0.parameters.indices.contains(i) ? $0.parameters[i].text : nil } ?? ""
    case .letBinding(let i): function.flatMap { $0.lets.indices.contains(i) ? $0.lets[i].name.text : nil } ?? ""
    }
  }

  private func reportNoType(_ name: String, _ range: SourceRange) {
    warn(
      "no-type", range, "Invalid type. There is no type for variable '\(name)' that satisfies all clauses.")
  }
}

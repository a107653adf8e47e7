import RulesSyntax

/// Type inference within one function body or condition; see `TypeInference`.
struct BodyInference {
  /// What stands around an expression.
  private struct Context {
    var expected: TypeSet
    /// Whether the expression is a whole condition.
    var isPermission = false
  }

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
  /// Whether this is the body of a function that calls itself, directly or not.
  let isInCycle: Bool
  let summaries: FunctionSummaries
  var isReporting = false
  /// Summaries that were needed and not there; the outcome is provisional then.
  private(set) var missing: [FunctionSummaries.Need] = []

  init(_ program: Program, _ function: Program.Function, _ summaries: FunctionSummaries) {
    self.init(program, function.declaration, function.scope, function.access, function.isInCycle, summaries)
  }

  init(_ program: Program, _ allow: Program.Allow, _ summaries: FunctionSummaries) {
    self.init(program, nil, allow.scope, allow.access, false, summaries)
  }

  private init(
    _ program: Program, _ function: FunctionDeclaration?, _ scope: Scope, _ access: ServiceAccess,
    _ isInCycle: Bool, _ summaries: FunctionSummaries
  ) {
    self.program = program
    self.function = function
    self.scope = scope
    self.access = access
    self.isInCycle = isInCycle
    self.summaries = summaries
  }

  // MARK: Bodies

  mutating func infer(permission condition: Expression) -> Result {
    infer(condition, Context(expected: [.bool], isPermission: true))
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
      constraints = merged([value.constraints, constraints], at: binding.range)
    }
    return FunctionSummary(
      result: result.types, parameters: function.parameters.indices.map { constraints[.parameter($0)] })
  }

  // MARK: Expressions

  private mutating func infer(_ e: Expression, _ expected: TypeSet) -> Result {
    infer(e, Context(expected: expected))
  }

  private mutating func infer(_ e: Expression, _ context: Context) -> Result {
    switch e.kind {
    case .null: return value(e, [.null], context)
    case .bool: return value(e, [.bool], context)
    case .int: return value(e, [.int], context)
    case .float: return value(e, [.float], context)
    case .string: return value(e, [.string], context)
    case .bytes: return value(e, [.bytes], context)
    case .identifier(let name): return identifier(name, e, context)
    case .list(let items):
      return literal(e, [.list], items.map { ($0, TypeSet.any) }, context)
    case .map(let entries):
      let operands = entries.flatMap { [($0.key, TypeSet(.string)), ($0.value, TypeSet.any)] }
      return literal(e, [.map], operands, context)
    case .path(let segments):
      let operands = segments.compactMap { segment -> (Expression, TypeSet)? in
        guard case .interpolation(let operand) = segment.kind else { return nil }
        return (operand, Signatures.pathSegment)
      }
      return literal(e, [.path], operands, context)
    case .member(let receiver, _): return apply(Signatures.member, e, [receiver], context)
    case .index(let receiver, let index):
      return apply(Signatures.index, e, [receiver, index], context)
    case .slice(let receiver, let lower, let upper):
      return slice(e, receiver, lower, upper, context)
    case .unary(let op, let operand):
      return apply(op == .not ? Signatures.not : Signatures.negate, e, [operand], context)
    case .binary(let op, let a, let b): return binary(op, a, b, e, context)
    case .typeTest(let operand, _): return literal(e, [.bool], [(operand, .any)], context)
    case .ternary(let condition, let a, let b): return ternary(condition, a, b, e, context)
    case .call(let name, let arguments): return call(name.text, arguments, e, context)
    case .methodCall(let receiver, let name, let arguments):
      if let package = receiver.packageName {
        return apply(Signatures.packages[package]?[name.text] ?? [], e, arguments, context)
      }
      return apply(Signatures.methods[name.text] ?? [], e, [receiver] + arguments, context)
    }
  }

  /// Something whose types are known.
  private func value(_ e: Expression, _ types: TypeSet, _ context: Context) -> Result {
    guard types.isDisjoint(with: context.expected) else { return Result(types: types) }
    reportMismatch(e, types, context)
    return Result(types: types, isMismatch: true)
  }

  private mutating func literal(
    _ e: Expression, _ types: TypeSet, _ operands: [(Expression, TypeSet)], _ context: Context
  ) -> Result {
    var result = value(e, types, context)
    result.constraints = infer(operands, in: e)
    return result
  }

  private func identifier(_ name: String, _ e: Expression, _ context: Context) -> Result {
    switch program.resolution(of: e) {
    case .wildcard:
      let result = value(e, scope.typesOfCapture(name), context)
      if result.isMismatch { reportNoType(name, e.range) }
      return result
    case .parameter(let i): return Result(types: context.expected, constraints: Constraints(.parameter(i), context.expected))
    case .letBinding(let i): return Result(types: context.expected, constraints: Constraints(.letBinding(i), context.expected))
    case .request where access.isRequestKnownAsMap:
      let result = value(e, [.map], context)
      if result.isMismatch { reportNoType(name, e.range) }
      return result
    case .request where access.hasRequest:
      return Result(types: context.expected, constraints: Constraints(.request, context.expected))
    case .resource where access.hasResource:
      return Result(types: context.expected, constraints: Constraints(.resource, context.expected))
    case .request, .resource, .unknown: return Result(types: .any)
    }
  }

  /// An operator or function with overloads; none fit the number of arguments where there is none of that name.
  private mutating func apply(
    _ overloads: [Overload], _ e: Expression, _ operands: [Expression], _ context: Context
  ) -> Result {
    var result = Result(types: .any)
    var demands: [TypeSet]?
    var given: TypeSet?
    for overload in overloads where overload.parameters.count == operands.count {
      if given == nil { given = overload.result } else { given?.formUnion(overload.result) }
      // Here, unlike with plain values, an int may stand for a float and the other way round.
      guard Self.areComparable(overload.result, context.expected) else { continue }
      guard var wider = demands else {
        result.types = overload.result
        demands = overload.parameters
        continue
      }
      result.types.formUnion(overload.result)
      demands = nil
      for i in wider.indices { wider[i].formUnion(overload.parameters[i]) }
      demands = wider
    }
    if demands == nil, let given {
      reportMismatch(e, given, context)
      result.isMismatch = true
    }
    var parts: [Constraints] = []
    parts.reserveCapacity(operands.count)
    for (i, operand) in operands.enumerated() { parts.append(infer(operand, demands?[i] ?? .any).constraints) }
    result.constraints = merged(parts, at: e.range)
    return result
  }

  private mutating func slice(
    _ e: Expression, _ receiver: Expression, _ lower: Expression?, _ upper: Expression?, _ context: Context
  ) -> Result {
    // An omitted bound is null to the official compiler, which is always accepted.
    let overloads = Signatures.slice.map { overload in
      Overload(
        parameters: [overload.parameters[0]] + [lower, upper].compactMap { $0 }.map { _ in Signatures.sliceBound },
        result: overload.result)
    }
    return apply(overloads, e, [receiver] + [lower, upper].compactMap { $0 }, context)
  }

  private mutating func binary(
    _ op: BinaryOperator, _ a: Expression, _ b: Expression, _ e: Expression, _ context: Context
  ) -> Result {
    switch op {
    case .multiply, .divide, .remainder: return apply(Signatures.multiplicative, e, [a, b], context)
    case .add: return apply(Signatures.add, e, [a, b], context)
    case .subtract: return apply(Signatures.subtract, e, [a, b], context)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return apply(Signatures.ordering, e, [a, b], context)
    case .in: return apply(Signatures.contains, e, [a, b], context)
    case .and, .or: return apply(Signatures.logical, e, [a, b], context)
    case .equal, .notEqual: return equality(op, a, b, e, context)
    }
  }

  private mutating func equality(
    _ op: BinaryOperator, _ a: Expression, _ b: Expression, _ e: Expression, _ context: Context
  ) -> Result {
    var result = value(e, [.bool], context)
    let (left, right) = (infer(a, .any), infer(b, .any))
    if !result.isMismatch, !Self.areComparable(left.types, right.types) {
      warn(
        "never-equal", e.anchor,
        "The sub-expressions are not comparable, so this comparison will always return \(op == .notEqual).")
    }
    result.constraints = merged([left.constraints, right.constraints], at: e.range)
    return result
  }

  private static func areComparable(_ a: TypeSet, _ b: TypeSet) -> Bool {
    let numbers: TypeSet = [.int, .float]
    if !a.isDisjoint(with: numbers) && !b.isDisjoint(with: numbers) { return true }
    return !a.isDisjoint(with: b)
  }

  /// What the whole may be is not derived from the branches.
  private mutating func ternary(
    _ condition: Expression, _ a: Expression, _ b: Expression, _ e: Expression, _ context: Context
  ) -> Result {
    let test = infer(condition, [.bool])
    let (first, second) = (infer(a, context.expected), infer(b, context.expected))
    if isReporting, !first.isMismatch, !second.isMismatch, first.types.isDisjoint(with: second.types) {
      warn(
        "ternary-types", program.file.questionMark(after: condition),
        "Ternary operator result if condition is true has a different type than if condition is false.")
    }
    return Result(
      types: .any,
      constraints: merged([test.constraints, first.constraints, second.constraints], at: e.range))
  }

  private mutating func call(
    _ name: String, _ arguments: [Expression], _ e: Expression, _ context: Context
  ) -> Result {
    switch program.callee(of: e) {
    case .function(let index): return call(function: index, arguments, e, context)
    case .builtin(Signatures.debugName) where access.source != .none:
      return apply(Signatures.debug, e, arguments, context)
    case .builtin: return apply(Signatures.conversions[name] ?? [], e, arguments, context)
    case .service where access.source == .inside(.firestore) || access.source == .borrowed:
      return apply(Signatures.service[name] ?? [], e, arguments, context)
    case .service, .package, .method, .unknown: return apply([], e, arguments, context)
    }
  }

  private mutating func call(
    function index: Int, _ arguments: [Expression], _ e: Expression, _ context: Context
  ) -> Result {
    let function = program.functions[index]
    let isAmbiguous = (function.scope.functions[function.declaration.name.text]?.count ?? 1) > 1
    let isRecursion = isInCycle && function.isInCycle
    if isAmbiguous || isRecursion || function.declaration.parameters.count != arguments.count {
      return apply([], e, arguments, context)
    }
    let key = FunctionSummaries.Key(function: index, expected: context.expected.mask)
    let summary: FunctionSummary
    if let known = summaries[key] {
      summary = known
    } else {
      missing.append(FunctionSummaries.Need(key: key, expected: context.expected))
      summary = .unknown
    }
    let operands = arguments.enumerated().map { i, argument in
      (argument, summary.parameters.indices.contains(i) ? summary.parameters[i] : .any)
    }
    return Result(types: summary.result, constraints: infer(operands, in: e))
  }

  private mutating func infer(_ operands: [(Expression, TypeSet)], in e: Expression) -> Constraints {
    merged(operands.map { infer($0, $1).constraints }, at: e.range)
  }

  // MARK: Findings

  private func warn(_ id: String, _ range: SourceRange, _ message: String) {
    if isReporting { program.warn(id, range, message) }
  }

  /// Where findings about the type of an expression are reported: what has no operator or name of its own is
  /// reported as a whole with its parentheses, a slice without its own.
  private func typePlace(_ e: Expression) -> SourceRange {
    switch e.kind {
    case .null, .bool, .int, .float, .string, .bytes, .identifier, .list, .map, .path: e.range
    case .slice, .index: SourceRange(program.file.start(insideParenthesesOf: e), e.range.end)
    case .member, .call, .methodCall, .unary, .binary, .typeTest, .ternary: e.anchor
    }
  }

  private func reportMismatch(_ e: Expression, _ received: TypeSet, _ context: Context) {
    if !isReporting { return }
    let expected = context.expected.description
    warn(
      "wrong-type", typePlace(e),
      context.isPermission
        ? "Invalid type. Permission statements expect a boolean value. Received one of [\(received.description)]."
        : "Invalid type. Received one of [\(received.description)]. Expected one of [\(expected)].")
  }

  /// Reports the variables that the parts of an expression demand different types of.
  private func merged(_ parts: [Constraints], at range: SourceRange) -> Constraints {
    let (constraints, conflicts) = Constraints.all(of: parts)
    if isReporting {
      for variable in conflicts { reportNoType(name(variable), range) }
    }
    return constraints
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

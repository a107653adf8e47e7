import RulesSemantics
import RulesSyntax
import RulesValues

/// A lowered expression: evaluates itself on a machine.
typealias Node = @Sendable (Machine) -> Value

/// A lowered expression with what it takes from the budget whenever it runs: its own node and all below it that
/// always run with it. Operands that run only sometimes take theirs when they do.
struct Lowered {
  let run: Node
  let cost: Int
  /// What it always gives, where that is known when lowering.
  let constant: Value?

  init(cost: Int, constant: Value? = nil, _ run: @escaping Node) {
    self.run = run
    self.cost = cost
    self.constant = constant
  }
}

/// What names mean where an expression stands. A checked ruleset answers for its own expressions; stand-alone
/// expressions (of test files) bring a scope of their own.
protocol NameScope: Sendable {
  func resolution(of identifier: Expression) -> Resolution
  func callee(of call: Expression) -> Callee
  func declaration(of function: Int) -> FunctionDeclaration?
  /// The value of an identifier that only this scope knows.
  func value(of identifier: Expression) -> DataValue?
}

extension CheckedRuleset: NameScope {
  func declaration(of function: Int) -> FunctionDeclaration? {
    functions.indices.contains(function) ? functions[function].declaration : nil
  }
  func value(of identifier: Expression) -> DataValue? { nil }
}

/// Turns checked expressions into closures over trivial values.
///
/// There is one lowering. With `tracing`, each closure is wrapped so that its value is kept; the plain form pays
/// nothing for that, folds constants and takes some nodes together (`Lowering+Fusion.swift`).
final class Lowering {
  let scope: any NameScope
  let tracing: Bool
  /// For `TestAPIEvaluator`: documents are looked up in mocks, and there is no `debug()`.
  let isTestAPI: Bool
  /// Constants are made in here.
  let constants: Arena
  private var functions: [Int: LoweredFunction] = [:]
  /// Number of parameters of the function whose body is being lowered; its lets follow them in the frame.
  var parameterCount = 0
  /// Slots of the captures that something lowered so far asks for.
  private(set) var usedCaptures: Set<Int> = []

  init(scope: any NameScope, constants: Arena, tracing: Bool, isTestAPI: Bool = false) {
    self.scope = scope
    self.constants = constants
    self.tracing = tracing
    self.isTestAPI = isTestAPI
  }

  func lower(_ e: Expression) -> Lowered {
    let lowered = lowerUntraced(e)
    guard tracing else { return lowered }
    let run = lowered.run
    return Lowered(cost: lowered.cost) { m in
      m.trace.enter(e)
      let value = run(m).stamped(node: e.id)
      m.trace.leave(value)
      return value
    }
  }

  private func lowerUntraced(_ e: Expression) -> Lowered {
    switch e.kind {
    case .null: return constant(.null)
    case .bool(let b): return constant(.bool(b))
    case .int(let i): return constant(.int(i))
    case .float(let d): return constant(.float(d))
    case .string(let s): return constant(constants.string(s))
    case .bytes(let b): return constant(constants.bytes(b))
    case .identifier: return identifier(e)
    case .list(let items): return list(items)
    case .map(let entries): return map(entries)
    case .path(let segments): return path(segments)
    case .member(let receiver, let name): return member(receiver, name)
    case .index(let receiver, let index): return access(receiver, index, Operators.index)
    case .slice(let receiver, let lower, let upper): return slice(receiver, lower, upper)
    case .call(let name, let arguments): return call(e, name.text, nil, arguments)
    case .methodCall(let receiver, let name, let arguments): return call(e, name.text, receiver, arguments)
    case .unary(let op, let operand): return unary(op, operand)
    case .binary(let op, let left, let right): return binary(op, left, right)
    case .typeTest(let operand, let type): return typeTest(operand, type)
    case .ternary(let condition, let yes, let no): return ternary(condition, yes, no)
    }
  }

  func constant(_ value: Value, cost: Int = 1) -> Lowered { Lowered(cost: cost, constant: value) { _ in value } }

  private func identifier(_ e: Expression) -> Lowered {
    switch scope.resolution(of: e) {
    case .parameter(let i): return Lowered(cost: 1) { $0.arena.local(i) }
    case .letBinding(let i):
      let slot = parameterCount + i
      return Lowered(cost: 1) { $0.arena.local(slot) }
    case .wildcard(let slot):
      usedCaptures.insert(slot)
      return Lowered(cost: 1) { $0.arena.global(slot) }
    case .request: return Lowered(cost: 1) { $0.view.request }
    case .resource: return Lowered(cost: 1) { $0.resource }
    case .unknown:
      if let data = scope.value(of: e) { return constant(constants.load(data)) }
      return constant(.error(.nullValue))
    }
  }

  // MARK: Operands

  /// A node of two operands. Both always run, as they do officially, and the left failure wins.
  private func operation<Operation: BinaryOperation>(
    _ left: Expression, _ right: Expression, _: Operation.Type
  ) -> Lowered {
    let l = lower(left)
    let r = lower(right)
    let (runLeft, runRight) = (l.run, r.run)
    if !tracing, let b = r.constant, !b.isFailure {
      return Lowered(cost: 1 + l.cost + r.cost) { m in
        let a = runLeft(m)
        return a.isFailure ? a : Operation.apply(a, b, m.arena)
      }
    }
    return Lowered(cost: 1 + l.cost + r.cost) { m in
      let a = runLeft(m)
      let b = runRight(m)
      if a.isFailure { return a }
      if b.isFailure { return b }
      return Operation.apply(a, b, m.arena)
    }
  }

  /// A node of two operands that sees to their failures itself: of `[]` and `in` the container's comes first.
  private func access(
    _ left: Expression, _ right: Expression, _ apply: @escaping @Sendable (Value, Value, Arena) -> Value
  ) -> Lowered {
    let l = lower(left)
    let r = lower(right)
    let (runLeft, runRight) = (l.run, r.run)
    return Lowered(cost: 1 + l.cost + r.cost) { m in
      let a = runLeft(m)
      let b = runRight(m)
      let value = apply(a, b, m.arena)
      return value.isFailure ? m.noteUnknown(value) : value
    }
  }

  private func member(_ receiver: Expression, _ name: Name) -> Lowered {
    if let part = requestPart(receiver, name) { return part }
    let r = lower(receiver)
    let run = r.run
    let key = constants.string(name.text)
    return Lowered(cost: 1 + r.cost) { m in
      let a = run(m)
      if a.isFailure { return a }
      let value = Operators.member(a, key, m.arena)
      return value.isFailure ? m.noteUnknown(value) : value
    }
  }

  private func slice(_ receiver: Expression, _ lower: Expression?, _ upper: Expression?) -> Lowered {
    let r = self.lower(receiver)
    // A bound that is left out is a null, and costs as one.
    let l = lower.map { self.lower($0) } ?? constant(.null)
    let u = upper.map { self.lower($0) } ?? constant(.null)
    let (runReceiver, runLower, runUpper) = (r.run, l.run, u.run)
    return Lowered(cost: 1 + r.cost + l.cost + u.cost) { m in
      let a = runReceiver(m)
      let b = runLower(m)
      let c = runUpper(m)
      return Operators.slice(a, lower: b, upper: c, m.arena)
    }
  }

  private func typeTest(_ operand: Expression, _ type: Name) -> Lowered {
    let o = lower(operand)
    let run = o.run
    guard let tested = RulesType(rawValue: type.text) else { return constant(.false) }
    return Lowered(cost: 2 + o.cost) { m in
      let a = run(m)
      return a.isFailure ? a : Operators.isType(a, tested)
    }
  }

  private func unary(_ op: UnaryOperator, _ operand: Expression) -> Lowered {
    let o = lower(operand)
    let run = o.run
    let apply: @Sendable (Value, Arena) -> Value =
      switch op {
      case .not: Operators.not
      case .negate: Operators.negate
      }
    return Lowered(cost: 1 + o.cost) { m in
      let a = run(m)
      return a.isFailure ? a : apply(a, m.arena)
    }
  }

  private func binary(_ op: BinaryOperator, _ left: Expression, _ right: Expression) -> Lowered {
    switch op {
    case .and: logical(op, left, right, decisive: .false)
    case .or: logical(op, left, right, decisive: .true)
    case .equal: operation(left, right, Equal.self)
    case .notEqual: operation(left, right, NotEqual.self)
    case .less: operation(left, right, Less.self)
    case .lessOrEqual: operation(left, right, LessOrEqual.self)
    case .greater: operation(left, right, Greater.self)
    case .greaterOrEqual: operation(left, right, GreaterOrEqual.self)
    case .in: access(left, right, Operators.contains)
    case .add: operation(left, right, Add.self)
    case .subtract: operation(left, right, Subtract.self)
    case .multiply: operation(left, right, Multiply.self)
    case .divide: operation(left, right, Divide.self)
    case .remainder: operation(left, right, Remainder.self)
    }
  }

  /// `&&` and `||`. The left operand decides alone when it is `decisive`. Otherwise the right one runs, even after
  /// an error; when it is decisive it absorbs the error, else the left failure wins.
  ///
  /// The plain lowering takes `a && b && c` as one row: what failed first waits for an operand that decides.
  private func logical(_ op: BinaryOperator, _ left: Expression, _ right: Expression, decisive: Value) -> Lowered {
    var operands = [lower(right)]
    var first = left
    while !tracing, case .binary(op, let left, let right) = first.kind {
      operands.append(lower(right))
      first = left
    }
    let f = lower(first)
    var next = Self.lastOperand(operands[0], decisive)
    for operand in operands.dropFirst() { next = Self.operand(operand, decisive, next) }
    let (run, rest) = (f.run, next)
    let deciding = decisive.bits
    return Lowered(cost: operands.count + f.cost) { m in
      let value = run(m)
      if value.has(.bool) { return value.bits == deciding ? decisive : rest(m, .null) }
      if value.has(.exhausted) { return value }
      return rest(m, value.isFailure ? value : m.arena.typeError(value, .bool))
    }
  }

  /// Operands of `&&` and `||` from one on, given what has failed before, if anything.
  private typealias Operands = @Sendable (Machine, Value) -> Value

  private static func operand(_ operand: Lowered, _ decisive: Value, _ next: @escaping Operands) -> Operands {
    let (run, cost, deciding) = (operand.run, 1 + operand.cost, decisive.bits)
    return { m, failure in
      guard m.arena.spend(cost) else { return .exhausted }
      let value = run(m)
      if value.has(.bool) { return value.bits == deciding ? decisive : next(m, failure) }
      if value.has(.exhausted) { return value }
      if failure.isFailure { return next(m, failure) }
      return next(m, value.isFailure ? value : m.arena.typeError(value, .bool))
    }
  }

  private static func lastOperand(_ operand: Lowered, _ decisive: Value) -> Operands {
    let (run, cost, deciding) = (operand.run, 1 + operand.cost, decisive.bits)
    return { m, failure in
      guard m.arena.spend(cost) else { return .exhausted }
      let value = run(m)
      if value.has(.bool) { return value.bits == deciding || !failure.isFailure ? value : failure }
      if value.has(.exhausted) { return value }
      if failure.isFailure { return failure }
      return value.isFailure ? value : m.arena.typeError(value, .bool)
    }
  }

  private func ternary(_ condition: Expression, _ yes: Expression, _ no: Expression) -> Lowered {
    let c = lower(condition)
    let y = lower(yes)
    let n = lower(no)
    let (runCondition, runYes, runNo) = (c.run, y.run, n.run)
    let (yesCost, noCost) = (y.cost, n.cost)
    return Lowered(cost: 2 + c.cost) { m in
      let a = runCondition(m)
      if a.isTrue { return m.arena.spend(yesCost) ? runYes(m) : .exhausted }
      if a.isFalse { return m.arena.spend(noCost) ? runNo(m) : .exhausted }
      return a.isFailure ? a : m.arena.typeError(a, .bool)
    }
  }

  // MARK: Literals

  /// Evaluates a row of operands, all of them, and makes something of it; what it makes of failures is its matter.
  private func row(_ operands: [Lowered], _ make: @escaping @Sendable (Arena.Row, Arena) -> Value) -> Lowered {
    let cost = 1 + operands.reduce(0) { $0 + $1.cost }
    if let folded = folded(operands, cost: cost, make) { return folded }
    let count = operands.count
    let fill: @Sendable (Machine, Arena.Row) -> Void = inTurn(operands.map(\.run)) { m, row, i, value in
      m.arena.set(row, i, value)
    }
    return Lowered(cost: cost) { m in
      guard let row = m.arena.row(count) else { return .error(.memory) }
      fill(m, row)
      return make(row, m.arena)
    }
  }

  private func list(_ items: [Expression]) -> Lowered { row(items.map { lower($0) }, Literals.list) }

  private func map(_ entries: [Expression.MapEntry]) -> Lowered {
    row(entries.flatMap { [lower($0.key), lower($0.value)] }, Literals.map)
  }

  private func path(_ segments: [Expression.PathSegment]) -> Lowered {
    let operands = segments.map { segment -> Lowered in
      switch segment.kind {
      case .literal(let text): constant(constants.string(text))
      case .capture(let name): constant(constants.capture(name: constants.string(name.text), glob: false))
      case .glob(let name): constant(constants.capture(name: constants.string(name.text), glob: true))
      case .interpolation(let e): lower(e)
      }
    }
    return row(operands, Paths.build)
  }

  // MARK: Functions

  /// A function's body, lowered once however often it is called. The checker has refused cycles.
  func function(_ index: Int) -> LoweredFunction? {
    if let known = functions[index] { return known }
    guard let declaration = scope.declaration(of: index) else { return nil }
    let outer = parameterCount
    parameterCount = declaration.parameters.count
    defer { parameterCount = outer }
    let lets = declaration.lets.map { lower($0.value) }
    let result = lower(declaration.result)
    let bind: @Sendable (Machine, Int) -> Void = inTurn(lets.map(\.run)) { m, base, i, value in
      m.arena.setGlobal(base + i, value)
    }
    let lowered = LoweredFunction(
      name: declaration.name.text, parameters: declaration.parameters.map(\.text), letCount: lets.count, bindLets: bind,
      result: result.run, cost: result.cost + lets.reduce(0) { $0 + 1 + $1.cost })
    functions[index] = lowered
    return lowered
  }
}

/// A function of the rules, ready to run.
struct LoweredFunction: Sendable {
  let name: String
  let parameters: [String]
  let letCount: Int
  /// Evaluates the lets in the frame in force, each into its slot; the first slot is given.
  let bindLets: @Sendable (Machine, Int) -> Void
  let result: Node
  let cost: Int

  /// As the text of a wrong call names it.
  var signature: String { "\(name)(\(parameters.joined(separator: ", ")))" }
}

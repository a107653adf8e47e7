import RulesSemantics
import RulesSyntax
import RulesValues

/// What the plain lowering takes together. Each form costs the budget what its nodes would, and gives what they would
/// give; where it cannot tell, it falls back to them.
extension Lowering {
  /// A row of constants, made something of once: here. What fails is left to the run, whose memory failures lie in.
  func folded(_ operands: [Lowered], cost: Int, _ make: @Sendable (Arena.Row, Arena) -> Value) -> Lowered? {
    guard !tracing, operands.allSatisfy({ $0.constant?.isFailure == false }), let row = constants.row(operands.count)
    else { return nil }
    for (i, operand) in operands.enumerated() { constants.set(row, i, operand.constant ?? .null) }
    let value = make(row, constants)
    return value.isFailure ? nil : constant(value, cost: cost)
  }

  /// `request.auth`, `request.auth.uid`, `request.resource`, `request.resource.data`, `resource.data`: read from where
  /// the machine keeps them.
  func requestPart(_ receiver: Expression, _ name: Name) -> Lowered? {
    guard !tracing else { return nil }
    switch receiver.kind {
    case .identifier:
      switch (scope.resolution(of: receiver), name.text) {
      case (.request, "auth"): return Lowered(cost: 2) { $0.noteUnknown($0.view.auth) }
      case (.request, "resource"): return Lowered(cost: 2) { $0.noteUnknown($0.view.resource) }
      case (.resource, "data"): return Lowered(cost: 2) { $0.noteUnknown($0.resourceData) }
      default: return nil
      }
    case .member(let outer, let part):
      guard case .identifier = outer.kind, scope.resolution(of: outer) == .request else { return nil }
      switch (part.text, name.text) {
      case ("auth", "uid"): return Lowered(cost: 3) { $0.noteUnknown($0.view.uid) }
      case ("resource", "data"): return Lowered(cost: 3) { $0.noteUnknown($0.view.newData) }
      default: return nil
      }
    default: return nil
    }
  }

  /// `map.keys().hasOnly(list)` and `hasAll`: the list of keys is not made.
  func keysCall(_ receiver: Expression, _ name: String, _ arguments: [Expression]) -> Lowered? {
    guard !tracing, arguments.count == 1, name == "hasOnly" || name == "hasAll",
      case .methodCall(let owner, let keysName, let none) = receiver.kind, keysName.text == "keys", none.isEmpty,
      scope.callee(of: receiver) == .method("keys"),
      let keys = Library.method("keys"), let method = Library.method(name)
    else { return nil }
    let o = lower(owner)
    let a = lower(arguments[0])
    let (runOwner, runArgument) = (o.run, a.run)
    let isOnly = name == "hasOnly"
    if isOnly, let list = a.constant, let sorted = sortedStrings(list) {
      return Lowered(cost: 2 + o.cost + a.cost) { m in
        let map = runOwner(m)
        if map.has(.map), let answer = MapMethods.hasOnlyKeys(map, list, sorted: sorted, m.arena) { return .bool(answer) }
        let target = map.isFailure ? map : keys(map, Arguments(), m.arena)
        return target.isFailure ? target : method(target, Arguments(list), m.arena)
      }
    }
    return Lowered(cost: 2 + o.cost + a.cost) { m in
      let map = runOwner(m)
      let argument = runArgument(m)
      if map.has(.map), argument.has(.list),
        let answer = isOnly
          ? MapMethods.hasOnlyKeys(map, argument, m.arena) : MapMethods.hasAllKeys(map, argument, m.arena)
      {
        return .bool(answer)
      }
      let target = map.isFailure ? map : keys(map, Arguments(), m.arena)
      if target.isFailure { return target }
      return argument.isFailure
        ? Library.failed(method, target, argument, m.arena) : method(target, Arguments(argument), m.arena)
    }
  }

  /// The strings among the elements of a constant list, sorted as the keys of maps are.
  private func sortedStrings(_ list: Value) -> Value? {
    guard list.has(.list) else { return nil }
    let strings = (0..<list.count).map { constants.element(list, $0) }.filter { $0.has(.string) }
    let sorted = constants.list(strings.sorted { constants.compareStrings($0, $1) < 0 })
    return sorted.isFailure ? nil : sorted
  }

  /// `receiver.size()`
  func sizeCall(_ receiver: Lowered, _ name: String, _ arguments: [Expression]) -> Lowered? {
    guard !tracing, name == "size", arguments.isEmpty else { return nil }
    let run = receiver.run
    return Lowered(cost: 1 + receiver.cost) { m in
      let target = run(m)
      return target.isFailure ? target : Library.size(target, Arguments(), m.arena)
    }
  }

  /// Runs nodes one after another and stores each value with its number. Few are chained, so that a run counts no
  /// reference to them.
  @inline(__always)
  func inTurn<Target>(
    _ runs: [Node], _ store: @escaping @Sendable (Machine, Target, Int, Value) -> Void
  ) -> @Sendable (Machine, Target) -> Void {
    guard runs.count <= 16 else {
      return { m, target in
        for i in 0..<runs.count { store(m, target, i, runs[i](m)) }
      }
    }
    var chain: @Sendable (Machine, Target) -> Void = { _, _ in }
    for (i, run) in runs.enumerated().reversed() {
      guard i < runs.count - 1 else {
        chain = { m, target in store(m, target, i, run(m)) }
        continue
      }
      let rest = chain
      chain = { m, target in
        store(m, target, i, run(m))
        rest(m, target)
      }
    }
    return chain
  }
}

import RulesValues

/// What the plain run asks of a match block that covers the path: one condition for each method, made of those of all
/// `allow` statements for it.
final class Gate: Sendable {
  private let captures: Captures
  private let get: Node
  private let create: Node
  private let update: Node
  private let delete: Node

  /// - Parameter used: the slots of captures that some condition asks for; others need not be bound.
  init(_ block: Program.Block, used: Set<Int>) {
    captures = block.captures.only(used)
    get = Self.condition(block.allows, .get)
    create = Self.condition(block.allows, .create)
    update = Self.condition(block.allows, .update)
    delete = Self.condition(block.allows, .delete)
  }

  /// True when an `allow` holds, exhausted when the budget has run out before one did.
  func ask(_ machine: Machine) -> Value {
    machine.bind(captures)
    switch machine.loaded.method {
    case .get: return get(machine)
    // Queries are judged by themselves.
    case .list: return .false
    case .create: return create(machine)
    case .update: return update(machine)
    case .delete: return delete(machine)
    }
  }

  /// Tries the statements for `method` in order.
  private static func condition(_ allows: [Program.Allow], _ method: RequestMethod) -> Node {
    var condition: Node?
    for allow in allows.reversed() where allow.covers(method) { condition = Self.condition(allow, else: condition) }
    return condition ?? { _ in .false }
  }

  private static func condition(_ allow: Program.Allow, else next: Node?) -> Node {
    guard let condition = allow.condition else {
      return { $0.arena.budget >= 0 ? .true : .exhausted }
    }
    let cost = allow.cost
    guard let next else {
      return { m in
        guard m.arena.spend(cost) else { return .exhausted }
        let value = condition(m)
        return m.arena.budget < 0 ? .exhausted : value
      }
    }
    return { m in
      guard m.arena.spend(cost) else { return .exhausted }
      let value = condition(m)
      if m.arena.budget < 0 { return .exhausted }
      return value.isTrue ? value : next(m)
    }
  }
}

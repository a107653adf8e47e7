/// What is true of a value, and matters only where more is asked of it than whether it is there.
///
/// Conditions on the keys of a document look at every field that the rules name, and most of these fields at nothing
/// but their presence. What kinds of values they can hold makes up most of a question then, and decides nothing.
struct Detail {
  let fact: Term
  let values: [Term]
}

extension World {
  static let unchanged = "unchanged"

  /// The facts that a goal hangs on. Fewer facts allow more, so that what they rule out is ruled out by all.
  /// - Returns: the facts, and a wish that makes it easy to find a world: that no value is a float.
  func facts(for goal: Term) -> (facts: [Term], wish: Term) {
    var kept = facts
    var waiting = details
    var pending = facts + [goal]
    var seen: Set<Term> = []
    var looked: Set<Term> = []
    var wishes: [Term] = []
    repeat {
      while let term = pending.popLast() {
        guard seen.insert(term).inserted else { continue }
        let node = store[term]
        let isShallow = isShallow(node.operation)
        for operand in node.operands {
          guard store[operand].sort == .value, isShallow else {
            if store[operand].sort == .value { looked.insert(operand) }
            pending.append(operand)
            continue
          }
          if !looked.contains(operand) { pending.append(contentsOf: store[operand].operands) }
        }
      }
      var rest: [Detail] = []
      for detail in waiting {
        guard detail.values.contains(where: looked.contains) else {
          rest.append(detail)
          continue
        }
        kept.append(detail.fact)
        pending.append(detail.fact)
        wishes += detail.values.map { store.not(store.has(.float, $0)) }
      }
      waiting = rest
    } while !pending.isEmpty
    return (kept, store.and(wishes))
  }

  /// Whether a term says of its operands only whether they are there, or what a detail of its own tells.
  private func isShallow(_ operation: Operation) -> Bool {
    switch operation {
    case .has(.absent): true
    case .apply(let symbol): store.symbols[symbol].name == Self.unchanged
    default: false
    }
  }
}

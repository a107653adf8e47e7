/// A variable whose type is not known by itself: only its uses tell.
enum TypeVariable: Equatable {
  case parameter(Int)
  case letBinding(Int)
  case request, resource
}

/// What the uses of variables in an expression demand of their types.
struct Constraints {
  /// A handful at most, hence no dictionary.
  private(set) var entries: [(variable: TypeVariable, types: TypeSet)] = []

  init() {}

  init(_ variable: TypeVariable, _ types: TypeSet) {
    // Being used without any demand counts too: it gives the types of later demands their order.
    entries = [(variable, types)]
  }

  /// What is demanded of a variable; `any` when nothing is.
  subscript(variable: TypeVariable) -> TypeSet {
    entries.first { $0.variable == variable }?.types ?? .any
  }

  mutating func remove(_ variable: TypeVariable) { entries.removeAll { $0.variable == variable } }

  /// The demands of several expressions together, in the order of the first mention. Variables that no type can
  /// satisfy are `conflicts`, and nothing more is demanded of them.
  static func all(of parts: [Constraints]) -> (constraints: Constraints, conflicts: [TypeVariable]) {
    if parts.count == 1 { return (parts[0], []) }
    // Most operands demand nothing.
    guard let first = parts.firstIndex(where: { !$0.entries.isEmpty }) else { return (Constraints(), []) }
    var result = parts[first]
    for part in parts[(first + 1)...] {
      for (variable, types) in part.entries {
        if let i = result.entries.firstIndex(where: { $0.variable == variable }) {
          if !result.entries[i].types.isEmpty {
            result.entries[i].types = result.entries[i].types.intersection(types)
          }
        } else {
          result.entries.append((variable, types))
        }
      }
    }
    let conflicts = result.entries.filter { $0.types.isEmpty }.map(\.variable)
    if !conflicts.isEmpty { result.entries.removeAll { $0.types.isEmpty } }
    return (result, conflicts)
  }
}

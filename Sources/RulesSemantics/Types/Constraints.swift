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

  /// Adds the demands of another expression. Variables that no type can satisfy any more are returned and forgotten.
  mutating func merge(_ other: Constraints) -> [TypeVariable] {
    var conflicts: [TypeVariable] = []
    for (variable, types) in other.entries {
      guard let i = entries.firstIndex(where: { $0.variable == variable }) else {
        entries.append((variable, types))
        continue
      }
      let both = entries[i].types.intersection(types)
      if both.isEmpty {
        conflicts.append(variable)
        entries.remove(at: i)
      } else {
        entries[i].types = both
      }
    }
    return conflicts
  }
}

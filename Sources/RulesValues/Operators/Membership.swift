extension Operators {
  /// `element in container`
  @inlinable
  public static func contains(_ element: Value, _ container: Value, _ arena: Arena) -> Value {
    if element.has(.string) {
      if container.has(.map) { return .bool(arena.lookup(container, element) != nil) }
      if container.has(.list) { return .bool(arena.contains(container, string: element)) }
    }
    return containsSlowly(element, container, arena)
  }

  @usableFromInline
  static func containsSlowly(_ element: Value, _ container: Value, _ arena: Arena) -> Value {
    if element.has(.exhausted) { return element }
    if container.isFailure { return container }
    if element.isFailure {
      switch container.tag {
      case .list, .set, .map, .constraint: return element
      default: return arena.noMethod(container, "in")
      }
    }
    if container.has(.open) { return OpenValues.contains(element, container, arena) }
    if element.has(.open) { return .unknown }
    var comparison = Comparison(arena)
    switch container.tag {
    case .list:
      for i in 0..<container.count where comparison.equalOfOneType(element, arena.element(container, i)) {
        return .true
      }
      return comparison.result(false)
    case .set:
      for i in 0..<container.count where comparison.alike(element, arena.element(container, i)) { return .true }
      return comparison.result(false)
    case .map: return arena.unsupported(.mapIn, element)
    case .constraint: return Constraints.contains(element, container, arena)
    default: return arena.noMethod(container, "in")
    }
  }
}

/// The methods of sets. Members are compared as *alike*: 1 is 1.0 here, unlike in lists.
public enum SetMethods {
  @inlinable
  public static func size(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(.setSize, arguments) }
    return .int(Int64(receiver.count))
  }

  /// Is every element of the argument in the set?
  public static func hasAll(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.setHasAll, arguments) }
    guard isCollection(arguments.a) else { return arena.unsupported(.setHasAll, arguments.a) }
    return every(arguments.a, isIn: receiver, arena)
  }

  /// Is an element of the argument in the set?
  public static func hasAny(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.setHasAny, arguments) }
    guard isCollection(arguments.a) else { return arena.unsupported(.setHasAny, arguments.a) }
    var comparison = Comparison(arena)
    let members = MemberIndex(receiver, arena)
    for i in 0..<arguments.a.count where members.contains(arena.element(arguments.a, i), &comparison) {
      return comparison.result(true)
    }
    return comparison.result(false)
  }

  /// Is every member of the set in the argument?
  public static func hasOnly(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.setHasOnly, arguments) }
    guard isCollection(arguments.a) else { return arena.unsupported(.setHasOnly, arguments.a) }
    return every(receiver, isIn: arguments.a, arena)
  }

  public static func difference(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.setDifference, arguments) }
    guard arguments.a.has(.set) else { return arena.unsupported(.setDifference, arguments.a) }
    return members(of: receiver, in: arguments.a, wanted: false, arena)
  }

  public static func intersection(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.setIntersection, arguments) }
    guard arguments.a.has(.set) else { return arena.unsupported(.setIntersection, arguments.a) }
    return members(of: receiver, in: arguments.a, wanted: true, arena)
  }

  public static func union(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.setUnion, arguments) }
    guard arguments.a.has(.set) else { return arena.unsupported(.setUnion, arguments.a) }
    guard var union = SetBuilder(capacity: receiver.count + arguments.a.count, arena) else { return .error(.memory) }
    for i in 0..<receiver.count where !union.insert(arena.element(receiver, i)) { break }
    for i in 0..<arguments.a.count where !union.insert(arena.element(arguments.a, i)) { break }
    return union.finish()
  }

  // MARK: Parts

  private static func isCollection(_ v: Value) -> Bool { v.has(.set) || v.has(.list) }

  private static func every(_ elements: Value, isIn container: Value, _ arena: Arena) -> Value {
    var comparison = Comparison(arena)
    let members = MemberIndex(container, arena)
    for i in 0..<elements.count where !members.contains(arena.element(elements, i), &comparison) {
      return comparison.result(false)
    }
    return comparison.result(true)
  }

  /// The members of `set` that are, or are not, in `other`, in the order of `set`.
  private static func members(of set: Value, in other: Value, wanted: Bool, _ arena: Arena) -> Value {
    guard let row = arena.row(set.count) else { return .error(.memory) }
    var comparison = Comparison(arena)
    let members = MemberIndex(other, arena)
    var kept = 0
    for i in 0..<set.count {
      let member = arena.element(set, i)
      guard members.contains(member, &comparison) == wanted else { continue }
      arena.set(row, kept, member)
      kept += 1
    }
    return comparison.failure ?? arena.finish(row, as: .set, count: kept)
  }
}

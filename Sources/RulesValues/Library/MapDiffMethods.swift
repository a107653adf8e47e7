/// The methods of what `map.diff` gives. Each is a set of keys.
public enum MapDiffMethods {
  public static func addedKeys(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    keys(.diffAddedKeys, receiver, arguments, arena) { $0 == .added }
  }

  public static func removedKeys(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    keys(.diffRemovedKeys, receiver, arguments, arena) { $0 == .removed }
  }

  public static func changedKeys(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    keys(.diffChangedKeys, receiver, arguments, arena) { $0 == .changed }
  }

  /// Keys that were added, removed or changed.
  public static func affectedKeys(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    keys(.diffAffectedKeys, receiver, arguments, arena) { $0 != .unchanged }
  }

  public static func unchangedKeys(_ receiver: Value, _ arguments: Arguments, _ arena: Arena) -> Value {
    keys(.diffUnchangedKeys, receiver, arguments, arena) { $0 == .unchanged }
  }

  private static func keys(
    _ operation: Operation, _ diff: Value, _ arguments: Arguments, _ arena: Arena, where wanted: (DiffStatus) -> Bool
  ) -> Value {
    guard arguments.count == 0 else { return arena.argumentCount(operation, arguments) }
    guard let row = arena.row(diff.count) else { return .error(.memory) }
    var count = 0
    for i in 0..<diff.count {
      guard let status = DiffStatus(rawValue: arena.value(diff, i).asInt), wanted(status) else { continue }
      arena.set(row, count, arena.key(diff, i))
      count += 1
    }
    return arena.finish(row, as: .set, count: count)
  }
}

/// Lists and maps as they are written in a ruleset.
public enum Literals {
  /// A map of a row that holds keys and values in turn, which may be failures. All keys are looked at before any
  /// value; each must be a string. Of equal keys the last one wins.
  public static func map(_ row: Arena.Row, _ arena: Arena) -> Value {
    for i in stride(from: 0, to: row.count, by: 2) {
      let key = arena.get(row, i)
      if key.isFailure { return arena.failure(key, in: row) }
      if !key.has(.string) { return arena.failure(arena.typeError(key, .string), in: row) }
    }
    for i in stride(from: 1, to: row.count, by: 2) where arena.get(row, i).isFailure {
      return arena.failure(arena.get(row, i), in: row)
    }
    // What is open would have to be looked for in everything that is made of it.
    for i in stride(from: 1, to: row.count, by: 2) where arena.get(row, i).has(.open) { return .unknown }
    return arena.map(row, ordered: true)
  }

  /// A list of a row of values, which may be failures.
  public static func list(_ row: Arena.Row, _ arena: Arena) -> Value {
    for i in 0..<row.count where arena.get(row, i).isFailure { return arena.failure(arena.get(row, i), in: row) }
    for i in 0..<row.count where arena.get(row, i).has(.open) { return .unknown }
    return arena.finish(row, as: .list)
  }
}

extension Arena {
  /// What becomes of a row with a failure in it: the failure, unless the budget ran out in a later value, which
  /// nothing hides.
  func failure(_ failure: Value, in row: Row) -> Value {
    for i in 0..<row.count where get(row, i).has(.exhausted) { return .exhausted }
    return failure
  }
}

/// Lists and maps as they are written in a ruleset.
public enum Literals {
  /// A map of a row that holds keys and values in turn, which may be failures. All keys are looked at before any
  /// value; each must be a string. Of equal keys the last one wins.
  public static func map(_ row: Arena.Row, _ arena: Arena) -> Value {
    for i in stride(from: 0, to: row.count, by: 2) {
      let key = arena.get(row, i)
      if key.isFailure { return key }
      if !key.has(.string) { return arena.typeError(key, .string) }
    }
    for i in stride(from: 1, to: row.count, by: 2) where arena.get(row, i).isFailure { return arena.get(row, i) }
    return arena.map(row, ordered: true)
  }

  /// A list of a row of values, which may be failures.
  public static func list(_ row: Arena.Row, _ arena: Arena) -> Value {
    for i in 0..<row.count where arena.get(row, i).isFailure { return arena.get(row, i) }
    return arena.finish(row, as: .list)
  }
}

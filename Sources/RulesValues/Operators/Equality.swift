extension Operators {
  /// `a == b`
  @inlinable
  public static func equal(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    if a.has(.string), b.has(.string) { return .bool(arena.sameBytes(a, b)) }
    // Null equals only itself; but a constraint and an open value have their own say.
    if a.has(.null), !b.has(.constraint), !b.has(.open) { return .bool(b.has(.null)) }
    if b.has(.null), !a.has(.constraint), !a.has(.open) { return .false }
    if a.has(.int), b.has(.int) { return .bool(a.bits == b.bits) }
    if a.has(.bool), b.has(.bool) { return .bool(a.bits == b.bits) }
    return equalSlowly(a, b, arena)
  }

  @usableFromInline
  static func equalSlowly(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    if a.has(.constraint) { return Constraints.compare(a, .equal, b, arena) }
    if a.has(.open) { return OpenValues.compare(a, .equal, b, arena) }
    if b.has(.open) { return OpenValues.compare(b, .equal, a, arena) }
    if b.has(.constraint) { return Constraints.compare(b, .equal, a, arena) }
    var comparison = Comparison(arena)
    let answer = comparison.equal(a, b)
    return comparison.result(answer)
  }

  /// `a != b`
  @inlinable
  public static func notEqual(_ a: Value, _ b: Value, _ arena: Arena) -> Value {
    // With a constraint, "not equal" may follow from it where "equal" does not have an answer.
    if a.has(.constraint) { return Constraints.compare(a, .notEqual, b, arena) }
    if b.has(.constraint) { return Constraints.compare(b, .notEqual, a, arena) }
    let answer = equal(a, b, arena)
    return answer.has(.bool) ? .bool(answer.bits == 0) : notEqualSlowly(a, b, answer, arena)
  }

  @usableFromInline
  static func notEqualSlowly(_ a: Value, _ b: Value, _ answer: Value, _ arena: Arena) -> Value {
    if a.has(.open) { return OpenValues.compare(a, .notEqual, b, arena) }
    return b.has(.open) ? OpenValues.compare(b, .notEqual, a, arena) : answer
  }
}

/// The three relations by which the language takes values for the same (observed on the official emulator 1.19.9):
///
/// - *equal*: what `==` says. Numbers by value, an int turned into a float when the other is one; paths by the
///   segments they come to; a map diff or an unbound path equals nothing. Elements of lists and maps are compared
///   as *identical*, those of sets as *alike*.
/// - *identical*: what holds inside lists and maps. Types must agree, floats must have the same bits (so that
///   0.0 and -0.0 differ, and NaN differs from itself), paths the same captures.
/// - *alike*: what sets and `map.diff` go by. Numbers by exact value and NaN as one number, also inside lists and
///   maps; paths by the segments they come to.
///
/// Values may share parts, so that a small one unfolds to an enormous tree; a comparison that takes more than
/// `Comparison.maximumSteps` gives up.
struct Comparison {
  static let maximumSteps = 4_000_000

  let arena: Arena
  private var steps = 0
  /// Set when the answer does not count: an error takes its place.
  private(set) var failure: Value?

  init(_ arena: Arena) { self.arena = arena }

  /// The outcome as a value.
  func result(_ answer: Bool) -> Value { failure ?? .bool(answer) }

  private mutating func step() -> Bool {
    steps += 1
    if steps > Self.maximumSteps { failure = .error(.memory) }
    return failure == nil
  }

  // MARK: Equal

  mutating func equal(_ a: Value, _ b: Value) -> Bool {
    switch (a.tag, b.tag) {
    case (.int, .float): return Double(a.asInt) == b.asDouble
    case (.float, .int): return a.asDouble == Double(b.asInt)
    default: return equalOfOneType(a, b)
    }
  }

  /// `equal` without turning ints into floats: how `in`, `hasAll` and their like find an element in a list.
  mutating func equalOfOneType(_ a: Value, _ b: Value) -> Bool {
    guard a.has(b.tag) else { return false }
    switch a.tag {
    case .float: return a.asDouble == b.asDouble
    case .path: return sameSegments(a, b, unbound: false)
    case .mapDiff, .constraint, .open: return false
    default: return identical(a, b)
    }
  }

  // MARK: Identical

  mutating func identical(_ a: Value, _ b: Value) -> Bool {
    guard a.has(b.tag), step() else { return false }
    switch a.tag {
    case .null: return true
    case .bool, .int: return a.bits == b.bits
    case .float: return a.bits == b.bits && !a.asDouble.isNaN
    case .string, .bytes: return arena.sameBytes(a, b)
    case .timestamp, .duration: return a.bits == b.bits && a.length == b.length
    case .latlng, .path, .list: return sameElements(a, b)
    case .capture:
      let kind = Value.glob | Value.bound
      return a.flags & kind == b.flags & kind && sameElements(a, b)
    case .vector: return sameNumbers(a, b)
    case .set: return sameMembers(a, b)
    case .map, .constraint: return sameEntries(a, b)
    case .mapDiff: return sameStatuses(a, b)
    case .open, .unknown, .error, .exhausted: return false
    }
  }

  private mutating func sameElements(_ a: Value, _ b: Value) -> Bool {
    guard a.count == b.count else { return false }
    for i in 0..<a.count where !identical(arena.element(a, i), arena.element(b, i)) { return false }
    return true
  }

  private mutating func sameEntries(_ a: Value, _ b: Value) -> Bool {
    guard a.count == b.count else { return false }
    for i in 0..<a.count {
      guard identical(arena.key(a, i), arena.key(b, i)), identical(arena.value(a, i), arena.value(b, i)) else {
        return false
      }
    }
    return true
  }

  private mutating func sameNumbers(_ a: Value, _ b: Value) -> Bool {
    guard a.count == b.count else { return false }
    for i in 0..<a.count {
      guard step(), arena.element(a, i).asDouble == arena.element(b, i).asDouble else { return false }
    }
    return true
  }

  private mutating func sameStatuses(_ a: Value, _ b: Value) -> Bool {
    guard a.count == b.count else { return false }
    for i in 0..<a.count {
      let key = arena.key(a, i)
      var found = false
      for j in 0..<b.count where arena.sameBytes(arena.key(b, j), key) {
        found = arena.value(a, i).bits == arena.value(b, j).bits
        break
      }
      guard found, step() else { return false }
    }
    return true
  }

  /// Sets of the same members, in whatever order.
  mutating func sameMembers(_ a: Value, _ b: Value) -> Bool {
    guard a.count == b.count else { return false }
    let index = MemberIndex(b, arena)
    for i in 0..<a.count {
      let found = index.contains(arena.element(a, i), &self)
      if !found || failure != nil { return false }
    }
    return true
  }

  // MARK: Alike

  mutating func alike(_ a: Value, _ b: Value) -> Bool {
    guard step() else { return false }
    if a.has(.constraint) || b.has(.constraint) {
      failure = .error(.constraintEquality)
      return false
    }
    switch (a.tag, b.tag) {
    case (.int, .float): return Int64(exactly: b.asDouble) == a.asInt
    case (.float, .int): return Int64(exactly: a.asDouble) == b.asInt
    case (.float, .float): return a.asDouble == b.asDouble || (a.asDouble.isNaN && b.asDouble.isNaN)
    case (.list, .list):
      guard a.count == b.count else { return false }
      for i in 0..<a.count where !alike(arena.element(a, i), arena.element(b, i)) { return false }
      return true
    case (.map, .map):
      guard a.count == b.count else { return false }
      for i in 0..<a.count {
        guard arena.sameBytes(arena.key(a, i), arena.key(b, i)), alike(arena.value(a, i), arena.value(b, i)) else {
          return false
        }
      }
      return true
    case (.path, .path): return sameSegments(a, b, unbound: true)
    default: return identical(a, b)
    }
  }

  // MARK: Paths

  /// Do two paths come to the same segments? With `unbound`, captures that are not bound are segments too, the same
  /// when their names are; without, nothing equals a path that has one.
  mutating func sameSegments(_ a: Value, _ b: Value, unbound: Bool) -> Bool {
    var x = SegmentCursor(a, arena)
    var y = SegmentCursor(b, arena)
    while true {
      guard step() else { return false }
      let (p, q) = (x.next(), y.next())
      guard let p, let q else { return p == nil && q == nil }
      if p.has(.capture) || q.has(.capture) {
        guard unbound, identical(p, q) else { return false }
      } else if !arena.sameBytes(p, q) {
        return false
      }
    }
  }
}

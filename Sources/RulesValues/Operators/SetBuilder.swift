/// Collects the members of a set, each once, in the order of their first appearance. Beyond a few members it keeps
/// a table of their hashes in the arena.
struct SetBuilder {
  private static let direct = 16

  private let arena: Arena
  private let row: Arena.Row
  private var count = 0
  private var table: Arena.Row?
  private var mask = 0
  private var comparison: Comparison

  init?(capacity: Int, _ arena: Arena) {
    guard let row = arena.row(capacity) else { return nil }
    self.row = row
    self.arena = arena
    comparison = Comparison(arena)
    if capacity > Self.direct {
      let size = MemberIndex.tableSize(for: capacity)
      guard let table = arena.row(size) else { return nil }
      self.table = table
      mask = size - 1
    }
  }

  /// False when nothing more can come of it: the set has failed.
  mutating func insert(_ v: Value) -> Bool {
    // A constraint is like nothing, not even itself, which is an error also when it is the only member.
    if v.has(.list) || v.has(.map) || v.has(.constraint) { _ = comparison.alike(v, v) }
    guard comparison.failure == nil else { return false }
    guard let table else {
      for i in 0..<count where comparison.alike(arena.get(row, i), v) { return true }
      return append(v)
    }
    var slot = AlikeHash.of(v, arena) & mask
    while true {
      let entry = arena.get(table, slot)
      guard entry.has(.int) else { break }
      if comparison.alike(arena.get(row, Int(entry.asInt)), v) { return true }
      slot = (slot + 1) & mask
    }
    arena.set(table, slot, .int(Int64(count)))
    return append(v)
  }

  private mutating func append(_ v: Value) -> Bool {
    guard comparison.failure == nil else { return false }
    arena.set(row, count, v)
    count += 1
    return true
  }

  func finish() -> Value { comparison.failure ?? arena.finish(row, as: .set, count: count) }
}

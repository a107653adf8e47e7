/// Finds members of a set or list by the relation *alike*. Few members are compared one by one; for many, a table
/// of their hashes is laid out in the arena, so that set operations on large lists stay linear.
struct MemberIndex {
  private static let direct = 16

  private let arena: Arena
  private let members: Value
  private var table: Arena.Row?
  private let mask: Int

  static func tableSize(for count: Int) -> Int {
    var size = 64
    while size < count * 2 { size *= 2 }
    return size
  }

  init(_ members: Value, _ arena: Arena) {
    self.arena = arena
    self.members = members
    guard members.count > Self.direct else {
      mask = 0
      return
    }
    let size = Self.tableSize(for: members.count)
    mask = size - 1
    table = arena.row(size)
    for i in 0..<members.count { insert(i) }
  }

  private func insert(_ i: Int) {
    guard let table else { return }
    var slot = AlikeHash.of(arena.element(members, i), arena) & mask
    while arena.get(table, slot).has(.int) { slot = (slot + 1) & mask }
    arena.set(table, slot, .int(Int64(i)))
  }

  /// Is there a member *alike*?
  func contains(_ v: Value, _ comparison: inout Comparison) -> Bool {
    if table != nil, v.has(.list) || v.has(.map) || v.has(.constraint) {
      // The table may hide what cannot be compared.
      _ = comparison.alike(v, v)
    }
    return comparison.failure == nil && contains(v) { comparison.alike($0, $1) }
  }

  /// Is there a member for which `same` holds? It must hold only for values that are alike.
  func contains(_ v: Value, where same: (Value, Value) -> Bool) -> Bool {
    guard let table else {
      for i in 0..<members.count where same(v, arena.element(members, i)) { return true }
      return false
    }
    var slot = AlikeHash.of(v, arena) & mask
    while true {
      let entry = arena.get(table, slot)
      guard entry.has(.int) else { return false }
      if same(v, arena.element(members, Int(entry.asInt))) { return true }
      slot = (slot + 1) & mask
    }
  }
}

/// A hash that values which are *alike* share.
enum AlikeHash {
  static func of(_ v: Value, _ arena: Arena) -> Int {
    var budget = 256
    return Int(truncatingIfNeeded: hash(v, arena, &budget))
  }

  /// Looks at the first `budget` parts only: what comes later makes no difference to the hash.
  private static func hash(_ v: Value, _ arena: Arena, _ budget: inout Int) -> UInt64 {
    budget -= 1
    guard budget >= 0 else { return 0 }
    switch v.tag {
    case .int: return mix(v.bits)
    case .float:
      let d = v.asDouble
      if let whole = Int64(exactly: d) { return mix(UInt64(bitPattern: whole)) }
      return d.isNaN ? 7 : mix(d.bitPattern)
    case .string, .bytes:
      return arena.withBytes(v) { bytes in
        var h: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { h = (h ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return mix(h)
      }
    case .list:
      var h = UInt64(v.count) &+ 31
      for i in 0..<v.count where budget > 0 { h = mix(h &* 31 &+ hash(arena.element(v, i), arena, &budget)) }
      return h
    case .map:
      var h = UInt64(v.count) &+ 63
      for i in 0..<v.count where budget > 0 { h = mix(h &* 31 &+ hash(arena.key(v, i), arena, &budget)) }
      return h
    case .path:
      var cursor = SegmentCursor(v, arena)
      var h: UInt64 = 127
      while budget > 0, let segment = cursor.next() {
        h = mix(h &* 31 &+ (segment.has(.string) ? hash(segment, arena, &budget) : 1))
      }
      return h
    case .bool, .timestamp, .duration: return mix(v.bits ^ UInt64(v.tag.rawValue) << 56 ^ UInt64(v.length))
    default: return UInt64(v.tag.rawValue) << 8 ^ UInt64(v.count)
    }
  }

  private static func mix(_ x: UInt64) -> UInt64 {
    var x = x
    x = (x ^ x >> 33) &* 0xFF51_AFD7_ED55_8CCD
    return x ^ x >> 33
  }
}

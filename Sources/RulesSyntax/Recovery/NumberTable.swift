/// Numbers under keys of 64 bits, with a cheap hash and a cheap `clear`: the inner loop of prediction asks it at each
/// step, where a `Dictionary` takes most of the time.
struct NumberTable: Sendable {
  private struct Slot: Sendable {
    var key: UInt64 = 0
    var round: UInt32 = 0
    var value: Int32 = 0
  }

  /// A power of two, never more than half in use.
  private var slots = [Slot](repeating: Slot(), count: 64)
  /// Leaves as many bits as number the slots.
  private var shift: UInt64 = 58
  /// Slots of earlier rounds are free.
  private var round: UInt32 = 1
  private(set) var count = 0

  func value(of key: UInt64) -> Int? {
    var at = place(of: key)
    while slots[at].round == round {
      if slots[at].key == key { return Int(slots[at].value) }
      at = (at + 1) & (slots.count - 1)
    }
    return nil
  }

  /// The number under a key, which is `new` if there was none.
  mutating func value(of key: UInt64, orInsert new: Int) -> Int {
    var at = place(of: key)
    while slots[at].round == round {
      if slots[at].key == key { return Int(slots[at].value) }
      at = (at + 1) & (slots.count - 1)
    }
    slots[at] = Slot(key: key, round: round, value: Int32(truncatingIfNeeded: new))
    count += 1
    if count * 2 > slots.count { grow() }
    return new
  }

  mutating func clear() {
    count = 0
    round &+= 1
    if round == 0 {
      for i in slots.indices { slots[i].round = 0 }
      round = 1
    }
  }

  private func place(of key: UInt64) -> Int {
    // Keys differ in few bits in the same places: one round of multiplication lets them cluster.
    var hash = (key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: hash >> shift)
  }

  private mutating func grow() {
    let old = slots.filter { $0.round == round }
    slots = [Slot](repeating: Slot(), count: slots.count * 2)
    shift -= 1
    for slot in old {
      var at = place(of: slot.key)
      while slots[at].round == round { at = (at + 1) & (slots.count - 1) }
      slots[at] = slot
    }
  }
}

/// Maps, which are kept in the order of their keys, and the smaller records.
extension Arena {
  /// Makes a map of a row that holds keys and values in turn: sorts it by key (UTF-16 order) and lets the last of
  /// equal keys win.
  /// - Parameters:
  ///   - row: key, value, key, value, …
  ///   - ordered: `values()` of the result lists values in the order given here, as it officially does for
  ///     maps that rules write down (observed on emulator 1.19.9); else in that of the keys.
  public func map(_ row: Row, ordered: Bool = false) -> Value {
    let count = row.count / 2
    if !ordered, count <= Self.smallMap, let map = sortedInPlace(row, count) { return map }
    for i in stride(from: 1, to: count, by: 1)
    where compareStrings(get(row, 2 * (i - 1)), get(row, 2 * i)) >= 0 {
      return sortedMap(row, count, ordered: ordered)
    }
    return stamp(Value(.map, length: UInt32(truncatingIfNeeded: count), bits: UInt64(row.offset)))
  }

  /// Maps of up to as many entries are sorted by insertion.
  private static var smallMap: Int { 24 }

  private func sortedMap(_ row: Row, _ count: Int, ordered: Bool) -> Value {
    var entries: [(key: Value, value: Value, index: Int)] = []
    entries.reserveCapacity(count)
    for i in 0..<count { entries.append((get(row, 2 * i), get(row, 2 * i + 1), i)) }
    entries.sort {
      let order = compareStrings($0.key, $1.key)
      return order != 0 ? order < 0 : $0.index < $1.index
    }
    var kept: [(key: Value, value: Value, index: Int)] = []
    for entry in entries {
      if let last = kept.last, compareStrings(last.key, entry.key) == 0 {
        // The first of equal keys keeps its place, the last its value.
        kept[kept.count - 1].value = entry.value
      } else {
        kept.append(entry)
      }
    }
    guard let sorted = self.row(kept.count * (ordered ? 3 : 2)) else { return .error(.memory) }
    for (i, entry) in kept.enumerated() {
      set(sorted, 2 * i, entry.key)
      set(sorted, 2 * i + 1, entry.value)
    }
    if ordered {
      for (place, i) in kept.indices.sorted(by: { kept[$0].index < kept[$1].index }).enumerated() {
        set(sorted, 2 * kept.count + place, .int(Int64(i)))
      }
    }
    return stamp(
      Value(
        .map, flags: ordered ? Value.ordered : 0, length: UInt32(truncatingIfNeeded: kept.count),
        bits: UInt64(sorted.offset)))
  }

  /// A map from pairs that exist already.
  public func map(_ pairs: [(key: Value, value: Value)], ordered: Bool = false) -> Value {
    guard let row = row(pairs.count * 2) else { return .error(.memory) }
    for (i, pair) in pairs.enumerated() {
      set(row, 2 * i, pair.key)
      set(row, 2 * i + 1, pair.value)
    }
    return map(row, ordered: ordered)
  }

  public func latlng(latitude: Double, longitude: Double) -> Value {
    guard let row = row(2) else { return .error(.memory) }
    set(row, 0, .float(latitude))
    set(row, 1, .float(longitude))
    return finish(row, as: .latlng)
  }

  public func latitude(_ v: Value) -> Double { element(v, 0).asDouble }
  public func longitude(_ v: Value) -> Double { element(v, 1).asDouble }

  /// A capture of a path template: its name, and what it is bound to (a string, or for a glob a path).
  public func capture(name: Value, glob: Bool, bound: Value? = nil) -> Value {
    guard let row = row(2) else { return .error(.memory) }
    set(row, 0, name)
    set(row, 1, bound ?? .null)
    return finish(row, as: .capture, flags: (glob ? Value.glob : 0) | (bound != nil ? Value.bound : 0))
  }
}

extension Arena {
  /// Orders two strings by UTF-16 code units, as the language does: negative, zero or positive.
  public func compareStrings(_ a: Value, _ b: Value) -> Int {
    // Names mostly differ in their first letter.
    if a.count > 0, b.count > 0 {
      let (x, y) = (byte(a, 0), byte(b, 0))
      if x != y, x < 0x80, y < 0x80 { return Int(x) &- Int(y) }
    }
    let at = firstDifference(a, b)
    if at >= a.count || at >= b.count { return a.count - b.count }
    let x = byte(a, at)
    let y = byte(b, at)
    // In UTF-8, characters beyond the basic plane sort after U+E000 … U+FFFF; in UTF-16 before, and among the
    // surrogates. Only lead bytes ED, EE, EF and F0 … F4 are affected, as is a difference within an ED sequence.
    if x >= 0xED || y >= 0xED || (x & 0xC0 == 0x80) {
      return WTF8.compareUTF16(copyBytes(a), copyBytes(b))
    }
    return Int(x) - Int(y)
  }
}

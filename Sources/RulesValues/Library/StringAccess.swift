/// Parts of strings by UTF-16 unit, which is how the language counts: `s[i]` and `s[i:j]`. A boundary may split a
/// surrogate pair, whose halves then are strings of their own.
public enum StringAccess {
  /// `s[i]`
  public static func unit(at index: Value, of string: Value, _ arena: Arena) -> Value {
    guard index.has(.int) else { return arena.unsupported(.stringIndex, string, index) }
    let i = index.asInt
    guard i >= 0, i < Int64(string.utf16Count) else {
      return arena.error(.indexOutOfBounds, index, .int(Int64(string.utf16Count)))
    }
    return part(of: string, Int(i), Int(i) + 1, arena)
  }

  /// `s[i:j]`; null for a bound that is left out.
  public static func slice(_ string: Value, from lower: Value, to upper: Value, _ arena: Arena) -> Value {
    guard lower.has(.int) || lower.has(.null), upper.has(.int) || upper.has(.null) else {
      return arena.unsupported(.stringSlice, string, lower, upper)
    }
    switch SliceBounds.check(lower, upper, size: string.utf16Count, arena) {
    case .range(let from, let to): return part(of: string, from, to, arena)
    case .failure(let failure): return failure
    }
  }

  /// Units `from ..< to` of a string that has them.
  static func part(of string: Value, _ from: Int, _ to: Int, _ arena: Arena) -> Value {
    if string.isASCII { return arena.substring(string, from, to) }
    let start = place(of: from, in: string, arena, after: (0, 0))
    let end = place(of: to, in: string, arena, after: start)
    if start.units == from, end.units == to {
      return string.hasLoneSurrogate
        ? arena.string(arena.copyBytes(string)[start.byte..<end.byte])
        : arena.substring(string, start.byte, end.byte)
    }
    // A pair is split: both ends are taken back to before it and the halves cut off as units.
    let last = end.units == to ? end.byte : min(end.byte + 4, string.count)
    let units = WTF8.utf16(Array(arena.copyBytes(string)[min(start.byte, last)..<last]))
    let drop = from - start.units
    return arena.string(WTF8.bytes(utf16: units.dropFirst(drop).prefix(to - from)))
  }

  /// The byte at which unit `unit` begins; or where the pair begins of which it is the second half, with one unit
  /// less. Searching starts at a place that is known.
  private static func place(
    of unit: Int, in string: Value, _ arena: Arena, after known: (byte: Int, units: Int)
  ) -> (byte: Int, units: Int) {
    var (byte, units) = known
    while units < unit, byte < string.count {
      let b = arena.byte(string, byte)
      let width = b < 0x80 ? 1 : b < 0xE0 ? 2 : b < 0xF0 ? 3 : 4
      let step = width == 4 ? 2 : 1
      if units + step > unit { break }
      byte += width
      units += step
    }
    return (byte, units)
  }
}

/// The rule by which the bounds of a slice are checked, the same for strings, lists and paths.
enum SliceBounds {
  case range(Int, Int)
  case failure(Value)

  /// Bounds are ints or null. With no bound at all nothing is checked. Else both must fit 32 bits; then the lower one
  /// (null is zero) must be an index, the upper one must be one more than an index, which may wrap, and they must be
  /// in order. (Observed on the official emulator 1.19.9.)
  static func check(_ lower: Value, _ upper: Value, size: Int, _ arena: Arena) -> SliceBounds {
    if lower.has(.null), upper.has(.null) { return .range(0, size) }
    func outside(_ index: Int64) -> SliceBounds {
      .failure(arena.error(.indexOutOfBounds, .int(index), .int(Int64(size))))
    }
    if lower.has(.int), Int32(exactly: lower.asInt) == nil { return outside(lower.asInt) }
    if upper.has(.int), Int32(exactly: upper.asInt) == nil { return outside(upper.asInt) }
    let first = lower.has(.int) ? lower.asInt : 0
    guard first >= 0, first < Int64(size) else { return outside(first) }
    let from = Int(first)
    var to = size
    if upper.has(.int) {
      let last = Int64(Int32(truncatingIfNeeded: upper.asInt) &- 1)
      guard last >= 0, last < Int64(size) else { return outside(last) }
      to = Int(last) + 1
    }
    guard from <= to else {
      return .failure(arena.error(.illegalRange, .int(Int64(from)), .int(Int64(to))))
    }
    return .range(from, to)
  }
}

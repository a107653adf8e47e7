#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The one file of this room that touches raw memory. Every read is bounds-checked against its region.

/// What an arena knows, in memory of its own so that a handle to it is one trivial word.
@usableFromInline
struct ArenaState {
  @usableFromInline var heap: UnsafeMutableRawPointer
  @usableFromInline var used: Int
  @usableFromInline var capacity: Int
  @usableFromInline var limit: Int
  @usableFromInline var constants: UnsafeRawPointer
  @usableFromInline var constantCount: Int
  @usableFromInline var generation: UInt16
  #if DEBUG
    /// For each 16 bytes of the heap, the generation in which they were given out last.
    @usableFromInline var givenOut: UnsafeMutablePointer<UInt16>
  #endif
  @usableFromInline var building: Bool
  @usableFromInline var stack: UnsafeMutablePointer<Value>
  @usableFromInline var frame: Int
  @usableFromInline var top: Int
  @usableFromInline var budget: Int
}

/// Memory of one request: a heap that only grows until it is reset, a stack of value slots for parameters and
/// `let` bindings, and the expression budget. This is a trivial handle; the owner keeps the memory alive.
@frozen
public struct Arena {
  @usableFromInline let state: UnsafeMutablePointer<ArenaState>

  @usableFromInline
  init(_ state: UnsafeMutablePointer<ArenaState>) { self.state = state }
}

/// Owns an arena's memory. One per worker: not for use by two threads at once.
public final class ArenaOwner {
  public let arena: Arena
  // Keeps the constants' memory alive as long as values may point into it.
  private let constants: Constants?

  /// Slots for captures, parameters and lets: at most 20 captures and 20 nested calls of 7 parameters and 11 lets.
  static let stackSlots = 512

  /// - Parameters:
  ///   - limit: bytes that the heap may grow to; beyond it, values become errors. At most 1 GiB.
  ///   - constants: the program's constants that values may refer to.
  public init(limit: Int = 256 << 20, constants: Constants? = nil) {
    self.constants = constants
    let capacity = 4096
    let heap = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    let stack = UnsafeMutablePointer<Value>.allocate(capacity: Self.stackSlots)
    stack.initialize(repeating: .null, count: Self.stackSlots)
    let state = UnsafeMutablePointer<ArenaState>.allocate(capacity: 1)
    let base = constants?.base ?? UnsafeRawPointer(heap)
    let count = constants?.count ?? 0
    #if DEBUG
      let givenOut = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity / 16)
      givenOut.initialize(repeating: 0, count: capacity / 16)
      state.initialize(
        to: ArenaState(
          heap: heap, used: 0, capacity: capacity, limit: min(limit, 1 << 30), constants: base, constantCount: count,
          generation: 1, givenOut: givenOut, building: false, stack: stack, frame: 0, top: 0, budget: Int.max))
    #else
      state.initialize(
        to: ArenaState(
          heap: heap, used: 0, capacity: capacity, limit: min(limit, 1 << 30), constants: base, constantCount: count,
          generation: 1, building: false, stack: stack, frame: 0, top: 0, budget: Int.max))
    #endif
    arena = Arena(state)
  }

  deinit {
    arena.state.pointee.heap.deallocate()
    arena.state.pointee.stack.deallocate()
    #if DEBUG
      arena.state.pointee.givenOut.deallocate()
    #endif
    arena.state.deallocate()
  }

  /// Turns the arena's content into constants: values that were made in it and passed through
  /// `Arena.constant(_:)` may then be used with every arena that is given the result.
  public func freeze() -> Constants {
    let state = arena.state
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(16, state.pointee.used), alignment: 16)
    copy.copyMemory(from: UnsafeRawPointer(state.pointee.heap), byteCount: state.pointee.used)
    return Constants(base: UnsafeRawPointer(copy), count: state.pointee.used)
  }

  /// An owner in which every value made is marked as a constant, for building the constants of a program.
  public static func forConstants() -> ArenaOwner {
    let owner = ArenaOwner()
    owner.arena.state.pointee.building = true
    return owner
  }
}

/// Frozen memory that values of many requests may point into. Immutable, so threads may share it.
public final class Constants: @unchecked Sendable {
  fileprivate let base: UnsafeRawPointer
  fileprivate let count: Int

  fileprivate init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  deinit { base.deallocate() }
}

// MARK: - Heap

extension Arena {
  /// Forgets all values. Debug builds notice when one is used afterwards.
  @inlinable
  public func reset() {
    state.pointee.used = 0
    state.pointee.frame = 0
    state.pointee.top = 0
    state.pointee.generation &+= 1
  }

  /// Bytes in use: what `rewind(to:)` goes back to.
  @inlinable
  public var usedBytes: Int { state.pointee.used }

  /// Forgets the values made since `mark` bytes were in use, and frees the stack slots from `slots` up. Older values
  /// stay what they are. Debug builds notice when one of the others is used afterwards.
  @inlinable
  public func rewind(to mark: Int, slots: Int) {
    state.pointee.used = max(0, min(mark, state.pointee.used))
    state.pointee.frame = 0
    state.pointee.top = max(0, min(slots, state.pointee.top))
    state.pointee.generation &+= 1
  }

  /// `count` bytes aligned to 16, or `nil` when the limit is reached.
  @inlinable @inline(__always)
  func allocate(_ count: Int) -> Int? {
    let start = (state.pointee.used &+ 15) & ~15
    let end = start &+ count
    if end > state.pointee.capacity {
      guard grow(to: end) else { return nil }
    }
    state.pointee.used = end
    if state.pointee.building { state.pointee.constantCount = end }
    #if DEBUG
      for i in start / 16..<(end &+ 15) / 16 { state.pointee.givenOut[i] = state.pointee.generation }
    #endif
    return start
  }

  @usableFromInline @inline(never)
  func grow(to end: Int) -> Bool {
    guard end >= 0, end <= state.pointee.limit else { return false }
    var capacity = state.pointee.capacity
    while capacity < end { capacity *= 2 }
    let heap = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    heap.copyMemory(from: UnsafeRawPointer(state.pointee.heap), byteCount: state.pointee.used)
    #if DEBUG
      let givenOut = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity / 16)
      givenOut.initialize(repeating: 0, count: capacity / 16)
      givenOut.update(from: state.pointee.givenOut, count: (state.pointee.used + 15) / 16)
      state.pointee.givenOut.deallocate()
      state.pointee.givenOut = givenOut
    #endif
    let ownConstants = state.pointee.constants == UnsafeRawPointer(state.pointee.heap)
    state.pointee.heap.deallocate()
    state.pointee.heap = heap
    state.pointee.capacity = capacity
    if ownConstants || state.pointee.building { state.pointee.constants = UnsafeRawPointer(heap) }
    return true
  }

  /// The flag and generation that a value made now carries.
  @inlinable @inline(__always)
  func stamp(_ v: Value) -> Value {
    var v = v
    if state.pointee.building {
      v.meta |= UInt64(Value.inConstants) << 8
    } else {
      #if DEBUG
        v.meta |= UInt64(state.pointee.generation) << 16
      #endif
    }
    return v
  }

  /// The address of `count` bytes of `v`'s payload, or `nil` when they are not there.
  @inlinable @inline(__always)
  func address(_ v: Value, _ count: Int) -> UnsafeRawPointer? {
    let offset = v.offset
    if v.isConstant {
      guard offset &+ count <= state.pointee.constantCount else { return nil }
      return state.pointee.constants + offset
    }
    #if DEBUG
      assert(isAlive(v, count), "a value outlived its memory")
    #endif
    guard offset &+ count <= state.pointee.used else { return nil }
    return UnsafeRawPointer(state.pointee.heap) + offset
  }

  #if DEBUG
    /// Do the first `count` bytes of the value's payload still lie where they were written? They do as long as their
    /// memory was not given out anew, nor given back.
    @usableFromInline
    func isAlive(_ v: Value, _ count: Int) -> Bool {
      if count <= 0 || v.isConstant { return true }
      let end = v.offset &+ count
      return end <= state.pointee.used && state.pointee.givenOut[v.offset / 16] == v.generation
        && state.pointee.givenOut[(end &- 1) / 16] == v.generation
    }
  #endif
}

// MARK: - Stack and budget

extension Arena {
  /// Reads slot `index` of the frame in force.
  @inlinable @inline(__always)
  public func local(_ index: Int) -> Value {
    let i = state.pointee.frame &+ index
    return i >= 0 && i < ArenaOwner.slots ? state.pointee.stack[i] : .null
  }

  @inlinable @inline(__always)
  public func setLocal(_ index: Int, _ value: Value) {
    let i = state.pointee.frame &+ index
    if i >= 0 && i < ArenaOwner.slots { state.pointee.stack[i] = value }
  }

  /// Reads slot `index` counted from the bottom of the stack: the captures of the match in force.
  @inlinable @inline(__always)
  public func global(_ index: Int) -> Value {
    index >= 0 && index < ArenaOwner.slots ? state.pointee.stack[index] : .null
  }

  @inlinable @inline(__always)
  public func setGlobal(_ index: Int, _ value: Value) {
    if index >= 0 && index < ArenaOwner.slots { state.pointee.stack[index] = value }
  }

  /// Takes `count` slots above those in use and returns the first; `nil` when the stack is full.
  @inlinable @inline(__always)
  public func reserve(_ count: Int) -> Int? {
    let base = state.pointee.top
    guard base &+ count <= ArenaOwner.slots else { return nil }
    state.pointee.top = base &+ count
    return base
  }

  /// Gives back everything from `base` up.
  @inlinable @inline(__always)
  public func release(to base: Int) { state.pointee.top = base }

  /// Makes the slots from `base` on the frame in force and returns the one before.
  @inlinable @inline(__always)
  public func enterFrame(_ base: Int) -> Int {
    let previous = state.pointee.frame
    state.pointee.frame = base
    return previous
  }

  @inlinable @inline(__always)
  public func leaveFrame(_ previous: Int) { state.pointee.frame = previous }

  @inlinable
  public func setBudget(_ count: Int) { state.pointee.budget = count }

  /// What is left of the budget; negative once it has run out.
  @inlinable
  public var budget: Int { state.pointee.budget }

  /// Takes `cost` expressions from the budget; false when it has run out, now or before.
  @inlinable @inline(__always)
  public func spend(_ cost: Int) -> Bool {
    state.pointee.budget &-= cost
    return state.pointee.budget >= 0
  }
}

extension ArenaOwner {
  @inlinable @inline(__always)
  static var slots: Int { 512 }
}

// MARK: - Strings and bytes

extension Arena {
  /// A string from WTF-8 bytes. The caller has joined surrogate pairs.
  public func string(_ bytes: [UInt8]) -> Value {
    bytes.withUnsafeBytes { string(raw: $0) }
  }

  public func string(_ text: String) -> Value {
    var text = text
    return text.withUTF8 { string(raw: UnsafeRawBufferPointer($0)) }
  }

  public func string(_ text: StaticString) -> Value {
    string(raw: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A string from a piece of bytes, without copying them into an array first.
  public func string(_ bytes: ArraySlice<UInt8>) -> Value {
    bytes.withUnsafeBytes { string(raw: $0) }
  }

  func string(raw bytes: UnsafeRawBufferPointer) -> Value {
    guard let at = allocate(bytes.count) else { return .error(.memory) }
    if let from = bytes.baseAddress { (state.pointee.heap + at).copyMemory(from: from, byteCount: bytes.count) }
    return finishString(at: at, count: bytes.count)
  }

  /// A string from bytes `range` of a bytes value that was made in the same pass, sharing its memory. They must be
  /// WTF-8.
  public func string(in bytes: Value, _ range: Range<Int>) -> Value {
    guard bytes.has(.bytes), !bytes.isConstant, range.lowerBound >= 0, range.upperBound <= bytes.count,
      address(bytes, bytes.count) != nil
    else { return .error(.memory) }
    return finishString(at: bytes.offset &+ range.lowerBound, count: range.count)
  }

  /// Makes a string of the bytes that lie at `at` already, measuring them.
  func finishString(at: Int, count: Int) -> Value {
    let p = UnsafeRawPointer(state.pointee.heap) + at
    // What is all ASCII, as most strings are, is measured eight bytes at a time; the last eight overlap those before.
    let tops: UInt64 = 0x8080_8080_8080_8080
    var i = 0
    while i &+ 8 <= count, p.loadUnaligned(fromByteOffset: i, as: UInt64.self) & tops == 0 { i &+= 8 }
    if i &+ 8 > count {
      var rest = tops
      if count >= 8 {
        rest &= p.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      } else if at &+ 8 <= state.pointee.capacity {
        rest &= UInt64(littleEndian: p.loadUnaligned(as: UInt64.self)) & ~(UInt64.max &<< UInt64(truncatingIfNeeded: count &* 8))
      }
      if rest == 0 {
        return stamp(
          Value(
            .string, flags: Value.ascii, length: UInt32(truncatingIfNeeded: count), bits: UInt64(at) | UInt64(count) << 32))
      }
    }
    var ascii = true
    var units = i
    var lone = false
    for i in i..<count {
      let b = p.load(fromByteOffset: i, as: UInt8.self)
      if b < 0x80 {
        units &+= 1
        continue
      }
      ascii = false
      if b & 0xC0 != 0x80 { units &+= b >= 0xF0 ? 2 : 1 }
      if b == 0xED, i + 1 < count, p.load(fromByteOffset: i + 1, as: UInt8.self) >= 0xA0 { lone = true }
    }
    var flags: UInt8 = ascii ? Value.ascii : 0
    if lone { flags |= Value.loneSurrogate }
    return stamp(
      Value(.string, flags: flags, length: UInt32(truncatingIfNeeded: count), bits: UInt64(at) | UInt64(units) << 32))
  }

  public func bytes(_ bytes: [UInt8]) -> Value {
    guard let at = allocate(bytes.count) else { return .error(.memory) }
    bytes.withUnsafeBytes {
      if let from = $0.baseAddress { (state.pointee.heap + at).copyMemory(from: from, byteCount: $0.count) }
    }
    return stamp(Value(.bytes, length: UInt32(truncatingIfNeeded: bytes.count), bits: UInt64(at)))
  }

  /// The bytes of a string or bytes value, copied.
  public func copyBytes(_ v: Value) -> [UInt8] {
    guard let p = address(v, v.count) else { return [] }
    return Array(UnsafeRawBufferPointer(start: p, count: v.count))
  }

  /// Byte `i` of a string or bytes value; 0 beyond the end.
  @inlinable @inline(__always)
  public func byte(_ v: Value, _ i: Int) -> UInt8 {
    guard i >= 0, i < v.count, let p = address(v, v.count) else { return 0 }
    return p.load(fromByteOffset: i, as: UInt8.self)
  }

  /// The bytes of a string or bytes value, for the length of the call only.
  @inlinable @inline(__always)
  public func withBytes<R>(_ v: Value, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: address(v, v.count), count: address(v, v.count) == nil ? 0 : v.count))
  }

  /// Are the bytes of two strings (or two bytes values) the same?
  @inlinable @inline(__always)
  public func sameBytes(_ a: Value, _ b: Value) -> Bool {
    let count = a.count
    guard count == b.count, let p = address(a, count), let q = address(b, count) else { return false }
    return Arena.same(p, q, count)
  }

  /// Compares `count` bytes. Keys are short: a call of `memcmp` costs more than comparing them here.
  @inlinable @inline(__always)
  static func same(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer, _ count: Int) -> Bool {
    if count >= 8 {
      // The last eight bytes overlap those before.
      if count > 64 { return memcmp(p, q, count) == 0 }
      var i = 0
      while i &+ 8 < count {
        if p.loadUnaligned(fromByteOffset: i, as: UInt64.self) != q.loadUnaligned(fromByteOffset: i, as: UInt64.self) {
          return false
        }
        i &+= 8
      }
      return p.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        == q.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    }
    if count >= 4 {
      return p.loadUnaligned(as: UInt32.self) == q.loadUnaligned(as: UInt32.self)
        && p.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
          == q.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
    }
    var i = 0
    while i < count {
      if p.load(fromByteOffset: i, as: UInt8.self) != q.load(fromByteOffset: i, as: UInt8.self) { return false }
      i &+= 1
    }
    return true
  }

  /// Orders bytes as unsigned numbers: negative, zero or positive.
  public func compareBytes(_ a: Value, _ b: Value) -> Int {
    guard let p = address(a, a.count), let q = address(b, b.count) else { return 0 }
    let order = memcmp(p, q, min(a.count, b.count))
    return order != 0 ? Int(order) : a.count - b.count
  }

  /// Index of the first byte in which two values differ, or the shorter length.
  func firstDifference(_ a: Value, _ b: Value) -> Int {
    let count = min(a.count, b.count)
    guard let p = address(a, a.count), let q = address(b, b.count) else { return 0 }
    var same = 0
    while same &+ 8 <= count,
      p.loadUnaligned(fromByteOffset: same, as: UInt64.self) == q.loadUnaligned(fromByteOffset: same, as: UInt64.self)
    {
      same &+= 8
    }
    for i in same..<count where p.load(fromByteOffset: i, as: UInt8.self) != q.load(fromByteOffset: i, as: UInt8.self) {
      return i
    }
    return count
  }

  /// The part of a string from byte `lower` up to `upper`, sharing its memory. Both must lie on character
  /// boundaries of `s`, `units` being the UTF-16 length of the part.
  public func substring(_ s: Value, bytes lower: Int, _ upper: Int, units: Int) -> Value {
    guard lower >= 0, lower <= upper, upper <= s.count else { return .error(.memory) }
    var part = s
    part.bits = UInt64(s.offset &+ lower) | UInt64(units) << 32
    part.meta = (s.meta & 0xFFFF_FFFF) | UInt64(UInt32(truncatingIfNeeded: upper &- lower)) << 32
    return part
  }

  /// A string as Swift text; unpaired surrogates become U+FFFD.
  public func text(_ v: Value) -> String {
    String(decoding: v.hasLoneSurrogate ? WTF8.encoded(copyBytes(v)) : copyBytes(v), as: UTF8.self)
  }

  /// Bytes `lower ..< upper` of a string, sharing its memory. Both ends must lie between characters.
  public func substring(_ v: Value, _ lower: Int, _ upper: Int) -> Value {
    guard lower >= 0, lower <= upper, upper <= v.count else { return .error(.memory) }
    var part = v
    part.meta = (v.meta & 0xFFFF_FFFF) | UInt64(UInt32(truncatingIfNeeded: upper &- lower)) << 32
    if v.isASCII {
      part.bits = UInt64(v.offset &+ lower) | UInt64(upper &- lower) << 32
      return part
    }
    var units = 0
    var all: UInt8 = 0
    for i in lower..<upper {
      let b = byte(v, i)
      all |= b
      if b & 0xC0 != 0x80 { units &+= b >= 0xF0 ? 2 : 1 }
    }
    if all < 0x80 { part.meta |= UInt64(Value.ascii) << 8 }
    part.bits = UInt64(v.offset &+ lower) | UInt64(units) << 32
    return part
  }

  /// A string whose ASCII letters in `range` are turned from one case into the other.
  func changingCase(_ v: Value, of range: ClosedRange<UInt8>) -> Value {
    let count = v.count
    guard let at = allocate(count) else { return .error(.memory) }
    // Taken after allocating, which may move the heap.
    guard let from = address(v, count) else { return .error(.memory) }
    for i in 0..<count {
      let b = from.load(fromByteOffset: i, as: UInt8.self)
      (state.pointee.heap + at).storeBytes(of: range.contains(b) ? b ^ 0x20 : b, toByteOffset: i, as: UInt8.self)
    }
    var flags = v.flags & (Value.ascii | Value.loneSurrogate)
    flags &= ~Value.inConstants
    return stamp(Value(.string, flags: flags, length: v.length, bits: UInt64(at) | UInt64(v.utf16Count) << 32))
  }

  /// The UTF-8 of a string without unpaired surrogates, sharing its memory.
  func sharedUTF8(_ v: Value) -> Value {
    let kept = v.meta & ~(0xFF | UInt64(Value.ascii | Value.loneSurrogate) << 8)
    return Value(meta: kept | UInt64(Value.Tag.bytes.rawValue), bits: v.bits & 0xFFFF_FFFF)
  }

  /// Two strings one after the other, joining a surrogate pair that meets at the seam.
  public func concatenate(_ a: Value, _ b: Value) -> Value {
    if a.count == 0 { return b }
    if b.count == 0 { return a }
    if a.hasLoneSurrogate && b.hasLoneSurrogate { return string(WTF8.joined(copyBytes(a), copyBytes(b))) }
    guard let at = allocate(a.count &+ b.count) else { return .error(.memory) }
    guard let p = address(a, a.count), let q = address(b, b.count) else { return .error(.memory) }
    (state.pointee.heap + at).copyMemory(from: p, byteCount: a.count)
    (state.pointee.heap + at + a.count).copyMemory(from: q, byteCount: b.count)
    var flags: UInt8 = a.isASCII && b.isASCII ? Value.ascii : 0
    if a.hasLoneSurrogate || b.hasLoneSurrogate { flags |= Value.loneSurrogate }
    return stamp(
      Value(
        .string, flags: flags, length: UInt32(truncatingIfNeeded: a.count &+ b.count),
        bits: UInt64(at) | UInt64(a.utf16Count &+ b.utf16Count) << 32))
  }
}

// MARK: - Lists, sets, paths, maps and records

extension Arena {
  /// A row of values under construction.
  public struct Row {
    @usableFromInline let offset: Int
    public let count: Int

    @inlinable
    init(offset: Int, count: Int) {
      self.offset = offset
      self.count = count
    }
  }

  /// Room for `count` values, all null at first; `nil` when the memory limit is reached.
  @inlinable
  public func row(_ count: Int) -> Row? {
    guard count >= 0, count < 1 << 26, let at = allocate(count &* 16) else { return nil }
    let p = (state.pointee.heap + at).bindMemory(to: Value.self, capacity: count)
    p.initialize(repeating: .null, count: count)
    return Row(offset: at, count: count)
  }

  @inlinable @inline(__always)
  public func set(_ row: Row, _ i: Int, _ v: Value) {
    guard i >= 0, i < row.count, row.offset &+ row.count &* 16 <= state.pointee.used else { return }
    (state.pointee.heap + row.offset).storeBytes(of: v, toByteOffset: i &* 16, as: Value.self)
  }

  @inlinable @inline(__always)
  public func get(_ row: Row, _ i: Int) -> Value {
    guard i >= 0, i < row.count, row.offset &+ row.count &* 16 <= state.pointee.used else { return .null }
    return (state.pointee.heap + row.offset).load(fromByteOffset: i &* 16, as: Value.self)
  }

  /// Makes a list, set, path, vector or capture of the first `count` values of a row.
  @inlinable
  public func finish(_ row: Row, as tag: Value.Tag, count: Int? = nil, flags: UInt8 = 0) -> Value {
    let n = max(0, min(count ?? row.count, row.count))
    return stamp(Value(tag, flags: flags, length: UInt32(truncatingIfNeeded: n), bits: UInt64(row.offset)))
  }

  /// A list, set, path or vector of values that exist already.
  public func collection(_ tag: Value.Tag, _ values: [Value]) -> Value {
    guard let row = row(values.count) else { return .error(.memory) }
    for (i, v) in values.enumerated() { set(row, i, v) }
    return finish(row, as: tag)
  }

  public func list(_ values: [Value]) -> Value { collection(.list, values) }

  /// Element `i` of a list, set, path, vector or capture; null beyond the end (callers check `count`).
  @inlinable @inline(__always)
  public func element(_ v: Value, _ i: Int) -> Value {
    guard i >= 0, i < v.count, let p = address(v, v.count &* 16) else { return .null }
    return p.load(fromByteOffset: i &* 16, as: Value.self)
  }

  /// Is a string among the elements of a list?
  @inlinable
  public func contains(_ list: Value, string: Value) -> Bool {
    let count = list.count
    guard let p = address(list, count &* 16), let wanted = address(string, string.count) else { return false }
    var i = 0
    while i < count {
      let v = p.load(fromByteOffset: i &* 16, as: Value.self)
      if v.has(.string), v.length == string.length, let q = address(v, v.count), Arena.same(q, wanted, v.count) {
        return true
      }
      i &+= 1
    }
    return false
  }

  /// Is each key of a map among the elements of a list?
  @inlinable
  public func containsKeys(of map: Value, _ list: Value) -> Bool {
    let (keys, count) = (map.count, list.count)
    guard let k = address(map, keys &* 32), let p = address(list, count &* 16) else { return false }
    var i = 0
    next: while i < keys {
      let key = k.load(fromByteOffset: i &* 32, as: Value.self)
      i &+= 1
      guard let wanted = address(key, key.count) else { return false }
      var j = 0
      while j < count {
        let v = p.load(fromByteOffset: j &* 16, as: Value.self)
        j &+= 1
        if v.length == key.length, v.has(.string), let q = address(v, v.count), Arena.same(q, wanted, v.count) {
          continue next
        }
      }
      return false
    }
    return true
  }

  /// Is each key of a map among the elements of a list of strings that is sorted as keys are?
  @inlinable
  public func containsKeys(of map: Value, sorted list: Value) -> Bool {
    let (keys, count) = (map.count, list.count)
    guard let k = address(map, keys &* 32), let p = address(list, count &* 16) else { return false }
    var (i, j) = (0, 0)
    next: while i < keys {
      let key = k.load(fromByteOffset: i &* 32, as: Value.self)
      i &+= 1
      guard let wanted = address(key, key.count) else { return false }
      // What is passed over here is less than this key, and so than those that follow.
      while j < count {
        let v = p.load(fromByteOffset: j &* 16, as: Value.self)
        j &+= 1
        if v.length == key.length, let q = address(v, v.count), Arena.same(q, wanted, v.count) { continue next }
      }
      return false
    }
    return true
  }

  /// Elements `lower ..< upper` of a list or path, sharing its memory.
  public func slice(_ v: Value, _ lower: Int, _ upper: Int) -> Value {
    guard lower >= 0, lower <= upper, upper <= v.count else { return .error(.memory) }
    var part = v
    part.bits = UInt64(v.offset &+ lower &* 16)
    part.meta = (v.meta & 0xFFFF_FFFF) | UInt64(UInt32(truncatingIfNeeded: upper &- lower)) << 32
    return part
  }

  /// Key `i` of a map (or of a map diff, or the operator of constraint `i`).
  @inlinable @inline(__always)
  public func key(_ map: Value, _ i: Int) -> Value {
    guard i >= 0, i < map.count, let p = address(map, map.count &* 32) else { return .null }
    return p.load(fromByteOffset: i &* 32, as: Value.self)
  }

  /// Value `i` of a map (of a map diff: its status; of a constraint: its operand).
  @inlinable @inline(__always)
  public func value(_ map: Value, _ i: Int) -> Value {
    guard i >= 0, i < map.count, let p = address(map, map.count &* 32) else { return .null }
    return p.load(fromByteOffset: i &* 32 &+ 16, as: Value.self)
  }

  /// The value under a key, or `nil`. Maps are kept sorted, so that large ones are searched by halving.
  @inlinable
  public func lookup(_ map: Value, _ key: Value) -> Value? {
    let count = map.count
    guard let p = address(map, count &* 32) else { return nil }
    if count <= 12 {
      guard let wanted = address(key, key.count) else { return nil }
      var i = 0
      while i < count {
        let k = p.load(fromByteOffset: i &* 32, as: Value.self)
        if k.length == key.length, let q = address(k, key.count), Arena.same(q, wanted, key.count) {
          return p.load(fromByteOffset: i &* 32 &+ 16, as: Value.self)
        }
        i &+= 1
      }
      return nil
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      let order = compareStrings(p.load(fromByteOffset: middle &* 32, as: Value.self), key)
      if order == 0 { return p.load(fromByteOffset: middle &* 32 &+ 16, as: Value.self) }
      if order < 0 { low = middle &+ 1 } else { high = middle }
    }
    return nil
  }

  /// A small map without repeated keys, its row brought into order; `nil` when a key is there twice. The order of
  /// equal keys is not touched.
  func sortedInPlace(_ row: Row, _ count: Int) -> Value? {
    guard row.offset &+ count &* 32 <= state.pointee.used else { return .error(.memory) }
    // Nothing is allocated here, so that the heap stays where it is.
    let p = state.pointee.heap + row.offset
    var i = 1
    while i < count {
      let key = p.load(fromByteOffset: i &* 32, as: Value.self)
      let value = p.load(fromByteOffset: i &* 32 &+ 16, as: Value.self)
      let start = key.isASCII ? self.start(of: key) : 0
      var at = i
      while at > 0 {
        let other = p.load(fromByteOffset: at &* 32 &- 32, as: Value.self)
        let otherStart = key.isASCII && other.isASCII ? self.start(of: other) : start
        let order = otherStart != start ? (otherStart < start ? -1 : 1) : compareStrings(other, key)
        if order < 0 { break }
        if order == 0 { return nil }
        p.storeBytes(of: other, toByteOffset: at &* 32, as: Value.self)
        p.storeBytes(of: p.load(fromByteOffset: at &* 32 &- 16, as: Value.self), toByteOffset: at &* 32 &+ 16, as: Value.self)
        p.storeBytes(of: key, toByteOffset: at &* 32 &- 32, as: Value.self)
        p.storeBytes(of: value, toByteOffset: at &* 32 &- 16, as: Value.self)
        at &-= 1
      }
      i &+= 1
    }
    return stamp(Value(.map, length: UInt32(truncatingIfNeeded: count), bits: UInt64(row.offset)))
  }

  /// The first eight bytes of a string as a number, zeros behind a shorter one: of two ASCII strings the one with the
  /// lower number comes first.
  @inline(__always)
  private func start(of v: Value) -> UInt64 {
    let count = v.count
    guard let p = address(v, count) else { return 0 }
    let end = v.isConstant ? state.pointee.constantCount : state.pointee.capacity
    if count >= 8 || (count > 0 && v.offset &+ 8 <= end) {
      let word = UInt64(bigEndian: p.loadUnaligned(as: UInt64.self))
      return count >= 8 ? word : word & (UInt64.max &<< UInt64(truncatingIfNeeded: 64 &- count &* 8))
    }
    var number: UInt64 = 0
    var i = 0
    while i < count {
      number |= UInt64(p.load(fromByteOffset: i, as: UInt8.self)) << UInt64(truncatingIfNeeded: 56 &- i &* 8)
      i &+= 1
    }
    return number
  }

  /// Index, in key order, of the entry that stands at `place` in the map's own order.
  public func entry(_ map: Value, at place: Int) -> Int {
    let count = map.count
    guard map.flags & Value.ordered != 0, place >= 0, place < count, let p = address(map, count &* 48) else {
      return place
    }
    return Int(p.load(fromByteOffset: count &* 32 &+ place &* 16, as: Value.self).asInt)
  }

  /// Entries that are sorted already, or whose order is their own (map diffs, constraints).
  @inlinable
  public func entries(_ row: Row, as tag: Value.Tag, count: Int? = nil) -> Value {
    let n = max(0, min(count ?? row.count / 2, row.count / 2))
    return stamp(Value(tag, length: UInt32(truncatingIfNeeded: n), bits: UInt64(row.offset)))
  }
}

/// Hashes of short texts, for tables whose keys come from the rules, not from requests (where collisions could be
/// chosen).
extension Arena {
  /// A hash of a string's bytes: the same as `hash(of:)` of the text.
  @inlinable @inline(__always)
  public func hash(_ v: Value) -> UInt64 {
    guard let p = address(v, v.count) else { return 0 }
    return Arena.hash(p, v.count)
  }

  public static func hash(of text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { utf8 in
      guard let start = UnsafeRawBufferPointer(utf8).baseAddress else { return mix(0) }
      return hash(start, utf8.count)
    }
  }

  /// Eight bytes at a time; the last eight overlap those before.
  @inlinable @inline(__always)
  static func hash(_ p: UnsafeRawPointer, _ count: Int) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: count)
    if count >= 8 {
      var i = 0
      while i &+ 8 < count {
        hash = mix(hash ^ p.loadUnaligned(fromByteOffset: i, as: UInt64.self))
        i &+= 8
      }
      return mix(hash ^ p.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
    }
    if count >= 4 {
      let first = UInt64(p.loadUnaligned(as: UInt32.self))
      return mix(hash << 56 ^ first << 32 ^ UInt64(p.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)))
    }
    var i = 0
    while i < count {
      hash = hash << 8 | UInt64(p.load(fromByteOffset: i, as: UInt8.self))
      i &+= 1
    }
    return mix(hash)
  }

  @inlinable @inline(__always)
  static func mix(_ x: UInt64) -> UInt64 {
    // Both halves of the product, so that every bit of `x` reaches the low bits, which tables go by.
    let product = (x ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

/// Objects that one immutable list keeps alive, reached without counting references to them.
public final class Roster<Element: AnyObject & Sendable>: Sendable {
  @usableFromInline let owned: [Element]
  @usableFromInline let references: [Unmanaged<Element>]

  public init(_ elements: [Element]) {
    owned = elements
    references = elements.map { Unmanaged.passUnretained($0) }
  }

  /// Hands object `i` to `body`, for the length of the call; `nil` when there is none.
  @inlinable @inline(__always)
  public func with<R>(_ i: Int, _ body: (Element) -> R) -> R? {
    guard i >= 0, i < references.count else { return nil }
    return references[i]._withUnsafeGuaranteedRef(body)
  }
}

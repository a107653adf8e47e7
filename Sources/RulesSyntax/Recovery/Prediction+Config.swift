extension Prediction {
  /// One place the automaton may be in, for one alternative, with the stacks of calls to return to.
  struct Config: Hashable, Sendable {
    // From the top: 16 bits the state, 8 the alternative, 8 what became of it, 32 the calls.
    private(set) var bits: UInt64

    private static let leftRuleBit: UInt64 = 1 << 32
    private static let filterSuppressedBit: UInt64 = 1 << 33
    private static let marks = leftRuleBit | filterSuppressedBit

    init(state: Int, alternative: Int, calls: Int) {
      bits = UInt64(UInt16(truncatingIfNeeded: state)) << 48 | UInt64(UInt8(truncatingIfNeeded: alternative)) << 40
        | UInt64(UInt32(truncatingIfNeeded: calls))
    }

    var state: Int {
      get { Int(bits >> 48) }
      set { bits = bits & 0xFFFF_FFFF_FFFF | UInt64(UInt16(truncatingIfNeeded: newValue)) << 48 }
    }

    var alternative: Int { Int(bits >> 40 & 0xFF) }

    var calls: Int {
      get { Int(bits & 0xFFFF_FFFF) }
      set { bits = bits & ~0xFFFF_FFFF | UInt64(UInt32(truncatingIfNeeded: newValue)) }
    }

    /// Whether the rule of the decision was left.
    var leftRule: Bool { bits & Config.leftRuleBit != 0 }
    mutating func leaveRule() { bits |= Config.leftRuleBit }

    /// Whether it stays although the rule could as well go on.
    var filterSuppressed: Bool { bits & Config.filterSuppressedBit != 0 }
    mutating func suppressFilter() { bits |= Config.filterSuppressedBit }

    /// State and alternative.
    var place: UInt64 { bits >> 40 }
    mutating func addMarks(of other: Config) { bits |= other.bits & Config.marks }
  }
}

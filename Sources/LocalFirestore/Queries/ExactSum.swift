import RulesValues

/// A sum of ints and doubles without any rounding but the last, so that the order of adding does not show; which is
/// how the official emulator 1.19.9 sums: 0.1 + 0.2 + 0.3 is 0.6, and 1e308 + 1e308 - 1e308 is 1e308.
///
/// A fixed-point number in limbs of 32 bits, of which the lowest bit counts 2^-1074, the least double. Limbs have 64
/// bits and are carried over once in a while.
struct ExactSum: Sendable {
  private static let lowestExponent = -1074
  /// Room for 2^1024 times 2^64 addends.
  private static let limbCount = 70

  private var limbs = [Int64](repeating: 0, count: limbCount)
  private var pending = 0
  private var special = 0.0
  private var hasDouble = false

  mutating func add(_ number: Int64) {
    add(magnitude: number.magnitude, exponent: 0, isNegative: number < 0)
  }

  mutating func add(_ number: Double) {
    hasDouble = true
    guard number.isFinite else {
      special += number
      return
    }
    guard number != 0 else { return }
    let significand = number.significandBitPattern
    let isNormal = number.exponentBitPattern != 0
    add(
      magnitude: isNormal ? significand | 1 << 52 : significand,
      exponent: isNormal ? Int(number.exponentBitPattern) - 1075 : Self.lowestExponent, isNegative: number < 0)
  }

  private mutating func add(magnitude: UInt64, exponent: Int, isNegative: Bool) {
    let position = exponent - Self.lowestExponent
    let (limb, shift) = position.quotientAndRemainder(dividingBy: 32)
    let low = magnitude << UInt64(shift)
    let high = shift == 0 ? 0 : magnitude >> UInt64(64 - shift)
    for (i, part) in [low & 0xFFFF_FFFF, low >> 32, high].enumerated() where limb + i < Self.limbCount {
      limbs[limb + i] += isNegative ? -Int64(part) : Int64(part)
    }
    pending += 1
    if pending > 1 << 28 { carry() }
  }

  /// Leaves 32 bits in each limb but the last, which has the sign.
  private mutating func carry() {
    pending = 0
    for i in 0..<(Self.limbCount - 1) {
      limbs[i + 1] += limbs[i] >> 32
      limbs[i] &= 0xFFFF_FFFF
    }
  }

  /// An int if all numbers were and it fits.
  var value: DataValue {
    if !hasDouble, let int { return .int(int) }
    return .double(double)
  }

  private var int: Int64? {
    var sum = self
    sum.carry()
    // 1 lies 1074 bits above the lowest: 33 limbs and 18 bits.
    let (limb, shift) = (-Self.lowestExponent).quotientAndRemainder(dividingBy: 32)
    let sign: Int64 = sum.limbs[Self.limbCount - 1] < 0 ? -1 : 0
    var bits: UInt64 = 0
    for i in 0..<3 {
      let part = UInt64(truncatingIfNeeded: sum.limbs[limb + i])
      let up = 32 * i - shift
      bits |= up >= 0 ? part << UInt64(up) : part >> UInt64(-up)
    }
    let result = Int64(bitPattern: bits)
    // Everything above must be the sign.
    guard result >> 63 == sign, sum.limbs[limb + 2] >> Int64(shift) == sign & Int64(0xFFFF_FFFF >> UInt64(shift)),
      sum.limbs[(limb + 3)..<(Self.limbCount - 1)].allSatisfy({ $0 == sign & 0xFFFF_FFFF }),
      sum.limbs[Self.limbCount - 1] == sign
    else { return nil }
    return result
  }

  /// Rounded to the nearest double, of two the even one.
  var double: Double {
    if special != 0 || special.isNaN { return special }
    var sum = self
    sum.carry()
    let isNegative = sum.limbs[Self.limbCount - 1] < 0
    if isNegative {
      for i in sum.limbs.indices { sum.limbs[i] = -sum.limbs[i] }
      sum.carry()
    }
    guard let top = sum.limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
    // 64 bits from the highest on, and whether anything lies below: enough to round once.
    let upper = UInt64(sum.limbs[top]) << 32 | (top > 0 ? UInt64(sum.limbs[top - 1]) : 0)
    let third = top > 1 ? UInt64(sum.limbs[top - 2]) : 0
    // 0 ... 31, since the limb at the top is not 0.
    let zeros = upper.leadingZeroBitCount
    var bits = upper << UInt64(zeros) | third >> UInt64(32 - zeros)
    let isInexact =
      third & (0xFFFF_FFFF >> UInt64(zeros)) != 0 || sum.limbs[..<max(0, top - 2)].contains { $0 != 0 }
    if isInexact { bits |= 1 }
    let magnitude = Self.rounded(bits, exponent: Self.lowestExponent + 32 * (top - 1) - zeros)
    return isNegative ? -magnitude : magnitude
  }

  /// `bits` times 2^exponent, the first bit set and the last one standing for all that is lost.
  private static func rounded(_ bits: UInt64, exponent: Int) -> Double {
    // Below the least double there is nothing: all addends are multiples of it.
    let drop = UInt64(max(11, lowestExponent - exponent))
    guard drop < 64 else { return 0 }
    var top = bits >> drop
    let rest = bits & ((1 << drop) - 1)
    let half: UInt64 = 1 << (drop - 1)
    if rest > half || (rest == half && top & 1 == 1) { top += 1 }
    let power = exponent + Int(drop)
    guard power <= 971 else { return .infinity }
    let scaled = Double(top)
    guard power < -1022 else { return scaled * Double(sign: .plus, exponent: power, significand: 1) }
    return scaled * 0x1p-1022 * Double(sign: .plus, exponent: power + 1022, significand: 1)
  }
}

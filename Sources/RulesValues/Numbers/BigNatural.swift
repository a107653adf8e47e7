/// A natural number of any size, as far as printing a double needs one (below 2^1200): a handful of operations on
/// 32-bit digits, least significant first.
struct BigNatural: Comparable {
  private var digits: [UInt32]

  init(_ value: UInt64) {
    digits = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    trim()
  }

  var isZero: Bool { digits.isEmpty }

  private mutating func trim() {
    while digits.last == 0 { digits.removeLast() }
  }

  mutating func multiply(by factor: UInt32) {
    var carry: UInt64 = 0
    for i in digits.indices {
      let product = UInt64(digits[i]) &* UInt64(factor) &+ carry
      digits[i] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { digits.append(UInt32(truncatingIfNeeded: carry)) }
    trim()
  }

  /// Multiplies by 5 to the given power.
  mutating func multiply(byPowerOf5 power: Int) {
    var left = power
    while left >= 13 {
      multiply(by: 1_220_703_125)
      left -= 13
    }
    for _ in 0..<max(0, left) { multiply(by: 5) }
  }

  mutating func shiftLeft(_ bits: Int) {
    guard bits > 0, !digits.isEmpty else { return }
    let small = UInt32(bits % 32)
    if small > 0 {
      var carry: UInt32 = 0
      for i in digits.indices {
        let digit = digits[i]
        digits[i] = digit << small | carry
        carry = digit >> (32 - small)
      }
      if carry > 0 { digits.append(carry) }
    }
    digits.insert(contentsOf: repeatElement(0, count: bits / 32), at: 0)
  }

  static func + (a: BigNatural, b: BigNatural) -> BigNatural {
    var sum = a
    var carry: UInt64 = 0
    for i in 0..<max(a.digits.count, b.digits.count) {
      let x = i < a.digits.count ? UInt64(a.digits[i]) : 0
      let y = i < b.digits.count ? UInt64(b.digits[i]) : 0
      let total = x + y + carry
      if i < sum.digits.count {
        sum.digits[i] = UInt32(truncatingIfNeeded: total)
      } else {
        sum.digits.append(UInt32(truncatingIfNeeded: total))
      }
      carry = total >> 32
    }
    if carry > 0 { sum.digits.append(UInt32(truncatingIfNeeded: carry)) }
    return sum
  }

  /// Subtracts a number that is not greater.
  private mutating func subtract(_ other: BigNatural) {
    var borrow: Int64 = 0
    for i in digits.indices {
      var difference = Int64(digits[i]) - borrow
      if i < other.digits.count { difference -= Int64(other.digits[i]) }
      borrow = difference < 0 ? 1 : 0
      digits[i] = UInt32(truncatingIfNeeded: difference)
    }
    trim()
  }

  /// The quotient by a divisor that goes into it fewer than ten times or so; leaves the remainder.
  mutating func divideOut(_ divisor: BigNatural) -> Int {
    var quotient = 0
    while quotient < 16, !(self < divisor), !divisor.isZero {
      subtract(divisor)
      quotient += 1
    }
    return quotient
  }

  static func < (a: BigNatural, b: BigNatural) -> Bool {
    if a.digits.count != b.digits.count { return a.digits.count < b.digits.count }
    for i in a.digits.indices.reversed() where a.digits[i] != b.digits[i] { return a.digits[i] < b.digits[i] }
    return false
  }
}

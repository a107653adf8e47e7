extension JavaDouble {
  /// Reads a number as `Double.parseDouble` of Java does: blanks around it are trimmed; a sign, `NaN`, `Infinity`,
  /// decimal digits with point and exponent, hexadecimal ones with a binary exponent, and a suffix `f` or `d` are
  /// understood. Correctly rounded; `nil` when it is no number. Work is linear in the length.
  public static func parse(_ text: [UInt8]) -> Double? {
    var start = 0
    var end = text.count
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    var reader = Reader(text: text, at: start, end: end)
    let negative = reader.sign()
    guard let magnitude = reader.magnitude() else { return nil }
    return negative ? -magnitude : magnitude
  }

  /// More digits than any halfway case between two doubles has; what follows only matters by being there.
  private static let enoughDigits = 800

  private struct Reader {
    let text: [UInt8]
    var at: Int
    let end: Int

    var current: UInt8? { at < end ? text[at] : nil }

    /// Takes a sign if there is one; true when it is a minus.
    mutating func sign() -> Bool {
      guard current == 0x2B || current == 0x2D else { return false }
      at += 1
      return text[at - 1] == 0x2D
    }

    mutating func magnitude() -> Double? {
      if word("NaN") { return at == end ? .nan : nil }
      if word("Infinity") { return at == end ? .infinity : nil }
      if current == 0x30, at + 1 < end, text[at + 1] | 0x20 == 0x78 {
        at += 2
        return hexadecimal()
      }
      return decimal()
    }

    private mutating func word(_ word: StaticString) -> Bool {
      let bytes = Array("\(word)".utf8)
      guard at + bytes.count <= end, text[at..<at + bytes.count].elementsEqual(bytes) else { return false }
      at += bytes.count
      return true
    }

    /// After the number: nothing, or one suffix letter.
    private mutating func atEnd() -> Bool {
      if let c = current, c | 0x20 == 0x66 || c | 0x20 == 0x64 { at += 1 }
      return at == end
    }

    /// Exponent digits after the letter and sign, clamped to what can matter; `nil` when there are none.
    private mutating func exponent() -> Int? {
      let negative = sign()
      let first = at
      var value = 0
      while let c = current, c >= 0x30, c <= 0x39 {
        if value < 1_000_000_000_000 { value = value * 10 + Int(c - 0x30) }
        at += 1
      }
      return at == first ? nil : negative ? -value : value
    }

    private mutating func decimal() -> Double? {
      var digits: [UInt8] = []
      var exponent = 0
      var seenPoint = false
      var seenDigit = false
      var more = false
      while let c = current {
        if c == 0x2E, !seenPoint {
          seenPoint = true
        } else if c >= 0x30, c <= 0x39 {
          seenDigit = true
          if digits.isEmpty, c == 0x30 {
            if seenPoint { exponent -= 1 }
          } else if digits.count < JavaDouble.enoughDigits {
            digits.append(c)
            if seenPoint { exponent -= 1 }
          } else {
            if c != 0x30 { more = true }
            if !seenPoint { exponent += 1 }
          }
        } else {
          break
        }
        at += 1
      }
      guard seenDigit else { return nil }
      if let c = current, c | 0x20 == 0x65 {
        at += 1
        guard let e = self.exponent() else { return nil }
        exponent += e
      }
      guard atEnd() else { return nil }
      if digits.isEmpty { return 0 }
      if more {
        digits.append(0x31)
        exponent -= 1
      }
      let size = exponent + digits.count
      if size > 400 { return .infinity }
      if size < -400 { return 0 }
      digits.append(0x65)
      digits += Array(String(exponent).utf8)
      return Double(String(decoding: digits, as: UTF8.self))
    }

    private mutating func hexadecimal() -> Double? {
      var significand: UInt64 = 0
      var sticky = false
      var exponent = 0
      var seenPoint = false
      var before = 0
      var after = 0
      while let c = current {
        if c == 0x2E, !seenPoint {
          seenPoint = true
        } else if let digit = Self.hexDigit(c) {
          if seenPoint { after += 1 } else { before += 1 }
          if significand < 1 << 59 {
            significand = significand << 4 | digit
            if seenPoint { exponent -= 4 }
          } else {
            if digit != 0 { sticky = true }
            if !seenPoint { exponent += 4 }
          }
        } else {
          break
        }
        at += 1
      }
      // A point needs a digit after it, or one before it.
      guard before > 0 || after > 0 else { return nil }
      guard let c = current, c | 0x20 == 0x70 else { return nil }
      at += 1
      guard let e = self.exponent(), atEnd() else { return nil }
      if significand == 0 { return 0 }
      return Self.round(significand, sticky: sticky, exponent: exponent + e)
    }

    private static func hexDigit(_ c: UInt8) -> UInt64? {
      switch c {
      case 0x30...0x39: UInt64(c - 0x30)
      case 0x41...0x46: UInt64(c - 0x41 + 10)
      case 0x61...0x66: UInt64(c - 0x61 + 10)
      default: nil
      }
    }

    /// significand · 2^exponent (a little more when `sticky`), to the nearest double, halves to the even one.
    private static func round(_ significand: UInt64, sticky: Bool, exponent: Int) -> Double {
      let shift = significand.leadingZeroBitCount
      let top = significand << UInt64(shift)
      // The value is top · 2^(high − 63), with bit 63 of top set.
      let high = exponent - shift + 63
      if high > 1023 { return .infinity }
      if high < -1080 { return 0 }
      // Below the normal range fewer bits are kept.
      let kept = high >= -1022 ? 53 : 53 - (-1022 - high)
      if kept < 0 { return 0 }
      let dropped = UInt64(64 - kept)
      let quotient = kept == 0 ? 0 : top >> dropped
      let rest = kept == 0 ? top : top & (1 << dropped - 1)
      let half: UInt64 = 1 << (dropped - 1)
      var bits = quotient
      if rest > half || (rest == half && (sticky || quotient & 1 == 1)) { bits += 1 }
      if high < -1022 { return Double(bitPattern: bits) }
      // A carry out of the significand runs into the exponent, as it should, up to infinity.
      return Double(bitPattern: UInt64(high + 1022) << 52 + bits)
    }
  }
}

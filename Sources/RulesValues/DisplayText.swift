/// Text that grows up to a width in terminal columns and is then cut with `…`.
public struct DisplayText: Sendable {
  private var scalars: [(scalar: Unicode.Scalar, columns: Int)] = []
  private var columns = 0
  private let width: Int

  public init(width: Int) { self.width = max(1, width) }

  /// More than the width has been appended; the rest would be cut.
  public var isFull: Bool { columns > width }

  /// Appends text of our own, which needs no escaping.
  public mutating func append(_ text: String) {
    for scalar in text.unicodeScalars where !isFull { append(scalar) }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    let wide = CharacterWidth.columns(scalar)
    scalars.append((scalar, wide))
    columns += wide
  }

  /// Appends a string in single quotes, escaped as the language understands it.
  public mutating func appendQuoted(_ units: [UInt16]) {
    append("'")
    appendEscaped(units, quote: true)
    append("'")
  }

  /// Appends foreign text without quotes.
  public mutating func appendPlain(_ units: [UInt16]) { appendEscaped(units, quote: false) }

  private mutating func appendEscaped(_ units: [UInt16], quote: Bool) {
    var i = 0
    while i < units.count, !isFull {
      let unit = units[i]
      i += 1
      if unit & 0xFC00 == 0xD800, i < units.count, units[i] & 0xFC00 == 0xDC00 {
        let value = 0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(units[i] & 0x3FF)
        if let scalar = Unicode.Scalar(value), !CharacterWidth.isUnsafe(scalar) {
          append(scalar)
        } else {
          appendEscape(unit)
          appendEscape(units[i])
        }
        i += 1
        continue
      }
      switch unit {
      case 0x27 where quote: append("\\'")
      case 0x5C where quote: append("\\\\")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      default:
        if let scalar = Unicode.Scalar(unit), !CharacterWidth.isUnsafe(scalar) {
          append(scalar)
        } else {
          appendEscape(unit)
        }
      }
    }
  }

  private mutating func appendEscape(_ unit: UInt16) {
    let digits = String(unit, radix: 16)
    append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
  }

  /// The text, no wider than the width.
  public var finished: String {
    var kept = scalars[...]
    var width = columns
    if width > self.width {
      while let last = kept.last, width > self.width - 1 {
        width -= last.columns
        kept.removeLast()
      }
      kept.append(("…", 1))
    }
    var utf8: [UInt8] = []
    utf8.reserveCapacity(kept.count)
    for (scalar, _) in kept {
      if scalar.isASCII {
        utf8.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        utf8.append(contentsOf: String(scalar).utf8)
      }
    }
    return String(decoding: utf8, as: UTF8.self)
  }
}

/// How many columns of a terminal a character takes.
public enum CharacterWidth {
  public static func columns(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    return isWide(value) ? 2 : 1
  }

  /// Characters that must not reach a terminal as they are: controls, line and paragraph separators, what changes
  /// the direction of the text around it or is invisible, private and unassigned ones.
  public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value < 0x20 }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// Text of terminal columns, of a whole string.
  public static func columns(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  /// East Asian wide and full-width characters, and pictures.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3, 0x25FD...0x25FE,
      0x2614...0x2615, 0x2648...0x2653, 0x267F, 0x2693, 0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
      0x26CE, 0x26D4, 0x26EA, 0x26F2...0x26F3, 0x26F5, 0x26FA, 0x26FD, 0x2705, 0x270A...0x270B, 0x2728, 0x274C,
      0x274E, 0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x27B0, 0x27BF, 0x2B1B...0x2B1C, 0x2B50, 0x2B55,
      0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F004, 0x1F0CF, 0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320,
      0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
      0x1F3E0...0x1F3F0, 0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D,
      0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A, 0x1F595...0x1F596, 0x1F5A4, 0x1F5FB...0x1F64F,
      0x1F680...0x1F6C5, 0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC,
      0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
      0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

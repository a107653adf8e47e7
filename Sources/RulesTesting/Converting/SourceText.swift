import RulesEngine
import RulesSyntax
import RulesValues

/// Values and paths in the words of the test language, to the last digit: what is read again is what was written.
enum SourceText {
  /// `nil` for what the test language has no literal for.
  static func value(_ value: DataValue) -> String? {
    switch value {
    case .null: return "null"
    case .bool(let b): return b ? "true" : "false"
    case .int(let i): return i == .min ? "-9223372036854775807 - 1" : String(i)
    case .double(let d):
      guard d.isFinite else { return d.isNaN ? "float('NaN')" : d < 0 ? "-float('Infinity')" : "float('Infinity')" }
      return decimal(d)
    case .string(let text): return quoted(text)
    case .array(let items):
      let parts = items.compactMap { self.value($0) }
      return parts.count == items.count ? "[\(parts.joined(separator: ", "))]" : nil
    case .map(let fields): return map(fields)
    case .timestamp(let time): return self.time(time)
    case .bytes, .geoPoint, .reference, .vector: return nil
    }
  }

  /// Without an exponent, which the rules language does not know.
  private static func decimal(_ d: Double) -> String {
    let text = "\(d)"
    guard let e = text.utf8.firstIndex(of: UInt8(ascii: "e")), let exponent = Int(text[text.index(after: e)...]) else {
      return text
    }
    var digits = text[..<e].filter { $0 != "." && $0 != "-" }
    // The point stands behind the first digit.
    let point = 1 + exponent
    if point <= 0 {
      digits = "0." + String(repeating: "0", count: -point) + digits
    } else {
      digits += String(repeating: "0", count: max(0, point + 1 - digits.count))
      digits.insert(".", at: digits.index(digits.startIndex, offsetBy: point))
    }
    return (d < 0 ? "-" : "") + digits
  }

  static func map(_ fields: Fields) -> String? {
    let sorted = fields.sorted { $0.key < $1.key }
    let parts = sorted.compactMap { key, value in
      self.value(value).map { "\(isWord(key.string) ? key.string : quoted(key.string)): \($0)" }
    }
    guard parts.count == sorted.count else { return nil }
    return parts.isEmpty ? "{}" : "{ \(parts.joined(separator: ", ")) }"
  }

  static func quoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  static func time(_ time: Timestamp) -> String {
    let rest = Int(time.nanos) % 1_000_000
    let whole = "timestamp.value(\(time.milliseconds))"
    return rest == 0 ? whole : "\(whole) + duration.value(\(rest), 'ns')"
  }

  /// Relative to the database. What does not stand in a path by itself is put in.
  static func path(_ path: ResourcePath) -> String {
    path.segments.map { segment in
      let isPlain = !segment.string.isEmpty && segment.string.utf8.allSatisfy { isWordByte($0) || $0 == 0x2D }
      return isPlain ? "/\(segment)" : "/$(\(quoted(segment.string)))"
    }.joined()
  }

  static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy(isWordByte)
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
  }
}

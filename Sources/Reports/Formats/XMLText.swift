/// Foreign text in XML 1.0. Characters that no XML text may hold, not even escaped, stand there as `\u{…}`.
enum XMLText {
  /// Between tags. `>` is escaped too, so that `]]>` cannot stand there.
  static func content(_ text: String) -> String { escaped(text, inAttribute: false) }

  /// Within `"`: line ends and tabs are kept from being turned into spaces.
  static func attribute(_ text: String) -> String { escaped(text, inAttribute: true) }

  private static func escaped(_ text: String, inAttribute: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where inAttribute: result += "&quot;"
      case "\n" where inAttribute, "\t" where inAttribute: result += "&#\(scalar.value);"
      // A bare one would be read as a line feed.
      case "\r": result += "&#13;"
      default:
        if isAllowed(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          result += "\\u{" + String(scalar.value, radix: 16) + "}"
        }
      }
    }
    return result
  }

  /// The production Char of XML 1.0, without what it discourages.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFDCF, 0xFDF0...0xFFFD: true
    // The last two code points of each plane are no characters.
    case 0x10000...0x10FFFF: scalar.value & 0xFFFE != 0xFFFE
    default: false
    }
  }
}

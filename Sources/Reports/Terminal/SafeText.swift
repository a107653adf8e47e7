import RulesValues

/// Foreign text (names, ids, source lines) made fit for a terminal: nothing in it can move the cursor, change colours
/// or turn the direction of what stands around it.
public enum SafeText {
  /// Columns from one tab stop to the next, in source lines.
  static let tabWidth = 4

  /// Columns of a terminal that a text takes.
  static func columns(_ text: String) -> Int { CharacterWidth.columns(text) }

  /// A text on one line: line ends become spaces, what is unsafe becomes `\u{…}`.
  public static func line(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\t" || scalar == "\r" {
        result += " "
      } else {
        result += shown(scalar)
      }
    }
    return result
  }

  /// No wider than `width`, the rest cut with `…`.
  static func cut(_ text: String, _ width: Int) -> String {
    guard columns(text) > width else { return text }
    var result = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      let wide = CharacterWidth.columns(scalar)
      if used + wide > max(0, width - 1) { break }
      result.append(scalar)
      used += wide
    }
    return String(result) + "…"
  }

  /// A text broken into lines at spaces; a word that is too long stays whole.
  static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in Self.line(String(paragraph)).split(separator: " ", omittingEmptySubsequences: true) {
        if !line.isEmpty, columns(line) + 1 + columns(String(word)) > width {
          lines.append(line)
          line = ""
        }
        line += line.isEmpty ? String(word) : " " + word
      }
      lines.append(line)
    }
    return lines
  }

  /// One character of foreign text as it may be shown.
  static func shown(_ scalar: Unicode.Scalar) -> String {
    guard scalar.value == 0x7F || CharacterWidth.isUnsafe(scalar) else { return String(scalar) }
    return "\\u{" + String(scalar.value, radix: 16) + "}"
  }

  /// A word for the shell: in single quotes where it needs them.
  public static func shellWord(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x2F, 0x3A, 0x40, 0x2C, 0x2B, 0x3D: true
      default: false
      }
    }
    if isPlain { return text }
    guard text.unicodeScalars.allSatisfy({ $0.value != 0x7F && !CharacterWidth.isUnsafe($0) }) else {
      var quoted = ""
      for byte in text.utf8 {
        switch byte {
        case 0x27, 0x5C: quoted += "\\" + String(UnicodeScalar(byte))
        case 0x20...0x7E: quoted += String(UnicodeScalar(byte))
        default: quoted += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      }
      return "$'" + quoted + "'"
    }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

import Identity
import JSON

/// Texts made safe for where they are put.
enum Encoded {
  /// `name=value`, both percent-encoded.
  static func field(_ name: String, _ value: String) -> String {
    FormEncoding.encode(name) + "=" + FormEncoding.encode(value)
  }

  static func query(_ text: String) -> String { FormEncoding.encode(text) }

  /// For the text of an HTML element, or an attribute in double quotes.
  static func html(_ text: String) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\"": safe += "&quot;"
      case "'": safe += "&#39;"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// A value for a script: JSON that cannot end the element it stands in.
  static func script(_ value: JSONValue) -> String {
    var safe = ""
    for scalar in value.serialized().unicodeScalars {
      switch scalar {
      case "<", ">", "&", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}

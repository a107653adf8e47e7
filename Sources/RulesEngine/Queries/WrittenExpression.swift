import RulesSyntax

extension SourceFile {
  /// An expression as it is written, on one line. Its range, being the official one, starts at a parenthesis before
  /// it and ends before the brackets that close it.
  public func written(_ expression: Expression) -> String {
    let range = expression.range
    var bytes = Array(utf8[min(range.start.byte, utf8.count)..<min(max(range.start.byte, range.end.byte), utf8.count)])
    var depth = Self.openBrackets(bytes)
    var rest = utf8[min(range.end.byte, utf8.count)...]
    // Of a call without arguments the brackets lie behind the range.
    if depth == 0, case .methodCall(_, _, let arguments) = expression.kind, arguments.isEmpty { depth = 1 }
    if depth == .max { depth = 0 }
    while depth > 0, let byte = rest.popFirst() {
      bytes.append(byte)
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
    }
    var text = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    while text.hasPrefix("("), text.hasSuffix(")"), Self.openBrackets(Array(text.utf8.dropFirst().dropLast())) == 0 {
      text = String(text.dropFirst().dropLast())
    }
    return text
  }

  /// How many brackets outside of strings are not closed; more than any text has when one is closed too often.
  private static func openBrackets(_ bytes: [UInt8]) -> Int {
    var depth = 0
    var quote: UInt8?
    var escapes = false
    for byte in bytes {
      if let open = quote {
        if escapes {
          escapes = false
        } else if byte == UInt8(ascii: "\\") {
          escapes = true
        } else if byte == open {
          quote = nil
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { return .max }
        depth -= 1
      default: break
      }
    }
    return depth
  }
}

import RulesSyntax

/// Writes expressions as source again, with brackets around everything, so that pieces can be put together anew.
struct ExpressionPrinter {
  let file: SourceFile

  // Depth is bounded by the parser.
  func text(_ e: Expression) -> String {
    switch e.kind {
    case .null: "null"
    case .bool(let b): b ? "true" : "false"
    case .int(let i): "\(i)"
    // As it was written: the shortest digits of another language need not be read here.
    case .float: Self.withoutBrackets(file.text(e.range))
    case .string(let s): Self.quoted(s)
    case .bytes: Self.withoutBrackets(file.text(e.range))
    case .identifier(let name): name
    case .list(let items): "[\(list(items))]"
    case .map(let entries): "{\(entries.map { "\(text($0.key)): \(text($0.value))" }.joined(separator: ", "))}"
    case .path(let segments): segments.map(segment).joined()
    case .member(let receiver, let name): "\(text(receiver)).\(name.text)"
    case .index(let receiver, let index): "\(text(receiver))[\(text(index))]"
    case .slice(let receiver, let lower, let upper):
      "\(text(receiver))[\(lower.map { text($0) } ?? ""):\(upper.map { text($0) } ?? "")]"
    case .call(let name, let arguments): "\(name.text)(\(list(arguments)))"
    case .methodCall(let receiver, let name, let arguments): "\(text(receiver)).\(name.text)(\(list(arguments)))"
    case .unary(let op, let operand): "(\(op.rawValue)\(text(operand)))"
    case .binary(let op, let left, let right): "(\(text(left)) \(op.rawValue) \(text(right)))"
    case .typeTest(let operand, let type): "(\(text(operand)) is \(type.text))"
    case .ternary(let condition, let yes, let no): "(\(text(condition)) ? \(text(yes)) : \(text(no)))"
    }
  }

  private func list(_ items: [Expression]) -> String { items.map { text($0) }.joined(separator: ", ") }

  private func segment(_ segment: Expression.PathSegment) -> String {
    guard case .interpolation(let e) = segment.kind else { return file.text(segment.range) }
    return "/$(\(text(e)))"
  }

  private static func withoutBrackets(_ text: String) -> String { String(text.drop { $0 == "(" || $0.isWhitespace }) }

  private static func quoted(_ bytes: [UInt8]) -> String {
    var result = "'"
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0xED, index + 2 < bytes.count, bytes[index + 1] >= 0xA0 {
        // A lone surrogate in WTF-8.
        let unit = 0xD000 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
        result += "\\u" + String(unit, radix: 16)
        index += 3
        continue
      }
      switch byte {
      case 0x27, 0x5C: result += "\\" + String(UnicodeScalar(byte))
      case 0x00..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      case ..<0x80: result.unicodeScalars.append(UnicodeScalar(byte))
      default:
        var end = index + 1
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        result += String(decoding: bytes[index..<end], as: UTF8.self)
        index = end
        continue
      }
      index += 1
    }
    return result + "'"
  }
}

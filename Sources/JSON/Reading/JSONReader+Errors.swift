extension JSONReader {
  /// Line and column (from 1, in scalars) of a byte offset. Walks the text up to there: meant for
  /// messages, not for every piece.
  public func position(at offset: Int) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    var index = start
    let end = min(offset, bytes.count)
    while index < end {
      switch bytes[index] {
      case 0x0A:
        (line, column) = (line + 1, 1)
      case 0x0D:
        // CR LF ends one line, at its LF.
        if index + 1 < bytes.count, bytes[index + 1] == 0x0A { column += 1 } else { (line, column) = (line + 1, 1) }
      case 0x80...0xBF:
        break
      default:
        column += 1
      }
      index += 1
    }
    return (line, column)
  }

  /// An error at a byte offset, for the reader and for callers whose own demands are not met.
  public func error(_ message: String, at offset: Int) -> JSONError {
    let position = position(at: offset)
    return JSONError(line: position.line, column: position.column, message: message)
  }

  /// An error at the last piece.
  public func error(_ message: String) -> JSONError { error(message, at: token.lowerBound) }

  /// The error for what stands at the cursor where `wanted` should.
  func complaint(expecting wanted: String) -> JSONError {
    guard cursor < bytes.count else {
      if cursor == start { return error("the text is empty; expected \(wanted)", at: cursor) }
      let place = isObject.last.map { $0 ? " inside an object" : " inside an array" } ?? ""
      return error("the text ends\(place); expected \(wanted)", at: cursor)
    }
    let word = wordAtCursor
    if !word.isEmpty, let hint = hint(for: word) {
      return error("expected \(wanted), found \(word); \(hint)", at: cursor)
    }
    let hint: String? =
      switch bytes[cursor] {
      case UInt8(ascii: "'"): "strings and names stand in double quotes"
      case UInt8(ascii: "/"), UInt8(ascii: "#"): "JSON has no comments"
      case UInt8(ascii: "+"): "a number may not start with +"
      case UInt8(ascii: "."): "a number starts with a digit: write 0 before the point"
      case UInt8(ascii: "="), UInt8(ascii: ";"): "members are written \"name\": value and parted by commas"
      default: nil
      }
    let found = word.isEmpty ? named(scalarAt: cursor) : word
    return error("expected \(wanted), found \(found)" + (hint.map { "; \($0)" } ?? ""), at: cursor)
  }

  /// The letters, digits, `_` and `$` at the cursor, at most 40 of them.
  private var wordAtCursor: String {
    let word = bytes[cursor...].prefix(40).prefix { $0.continuesWord }
    guard let first = word.first, !first.isDigit else { return "" }
    return String(decoding: word, as: UTF8.self)
  }

  private func hint(for word: String) -> String? {
    switch word.lowercased() {
    case "true", "false", "null": "write \(word.lowercased())"
    case "none", "nil", "undefined": "write null"
    case "nan", "infinity", "inf": "JSON has no such number; write the string or null"
    default: "names and strings stand in double quotes"
    }
  }

  /// The scalar at an offset as a message shows it.
  func named(scalarAt offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    let byte = bytes[offset]
    let length = bytes.lengthOfScalar(at: offset)
    guard length > 0 else { return "byte 0x\(hex(UInt32(byte), 2))" }
    let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return "byte 0x\(hex(UInt32(byte), 2))" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse,
      .nonspacingMark, .enclosingMark:
      return "U+\(hex(scalar.value, 4))"
    default:
      return scalar == "\"" ? "'\"'" : "\"\(text)\""
    }
  }
}

extension Lexer {
  /// Kind and end of the token that begins at `start`; `nil` when none does.
  func token(at start: Int) -> (Token.Kind, Int)? {
    let c = bytes[start]
    if isIdentifierStart(c) {
      if c == 0x62 || c == 0x42, let end = endOfQuoted(start + 1) { return (.bytes, end) }
      return word(at: start)
    }
    let next = byte(at: start + 1)
    switch c {
    case 0x30...0x39: return number(at: start)
    case 0x22, 0x27: return quoted(at: start)
    case 0x2F: return slash(at: start)
    case 0x2E: return isDigit(next) ? (.float, endOfDigits(start + 1)) : (.dot, start + 1)
    case 0x21: return next == 0x3D ? (.notEqual, start + 2) : (.not, start + 1)
    case 0x25: return (.percent, start + 1)
    case 0x26: return (.and, start + 2)
    case 0x7C: return (.or, start + 2)
    case 0x28: return (.leftParenthesis, start + 1)
    case 0x29: return (.rightParenthesis, start + 1)
    case 0x2A: return next == 0x2A ? (.doubleStar, start + 2) : (.star, start + 1)
    case 0x2B: return next == 0x2B ? (.increment, start + 2) : (.plus, start + 1)
    case 0x2C: return (.comma, start + 1)
    case 0x2D: return next == 0x2D ? (.decrement, start + 2) : (.minus, start + 1)
    case 0x3A: return (.colon, start + 1)
    case 0x3B: return (.semicolon, start + 1)
    case 0x3C: return next == 0x3D ? (.lessOrEqual, start + 2) : (.less, start + 1)
    case 0x3D: return next == 0x3D ? (.equal, start + 2) : (.assign, start + 1)
    case 0x3E: return next == 0x3D ? (.greaterOrEqual, start + 2) : (.greater, start + 1)
    case 0x3F: return (.question, start + 1)
    case 0x40: return (.at, start + 1)
    case 0x5B: return (.leftBracket, start + 1)
    case 0x5D: return (.rightBracket, start + 1)
    case 0x7B: return (.leftBrace, start + 1)
    case 0x7D: return (.rightBrace, start + 1)
    default: return nil
    }
  }

  func isDigit(_ c: UInt8) -> Bool { c >= 0x30 && c <= 0x39 }
  func isHex(_ c: UInt8) -> Bool { isDigit(c) || (c | 0x20 >= 0x61 && c | 0x20 <= 0x66) }
  func isIdentifierStart(_ c: UInt8) -> Bool { (c | 0x20 >= 0x61 && c | 0x20 <= 0x7A) || c == 0x5F || c == 0x24 }

  func endOfDigits(_ start: Int) -> Int {
    var end = start
    while isDigit(byte(at: end)) { end += 1 }
    return end
  }

  private func word(at start: Int) -> (Token.Kind, Int) {
    var end = start + 1
    while end < bytes.count, isIdentifierStart(bytes[end]) || isDigit(bytes[end]) { end += 1 }
    if bytes[start] == 0x24, end == start + 1 { return (.dollar, end) }
    let kind = keyword(start, end) ?? .identifier
    return (kind == .reservedWord && mode == .embedded ? .identifier : kind, end)
  }

  private func keyword(_ start: Int, _ end: Int) -> Token.Kind? {
    func spells(_ word: StaticString) -> Bool {
      guard word.utf8CodeUnitCount == end - start else { return false }
      return word.withUTF8Buffer { buffer in
        for i in 0..<buffer.count where buffer[i] != bytes[start + i] { return false }
        return true
      }
    }
    switch bytes[start] {
    case 0x61: return spells("allow") ? .allow : spells("as") && mode == .embedded ? .as : nil
    case 0x62: return spells("break") ? .reservedWord : nil
    case 0x63: return spells("case") || spells("continue") ? .reservedWord : nil
    case 0x64: return spells("do") || spells("deny") || spells("default") ? .reservedWord : nil
    case 0x65: return spells("else") || spells("extends") ? .reservedWord : nil
    case 0x66: return spells("function") ? .function : spells("false") ? .false : spells("for") ? .reservedWord : nil
    case 0x67: return spells("goto") ? .reservedWord : nil
    case 0x69: return spells("if") ? .if : spells("in") ? .in : spells("is") ? .is : spells("import") ? .import : nil
    case 0x6C: return spells("let") ? .let : nil
    case 0x6D: return spells("match") ? .match : nil
    case 0x6E: return spells("null") ? .null : spells("not") ? .reservedWord : nil
    case 0x70: return spells("package") ? .reservedWord : nil
    case 0x72: return spells("return") ? .return : spells("rules_version") ? .rulesVersion : nil
    case 0x73: return spells("service") ? .service : spells("switch") ? .reservedWord : nil
    case 0x74: return spells("true") ? .true : spells("then") ? .reservedWord : nil
    case 0x76: return spells("var") ? .reservedWord : nil
    case 0x77: return spells("while") ? .reservedWord : nil
    default: return nil
    }
  }

  /// `0`, `12`, `1.5`, `5.`; a leading zero stands alone.
  private func number(at start: Int) -> (Token.Kind, Int) {
    let end = bytes[start] == 0x30 ? start + 1 : endOfDigits(start)
    if byte(at: end) == 0x2E { return (.float, endOfDigits(end + 1)) }
    return (.integer, end)
  }

  private func quoted(at start: Int) -> (Token.Kind, Int) {
    if let end = endOfQuoted(start) { return (.string, end) }
    let quote = bytes[start]
    var end = start + 1
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D, bytes[end] != quote {
      guard bytes[end] == 0x5C else {
        end += 1
        continue
      }
      guard let length = escapeLength(end) else { break }
      end += length
    }
    return (quote == 0x27 ? .unpairedSingleQuote : .unpairedDoubleQuote, end)
  }

  /// The end of a closed literal whose quote is at `start`, all of whose escapes are known; else `nil`.
  private func endOfQuoted(_ start: Int) -> Int? {
    let quote = byte(at: start)
    guard quote == 0x22 || quote == 0x27 else { return nil }
    var i = start + 1
    while i < bytes.count {
      switch bytes[i] {
      case quote: return i + 1
      case 0x0A, 0x0D: return nil
      case 0x5C:
        guard let length = escapeLength(i) else { return nil }
        i += length
      default: i += 1
      }
    }
    return nil
  }

  /// Bytes of the escape whose backslash is at `start`; `nil` when it is none.
  private func escapeLength(_ start: Int) -> Int? {
    switch byte(at: start + 1) {
    case 0x62, 0x66, 0x6E, 0x72, 0x74, 0x22, 0x27, 0x5C: return 2
    case 0x78: return isHex(byte(at: start + 2)) && isHex(byte(at: start + 3)) ? 4 : nil
    case 0x75: return (2...5).allSatisfy { isHex(byte(at: start + $0)) } ? 6 : nil
    case 0x30...0x33:
      return (2...3).allSatisfy { (0x30...0x37).contains(byte(at: start + $0)) } ? 4 : nil
    default: return nil
    }
  }

  private func slash(at start: Int) -> (Token.Kind, Int) {
    var end = start + 1
    if byte(at: end) == 0x28 {
      var i = end + 1
      while isNameInParentheses(byte(at: i)) { i += 1 }
      return i > end + 1 && byte(at: i) == 0x29 ? (.pathSegment, i + 1) : (.slash, end)
    }
    while end < bytes.count {
      if isSegmentCharacter(bytes[end]) {
        end += 1
      } else if bytes[end] == 0x25, isHex(byte(at: end + 1)), isHex(byte(at: end + 2)) {
        end += 3
      } else {
        break
      }
    }
    return end > start + 1 ? (.pathSegment, end) : (.slash, end)
  }

  private func isNameInParentheses(_ c: UInt8) -> Bool {
    (c | 0x20 >= 0x61 && c | 0x20 <= 0x7A) || isDigit(c) || c == 0x2D || c == 0x5F
  }

  private func isSegmentCharacter(_ c: UInt8) -> Bool {
    switch c {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x5F, 0x2D, 0x2E, 0x7E, 0x3A, 0x40, 0x26, 0x27, 0x2A, 0x2B: true  // _ - . ~ : @ & ' * +
    default: false
    }
  }
}

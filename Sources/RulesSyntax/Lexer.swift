/// Cuts a source text into tokens, as the official compiler does: the longest token that fits wins, white space is
/// space, tab, CR, LF and form feed, comments are `// …` and `/* … */`. A character that begins no token is skipped
/// and reported.
public struct Lexer: Sendable {
  /// Larger sources are refused, so that every position fits its field.
  public static let maximumSourceBytes = 64 << 20
  /// More characters that begin no token are skipped with no more than a note: a file of nothing else must not take memory many
  /// times its size.
  static let maximumErrors = 10_000

  /// What was cut: always ends with one `endOfFile`.
  public struct Output: Sendable {
    public var tokens: [Token]
    /// `token recognition error at: …`, in source order.
    public var errors: [Diagnostic]
  }

  /// What kind of text is read.
  public enum Mode: Sendable {
    /// A rules file: some unused words are kept back, and behind `service` stands a name of its own form.
    case rules
    /// A text that embeds expressions of the language: those words are names like any other.
    case embedded
  }

  public static func tokenize(_ file: SourceFile, _ mode: Mode = .rules) -> Output {
    var lexer = Lexer(file, mode)
    return lexer.run()
  }

  let mode: Mode
  let bytes: [UInt8]
  var position = 0
  var lineNumber = 1
  var lineStart = 0
  /// Bytes of the text, and of the line, up to `position` that continue a scalar.
  var continuations = 0
  var lineContinuations = 0
  var tokens: [Token] = []
  var errors: [Diagnostic] = []

  init(_ file: SourceFile, _ mode: Mode) {
    self.mode = mode
    bytes = file.utf8.count <= Lexer.maximumSourceBytes ? file.utf8 : []
    tokens.reserveCapacity(bytes.count / 4 + 1)
  }

  func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  var currentPosition: SourcePosition {
    SourcePosition(
      line: lineNumber, column: position - lineStart - lineContinuations + 1, offset: position - continuations,
      byte: position)
  }

  mutating func run() -> Output {
    let count = bytes.count
    while position < count {
      let c = bytes[position]
      switch c {
      case 0x20, 0x09, 0x0D, 0x0C: position += 1
      case 0x0A:
        position += 1
        lineNumber += 1
        lineStart = position
        lineContinuations = 0
      case 0x2F where !afterService && skipComment(): continue
      default:
        if afterService {
          readServiceName()
        } else if c == 0x26 || c == 0x7C, byte(at: position + 1) != c {
          rejectHalfOperator()
        } else if let (kind, end) = token(at: position) {
          afterService = kind == .service && mode == .rules
          add(kind, end)
        } else {
          reject()
        }
      }
    }
    add(.endOfFile, position)
    return Output(tokens: tokens, errors: errors)
  }

  mutating func add(_ kind: Token.Kind, _ end: Int) {
    let start = currentPosition
    var extra = 0
    // Only quoted text can hold anything but ASCII.
    switch kind {
    case .string, .bytes, .unpairedSingleQuote, .unpairedDoubleQuote:
      for i in position..<end where bytes[i] & 0xC0 == 0x80 { extra += 1 }
    default: break
    }
    tokens.append(
      Token(
        kind: kind, startByte: position, endByte: end, startOffset: start.offset, scalars: end - position - extra,
        line: start.line, column: start.column))
    continuations += extra
    lineContinuations += extra
    position = end
  }

  /// Whether the word `service` was read last: then only a name is a token, not even a comment.
  var afterService = false

  private mutating func readServiceName() {
    func belongs(_ c: UInt8) -> Bool {
      (c | 0x20 >= 0x61 && c | 0x20 <= 0x7A) || isDigit(c) || c == 0x2D || c == 0x2E
    }
    var end = position
    while end < bytes.count, belongs(bytes[end]) { end += 1 }
    if end == position {
      reject()
    } else {
      add(.serviceName, end)
      afterService = false
    }
  }

  /// Skips one scalar that begins no token.
  mutating func reject() {
    let start = currentPosition
    let text = skipScalar()
    report(start, text)
  }

  /// A single `&` or `|`: officially the character behind it is lost as well, and is the one reported.
  private mutating func rejectHalfOperator() {
    var text = skipScalar()
    let start = currentPosition
    if position < bytes.count {
      let isLineEnd = bytes[position] == 0x0A
      let next = skipScalar()
      text += isLineEnd ? "\\n" : next
    }
    report(start, text)
  }

  private mutating func skipScalar() -> String {
    let start = position
    repeat { advanceByte() } while position < bytes.count && bytes[position] & 0xC0 == 0x80
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func report(_ start: SourcePosition, _ text: String) {
    guard errors.count < Lexer.maximumErrors else {
      if errors[errors.count - 1].notes.isEmpty {
        errors[errors.count - 1].notes = ["There are more such characters in the file than are listed here."]
      }
      return
    }
    errors.append(
      Diagnostic(
        id: "unknown-character", severity: .error, range: SourceRange(start, currentPosition),
        message: "token recognition error at: '\(text)'"))
  }

  /// Skips a comment that begins at `position`; `false` when none does. A `/*` that is never closed is none.
  mutating func skipComment() -> Bool {
    switch byte(at: position + 1) {
    case 0x2F:
      while position < bytes.count, bytes[position] != 0x0A { advanceByte() }
      return true
    case 0x2A:
      if unclosedComment { return false }
      var end = position + 2
      while end + 1 < bytes.count, !(bytes[end] == 0x2A && bytes[end + 1] == 0x2F) { end += 1 }
      guard end + 1 < bytes.count else {
        unclosedComment = true
        return false
      }
      while position < end + 2 { advanceByte() }
      return true
    default: return false
    }
  }

  /// Set once a `/*` was found to have no `*/` behind it, so that the rest is not searched again and again.
  var unclosedComment = false

  private mutating func advanceByte() {
    let c = bytes[position]
    position += 1
    if c & 0xC0 == 0x80 {
      continuations += 1
      lineContinuations += 1
    } else if c == 0x0A {
      lineNumber += 1
      lineStart = position
      lineContinuations = 0
    }
  }
}

import RulesSyntax

extension TestParser {
  /// A path whose segments touch: it ends before white space or `{`. `inPattern` says whether captures may stand in
  /// it; else `$(…)` may, and in a query (`inQuery`) `{any=**}` too.
  mutating func parsePath(inPattern: Bool, inQuery: Bool = false) -> PathSyntax? {
    if reportStar(gap: true) { return nil }
    guard token.kind == .slash || token.kind == .pathSegment else {
      if token.kind == .identifier {
        report(
          "path-without-slash", token.range, "A path begins with '/': /\(word)",
          fix: Diagnostic.Fix(
            message: "Add '/'.", range: SourceRange(token.start, token.start), replacement: "/"))
      } else if token.kind == .string, word.dropFirst().first == "/" {
        expected("a path such as /users/alice", notes: ["A path is written without quotes."])
      } else {
        expected("a path such as /users/alice")
      }
      return nil
    }
    let start = token.start
    var segments: [Expression.PathSegment] = []
    while segments.isEmpty || token.start.byte == previousEnd.byte {
      guard token.kind == .slash || token.kind == .pathSegment else { break }
      let isGroup = inQuery && parser.peek(3).kind == .assign
      guard let segment = parseSegment(inPattern: inPattern || isGroup) else { return nil }
      segments.append(segment)
      if reportStar(gap: false) { return nil }
    }
    if case .leftBrace = token.kind, token.start.byte == previousEnd.byte, looksLikeCapture {
      report("capture-without-slash", token.range, "A capture needs its '/': /{name}")
      return nil
    }
    return PathSyntax(segments: segments, range: SourceRange(start, previousEnd))
  }

  /// `{name}` or `{name=**}` directly behind a segment, rather than the data of a document.
  private var looksLikeCapture: Bool {
    parser.peek(1).kind == .identifier && (parser.peek(2).kind == .rightBrace || parser.peek(2).kind == .assign)
  }

  private mutating func parseSegment(inPattern: Bool) -> Expression.PathSegment? {
    let first = token
    if first.kind == .pathSegment {
      let text = word.utf8.dropFirst()
      parser.advance()
      return .init(.literal(TestParser.decoded(text)), range: first.range)
    }
    let touches = parser.peek(1).start.byte == first.end.byte
    switch parser.peek(1).kind {
    case .leftBrace where touches && parser.peek(2).kind == .identifier && isCaptureEnd(parser.peek(3).kind):
      guard inPattern else {
        let name = parser.text(parser.peek(2))
        report(
          "capture-in-path", SourceRange(first.start, parser.peek(2).end),
          "A step is about one document: '{\(name)}' cannot stand in its path.",
          notes: ["A value is put into a path by /$(\(name))."])
        return nil
      }
      return parseCapture()
    case .dollar where touches && parser.peek(2).kind == .leftParenthesis:
      if inPattern {
        report(
          "expression-in-pattern", SourceRange(first.start, parser.peek(2).end),
          "The path of an invariant is a pattern: '$(…)' cannot stand in it.",
          notes: ["Capture the segment, /{name}, and compare it in the condition."])
        return nil
      }
      parser.advance()
      parser.advance()
      parser.advance()
      guard let expression = parser.parseDataExpression(), expect(.rightParenthesis, "')'") else { return nil }
      return .init(.interpolation(expression), range: SourceRange(first.start, previousEnd))
    default:
      report(
        "trailing-slash", first.range, "A path does not end in '/'.",
        notes: ["After '/' comes a name, /{capture} in an invariant, or /$(expression) in a step."],
        fix: Diagnostic.Fix(message: "Remove '/'.", range: first.range, replacement: ""))
      return nil
    }
  }

  private func isCaptureEnd(_ kind: Token.Kind) -> Bool { kind == .rightBrace || kind == .assign }

  /// `/{name}`, `/{name=*}`, `/{name=**}`
  private mutating func parseCapture() -> Expression.PathSegment? {
    let slash = parser.advance()
    parser.advance()
    guard let name = expectName("the name of a capture") else { return nil }
    var isGlob = false
    if parser.take(.assign) != nil {
      isGlob = token.kind == .doubleStar
      guard isGlob || token.kind == .star else {
        expected("'*' or '**'")
        return nil
      }
      parser.advance()
    }
    guard expect(.rightBrace, "'}'") else { return nil }
    return .init(isGlob ? .glob(name) : .capture(name), range: SourceRange(slash.start, previousEnd))
  }

  /// Whether a star follows the slash that stands behind the last token (`gap`: blanks between them do not count):
  /// meant as a wildcard, it opens a comment, which may even have swallowed what follows.
  private mutating func reportStar(gap: Bool) -> Bool {
    let text = parser.file.utf8
    let end = previousEnd
    var i = end.byte
    while gap, i < text.count, text[i] == 0x20 || text[i] == 0x09 { i += 1 }
    guard i + 1 < text.count, text[i] == 0x2F, text[i + 1] == 0x2A else { return false }
    let isGlob = i + 2 < text.count && text[i + 2] == 0x2A
    // Before a path an ordinary comment may stand.
    if gap, !isGlob { return false }
    func position(_ byte: Int) -> SourcePosition {
      SourcePosition(
        line: end.line, column: end.column + byte - end.byte, offset: end.offset + byte - end.byte, byte: byte)
    }
    let range = SourceRange(position(i), position(isGlob ? i + 3 : i + 2))
    let replacement = isGlob ? "/{rest=**}" : "/{name}"
    report(
      "glob-without-name", range,
      isGlob
        ? "'/**' opens a comment. For everything below write /{rest=**}"
        : "'/*' opens a comment. For any one segment write /{name}",
      fix: Diagnostic.Fix(message: "Write \(replacement).", range: range, replacement: replacement))
    return true
  }

  /// Percent escapes decoded, as in the paths of rules.
  static func decoded(_ text: some Sequence<UInt8>) -> String {
    var out: [UInt8] = []
    let bytes = Array(text)
    var i = 0
    func hex(_ c: UInt8) -> UInt8? {
      switch c {
      case 0x30...0x39: c - 0x30
      case 0x41...0x46: c - 0x37
      case 0x61...0x66: c - 0x57
      default: nil
      }
    }
    while i < bytes.count {
      if bytes[i] == 0x25, i + 2 < bytes.count, let high = hex(bytes[i + 1]), let low = hex(bytes[i + 2]) {
        out.append(high << 4 | low)
        i += 3
      } else {
        out.append(bytes[i])
        i += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}

extension Paths {
  /// `path(string)`
  public static func parse(_ arguments: Arguments, _ arena: Arena) -> Value {
    guard arguments.count == 1 else { return arena.argumentCount(.path, arguments) }
    guard arguments.a.has(.string) else { return arena.unsupported(.path, arguments.a) }
    return parse(arguments.a, arena)
  }

  /// A path from its text. The leading slash may be missing; blanks around a segment do not count; `{x}` and
  /// `{x=**}` are captures; other segments are decoded as in a URL, where `+` is a blank.
  static func parse(_ template: Value, _ arena: Arena) -> Value {
    let bytes = arena.copyBytes(template)
    if bytes.isEmpty { return arena.error(text: "Empty Path Template is not allowed.") }
    let body = bytes.first == slash ? bytes.dropFirst() : bytes[...]
    let texts = body.split(separator: slash, omittingEmptySubsequences: false)
    guard let row = arena.row(texts.count) else { return .error(.memory) }
    for (i, text) in texts.enumerated() {
      let segment = segment(Blanks.trimmed(text), of: template, arena)
      if segment.isFailure { return segment }
      arena.set(row, i, segment)
    }
    for i in 0..<row.count {
      let segment = arena.get(row, i)
      guard segment.has(.capture) else { continue }
      let name = arena.element(segment, 0)
      for j in 0..<i where isCapture(arena.get(row, j), named: name, arena) { return duplicate(name, arena) }
    }
    return arena.finish(row, as: .path)
  }

  private static let slash: UInt8 = 0x2F

  private static func segment(_ text: ArraySlice<UInt8>, of template: Value, _ arena: Arena) -> Value {
    if text.isEmpty { return invalid(template, "Empty segment is not allowed.", arena) }
    guard text.first == 0x7B else { return decoded(text, arena) }
    guard text.count > 1, text.last == 0x7D else {
      return invalid(template, "The capture segment is not closed.", arena)
    }
    var name = text.dropFirst().dropLast()
    let glob = name.suffix(3).elementsEqual("=**".utf8)
    if glob {
      name = name.dropLast(3)
    } else if name.suffix(2).elementsEqual("=*".utf8) {
      name = name.dropLast(2)
    }
    name = Blanks.trimmed(name)
    guard isIdentifier(name) else {
      return invalid(
        template,
        "[Identifier [\(String(decoding: name, as: UTF8.self))] should start with letter, dollar sign, "
          + "or underscore and should not start with digit and must not contain spaces.", arena)
    }
    return arena.capture(name: arena.string(name), glob: glob)
  }

  private static func invalid(_ template: Value, _ reason: String, _ arena: Arena) -> Value {
    arena.error(text: "Invalid Path Template \(arena.text(template)). \(reason)")
  }

  private static func isIdentifier(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, !(0x30...0x39).contains(first) else { return false }
    return name.allSatisfy { c in
      switch c {
      case 0x24, 0x5F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: false
      }
    }
  }

  private static func decoded(_ text: ArraySlice<UInt8>, _ arena: Arena) -> Value {
    guard text.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return arena.string(text) }
    switch URLDecoding.decode(Array(text)) {
    case .success(let bytes): return arena.string(bytes)
    case .failure(let reason):
      let source = String(decoding: text, as: UTF8.self)
      return arena.error(text: "Unable to decode \(source) to url. Error: URLDecoder: \(reason.text)")
    }
  }
}

/// White space as the official implementation trims it from segments: also the no-break and wide blanks.
enum Blanks {
  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while let width = leading(text) { text = text.dropFirst(width) }
    while let width = trailing(text) { text = text.dropLast(width) }
    return text
  }

  private static func leading(_ text: ArraySlice<UInt8>) -> Int? {
    guard let first = text.first else { return nil }
    let width = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return isBlank(text.prefix(width)) ? width : nil
  }

  private static func trailing(_ text: ArraySlice<UInt8>) -> Int? {
    (1...3).first { $0 <= text.count && isBlank(text.suffix($0)) }
  }

  private static func isBlank(_ c: ArraySlice<UInt8>) -> Bool {
    let i = c.startIndex
    switch c.count {
    case 1: return (0x09...0x0D).contains(c[i]) || c[i] == 0x20
    case 2: return c[i] == 0xC2 && (c[i + 1] == 0x85 || c[i + 1] == 0xA0)
    case 3:
      switch (c[i], c[i + 1], c[i + 2]) {
      case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF),
        (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
        return true
      default: return false
      }
    default: return false
    }
  }
}

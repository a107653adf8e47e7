/// An answer of the solver, read.
indirect enum SExpression: Equatable {
  case word(String)
  case list([SExpression])

  /// All expressions of a text; `nil` when parentheses don't match.
  static func read(_ text: String) -> [SExpression]? {
    var open: [[SExpression]] = [[]]
    var word: [UInt8] = []
    var isQuoted = false
    func finish() {
      guard !word.isEmpty else { return }
      open[open.count - 1].append(.word(String(decoding: word, as: UTF8.self)))
      word = []
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "|"), UInt8(ascii: "\""):
        isQuoted.toggle()
        word.append(byte)
      case _ where isQuoted: word.append(byte)
      case UInt8(ascii: "("):
        finish()
        guard open.count < 10_000 else { return nil }
        open.append([])
      case UInt8(ascii: ")"):
        finish()
        guard open.count > 1, let inner = open.popLast() else { return nil }
        open[open.count - 1].append(.list(inner))
      case 0x20, 0x09, 0x0A, 0x0D: finish()
      default: word.append(byte)
      }
    }
    finish()
    return open.count == 1 && !isQuoted ? open[0] : nil
  }

  /// `5`, `(- 5)`
  var integer: Int64? {
    switch self {
    case .word(let text): return Int64(text)
    case .list(let items):
      guard items.count == 2, items[0] == .word("-"), case .word(let digits) = items[1] else { return nil }
      return Int64("-" + digits)
    }
  }

  var boolean: Bool? {
    switch self {
    case .word("true"): true
    case .word("false"): false
    default: nil
    }
  }

  /// `1.5`, `(- 1.5)`, `(/ 3.0 2.0)`: as near as a double comes.
  var number: Double? {
    switch self {
    case .word(let text): return Double(text.hasSuffix("?") ? String(text.dropLast()) : text)
    case .list(let items):
      if items.count == 2, items[0] == .word("-") { return items[1].number.map { -$0 } }
      if items.count == 3, items[0] == .word("/"), let a = items[1].number, let b = items[2].number { return a / b }
      return nil
    }
  }
}

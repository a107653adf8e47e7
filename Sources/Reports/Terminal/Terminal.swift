/// What the place can show where a report appears.
public struct Terminal: Sendable, Equatable {
  /// Whether escape sequences for colours are understood.
  public var hasColor: Bool
  /// Columns, at least 40.
  public var width: Int

  public init(hasColor: Bool = false, width: Int = 100) {
    self.hasColor = hasColor
    self.width = max(40, width)
  }
}

/// How a piece of text looks. In a report without colours every style looks the same: meaning never hangs on colour
/// alone.
public enum Style: Sendable, Equatable {
  case plain, bold, dim, good, bad, badBold, warning, place, value, code

  /// Parameters of the escape sequence SGR.
  var codes: String? {
    switch self {
    case .plain: nil
    case .bold: "1"
    case .dim: "2"
    case .good: "32"
    case .bad: "31"
    case .badBold: "1;31"
    case .warning: "33"
    case .place: "36"
    case .value: "35"
    case .code: "34"
    }
  }
}

/// A line under construction: pieces of text, each in a style.
struct StyledLine {
  private(set) var pieces: [(text: String, style: Style)] = []
  /// Terminal columns taken so far.
  private(set) var columns = 0

  init() {}

  init(_ text: String, _ style: Style = .plain) { add(text, style) }

  mutating func add(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    columns += SafeText.columns(text)
    if let last = pieces.last, last.style == style {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append((text, style))
    }
  }

  mutating func add(_ line: StyledLine) {
    for piece in line.pieces { add(piece.text, piece.style) }
  }

  /// Spaces up to a column, counted from 0.
  mutating func pad(to column: Int) {
    if column > columns { add(String(repeating: " ", count: column - columns)) }
  }

  /// The line as it goes out, without white space at its end.
  func text(_ terminal: Terminal) -> String {
    var kept = pieces
    while let last = kept.last {
      var text = last.text
      while text.last == " " { text.removeLast() }
      if text.isEmpty {
        kept.removeLast()
      } else {
        kept[kept.count - 1].text = text
        break
      }
    }
    guard terminal.hasColor else { return kept.map(\.text).joined() }
    return kept.map { piece in
      guard let codes = piece.style.codes else { return piece.text }
      return "\u{1B}[\(codes)m\(piece.text)\u{1B}[0m"
    }.joined()
  }
}

/// Lines that become a report.
struct Page {
  let terminal: Terminal
  private(set) var lines: [String] = []

  init(_ terminal: Terminal) { self.terminal = terminal }

  mutating func add(_ line: StyledLine, indent: Int = 0) {
    var whole = StyledLine(String(repeating: " ", count: indent))
    whole.add(line)
    lines.append(whole.text(terminal))
  }

  mutating func add(_ lines: [StyledLine], indent: Int = 0) {
    for line in lines { add(line, indent: indent) }
  }

  mutating func add(_ text: String, _ style: Style = .plain, indent: Int = 0) {
    add(StyledLine(text, style), indent: indent)
  }

  /// An empty line, never two in a row and none at the top.
  mutating func gap() {
    if let last = lines.last, !last.isEmpty { lines.append("") }
  }

  /// Every line with a line end.
  var text: String {
    var kept = lines
    while kept.last == "" { kept.removeLast() }
    return kept.map { $0 + "\n" }.joined()
  }
}

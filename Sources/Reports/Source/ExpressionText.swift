import RulesSyntax

/// The source of expressions of one file, each on one line: comments left out, white space drawn together, and closed
/// with the brackets that the official range of a call leaves out.
final class ExpressionText {
  private let file: SourceFile
  private let tokens: [Token]

  init(_ file: SourceFile) {
    self.file = file
    tokens = Lexer.tokenize(file).tokens
  }

  func text(_ e: Expression, width: Int = .max) -> String {
    var index = firstToken(at: e.range.start.byte)
    var result = ""
    var depth = 0
    var previousEnd: Int?
    while index < tokens.count, tokens[index].kind != .endOfFile {
      let token = tokens[index]
      let isInside = token.range.start.byte < e.range.end.byte
      if !isInside {
        // What closes the expression's brackets, and the empty brackets of a call.
        let isEmptyCall = depth == 0 && previousEnd == token.range.start.byte && token.kind == .leftParenthesis
          && index + 1 < tokens.count && tokens[index + 1].kind == .rightParenthesis && e.isCallWithoutArguments
        guard depth > 0 || isEmptyCall else { break }
      }
      switch token.kind {
      case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
      case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
      default: break
      }
      if let previousEnd, token.range.start.byte > previousEnd { result += " " }
      result += SafeText.line(file.text(token.range))
      previousEnd = token.range.end.byte
      index += 1
      if !isInside, depth <= 0 { break }
    }
    // A line break after a bracket or before a dot is no space worth showing.
    return width == .max ? result : SafeText.cut(result, width)
  }

  /// Tokens are in source order.
  private func firstToken(at byte: Int) -> Int {
    var low = 0
    var high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].range.start.byte < byte { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Expression {
  /// Whether the node, or the last part of it, ends in `()`, which the official range leaves out.
  var isCallWithoutArguments: Bool {
    switch kind {
    case .call(_, let arguments), .methodCall(_, _, let arguments): arguments.isEmpty
    case .binary(_, _, let right): right.isCallWithoutArguments
    case .unary(_, let operand): operand.isCallWithoutArguments
    case .ternary(_, _, let no): no.isCallWithoutArguments
    default: false
    }
  }
}

import JSON
import RulesSyntax

enum SyntaxProperties {
  static func checkTokens(_ bytes: [UInt8]) throws(BrokenProperty) {
    let file = SourceFile(name: "fuzz.rules", utf8: bytes)
    let places = Places(file)
    for mode in [Lexer.Mode.rules, .embedded] {
      let output = Lexer.tokenize(file, mode)
      try require(output.tokens.last?.kind == .endOfFile, "the tokens do not end with the end of the file")
      try places.check(output.errors)
      var end = SourcePosition.start
      for token in output.tokens {
        try places.check(token.range, "\(token.kind)")
        try require(token.start.byte >= end.byte, "tokens overlap at \(token.start)")
        try require((token.kind == .endOfFile) == (token.start.byte == token.end.byte), "an empty token at \(token.start)")
        try require(token.start.line == token.end.line, "a token spans lines at \(token.start)")
        end = token.end
      }
      try require(output.tokens.count { $0.kind == .endOfFile } == 1, "the file ends twice")
      try require(end.byte == file.utf8.count, "the file ends at \(end)")
    }
  }

  static func checkTree(_ bytes: [UInt8]) throws(BrokenProperty) {
    let file = SourceFile(name: "fuzz.rules", utf8: bytes)
    let places = Places(file)
    let result = Parser.parse(file)
    try places.check(result.diagnostics)
    try require(result.syntax != nil || result.syntaxErrors, "neither tree nor error")
    try require(!result.syntaxErrors || result.diagnostics.contains { $0.severity == .error }, "an error that nobody sees")
    if let syntax = result.syntax { _ = SyntaxJSON.value(syntax).serialized() }
    if let syntax = result.syntax, !result.syntaxErrors {
      var ids = Set<Int>()
      for service in syntax.services { for match in service.matches { try check(match, places, &ids, syntax.expressionCount) } }
      for function in syntax.functions + syntax.services.flatMap(\.functions) { try check(function, places, &ids, syntax.expressionCount) }
    }
    // The forms that other texts embed.
    for form in 0..<4 {
      var parser = Parser(file)
      switch form {
      case 0: if let e = parser.parseExpression() { try checkAlone(e, parser, places) }
      case 1: if let e = parser.parseDataExpression() { try checkAlone(e, parser, places) }
      case 2: _ = parser.parseFunction()
      default: _ = parser.parsePathSegments(inPattern: bytes.count.isMultiple(of: 2))
      }
      try places.check(parser.diagnostics)
    }
  }

  private static func checkAlone(_ expression: Expression, _ parser: Parser, _ places: Places) throws(BrokenProperty) {
    var ids = Set<Int>()
    try check(expression, places, &ids, parser.expressionCount)
  }

  private static func check(_ match: MatchDeclaration, _ places: Places, _ ids: inout Set<Int>, _ count: Int) throws(BrokenProperty) {
    try places.check(match.range, "a match")
    try places.check(match.pathRange, "a path")
    for allow in match.allows {
      try places.check(allow.range, "an allow")
      if let condition = allow.condition { try check(condition, places, &ids, count) }
    }
    for function in match.functions { try check(function, places, &ids, count) }
    for inner in match.matches { try check(inner, places, &ids, count) }
  }

  private static func check(_ function: FunctionDeclaration, _ places: Places, _ ids: inout Set<Int>, _ count: Int) throws(BrokenProperty) {
    try places.check(function.range, "a function")
    for binding in function.lets { try check(binding.value, places, &ids, count) }
    try check(function.result, places, &ids, count)
  }

  /// Ids are those of one node each; parts lie inside of what they belong to; the tree can be walked by recursion.
  private static func check(
    _ expression: Expression, _ places: Places, _ ids: inout Set<Int>, _ count: Int, depth: Int = 1
  ) throws(BrokenProperty) {
    try require(depth <= Parser.maximumTreeDepth, "a tree of depth \(depth)")
    try require((0..<count).contains(expression.id) && ids.insert(expression.id).inserted, "expression number \(expression.id) of \(count) is given twice")
    try places.check(expression.range, "an expression")
    try places.check(expression.anchor, "an anchor")
    for operand in expression.operands {
      try require(
        expression.range.start.byte <= operand.range.start.byte && operand.range.end.byte <= expression.range.end.byte,
        "a part at \(operand.range) is not inside of \(expression.range)")
      try check(operand, places, &ids, count, depth: depth + 1)
    }
  }
}

import JSON
import RulesSyntax
import Testing

/// The tree of valid texts. Where nodes stand is what the official emulator 1.19.9 reported as their coverage.
@Suite struct Trees {
  private static func condition(_ text: String) throws -> (Expression, SourceFile) {
    let file = SourceFile(name: "x", text: text)
    var parser = Parser(file)
    let parsed = parser.parseExpression()
    let expression = try #require(parsed)
    #expect(parser.kind == .endOfFile)
    return (expression, file)
  }

  /// An expression with parentheses around every operation.
  private static func shape(_ e: Expression) -> String {
    switch e.kind {
    case .binary(let op, let l, let r): "(\(shape(l)) \(op.rawValue) \(shape(r)))"
    case .unary(let op, let o): "(\(op.rawValue)\(shape(o)))"
    case .typeTest(let o, let type): "(\(shape(o)) is \(type.text))"
    case .ternary(let c, let a, let b): "(\(shape(c)) ? \(shape(a)) : \(shape(b)))"
    case .member(let r, let name): "\(shape(r)).\(name.text)"
    case .methodCall(let r, let name, let args): "\(shape(r)).\(name.text)(\(args.map(shape).joined(separator: ",")))"
    case .call(let name, let args): "\(name.text)(\(args.map(shape).joined(separator: ",")))"
    case .index(let r, let i): "\(shape(r))[\(shape(i))]"
    case .slice(let r, let l, let u): "\(shape(r))[\(l.map(shape) ?? ""):\(u.map(shape) ?? "")]"
    case .identifier(let name): name
    case .int(let value): String(value)
    case .float(let value): String(value)
    case .bool(let value): String(value)
    case .null: "null"
    case .string(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
    case .bytes(let bytes): "\(bytes)"
    case .list(let items): "[\(items.map(shape).joined(separator: ","))]"
    case .map(let entries): "{\(entries.map { shape($0.key) + ":" + shape($0.value) }.joined(separator: ","))}"
    case .path(let segments):
      segments.map {
        switch $0.kind {
        case .literal(let text): "/\(text)"
        case .capture(let name): "/{\(name.text)}"
        case .glob(let name): "/{\(name.text)=**}"
        case .interpolation(let inner): "/$(\(shape(inner)))"
        }
      }.joined()
    }
  }

  @Test(arguments: [
    ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
    ("a || b && c || d", "((a || (b && c)) || d)"),
    ("true == 1 is int", "((true == 1) is int)"),
    ("x in [1] == true", "(x in ([1] == true))"),
    ("!x in y", "((!x) in y)"),
    ("!x is bool", "((!x) is bool)"),
    ("1 < 2 == 3 >= 4", "((1 < 2) == (3 >= 4))"),
    ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
    ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
    ("-a.b[0].c(1, 2,)", "(-a.b[0].c(1,2))"),
    ("-9223372036854775808", "-9223372036854775808"),
    ("1.5 + .5 + 5.", "((1.5 + 0.5) + 5.0)"),
    ("a[:] + a[1:] + a[:2] + a[1:2]", "(((a[:] + a[1:]) + a[:2]) + a[1:2])"),
    ("{'a': 1, \"b\": [2, null,],}", "{'a':1,'b':[2,null]}"),
    ("/a/$(b)/{c}/{d=*}/{e=**}/(default)/f%20g.h", "/a/$(b)/{c}/{d}/{e=**}/(default)/f g.h"),
    ("4 /\t2 / /* c */ 3", "((4 / 2) / 3)"),
    ("/a/ b", "(/a / b)"),
    ("(/a/b).bind({})", "/a/b.bind({})"),
    ("a.in.is.if.allow.import.get", "a.in.is.if.allow.import.get"),
    (#"'\n\x41\101\u00e9\ud83d\ude00\\'"#, "'\nAAé😀\\'"),
    (#"b'a\x00\377é'"#, "[97, 0, 255, 195, 169]"),
  ])
  func operatorsBindAsTheOfficialGrammarSays(_ text: String, _ expected: String) throws {
    #expect(Self.shape(try Self.condition(text).0) == expected)
  }

  @Test(arguments: [
    ("debug([]) == []", "debug([]) == ["), ("debug([1])", "debug([1"), ("{'a': 1,}", "{'a': 1"), ("{}", "{"),
    ("(([id]))[0]", "(([id]))[0"), ("id[0:1]", "id[0:1"), ("id[0:]", "id[0"), ("id[:]", "id"),
    ("(id)", "(id"), ("((a.b))", "((a.b"), ("(1)", "("), ("!(true)", "!("), ("-(1)", "-(1"), ("-(((1)))", "-(("), ("id.size()", "id.size"),
    ("id.size(1)", "id.size(1"), ("(id is string)", "(id is string"), ("/a/$(id)", "/a/$(id"), ("/a/{x=**}", "/a/{x"),
    ("-9223372036854775808", "-"), ("(id) == 'a' ? (true) : (false)", "(id) == 'a' ? (true) : ("),
  ])
  func aNodeStandsWhereOfficialCoverageSays(_ text: String, _ expected: String) throws {
    let (expression, file) = try Self.condition(text)
    #expect(file.text(expression.range) == expected)
  }

  /// Diagnostics point at the operator or name.
  @Test(arguments: [
    ("a + b", "+"), ("a.b", "b"), ("a.b(1)", "b"), ("(f(1))", "f"), ("!a", "!"), ("(a)[0]", "a"), ("a is int", "is"),
    ("(a.b) ? c : d", "a"),
  ])
  func aFindingPointsAtTheOperatorOrName(_ text: String, _ expected: String) throws {
    let (expression, file) = try Self.condition(text)
    #expect(file.text(expression.anchor) == expected)
  }

  @Test func positionsCountScalarsAndLinesEndAtLineFeeds() throws {
    let (expression, _) = try Self.condition("'é😀' +\r\n\tb")
    guard case .binary(_, _, let right) = expression.kind else { return #expect(Bool(false)) }
    #expect(expression.anchor.start == SourcePosition(line: 1, column: 6, offset: 5, byte: 9))
    #expect(right.range.start == SourcePosition(line: 2, column: 2, offset: 9, byte: 13))
  }

  @Test func aLoneSurrogateIsKeptAsThreeBytes() throws {
    guard case .string(let bytes) = try Self.condition(#"'\ud83d'"#).0.kind else { return #expect(Bool(false)) }
    #expect(bytes == [0xED, 0xA0, 0xBD])
  }

  @Test(arguments: ["x++", "'a", "a = 1", "1/2", "010", "a.in()", "99999999999999999999", "/a/", "b'\\u0041'"])
  func embeddedExpressionsAllowNoMistake(_ text: String) {
    var parser = Parser(SourceFile(name: "x", text: text + "\n"))
    let expression = parser.parseExpression()
    #expect(expression == nil || parser.kind != .endOfFile)
    #expect(expression != nil || !parser.diagnostics.isEmpty)
  }

  @Test func theTreeIsPrintedWithPositions() throws {
    let source = "function f(a) { let b = a.c; return b[1] is int; }"
    let syntax = try #require(Parser.parse(SourceFile(name: "x", text: source)).syntax)
    let json = SyntaxJSON.value(syntax)
    let function = json["items"]?[0]
    #expect(function?["kind"] == .string("function"))
    #expect(function?["at"]?["end"]?["column"] == .int(51))
    #expect(function?["parameters"]?[0]?["text"] == .string("a"))
    #expect(function?["lets"]?[0]?["value"]?["kind"] == .string("member"))
    #expect(function?["result"]?["operand"]?["index"]?["value"] == .string("1"))
    #expect(try JSONValue(parsing: json.serialized()) == json)
  }

  /// Notes and fixes of our own beside the official message.
  @Test(arguments: [
    ("a = 1", "Values are compared with '=='.", "=="), ("6/2 == 3", "A space behind it divides.", "/ "),
    ("010 == 8", "Numbers have no leading zeros.", ""), ("a.matches('\\d')", "is written twice", "\\"),
  ])
  func commonMistakesComeWithAdvice(_ condition: String, _ note: String, _ replacement: String) throws {
    let source = "service cloud.firestore { match /a/{b} { allow get: if \(condition); } }"
    let diagnostics = Parser.parse(SourceFile(name: "x", text: source)).diagnostics
    let advised = try #require(diagnostics.first { !$0.notes.isEmpty })
    #expect(advised.notes[0].contains(note))
    #expect(advised.fix?.replacement == replacement)
  }

  @Test(arguments: [
    ("match a/b { allow get; }", ["A path begins with '/'."]),
    ("match /a/{b} { allow get: if b == 'x;\n}", ["The text that begins in line 1, column 61 is not closed in its line."]),
  ])
  func mistakesElsewhereComeWithAdvice(_ match: String, _ notes: [String]) {
    let diagnostics = Parser.parse(SourceFile(name: "x", text: "service cloud.firestore { \(match) }")).diagnostics
    #expect(diagnostics.flatMap(\.notes) == notes)
  }
}

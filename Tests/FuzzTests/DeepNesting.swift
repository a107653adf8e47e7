import FuzzProperties
import Testing

/// 100,000 levels of everything that can be nested, on a small stack: one clear finding.
@Suite struct DeepNesting {
  static let depth = 100_000

  struct Nest: Sendable, CustomTestStringConvertible {
    let name: String
    let reader: Reader
    let open: String
    let core: String
    let close: String
    let first: String
    var testDescription: String { name }

    init(_ name: String, _ reader: Reader, _ open: String, _ core: String, _ close: String, first: String) {
      (self.name, self.reader, self.open, self.core, self.close, self.first) = (name, reader, open, core, close, first)
    }

    var text: String { String(repeating: open, count: depth) + core + String(repeating: close, count: depth) }
  }

  static let tooComplex = "Expression is too complex to evaluate safely."

  static let conditions: [Nest] = [
    Nest("parentheses", .rules, "(", "true", ")", first: "L4:100 \(tooComplex)"),
    Nest("lists", .rules, "[", "", "]", first: "L4:100 \(tooComplex)"),
    Nest("maps", .rules, "{'a': ", "1", "}", first: "L4:590 \(tooComplex)"),
    Nest("negations", .rules, "!", "true", "", first: "L4:100 \(tooComplex)"),
    Nest("minus signs", .rules, "- ", "1", "", first: "L4:3 mismatched input '-' expecting {'{', '[', '(', '/', 'false', 'null', 'true', PATH_SEGMENT, IDENTIFIER, NUM_INT, NUM_FLOAT, UNPAIRED_DOUBLE_QUOTE, UNPAIRED_SINGLE_QUOTE, STRING, BYTES}"),
    Nest("conjunctions", .rules, "", "true", " && true", first: "L4:1 \(tooComplex)"),
    Nest("sums", .rules, "", "1", " + 1", first: "L4:1 \(tooComplex)"),
    Nest("comparisons to the right", .rules, "1 == (", "1", ")", first: "L4:295 \(tooComplex)"),
    Nest("ternaries to the right", .rules, "true ? true : ", "true", "", first: "L4:1373 \(tooComplex)"),
    Nest("ternaries in the middle", .rules, "true ? ", "true", " : true", first: "L4:687 \(tooComplex)"),
    Nest("members", .rules, "", "request", ".a", first: "L4:227 \(tooComplex)"),
    Nest("indexes", .rules, "request[", "0", "]", first: "L4:793 \(tooComplex)"),
    Nest("chains of indexes", .rules, "", "request", "[0]", first: "L4:1 \(tooComplex)"),
    Nest("calls", .rules, "f(", "1", ")", first: "L4:199 \(tooComplex)"),
    Nest("chains of calls", .rules, "", "'a'", ".size()", first: "L4:768 \(tooComplex)"),
    Nest("paths in paths", .rules, "/a/$(", "1", ")", first: "L4:496 \(tooComplex)"),
    Nest("type tests", .rules, "", "1", " is int", first: "L4:1 \(tooComplex)"),
    Nest("unclosed parentheses", .rules, "(", "", "", first: "L5:1 Unexpected ';'."),
    Nest("closed parentheses", .rules, "", "true", ")", first: "L4:5 Unexpected ')'."),
  ]

  @Test(arguments: conditions)
  func `a condition is too complex, and says so`(_ nest: Nest) throws {
    let finding = onSmallStack { nest.reader.firstFinding(rulesFile(condition: nest.text)) }
    #expect(finding == nest.first)
  }

  static let files: [Nest] = [
    Nest("match blocks", .rules, "match /a/{b} {", "allow get;", "}", first: "L3:869 Rule hierarchy is too complex to evaluate safely."),
    Nest("unclosed match blocks", .rules, "match /a/{b} {", "", "", first: "L3:869 Rule hierarchy is too complex to evaluate safely."),
    Nest("functions in functions", .rules, "function f() { ", "return 1;", "}", first: "L3:16 Unexpected 'function'."),
    Nest("lets", .rules, "", "function f() { let a = 1; ", "let b = a; ", first: "L4:1 Unexpected '}'."),
    Nest("services", .rules, "service cloud.firestore { ", "", "}", first: "L2:33 Missing 'match' keyword before path."),
    Nest("braces", .rules, "{", "", "}", first: "L2:33 Missing 'match' keyword before path."),
  ]

  @Test(arguments: files)
  func `declarations are refused where they do not belong`(_ nest: Nest) throws {
    let finding = onSmallStack { nest.reader.firstFinding(rulesFile(body: nest.text)) }
    #expect(finding == nest.first)
  }

  static let texts: [Nest] = [
    Nest("JSON arrays", .json, "[", "", "]", first: "line 1, column 201: arrays and objects are nested more than 200 deep"),
    Nest("JSON objects", .json, "{\"a\":", "1", "}", first: "line 1, column 1001: arrays and objects are nested more than 200 deep"),
    Nest("unclosed JSON arrays", .json, "[", "", "", first: "line 1, column 201: arrays and objects are nested more than 200 deep"),
    Nest("groups of a pattern", .pattern, "(", "a", ")", first: "Regular expression too long. Maximum allowed length: 4096 At byte 4096."),
    Nest("unclosed groups", .pattern, "(", "", "", first: "Regular expression too long. Maximum allowed length: 4096 At byte 4096."),
    Nest("groups that do not capture", .pattern, "(?:", "a", ")*", first: "Regular expression too long. Maximum allowed length: 4096 At byte 4096."),
    Nest("repetitions", .pattern, "", "a", "*", first: "Regular expression too long. Maximum allowed length: 4096 At byte 4096."),
    Nest("classes", .pattern, "[", "a", "]", first: "Regular expression too long. Maximum allowed length: 4096 At byte 4096."),
    Nest("maps of a fixture", .tests, "given /a/b { a: ", "1", "}", first: "L1:23 Unexpected '/a'."),
    Nest("tests in tests", .tests, "test 'a' { ", "", "}", first: "L1:12 'test' cannot stand inside a test."),
  ]

  @Test(arguments: texts)
  func `other texts are refused where they get too deep`(_ nest: Nest) throws {
    let finding = onSmallStack { nest.reader.firstFinding(nest.text) }
    #expect(finding == nest.first)
  }

  static let data: [Nest] = [
    Nest("maps", .tests, "{ a: ", "1", " }", first: "L1:562 \(tooComplex)"), Nest("lists", .tests, "[", "", "]", first: "L1:115 \(tooComplex)"),
    Nest("parentheses", .tests, "(", "1", ")", first: "L1:115 \(tooComplex)"), Nest("unclosed maps", .tests, "{ a: ", "", "", first: "L1:500019 Unexpected ';'."),
  ]

  @Test(arguments: data)
  func `data of a test file are refused where they get too deep`(_ nest: Nest) throws {
    let text = "given /a/b { x: \(nest.text) };\n"
    let finding = onSmallStack { nest.reader.firstFinding(text) }
    #expect(finding == nest.first)
  }
}

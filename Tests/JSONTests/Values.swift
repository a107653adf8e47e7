import JSON
import Testing

@Suite("Values")
struct Values {
  @Test("an integer and a double of the same size are different values")
  func intIsNotDouble() {
    #expect(JSONValue.int(1) != .double(1))
    #expect(JSONValue.int(1).doubleValue == 1)
    #expect(JSONValue.double(1).intValue == nil)
  }

  @Test("each accessor answers for its own kind only")
  func accessors() throws {
    let value = try JSONValue(parsing: "{\"n\":null,\"b\":true,\"i\":3,\"d\":0.5,\"s\":\"x\",\"a\":[1,2],\"o\":{\"k\":1}}")
    #expect(value["n"]?.isNull == true)
    #expect(value["b"]?.boolValue == true)
    #expect(value["i"]?.intValue == 3)
    #expect(value["d"]?.doubleValue == 0.5)
    #expect(value["s"]?.stringValue == "x")
    #expect(value["a"]?.arrayValue == [1, 2])
    #expect(value["a"]?[1] == 2)
    #expect(value["a"]?[2] == nil)
    #expect(value["a"]?[-1] == nil)
    #expect(value["o"]?["k"] == 1)
    #expect(value["missing"] == nil)
    #expect(value["s"]?.intValue == nil)
    #expect(value["s"]?["k"] == nil)
    #expect(value.stringValue == nil)
    #expect(value.objectValue?.values.map(\.kind) == [
      "null", "a boolean", "an integer", "a number", "a string", "an array", "an object",
    ])
  }

  @Test("an object keeps its order through setting and removing, small and large", arguments: [3, 11, 12, 13, 40])
  func objectOrder(count: Int) {
    var object = JSONObject()
    for number in 0..<count { object["k\(number)"] = .int(Int64(number)) }
    object["k1"] = "changed"
    object["k0"] = nil
    object["absent"] = nil
    object["new"] = true
    #expect(object.keys == (1..<count).map { "k\($0)" } + ["new"])
    #expect(object["k1"] == "changed")
    #expect(object["k0"] == nil)
    #expect(!object.contains("k0"))
    #expect(object["k\(count - 1)"] == (count == 2 ? "changed" : .int(Int64(count - 1))))
    #expect(object["new"] == true)
    #expect(object.count == count)
  }

  @Test("objects are equal whatever their order")
  func objectEquality() {
    #expect(JSONObject(dictionaryLiteral: ("a", 1), ("b", 2)) == ["b": 2, "a": 1])
    #expect(JSONObject(dictionaryLiteral: ("a", 1)) != ["a": 1, "b": 2])
    #expect(JSONObject(dictionaryLiteral: ("a", 1)) != ["b": 1])
    #expect(JSONObject(dictionaryLiteral: ("a", 1)) != ["a": 1.0])
  }

  @Test("scalars can be changed throughout a tree, names, order and empty containers stay", arguments: [
    ("1", "2"), ("[]", "[]"), ("{}", "{}"), ("[1,[],{\"b\":1,\"a\":[1,{}]},null]", "[2,[],{\"b\":2,\"a\":[2,{}]},null]"),
  ])
  func mapping(before: String, after: String) throws {
    let changed = try JSONValue(parsing: before).mappingScalars { $0 == 1 ? 2 : $0 }
    #expect(changed.serialized() == after)
  }

  @Test("strings are equal only scalar by scalar")
  func stringEquality() {
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
  }

  @Test("a lone surrogate becomes U+FFFD in a String and stays itself in the reader's bytes", arguments: [
    ("\\ud83d", "\u{FFFD}", [0xED, 0xA0, 0xBD]),
    ("\\uDE00", "\u{FFFD}", [0xED, 0xB8, 0x80]),
    ("a\\ud83db", "a\u{FFFD}b", [0x61, 0xED, 0xA0, 0xBD, 0x62]),
    ("\\ud83d\\ud83d\\ude00", "\u{FFFD}😀", [0xED, 0xA0, 0xBD, 0xF0, 0x9F, 0x98, 0x80]),
    ("\\ude00\\ud83d", "\u{FFFD}\u{FFFD}", [0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD]),
    ("\\ud83d\\u0041", "\u{FFFD}A", [0xED, 0xA0, 0xBD, 0x41]),
    ("\\ud83d\\n", "\u{FFFD}\n", [0xED, 0xA0, 0xBD, 0x0A]),
    ("\u{D7FF}\\ud800", "\u{D7FF}\u{FFFD}", [0xED, 0x9F, 0xBF, 0xED, 0xA0, 0x80]),
  ] as [(String, String, [UInt8])])
  func loneSurrogates(escaped: String, string: String, bytes: [UInt8]) throws {
    let text = "\"\(escaped)\""
    #expect(try JSONValue(parsing: text) == .string(string))
    var reader = try JSONReader(Array(text.utf8))
    #expect(try reader.next() == .string)
    #expect(Array(reader.text) == bytes)
    let isLone = reader.textHasLoneSurrogate
    #expect(isLone)
    #expect(reader.string == string)

    var writer = JSONWriter()
    writer.string(wtf8: reader.text)
    #expect(try JSONValue(parsing: writer.text) == .string(string))
    var again = try JSONReader(writer.bytes)
    _ = try again.next()
    #expect(Array(again.text) == bytes)
  }

  @Test("the reader hands out names, strings and numbers as written, and skips what is not wanted")
  func streaming() throws {
    var reader = try JSONReader(Array("{\"skip\":{\"a\":[1,{}]},\"\\u006beep\":-1.50,\"tree\":{\"x\":[1]}}".utf8))
    #expect(try reader.next() == .beginObject)
    #expect(try reader.next() == .key)
    try reader.skip(try reader.next())
    #expect(try reader.next() == .key)
    #expect(reader.string == "keep")
    #expect(String(decoding: reader.rawText, as: UTF8.self) == "\"\\u006beep\"")
    #expect(try reader.next() == .double(-1.5))
    #expect(String(decoding: reader.rawText, as: UTF8.self) == "-1.50")
    #expect(try reader.next() == .key)
    #expect(try reader.readTree() == ["x": [1]])
    #expect(try reader.next() == .endObject)
    #expect(try reader.next() == .end)
    #expect(try reader.next() == .end)
  }
}

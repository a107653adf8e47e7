import JSON
import Testing

@Suite("Writing")
struct Writing {
  @Test("values are written so that they read back equal", arguments: [
    (nil, "null"),
    (true, "true"),
    (1, "1"),
    (-7, "-7"),
    (.int(.min), "-9223372036854775808"),
    (1.0, "1.0"),
    (-0.0, "-0.0"),
    (0.1, "0.1"),
    (1e16, "1e+16"),
    (.double(.leastNonzeroMagnitude), "5e-324"),
    (9_007_199_254_740_993.0, "9007199254740992.0"),
    ("", "\"\""),
    ("a\"b\\c/d", "\"a\\\"b\\\\c/d\""),
    ("\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}", "\"\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}\""),
    ("é€😀\u{2028}퟿", "\"é€😀\u{2028}퟿\""),
    ([], "[]"),
    ([:], "{}"),
    ([1, [2.5, nil], ["k": []]], "[1,[2.5,null],{\"k\":[]}]"),
    (["b": 1, "a": ["\n": false]], "{\"b\":1,\"a\":{\"\\n\":false}}"),
  ] as [(JSONValue, String)])
  func compact(value: JSONValue, text: String) throws {
    #expect(value.serialized() == text)
    #expect(try value.strictlySerialized() == text)
    #expect(try JSONValue(parsing: text) == value)
  }

  static let example: JSONValue = ["b": [1, [], ["x": nil]], "a": [:], "é": "z", "Z": 1.0]

  @Test("pretty text has one member or element a line")
  func pretty() throws {
    #expect(Self.example.serialized(pretty: true) == """
      {
        "b": [
          1,
          [],
          {
            "x": null
          }
        ],
        "a": {},
        "é": "z",
        "Z": 1.0
      }
      """)
    #expect(try JSONValue(parsing: Self.example.serialized(pretty: true)) == Self.example)
  }

  @Test("sorted members stand in the order of their code points")
  func sorted() {
    #expect(Self.example.serialized(sortedKeys: true) == "{\"Z\":1.0,\"a\":{},\"b\":[1,[],{\"x\":null}],\"é\":\"z\"}")
  }

  @Test("what JSON cannot write becomes a string, or an error for who asks for strictness", arguments: [
    (Double.nan, "\"NaN\""), (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
  ])
  func nonFinite(number: Double, text: String) {
    #expect(JSONValue.double(number).serialized() == text)
    let error = #expect(throws: JSONError.self) { try JSONValue.array([1, ["k": .double(number)]]).strictlySerialized() }
    #expect(error?.message == "JSON cannot write the number \(number); write a string or null")
  }

  @Test("piece by piece the same text comes out")
  func pieces() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.int(1)
    writer.double(2)
    writer.string("x")
    writer.endArray()
    writer.key("b")
    writer.beginObject()
    writer.endObject()
    writer.key("c")
    writer.value(["t": true])
    writer.key("d")
    writer.null()
    writer.endObject()
    #expect(writer.text == "{\"a\":[1,2.0,\"x\"],\"b\":{},\"c\":{\"t\":true},\"d\":null}")
  }

  @Test("too many ends do no harm")
  func unbalanced() {
    var writer = JSONWriter(pretty: true)
    writer.endArray()
    writer.endObject()
    writer.int(1)
    #expect(writer.text.hasSuffix("1"))
  }

  @Test("bytes that are no WTF-8 cannot end a string early", arguments: [
    ([0xED], [0x22, 0xED, 0x22]),
    ([0xED, 0xA0], [0x22, 0xED, 0xA0, 0x22]),
    ([0xED, 0x22], [0x22, 0xED, 0x5C, 0x22, 0x22]),
    ([0xFF, 0x5C], [0x22, 0xFF, 0x5C, 0x5C, 0x22]),
  ] as [([UInt8], [UInt8])])
  func damagedStrings(bytes: [UInt8], written: [UInt8]) {
    var writer = JSONWriter()
    writer.string(wtf8: bytes[...])
    #expect(writer.bytes == written)
  }
}

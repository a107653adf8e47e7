import JSON
import Testing

@Suite("Positions")
struct Positions {
  /// The mistake is the `?`.
  @Test("lines and columns count from 1, in scalars, and every kind of line end counts once", arguments: [
    ("?", 1, 1),
    ("[1, ?]", 1, 5),
    ("[\n?]", 2, 1),
    ("[\r\n?]", 2, 1),
    ("[\r?]", 2, 1),
    ("[\n\r?]", 3, 1),
    ("[\r\n\r\n  ?]", 3, 3),
    ("[\"é\", ?]", 1, 7),
    ("[\"e\u{301}\", ?]", 1, 8),
    ("[\"😀\", ?]", 1, 7),
    ("[\"\u{2028}\", ?]", 1, 7),
    ("\u{FEFF}[?]", 1, 2),
    ("[\t?]", 1, 3),
  ])
  func count(text: String, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test("a caller can ask where a piece stands, and complain there")
  func pieces() throws {
    var reader = try JSONReader(Array("{\n  \"é\": [1, 2.50]\n}".utf8))
    var seen: [String] = []
    while true {
      let event = try reader.next()
      let position = reader.position(at: reader.tokenRange.lowerBound)
      seen.append("\(position.line):\(position.column) \(event) \(String(decoding: reader.rawText, as: UTF8.self))")
      if event == .double(2.5) {
        #expect(reader.error("expected a whole number").description == "line 2, column 12: expected a whole number")
      }
      if event == .end { break }
    }
    #expect(seen == [
      "1:1 beginObject {",
      "2:3 key \"é\"",
      "2:8 beginArray [",
      "2:9 int(1) 1",
      "2:12 double(2.5) 2.50",
      "2:16 endArray ]",
      "3:1 endObject }",
      "3:2 end ",
    ])
  }
}

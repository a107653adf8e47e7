import Foundation
import JSON
import Testing

@Suite("Limits")
struct Limits {
  static func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }

  @Test("depth 200 is read, depth 201 is an error")
  func depth() throws {
    #expect(throws: Never.self) { try JSONValue(parsing: Self.nested(200)) }
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Self.nested(201)) }
    #expect(error?.description == "line 1, column 201: arrays and objects are nested more than 200 deep")
  }

  @Test("100,000 levels give an error, not a crash, whatever the limit asks for", arguments: ["[", "{\"a\":", "[{\"a\":["])
  func hostileDepth(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    for limit in [200, 1_000_000] {
      #expect(throws: JSONError.self) { try JSONValue(parsing: text, limits: JSONLimits(maxDepth: limit)) }
    }
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text, limits: JSONLimits(maxDepth: .max)) }
    #expect(error?.message == "arrays and objects are nested more than 1000 deep")
  }

  @Test("the deepest tree can be read, compared, written and released")
  func deepestTree() throws {
    let text = Self.nested(JSONLimits.deepestValue)
    let limits = JSONLimits(maxDepth: JSONLimits.deepestValue)
    let tree = try JSONValue(parsing: text, limits: limits)
    #expect(tree == (try JSONValue(parsing: text, limits: limits)))
    #expect(tree.serialized() == text)
  }

  @Test("half a megabyte of stack, as threads have on some platforms, is enough for the deepest tree")
  func smallStack() async {
    let text = String(repeating: "{\"a\":[", count: JSONLimits.deepestValue / 2) + "1" + String(repeating: "]}", count: JSONLimits.deepestValue / 2)
    let survived = await withCheckedContinuation { continuation in
      let thread = Thread {
        let limits = JSONLimits(maxDepth: JSONLimits.deepestValue)
        let (one, two) = (try? JSONValue(parsing: text, limits: limits), try? JSONValue(parsing: text, limits: limits))
        continuation.resume(returning: one != nil && one == two && one?.serialized() == text)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(survived)
  }

  @Test("the reader itself takes any depth it is given")
  func readerDepth() throws {
    var reader = try JSONReader(Array(Self.nested(100_000).utf8), limits: JSONLimits(maxDepth: 100_000))
    let first = try reader.next()
    try reader.skip(first)
    #expect(reader.depth == 0)
    #expect(try reader.next() == .end)
  }

  @Test("a text of the greatest size is read, one byte more is an error")
  func size() throws {
    let limits = JSONLimits(maxBytes: 6)
    #expect(try JSONValue(parsing: "\"abcd\"", limits: limits) == "abcd")
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "\"abcde\"", limits: limits) }
    #expect(error?.description == "line 1, column 1: the text has 7 bytes; at most 6 are read")
    #expect(JSONLimits.standard.maxBytes == 67_108_864)
    #expect(JSONLimits.standard.maxDepth == 200)
  }

  @Test("senseless limits refuse everything and break nothing", arguments: [-1, 0])
  func senselessLimits(limit: Int) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[]", limits: JSONLimits(maxDepth: limit)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[]", limits: JSONLimits(maxBytes: limit)) }
  }

  @Test("of repeated names the last value counts if the caller says so, in the place of the first")
  func lastWins() throws {
    let value = try JSONValue(
      parsing: "{\"a\":1,\"b\":2,\"a\":{\"c\":1,\"c\":null}}", limits: JSONLimits(duplicateKeys: .lastWins))
    #expect(value.serialized() == "{\"a\":{\"c\":null},\"b\":2}")
  }

  @Test("names that merely look alike are no repetition")
  func canonicallyEquivalentNames() throws {
    let value = try JSONValue(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(value["\u{E9}"] == 1)
    #expect(value["e\u{301}"] == 2)
  }

  @Test("an object with 20,000 members is read in linear time")
  func manyMembers() throws {
    let text = "{" + (0..<20_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
    let value = try JSONValue(parsing: text)
    #expect(value.objectValue?.count == 20_000)
    #expect(value["k19999"] == 19_999)
  }
}

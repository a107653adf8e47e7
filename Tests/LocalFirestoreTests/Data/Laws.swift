import LocalFirestore
import RulesValues
import Testing

/// The error of a set, or nothing. Messages of the official emulator 1.19.9.
private func refusal(_ path: String, _ fields: Fields) -> String? {
  do {
    try LocalFirestore().admin().set(path, fields.mapValues { .value($0) })
    return nil
  } catch {
    return "\(error.code.rawValue) \(error.message)"
  }
}

private let a1500 = String(repeating: "a", count: 1500)

struct NameCase: Sendable, CustomTestStringConvertible {
  var name: String
  var refusal: String?

  var testDescription: String { String(name.prefix(12)) }
}

private let fieldNames: [NameCase] = [
  .init(name: "", refusal: "INVALID_ARGUMENT The property.name is the empty string."),
  .init(name: "__a__", refusal: "INVALID_ARGUMENT field name __a__ is reserved"),
  .init(name: "__"), .init(name: "____"), .init(name: "__a"), .init(name: "a.b"), .init(name: "a/b"),
  .init(name: "`"), .init(name: "\\"), .init(name: "\0"), .init(name: a1500),
  .init(name: a1500 + "a", refusal: "INVALID_ARGUMENT The property.name is longer than 1500 bytes."),
  .init(name: String(repeating: "é", count: 750)),
  .init(
    name: String(repeating: "é", count: 751),
    refusal: "INVALID_ARGUMENT The property.name is longer than 1500 bytes."),
]

private let documentIDs: [NameCase] = [
  .init(
    name: ".",
    refusal: "INVALID_ARGUMENT Document name \"/databases/(default)/documents/t/.\" contains a resource id \".\"."),
  .init(
    name: "..",
    refusal: "INVALID_ARGUMENT Document name \"/databases/(default)/documents/t/..\" contains a resource id \"..\"."),
  .init(name: "__a__", refusal: "INVALID_ARGUMENT Resource id \"__a__\" is invalid because it is reserved."),
  .init(name: "__"), .init(name: "____"), .init(name: "__a"), .init(name: "..."), .init(name: "__id7__"),
  .init(name: "\0"), .init(name: "a\nb"), .init(name: a1500),
  .init(
    name: a1500 + "a", refusal: "INVALID_ARGUMENT The key path element name is longer than 1500 bytes."),
]

@Suite struct LawTests {
  @Test(arguments: fieldNames) func `a field's name obeys the laws`(_ c: NameCase) {
    #expect(refusal("t/y", [Text(c.name): .int(1)]) == c.refusal)
  }

  @Test(arguments: documentIDs) func `a document's id obeys the laws`(_ c: NameCase) {
    #expect(refusal("t/" + c.name, [:]) == c.refusal)
  }

  @Test func `a collection's id may not be reserved`() {
    #expect(
      refusal("__id7__/x", [:]) == "INVALID_ARGUMENT Collection id \"__id7__\" is invalid because it is reserved.")
    #expect(refusal("____/x", [:]) == nil)
  }

  @Test(arguments: ["", "/", "t", "t/", "/t/x/", "t//x", "a/b/c"]) func `what names no document is refused`(
    _ path: String
  ) {
    #expect(refusal(path, [:])?.hasPrefix("INVALID_ARGUMENT") == true)
  }

  @Test(arguments: [(19, true), (20, true), (21, false), (90, false)])
  func `values are nested at most 20 deep`(_ depth: Int, _ isAccepted: Bool) {
    var map = DataValue.int(1)
    var array = DataValue.array([.int(1)])
    for i in 0..<depth {
      map = .map(["a": map])
      if i > 0 { array = .map(["a": array]) }
    }
    let expected = isAccepted ? nil : "INVALID_ARGUMENT Property f contains an invalid nested entity."
    #expect(refusal("t/y", ["f": map]) == expected)
    #expect(refusal("t/y", ["f": array]) == expected)
  }

  @Test func `an array holds no array, save in a map`() {
    #expect(
      refusal("t/y", ["f": .array([.array([.int(1)])])])
        == "INVALID_ARGUMENT Cannot convert an array value in an array value.")
    #expect(refusal("t/y", ["f": .array([.map(["a": .array([.int(1)])])])]) == nil)
  }

  @Test func `a value has at most 1 MiB less 89 bytes, a document 1 MiB`() {
    let value = { (count: Int) -> DataValue in .string(String(repeating: "x", count: count)) }
    #expect(refusal("t/y", ["f": value(1_048_487)]) == nil)
    #expect(
      refusal("t/y", ["f": value(1_048_488)])
        == "INVALID_ARGUMENT The value of property \"f\" is longer than 1048487 bytes.")
    #expect(
      refusal("t/y", ["f": value(600_000), "g": value(600_000)])
        == "INVALID_ARGUMENT maximum entity size is 1048576 bytes")
  }

  @Test(arguments: ["a", "a.b.c", "a-b.c", "`a.b`.c", "`a\\`b`"]) func `a path of fields is read`(_ text: String) throws
  {
    let names: [String: [Text]] = [
      "a": ["a"], "a.b.c": ["a", "b", "c"], "a-b.c": ["a-b", "c"], "`a.b`.c": ["a.b", "c"], "`a\\`b`": ["a`b"],
    ]
    #expect(try FieldPath(parsing: text).names == names[text])
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "`a", "``", "`a`b"]) func `what is no path of fields is refused`(
    _ text: String
  ) {
    #expect(throws: FirestoreError.self) { try FieldPath(parsing: text) }
  }
}

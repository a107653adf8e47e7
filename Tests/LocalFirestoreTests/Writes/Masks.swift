import LocalFirestore
import RulesValues
import Testing

/// An update and the document it leaves behind. Answers of the official emulator 1.19.9.
struct UpdateCase: Sendable, CustomTestStringConvertible {
  var before: Fields
  var update: [String: FieldValue]
  var after: Fields

  var testDescription: String { "\(update)" }
}

private let updates: [UpdateCase] = [
  .init(
    before: ["a": .map(["b": .int(1), "c": .int(2)])], update: ["a.b": 5],
    after: ["a": .map(["b": .int(5), "c": .int(2)])]),
  .init(
    before: ["a": .map(["b": .int(1), "c": .int(2)])], update: ["a.b": .delete], after: ["a": .map(["c": .int(2)])]),
  .init(before: ["a": .int(1)], update: ["a.b": 5], after: ["a": .map(["b": .int(5)])]),
  .init(before: ["a": .int(1)], update: ["a.b": .delete], after: ["a": .int(1)]),
  .init(before: ["x": .int(1)], update: ["a.b": .delete], after: ["x": .int(1)]),
  .init(before: ["a": .map(["b": .int(1)])], update: ["a.b": .delete], after: ["a": .map([:])]),
  .init(before: ["x": .int(1)], update: ["`a.b`": 1], after: ["x": .int(1), "a.b": .int(1)]),
  .init(before: ["x": .int(1)], update: [:], after: ["x": .int(1)]),
  .init(
    before: ["n": .int(1)], update: ["n.a": .increment(1)], after: ["n": .map(["a": .int(1)])]),
  .init(
    before: ["a": .map(["c": .int(1)])], update: ["a.b": .increment(1)],
    after: ["a": .map(["c": .int(1), "b": .int(1)])]),
  // A map is replaced as a whole, and a transform inside it begins anew.
  .init(
    before: ["a": .map(["b": .int(1), "c": .int(2)])], update: ["a": ["b": .increment(1)]],
    after: ["a": .map(["b": .int(1)])]),
]

@Suite struct MaskTests {
  @Test(arguments: updates) func `an update changes the fields it names`(_ c: UpdateCase) throws {
    let firestore = LocalFirestore()
    let path = try #require(ResourcePath(relative: "t/x"))
    try firestore.seed(path, c.before)
    let admin = firestore.admin()
    try admin.update("t/x", c.update)
    #expect(try admin.get("t/x") == c.after)
  }

  @Test func `a set replaces, and with merge keeps what it does not name`() throws {
    let firestore = LocalFirestore(clock: ManualClock(Timestamp(seconds: 5)))
    let admin = firestore.admin()
    try admin.set("t/x", ["a": ["b": 1, "c": 2], "d": 3])
    try admin.set("t/x", ["a": ["b": 5], "d": .delete, "t": .serverTimestamp, "e": [:]], merge: true)
    #expect(
      try admin.get("t/x") == [
        "a": .map(["b": .int(5), "c": .int(2)]), "t": .timestamp(Timestamp(seconds: 5)), "e": .map([:]),
      ])
    try admin.set("t/x", ["z": nil])
    #expect(try admin.get("t/x") == ["z": .null])
  }

  @Test func `fields of one update may not overlap`() throws {
    // Between the two others are written, whose names sort near theirs.
    #expect(throws: FirestoreError.self) {
      try LocalFirestore().admin().update("t/x", ["a": 1, "a-b": 2, "`a.`": 3, "a0": 4, "a.b.c": 5, "b": 6])
    }
    #expect(FieldPath.overlapping([FieldPath("a"), FieldPath("ab"), FieldPath("a-b", "c"), FieldPath("b", "a")]) == nil)
    #expect(throws: FirestoreError.self) { try LocalFirestore().admin().update("t/x", ["a": 1, "a.b": 2]) }
  }
}

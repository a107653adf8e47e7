import JSON
import Testing

@testable import RulesValues

/// Every answer of `Corpus/constraints.jsonl`: comparisons of what a query says with what a rule asks.
struct ConstraintTests {
  static let lines = CorpusFile.lines("constraints.jsonl")

  @Test("The corpus is there")
  func corpusIsThere() {
    #expect(Self.lines.count >= 400)
  }

  @Test("Every recorded answer is ours")
  func everyAnswerIsOurs() {
    let owner = ArenaOwner()
    let arena = owner.arena
    defer { withExtendedLifetime(owner) {} }
    let operands = Self.lines.first?["operands"]?.arrayValue ?? []
    var shown = 0
    for line in Self.lines.dropFirst() {
      guard let json = line["constraint"], let operation = line["do"]?.stringValue,
        let side = line["side"]?.stringValue, let answers = line["answers"]?.stringValue
      else {
        Issue.record("an unreadable line")
        continue
      }
      var ours = ""
      for operand in operands {
        arena.reset()
        let constraint = arena.value(json: json) ?? .unknown
        let v = arena.value(json: operand) ?? .unknown
        let answer =
          operation == "hasAny"
          ? Constraints.hasAny(constraint, Arguments(arena.list([v])), arena)
          : side == "left"
            ? OperatorsCorpusTests.binary(operation, constraint, v, arena)
            : OperatorsCorpusTests.binary(operation, v, constraint, arena)
        ours += Self.letter(answer)
      }
      if ours == answers { continue }
      shown += 1
      if shown <= 40 { Issue.record("\(json) \(operation) \(side)\n  ours:     \(ours)\n  official: \(answers)") }
    }
    #expect(shown == 0)
  }

  static func letter(_ v: Value) -> String {
    if v.isTrue { return "A" }
    if v.isFalse { return "F" }
    if v.has(.unknown) { return "U" }
    return v.failureKind == .type ? "T" : "?"
  }
}

/// What else touches a constraint; recorded from the official emulator 1.19.9 under `array-contains 1`.
struct ConstraintErrorTests {
  static let comparable =
    "Expected: [bool,duration,float,int,latlng,map,null,string,bytes,timestamp,path,list,vector,set]."
  static let ordered = "Expected: [timestamp,duration,float,int,string,bytes]."

  typealias Case = (name: String, official: String, ours: @Sendable (Value, Arena) -> Value)

  static let cases: [Case] = [
    ("n == n", "Type error. Received: [constraint] \(comparable)", { n, a in Operators.equal(n, n, a) }),
    ("n != n", "Type error. Received: [constraint] \(comparable)", { n, a in Operators.notEqual(n, n, a) }),
    ("n < n", "Type error. Received: [constraint] \(ordered)", { n, a in Operators.less(n, n, a) }),
    ("n in n", "Type error. Received: [constraint] \(ordered)", { n, a in Operators.contains(n, n, a) }),
    ("n < null", "Type error. Received: [null] \(ordered)", { n, a in Operators.less(n, .null, a) }),
    (
      "n.hasAny([n])", "Type error. Received: [constraint] \(comparable)",
      { n, a in Library.method("hasAny")?(n, Arguments(a.list([n])), a) ?? .null }
    ),
    (
      "n.hasAny(1)", "Unsupported operation error. Received: constraint.hasAny(int). Expected: list.hasAny(list).",
      { n, a in Library.method("hasAny")?(n, Arguments(.int(1)), a) ?? .null }
    ),
    (
      "n.hasAny()", "Incorrect number of arguments. Received: 0. Expected: list.hasAny(list).",
      { n, a in Library.method("hasAny")?(n, Arguments(), a) ?? .null }
    ),
    (
      "[n].toSet()", "Equality is not defined for type CONSTRAINT_VALUE",
      { n, a in Library.method("toSet")?(a.list([n]), Arguments(), a) ?? .null }
    ),
    (
      "[[n]].toSet()", "Equality is not defined for type CONSTRAINT_VALUE",
      { n, a in Library.method("toSet")?(a.list([a.list([n])]), Arguments(), a) ?? .null }
    ),
    (
      "n in [1].toSet()", "Equality is not defined for type CONSTRAINT_VALUE",
      { n, a in Operators.contains(n, a.collection(.set, [.int(1)]), a) }
    ),
    (
      "{'a': n}.diff({'a': 1})", "Equality is not defined for type CONSTRAINT_VALUE",
      { n, a in
        let key = a.string("a")
        return Library.method("diff")?(a.map([(key, n)]), Arguments(a.map([(key, .int(1))])), a) ?? .null
      }
    ),
    ("[n] == [n]", "true", { n, a in Operators.equal(a.list([n]), a.list([n]), a) }),
    ("n in [n]", "false", { n, a in Operators.contains(n, a.list([n]), a) }),
    ("n in [].toSet()", "false", { n, a in Operators.contains(n, a.collection(.set, []), a) }),
    ("n.size()", "Function not found error: Name: [size].", { n, a in Library.method("size")?(n, Arguments(), a) ?? .null }),
    ("n[0]", "Function not found error: Name: [[]].", { n, a in Operators.index(n, .int(0), a) }),
    ("n[0:1]", "Function not found error: Name: [@range].", { n, a in Operators.slice(n, lower: .int(0), upper: .int(1), a) }),
    ("n.x", "Type error. Received: [constraint] Expected: [map,path].", { n, a in Operators.member(n, a.string("x"), a) }),
  ]

  @Test("A constraint and what cannot be done with it", arguments: cases.indices)
  func constraintErrors(index: Int) {
    let owner = ArenaOwner()
    let arena = owner.arena
    defer { withExtendedLifetime(owner) {} }
    let (name, official, ours) = Self.cases[index]
    let answer = ours(arena.constraint([(.listContains, .int(1))]), arena)
    #expect((answer.has(.bool) ? "\(answer.isTrue)" : arena.message(answer)) == official, "\(name)")
  }
}

/// A failed operand loses against a receiver that has no such operator or method.
struct FailedOperandTests {
  @Test("The receiver complains first")
  func receiverComplainsFirst() {
    let owner = ArenaOwner()
    let arena = owner.arena
    defer { withExtendedLifetime(owner) {} }
    let failure = Value.error(.divideByZero)
    let list = arena.list([.int(1)])
    func text(_ v: Value) -> String? { arena.message(v) }
    #expect(text(Operators.contains(failure, .null, arena)) == "Null value error.")
    #expect(text(Operators.contains(failure, .int(1), arena)) == "Function not found error: Name: [in].")
    #expect(text(Operators.contains(failure, list, arena)) == "Divide by zero error.")
    #expect(text(Operators.index(.null, failure, arena)) == "Null value error.")
    #expect(text(Operators.index(.int(1), failure, arena)) == "Function not found error: Name: [[]].")
    #expect(text(Operators.index(list, failure, arena)) == "Divide by zero error.")
    #expect(text(Operators.slice(.int(1), lower: failure, upper: nil, arena)) == "Function not found error: Name: [@range].")
    #expect(text(Operators.slice(list, lower: .int(5), upper: failure, arena)) == "Divide by zero error.")
    let size = Library.method("size")
    #expect(size.flatMap { text(Library.failed($0, .null, failure, arena)) } == "Null value error.")
    #expect(size.flatMap { text(Library.failed($0, .int(1), failure, arena)) } == "Function not found error: Name: [size].")
    #expect(size.flatMap { text(Library.failed($0, list, failure, arena)) } == "Divide by zero error.")
    #expect(Operators.contains(.exhausted, .null, arena).has(.exhausted))
    #expect(Operators.contains(.exhausted, failure, arena).has(.exhausted))
    #expect(Operators.index(failure, .exhausted, arena).has(.exhausted))
    #expect(Operators.slice(.null, lower: failure, upper: .exhausted, arena).has(.exhausted))
    if let row = arena.row(2) {
      arena.set(row, 0, .int(1))
      arena.set(row, 1, .exhausted)
      #expect(Literals.map(row, arena).has(.exhausted))
      arena.set(row, 0, list)
      #expect(Paths.build(row, arena).has(.exhausted))
      arena.set(row, 0, failure)
      #expect(Literals.list(row, arena).has(.exhausted))
    }
  }

  @Test("Comparing what unfolds without end gives up")
  func comparingGivesUp() {
    let owner = ArenaOwner()
    let arena = owner.arena
    defer { withExtendedLifetime(owner) {} }
    var a = arena.list([.int(1)])
    var b = arena.list([.int(1)])
    for _ in 0..<40 {
      a = arena.list([a, a])
      b = arena.list([b, b])
    }
    #expect(Operators.equal(a, b, arena).failureKind == .memory)
  }
}

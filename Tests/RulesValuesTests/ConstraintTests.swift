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

import JSON
import Testing

@testable import RulesValues

/// Every question of `Corpus/operators.jsonl`, with the answer of the official emulator 1.19.9.
struct OperatorsCorpusTests {
  static let questions = CorpusFile.lines("operators.jsonl")

  @Test("The corpus is there")
  func corpusIsThere() {
    #expect(Self.questions.count >= 13_000)
  }

  @Test("Every recorded answer is ours")
  func everyAnswerIsOurs() {
    let owner = ArenaOwner()
    let arena = owner.arena
    defer { withExtendedLifetime(owner) {} }
    var misses: [String: Int] = [:]
    var shown = 0
    for question in Self.questions {
      arena.reset()
      let operands = (question["operands"]?.arrayValue ?? []).map { arena.value(json: $0) ?? .unknown }
      let kind = question["do"]?.stringValue ?? ""
      let name = question["name"]?.stringValue ?? ""
      let answer = Self.answer(kind, name, operands, arena)
      let ours: JSONValue = answer.isFailure ? .string(arena.message(answer) ?? "unknown") : arena.json(answer)
      let official = question["value"] ?? question["message"] ?? .null
      if ours == official { continue }
      misses["\(kind) \(name)", default: 0] += 1
      shown += 1
      if shown <= 60 {
        Issue.record("\(question["expr"]?.stringValue ?? "")\n  ours:     \(ours)\n  official: \(official)")
      }
    }
    #expect(misses.isEmpty, "misses: \(misses)")
  }

  static func answer(_ kind: String, _ name: String, _ operands: [Value], _ arena: Arena) -> Value {
    let a = operands.first ?? .null
    let b = operands.count > 1 ? operands[1] : .null
    switch kind {
    case "binary": return binary(name, a, b, arena)
    case "unary": return name == "-" ? Operators.negate(a, arena) : Operators.not(a, arena)
    case "index": return Operators.index(a, b, arena)
    case "slice": return Operators.slice(a, lower: b, upper: operands.count > 2 ? operands[2] : .null, arena)
    case "member": return Operators.member(a, arena.string(name), arena)
    case "is": return RulesType(rawValue: name).map { Operators.isType(a, $0) } ?? .unknown
    case "method":
      guard let method = Library.method(name) else { return arena.noMethod(a, arena.string(name)) }
      return method(a, Arguments(Array(operands.dropFirst())), arena)
    case "path", "map":
      guard let row = arena.row(operands.count) else { return .unknown }
      for (i, operand) in operands.enumerated() { arena.set(row, i, operand) }
      return kind == "path" ? Paths.build(row, arena) : Literals.map(row, arena)
    case "parse": return Library.builtin("path")?(Arguments(a), arena) ?? .unknown
    default: return .unknown
    }
  }

  static func binary(_ name: String, _ a: Value, _ b: Value, _ arena: Arena) -> Value {
    switch name {
    case "+": Operators.add(a, b, arena)
    case "-": Operators.subtract(a, b, arena)
    case "*": Operators.multiply(a, b, arena)
    case "/": Operators.divide(a, b, arena)
    case "%": Operators.remainder(a, b, arena)
    case "==": Operators.equal(a, b, arena)
    case "!=": Operators.notEqual(a, b, arena)
    case "<": Operators.less(a, b, arena)
    case "<=": Operators.lessOrEqual(a, b, arena)
    case ">": Operators.greater(a, b, arena)
    case ">=": Operators.greaterOrEqual(a, b, arena)
    case "in": Operators.contains(a, b, arena)
    default: .unknown
    }
  }
}

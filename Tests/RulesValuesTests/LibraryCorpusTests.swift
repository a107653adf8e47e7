import Foundation
import JSON
import Testing

@testable import RulesValues

/// Every question of `Corpus/library.jsonl`, with the answer of the official emulator 1.19.9.
struct LibraryCorpusTests {
  struct Question {
    let line: Int
    let json: JSONValue

    var expression: String { json["expr"]?.stringValue ?? "" }
  }

  static let questions: [Question] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    guard let text = try? String(contentsOf: root.appending(path: "Corpus/library.jsonl"), encoding: .utf8) else {
      return []
    }
    return text.split(separator: "\n").enumerated().compactMap { i, line in
      (try? JSONValue(parsing: String(line))).map { Question(line: i + 1, json: $0) }
    }
  }()

  @Test("The corpus is there")
  func corpusIsThere() {
    #expect(Self.questions.count >= 3000)
  }

  @Test("Every recorded answer is ours")
  func everyAnswerIsOurs() {
    let owner = ArenaOwner()
    defer { withExtendedLifetime(owner) {} }
    var misses: [String: Int] = [:]
    var shown = 0
    for question in Self.questions {
      owner.arena.reset()
      let expected = question.json["value"] ?? question.json["error"] ?? .null
      let actual = Self.answer(question, owner.arena)
      if Self.same(actual, expected) { continue }
      // The arc sine of the C library and Java's differ in the last bits.
      if question.json["call"]?[1] == "distance", let ours = actual["floatValue"]?.doubleValue,
        let official = expected["floatValue"]?.doubleValue, abs(ours - official) <= official * 1e-15
      {
        continue
      }
      let call = question.json["call"]?[1]?.stringValue ?? question.json["call"]?[0]?.stringValue ?? ""
      misses[call, default: 0] += 1
      shown += 1
      if shown <= 40 {
        Issue.record("line \(question.line): \(question.expression)\n  ours:     \(actual)\n  official: \(expected)")
      }
    }
    #expect(misses.isEmpty, "misses by function: \(misses)")
  }

  @Test("A value survives its JSON")
  func valuesSurviveTheirJSON() {
    let owner = ArenaOwner()
    let arena = owner.arena
    defer { withExtendedLifetime(owner) {} }
    for question in Self.questions {
      arena.reset()
      guard let json = question.json["value"], let v = arena.value(json: json) else { continue }
      #expect(Self.same(arena.json(v), json))
    }
  }

  /// The value's JSON, or the failure's message as a string.
  static func answer(_ question: Question, _ arena: Arena) -> JSONValue {
    guard let call = question.json["call"]?.arrayValue?.compactMap(\.stringValue),
      let operands = question.json["operands"]?.arrayValue?.map({ operand($0, arena) })
    else { return .string("unreadable question") }
    let result: Value
    switch call[0] {
    case "method":
      let arguments = Arguments(Array(operands.dropFirst()))
      result =
        Library.method(call[1])?(operands[0], arguments, arena) ?? .null
    case "function":
      let parts = call[1].split(separator: ".").map { String($0) }
      let function = parts.count == 2 ? Library.function(package: parts[0], parts[1]) : Library.builtin(call[1])
      guard let function else { return .string("no function \(call[1])") }
      result = function(Arguments(operands), arena)
    case "index":
      guard operands[0].has(.string) else { return .string("Function not found error: Name: [[]].") }
      result = StringAccess.unit(at: operands[1], of: operands[0], arena)
    default:
      result = StringAccess.slice(operands[0], from: operands[1], to: operands[2], arena)
    }
    return result.isFailure ? .string(arena.message(result) ?? "") : arena.json(result)
  }

  static func operand(_ json: JSONValue, _ arena: Arena) -> Value {
    if let units = json["utf16"]?.arrayValue {
      return arena.string(RulesValues.WTF8.bytes(utf16: units.compactMap { $0.intValue.map { UInt16(clamping: $0) } }))
    }
    return arena.value(json: json) ?? .unknown
  }

  /// Equal, with -0.0 apart from 0.0.
  static func same(_ a: JSONValue, _ b: JSONValue) -> Bool {
    switch (a, b) {
    case (.double, _), (_, .double):
      guard let x = a.doubleValue, let y = b.doubleValue else { return false }
      return x.bitPattern == y.bitPattern
    case (.array(let x), .array(let y)):
      return x.count == y.count && zip(x, y).allSatisfy { same($0, $1) }
    case (.object(let x), .object(let y)):
      return x.count == y.count
        && x.members.allSatisfy { member in y[member.key].map { same(member.value, $0) } ?? false }
    default: return a == b
    }
  }
}

import RulesEngine
import RulesPatterns
import RulesSemantics
import RulesSyntax
import RulesValues

/// Values that stand in rules, and those beside them: what a random value would never hit.
struct FuzzDictionary {
  private(set) var texts: [String] = ["alice", "mallory", "al", "a.b", ""]
  private(set) var numbers: [Int64] = [0, 1, -1]
  private(set) var names: [Text] = []
  private(set) var collections: [Text] = []
  private let patterns: PatternTexts

  init(_ rules: [CheckedRuleset]) {
    patterns = PatternTexts()
    var texts: Set<String> = []
    var numbers: Set<Int64> = []
    var collections: Set<String> = []
    for one in rules {
      one.forEachExpression { e in
        switch e.kind {
        case .string(let bytes): if bytes.count < 200 { texts.insert(String(decoding: bytes, as: UTF8.self)) }
        case .int(let i):
          numbers.formUnion([i, i &+ 1, i &- 1])
        case .path(let segments):
          for segment in segments { if case .literal(let text) = segment.kind { collections.insert(text) } }
        default: break
        }
      }
      for block in one.matchBlocks ?? [] {
        for case .literal(let text) in block.segments.dropFirst(3) { collections.insert(text) }
      }
    }
    names = Set(rules.flatMap(\.fieldNames).map { Text(String(decoding: $0, as: UTF8.self)) }).sorted()
    self.texts += texts.sorted()
    self.numbers += numbers.sorted()
    self.collections = collections.subtracting(["databases", "documents"]).sorted().map { Text($0) }
  }

  /// The words of both.
  init(_ a: FuzzDictionary, and b: FuzzDictionary) {
    texts = a.texts + b.texts.filter { !a.texts.contains($0) }
    numbers = a.numbers + b.numbers.filter { !a.numbers.contains($0) }
    names = a.names + b.names.filter { !a.names.contains($0) }
    collections = a.collections + b.collections.filter { !a.collections.contains($0) }
    patterns = a.patterns
  }

  /// Any value at all.
  func value(_ r: inout SeededRandom, depth: Int = 0) -> DataValue {
    switch r.below(depth < 2 ? 13 : 9) {
    case 0: return .null
    case 1: return .bool(true)
    case 2: return .bool(false)
    case 3: return .int(r.pick(numbers) ?? 0)
    case 4: return .double(r.pick([0, -0.0, 0.5, 1, .nan, .infinity, 9_007_199_254_740_992]) ?? 0)
    case 5, 6: return .string(r.pick(texts) ?? "")
    case 7: return .timestamp(Timestamp(seconds: 1_767_225_600 + Int64(r.below(3)) - 1, nanos: 0))
    case 8: return .string(String(repeating: "x", count: Int(clamping: min(2_000, max(0, r.pick(numbers) ?? 0)))))
    case 9, 10: return .array((0..<r.below(3)).map { _ in value(&r, depth: depth + 1) })
    default:
      var fields: Fields = [:]
      for _ in 0..<r.below(3) { fields[r.pick(names) ?? "a"] = value(&r, depth: depth + 1) }
      return .map(fields)
    }
  }

  /// A value of a type of the language.
  func value(ofType type: String, _ r: inout SeededRandom) -> DataValue? {
    switch type {
    case "bool": .bool(r.once(in: 2))
    case "int": .int(r.pick(numbers) ?? 0)
    case "float": .double(r.pick([0.5, 1, .nan]) ?? 0)
    case "number": r.once(in: 3) ? .double(1.5) : .int(r.pick(numbers) ?? 0)
    case "string": .string(r.pick(texts) ?? "")
    case "list": .array([.string(r.pick(texts) ?? "")])
    case "map": .map([:])
    case "timestamp": .timestamp(Timestamp(seconds: 1_767_225_600, nanos: 0))
    case "bytes": .bytes([1])
    case "latlng": .geoPoint(latitude: 0, longitude: 0)
    case "path": .reference(ResourcePath(database: "(default)", segments: ["refs", "r"]))
    case "null": .null
    default: nil
    }
  }

  /// A text that a pattern takes, or one that is nearly so and that it does not take.
  func text(matching source: [UInt8], _ wanted: Bool, _ r: inout SeededRandom) -> String? {
    patterns.text(matching: source, wanted, texts, &r)
  }
}

/// Texts for patterns, each of which is taken apart once.
private final class PatternTexts {
  private var known: [[UInt8]: (pattern: Pattern, automaton: JointAutomaton)?] = [:]

  func text(matching source: [UInt8], _ wanted: Bool, _ texts: [String], _ r: inout SeededRandom) -> String? {
    let entry =
      known[source]
      ?? {
        let pattern = try? Pattern(wtf8: source)
        return pattern.flatMap { one in JointAutomaton([one.tree]).map { (one, $0) } }
      }()
    known[source] = .some(entry)
    guard let (pattern, automaton) = entry else { return nil }
    let length = r.once(in: 2) ? nil : r.below(24)
    guard let taken = automaton.text(accepted: [true], length: length) ?? automaton.text(accepted: [true], length: nil)
    else { return wanted ? nil : r.pick(texts) }
    func fits(_ text: [UInt8]) -> Bool {
      (try? pattern.matches(text)) == wanted && String(validating: text, as: UTF8.self) != nil
    }
    // Words of the rules may do, or what lies beside the text.
    if r.once(in: 3), let word = r.pick(texts.filter({ fits(Array($0.utf8)) })) { return word }
    var near = taken
    for _ in 0..<8 {
      let place = r.below(max(1, near.count))
      var next = near
      switch r.below(6) {
      case 0: next.append(contentsOf: Array("\nx".utf8))
      case 1: next.insert(UInt8(ascii: "x"), at: 0)
      case 2: if !next.isEmpty { next[place] = UInt8(ascii: "_") }
      case 3: if !next.isEmpty { next.removeLast() }
      default:
        // The other case of a letter.
        if !next.isEmpty, (0x41...0x5A).contains(next[place] & 0xDF) { next[place] ^= 0x20 }
      }
      if fits(next) { near = next }
      if !wanted, fits(next) { break }
    }
    return fits(near) ? String(decoding: near, as: UTF8.self) : nil
  }
}

extension CheckedRuleset {
  /// All expressions of conditions and functions.
  func forEachExpression(_ body: (Expression) -> Void) {
    func visit(_ match: CheckedMatch) {
      for allow in match.allows { allow.condition?.forEachNode(body) }
      match.children.forEach(visit)
    }
    for service in services { service.matches.forEach(visit) }
    for function in functions {
      for binding in function.declaration.lets { binding.value.forEachNode(body) }
      function.declaration.result.forEachNode(body)
    }
  }
}

import RulesPatterns

/// Texts for the codes of a model: literals as they are, others made up so that they match what they must.
struct Texts {
  private let world: World
  private var texts: [Int64: [UInt8]] = [:]
  private var used: Set<[UInt8]>
  private let features: [Int64: (accepted: [Bool?], length: Int?)]
  /// Names before made-up letters, whatever length the model gives them.
  private let prefersNames: Bool
  private var names = Self.usualNames

  /// Who appears in stories about security: mallory attacks.
  static let usualNames = ["mallory", "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"]

  init(_ world: World, _ model: Model, prefersNames: Bool) {
    self.world = world
    self.prefersNames = prefersNames
    used = Set(world.strings.literals)
    var features: [Int64: (accepted: [Bool?], length: Int?)] = [:]
    for subject in world.strings.subjects {
      guard let code = model.int(subject) else { continue }
      let terms = world.strings.features(of: subject)
      features[code] = (
        terms.dropLast().map { model.bool($0) }, terms.last.flatMap { model.int($0) }.map { Int(clamping: $0) }
      )
    }
    self.features = features
  }

  mutating func text(_ code: Int64) -> String { String(decoding: bytes(code), as: UTF8.self) }

  private mutating func bytes(_ code: Int64) -> [UInt8] {
    if code >= 0, code < world.strings.literals.count { return world.strings.literals[Int(code)] }
    if let known = texts[code] { return known }
    let made = make(code)
    texts[code] = made
    used.insert(made)
    return made
  }

  private mutating func make(_ code: Int64) -> [UInt8] {
    let wanted = features[code] ?? (accepted: Array(repeating: nil, count: world.strings.patternCount), length: nil)
    if prefersNames,
      let i = names.firstIndex(where: { fits(Array($0.utf8), wanted.accepted) && !used.contains(Array($0.utf8)) })
    {
      return Array(names.remove(at: i).utf8)
    }
    if let automaton = world.strings.automaton, world.strings.patternCount > 0,
      let text = automaton.text(accepted: wanted.accepted, length: prefersNames ? nil : wanted.length, avoiding: used)
        ?? automaton.text(accepted: wanted.accepted, length: wanted.length, avoiding: used)
    {
      return text
    }
    let length = max(prefersNames ? 1 : wanted.length ?? 1, 0)
    for n in 0... {
      let number = Array("x\(n)".utf8)
      let text = number + Array(repeating: 0x78, count: max(0, length - number.count))
      if !used.contains(text) { return text }
    }
    return []
  }

  private func fits(_ text: [UInt8], _ accepted: [Bool?]) -> Bool {
    accepted.enumerated().allSatisfy { i, wanted in wanted == nil || world.strings.matches(text, number: i) == wanted }
  }
}

import RulesEngine
import RulesSemantics
import RulesSyntax

/// Is there a request that one rule set allows, and another allows or does not allow? All that can be asked about
/// rules comes down to this: a statement about them is a rule set of its own, and so is an older version.
struct Question {
  enum Other {
    /// Broken by a request that the other rule set does not allow, too: `never … unless …`.
    case mustAllow
    /// Broken by a request that the other rule set allows, too: `never … if …`.
    case mustNotAllow
  }

  let rules: CheckedRuleset
  let blocks: [MatchBlock]
  let other: CheckedRuleset
  let otherBlocks: [MatchBlock]
  let sense: Other
  let database: String
  let method: World.Method
  let reading: World.ListReading
  /// Ids below `documents`, nil where any is meant.
  let segments: [String?]
  /// Where segments in any number may stand, at least one.
  let gap: Int?
  /// Whether the other rule set is another version of the rules, with their limits, rather than a statement.
  var isComparison = false
  /// What is taken for granted of stored documents.
  var assumptions: [DataAssumption] = []
  /// Whether the other rule set is asked as by a `get` of each document that a list returns.
  var asksForGet = false
}

/// A question as formulas.
struct EncodedQuestion {
  let world: World
  /// What is true of every world.
  var facts: [Term] { world.facts }
  /// What must hold beside the facts for the statement to be broken.
  let goal: Term
  /// The statement holds whatever the solver would say.
  let isTrivial: Bool
  /// Whether some `allow` covers the request at all.
  let isCovered: Bool
  /// Nodes of the other rule set's conditions.
  var otherSteps = 0
}

extension Question {
  /// Of each document that the question is about: what is assumed of it, if it is there.
  private func assume(_ world: World) throws(Encoder.TooLarge) {
    for (path, value, _) in world.documents {
      for assumption in assumptions {
        let holds = try world.about(path, value) { () throws(Encoder.TooLarge) in
          let covers = try Encoder(world, assumption.covering.checked).allowed(assumption.coveringBlocks)
          let isTrue = try Encoder(world, assumption.condition.checked).allowed(assumption.conditionBlocks)
          return world.store.implies(covers, isTrue)
        }
        world.assume(world.store.implies(world.store.has(.map, value), holds))
      }
    }
  }

  /// - Throws: when the question is larger than what is answered.
  func encode() throws(Encoder.TooLarge) -> EncodedQuestion {
    let store = TermStore()
    var names = rules.fieldNames(of: blocks)
    names.formUnion(other.fieldNames(of: otherBlocks))
    for assumption in assumptions { names.formUnion(assumption.condition.checked.fieldNames) }
    let world = World(
      store, method: method, reading: reading, segments: segments, gap: gap, database: database, names: names)
    let allowed = try Encoder(world, rules).allowed(blocks)
    guard allowed != store.no else {
      return EncodedQuestion(world: world, goal: store.no, isTrivial: true, isCovered: false)
    }
    // What the statement says of a list it says of the documents that the list can return.
    // (Of two versions both speak about the query.)
    let seesDocuments = reading == .filters && method == .list && !isComparison
    let encoder = Encoder(seesDocuments ? world.forDocuments() : world, other)
    let seen =
      asksForGet
      ? try world.asGet { () throws(Encoder.TooLarge) in try encoder.allowed(otherBlocks) }
      : try encoder.allowed(otherBlocks)
    let goal = store.and(allowed, sense == .mustAllow ? store.not(seen) : seen)
    if goal != store.no {
      try assume(world)
      world.finish()
    }
    return EncodedQuestion(
      world: world, goal: goal, isTrivial: goal == store.no, isCovered: true, otherSteps: encoder.steps)
  }
}

extension CheckedRuleset {
  /// The texts that can be the name of a field in the conditions of these blocks, and in the functions that they call.
  func fieldNames(of blocks: [MatchBlock]) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    var called: Set<Int> = []
    var pending = blocks.flatMap { $0.allows.compactMap(\.condition) }
    while let condition = pending.popLast() {
      condition.forEachNode { e in
        switch e.kind {
        case .member(_, let name): names.insert(Array(name.text.utf8))
        case .string(let text): names.insert(text)
        case .call:
          guard case .function(let index) = callee(of: e), called.insert(index).inserted else { break }
          let function = functions[index].declaration
          pending += function.lets.map(\.value) + [function.result]
        default: break
        }
      }
    }
    return names
  }

  /// All texts of the file that can be the name of a field, in WTF-8.
  var fieldNames: [[UInt8]] {
    var names: [[UInt8]] = []
    forEachExpression { e in
      switch e.kind {
      case .member(_, let name): names.append(Array(name.text.utf8))
      case .string(let text): names.append(text)
      default: break
      }
    }
    return names
  }
}

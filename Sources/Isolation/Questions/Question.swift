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
  let reading: World.Reading
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
  var facts: [Term] { world.facts + world.details.map(\.fact) }
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
    // A document that is made counts with its id, whoever has chosen it.
    let seesDocuments = reading == .filters && method == .list && !isComparison || reading == .hiddenID
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
  /// The texts that seem to be the name of a field in the conditions of these blocks, and in the functions that they
  /// call: these are told apart one by one, all others together.
  func fieldNames(of blocks: [MatchBlock]) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    let conditions = blocks.flatMap { $0.allows.compactMap(\.condition) }
    for expression in conditions + functions(calledBy: conditions).flatMap(\.expressions) {
      var values: Set<Int> = []
      expression.forEachNode { e in
        for value in e.comparedTexts { values.insert(value.id) }
        switch e.kind {
        case .member(let receiver, let name) where !receiver.isRequest: names.insert(Array(name.text.utf8))
        case .string(let text) where !values.contains(e.id): names.insert(text)
        default: break
        }
      }
    }
    return names
  }

  /// The functions that these expressions call, and those that these call, each once, in the order in which they are
  /// come upon.
  func functions(calledBy expressions: [Expression]) -> [FunctionDeclaration] {
    var called: [FunctionDeclaration] = []
    var known: Set<Int> = []
    var pending = expressions
    while let expression = pending.popLast() {
      expression.forEachNode { e in
        guard case .call = e.kind, case .function(let index) = callee(of: e), known.insert(index).inserted else {
          return
        }
        called.append(functions[index].declaration)
        pending += functions[index].declaration.expressions
      }
    }
    return called
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

extension Expression {
  /// Operands that are texts with which something is compared, rather than names of fields.
  fileprivate var comparedTexts: [Expression] {
    switch kind {
    case .binary(.equal, let a, let b), .binary(.notEqual, let a, let b):
      a.isText == b.isText ? [] : [a.isText ? a : b]
    case .binary(.in, let a, let b):
      if case .list(let items) = b.kind, !a.isText { items.filter(\.isText) } else { [] }
    case .methodCall(_, let name, let arguments):
      switch name.text {
      case "matches", "split", "replace": arguments.filter(\.isText)
      case "get": arguments.dropFirst().filter(\.isText)
      default: []
      }
    default: []
    }
  }

  private var isText: Bool { if case .string = kind { true } else { false } }

  /// `request`, `resource` and their parts, whose members are no fields.
  fileprivate var isRequest: Bool {
    switch kind {
    case .identifier(let name): name == "request" || name == "resource"
    case .member(let receiver, _): if case .identifier("request") = receiver.kind { true } else { false }
    case .call: true
    default: false
    }
  }
}

extension FunctionDeclaration {
  /// Those that a call evaluates.
  var expressions: [Expression] { lets.map(\.value) + [result] }
}

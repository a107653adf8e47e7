import RulesSemantics
import RulesSyntax
import RulesValues

/// A checked ruleset, lowered: what evaluators of all threads share.
final class Program: Sendable {
  struct Allow: Sendable {
    /// In the order of `RequestMethod.allCases`, one bit each.
    let methods: UInt8
    /// `nil`: always.
    let condition: Node?
    let cost: Int
    let statement: AllowStatement
    /// Line that denial messages name: of the condition's first token.
    let line: Int

    var isPlainFalse: Bool { if case .bool(false)? = statement.condition?.kind { true } else { false } }

    func covers(_ method: RequestMethod) -> Bool { methods & method.bit != 0 }
  }

  /// A match block with its whole pattern. Blocks are numbered in the order in which the official evaluation tries
  /// them: a block's own allows before those of the blocks inside it, else as in the file. A glob tries the blocks
  /// inside it first, those that leave it the least to cover before the others (observed on emulator 1.19.9).
  struct Block: Sendable {
    /// Empty where the block covers no path.
    let pattern: [PatternSegment]
    let captures: Captures
    let allows: [Allow]
    /// The chain of matches from the service down to this one.
    let chain: [CheckedMatch]
  }

  let constants: Constants
  let names: RequestNames
  let blocks: [Block]
  let trie: FrozenPathTrie
  /// A glob may stand for no segments at all: since version 2.
  let globTakesNone: Bool
  /// What the plain run asks of each block; empty when tracing.
  let gates: Roster<Gate>

  /// - Parameter testAPI: lowers for `TestAPIEvaluator` the service that is named.
  init(_ ruleset: CheckedRuleset, tracing: Bool, testAPI: ServiceKind? = nil) {
    let owner = ArenaOwner.forConstants()
    names = RequestNames(owner.arena)
    let lowering = Lowering(scope: ruleset, constants: owner.arena, tracing: tracing, isTestAPI: testAPI != nil)
    globTakesNone = ruleset.version == .two
    let builder = Builder(lowering: lowering, globTakesNone: globTakesNone)
    for service in ruleset.services where service.kind == testAPI ?? .firestore {
      for match in service.matches { builder.add(match, in: MatchPattern(), chain: []) }
    }
    var trie = PathTrie(globTakesNone: globTakesNone)
    for (i, block) in builder.blocks.enumerated() where !block.allows.isEmpty && !block.pattern.isEmpty {
      trie.insert(block.pattern, block: Int32(i))
    }
    constants = owner.freeze()
    blocks = builder.blocks
    let used = builder.lowering.usedCaptures
    gates = Roster(tracing ? [] : builder.blocks.map { Gate($0, used: used) })
    self.trie = trie.frozen()
  }

  private final class Builder {
    let lowering: Lowering
    let globTakesNone: Bool
    var blocks: [Block] = []

    init(lowering: Lowering, globTakesNone: Bool) {
      self.lowering = lowering
      self.globTakesNone = globTakesNone
    }

    // Depth is bounded by the official limit on nested matches.
    func add(_ match: CheckedMatch, in outer: MatchPattern, chain: [CheckedMatch]) {
      let own = match.segments.map { segment -> PatternSegment in
        switch segment {
        case .literal(let text): .literal(lowering.constants.string(text), Text(text))
        case .capture(let slot, _): .capture(slot: slot)
        case .glob(let slot, _): .glob(slot: slot)
        }
      }
      let pattern = outer.appending(own)
      let around = pattern.opened(last: own)
      let chain = chain + [match]
      let allows = match.allows.map { allow -> Allow in
        let condition = allow.condition.map { lowering.lower($0) }
        let methods = RequestMethod.allCases.reduce(UInt8(0)) { bits, method in
          allow.methods.contains(method.rulesMethod) ? bits | method.bit : bits
        }
        return Allow(
          methods: methods, condition: condition?.run, cost: condition?.cost ?? 0, statement: allow.statement,
          line: (allow.condition?.range ?? allow.statement.range).start.line)
      }
      let block = Block(
        pattern: pattern.coversAnything ? pattern.segments : [],
        captures: Captures(of: pattern, globTakesNone: globTakesNone),
        allows: allows, chain: chain)
      guard case .glob? = match.segments.last else {
        blocks.append(block)
        for child in match.children { add(child, in: around, chain: chain) }
        return
      }
      let start = blocks.count
      for child in match.children { add(child, in: around, chain: chain) }
      // No glob can be inside another, so that each of these covers a fixed number of segments.
      let inside = blocks[start...].enumerated().sorted { a, b in
        let (m, n) = (a.element.pattern.count, b.element.pattern.count)
        return m != n ? m > n : a.offset < b.offset
      }
      blocks.replaceSubrange(start..., with: inside.map(\.element) + [block])
    }
  }
}

extension RequestMethod {
  var bit: UInt8 {
    switch self {
    case .get: 1
    case .create: 2
    case .update: 4
    case .delete: 8
    case .list: 16
    }
  }

  var rulesMethod: RulesMethod {
    switch self {
    case .get: .get
    case .list: .list
    case .create: .create
    case .update: .update
    case .delete: .delete
    }
  }
}

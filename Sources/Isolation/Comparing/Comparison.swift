import RulesEngine
import RulesSemantics
import RulesSyntax

/// What became possible between two versions of rules, and what became impossible.
public struct Comparison: Sendable {
  /// A kind of request that one version allows and the other does not: all that one `allow` newly lets through.
  public struct Change: Sendable {
    public let method: String
    /// In the version that allows it.
    public let line: Int
    public let leak: Leak
  }

  public struct Doubt: Sendable, Equatable {
    public let method: String
    /// Of the `allow` in the version that may allow more.
    public let line: Int
    public let reason: String
  }

  /// What the newer version allows and the older did not.
  public internal(set) var opened: [Change] = []
  /// What the older version allowed and the newer does not.
  public internal(set) var closed: [Change] = []
  /// Where new access was neither found nor shown to be impossible.
  public internal(set) var doubts: [Doubt] = []
  public internal(set) var evidence = Evidence()

  /// Nothing that the newer version allows was refused by the older: a proof.
  public var opensNothing: Bool { opened.isEmpty && doubts.isEmpty }
}

extension Comparison {
  /// Compares two versions of rules, `allow` by `allow`.
  /// - Parameters:
  ///   - old: the version before.
  ///   - new: the version after.
  ///   - solver: what proves.
  ///   - database: the id of the database.
  ///   - closed: whether to look for what became impossible, too.
  public static func compare(
    old: Ruleset, new: Ruleset, solver: SolverSession, database: String = "(default)", closed: Bool = true
  ) -> Comparison {
    var comparison = Comparison()
    let forward = Side(allowing: new, refusing: old, solver: solver, database: database)
    comparison.opened = forward.changes(&comparison.evidence)
    comparison.doubts = forward.doubts
    guard closed else { return comparison }
    let backward = Side(allowing: old, refusing: new, solver: solver, database: database)
    var ignored = Evidence()
    comparison.closed = backward.changes(&ignored)
    return comparison
  }

  private final class Side {
    let allowing: Ruleset
    let refusing: Ruleset
    let prover: Prover
    let database: String
    private(set) var doubts: [Doubt] = []

    init(allowing: Ruleset, refusing: Ruleset, solver: SolverSession, database: String) {
      self.allowing = allowing
      self.refusing = refusing
      self.database = database
      prover = Prover(allowing, solver: solver, database: database)
    }

    func changes(_ evidence: inout Evidence) -> [Change] {
      guard let blocks = allowing.checked.matchBlocks, let others = refusing.checked.matchBlocks else {
        doubts.append(
          Doubt(method: "any", line: 1, reason: "a match stands inside one whose glob is not its last segment"))
        return []
      }
      var changes: [Change] = []
      for block in blocks {
        for allow in block.allows {
          for method in World.Method.allCases where allow.methods.contains(where: { $0.rawValue == method.rawValue }) {
            if let change = change(MatchBlock(segments: block.segments, allows: [allow]), method, others, &evidence) {
              changes.append(change)
            }
          }
        }
      }
      return changes
    }

    private func change(
      _ block: MatchBlock, _ method: World.Method, _ others: [MatchBlock], _ evidence: inout Evidence
    ) -> Change? {
      let others = others.filter { !$0.isApart(from: block.segments) }
      let allow = block.allows[0]
      let line = allow.statement.range.start.line
      guard let pattern = block.segments.belowDocuments(database) else { return nil }
      let replay = Replay(rules: allowing, other: refusing, sense: .mustAllow, comparesQueries: true)
      let readings =
        method == .list ? [.names, .filters] : Prover.readings(of: method, [block], allowing.checked)
      var reason: String?
      for shape in Prover.shapes(pattern: pattern, rules: others + [block]) {
        for reading in readings {
          let question = Question(
            rules: allowing.checked, blocks: [block], other: refusing.checked, otherBlocks: others, sense: .mustAllow,
            database: database, method: method, reading: reading, segments: shape.segments, gap: shape.gap,
            isComparison: true)
          switch prover.answer(question, reading == .hiddenID ? nil : replay, &evidence) {
          case .leak(let leak): return Change(method: method.rawValue, line: line, leak: leak)
          case .unknown(let reasons): reason = reason ?? reasons.first?.text
          case .proved:
            // The formulas say when a query may be allowed, not when it must be.
            if reading == .filters, !isUnchanged(allow, block.segments, others) {
              reason = reason ?? "the condition of a list has changed, and no query that is newly allowed was found"
            }
          }
        }
      }
      guard let reason else { return nil }
      if prover.solver.limit?.isOver != true,
        let target = FuzzTarget(atMost: refusing)?.asking([method], line: line), let leak = prover.fuzz(target).leak
      {
        return Change(method: method.rawValue, line: line, leak: leak)
      }
      doubts.append(Doubt(method: method.rawValue, line: line, reason: reason))
      return nil
    }

    /// Whether the other version has the very same statement, and the functions that it calls are the same.
    private func isUnchanged(_ allow: CheckedAllow, _ segments: [MatchSegment], _ others: [MatchBlock]) -> Bool {
      guard allowing.checked.version == refusing.checked.version else { return false }
      let texts = texts(allow, allowing)
      return others.contains { other in
        other.segments == segments && other.allows.contains { self.texts($0, refusing) == texts }
      }
    }

    private func texts(_ allow: CheckedAllow, _ rules: Ruleset) -> [String] {
      let functions = rules.checked.functions(calledBy: [allow.condition].compactMap(\.self))
      return ([allow.statement.range] + functions.map(\.range)).map { text($0, rules) }
    }

    private func text(_ range: SourceRange, _ rules: Ruleset) -> String { rules.file.text(range) }
  }
}

extension [MatchSegment] {
  /// What a pattern from the service down says of paths below `documents`; `nil` where it covers none of them.
  fileprivate func belowDocuments(_ database: String) -> [MatchSegment]? {
    let prefix = ["databases", database, "documents"]
    var rest: [MatchSegment] = []
    for (i, segment) in enumerated() {
      if case .glob = segment { return rest + self[i...] }
      guard i < prefix.count else {
        rest.append(segment)
        continue
      }
      if case .literal(let text) = segment, text != prefix[i] { return nil }
    }
    return count > prefix.count ? rest : nil
  }
}

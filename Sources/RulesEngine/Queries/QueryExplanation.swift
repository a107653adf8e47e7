import RulesSyntax
import RulesValues

/// Why a query was decided as it was: each branch of its filters with the statements that were tried on it, and what
/// would have to change.
public struct QueryExplanation: Sendable {
  /// One alternative of the query's filters.
  public struct Branch: Sendable {
    /// What it demands, a text for each field; none for a query without filters.
    public let filters: [String]
    /// The match blocks that cover the query, with the values that their conditions took.
    public let matches: [Explanation.Match]

    public var isAllowed: Bool { matches.contains { $0.allows.contains { $0.verdict == .allowed } } }
  }

  public let request: ListRequest
  public let decision: QueryDecision
  public let branches: [Branch]
  /// For a denied query.
  public let advice: QueryAdvice?
  /// What it took of the official limits.
  public let budget: RequestBudget
}

extension Evaluator {
  /// Decides a query and tells how. Slower than `decide`, with the same answer.
  public func explain(
    _ list: ListRequest, _ documents: some DocumentReader, mode: QueryMode = .official
  ) -> QueryExplanation {
    let decision = decide(list, documents, mode: mode)
    let machine = Machine(tracing: ruleset, dialect: dialect)
    machine.begin(list, pass: .data, reader: documents)
    let branches = (QueryBranches(list.filter)?.branches ?? []).map { branch in
      QueryExplanation.Branch(filters: branch.conditions.map(\.written), matches: machine.explain(branch, of: list, ruleset))
    }
    return QueryExplanation(
      request: list, decision: decision, branches: branches, advice: advise(list, documents, mode: mode),
      budget: budget(of: list, documents))
  }
}

extension QueryBranch.Condition {
  /// `n > 1`, or several such.
  fileprivate var written: String {
    if parts.isEmpty { return "\(field) is limited in a way that tells the rules nothing" }
    return parts.map { part in
      part.comparator == .listContains
        ? "\(part.value.written) in \(field.written)" : "\(field.written) \(part.comparator.symbol) \(part.value.written)"
    }.joined(separator: " && ")
  }
}

extension Machine {
  /// A machine that keeps the values of nodes.
  convenience init(tracing ruleset: Ruleset, dialect: Dialect) {
    let program = ruleset.tracingProgram
    self.init(constants: program.constants, names: program.names, dialect: dialect)
  }

  fileprivate func explain(_ branch: QueryBranch, of list: ListRequest, _ ruleset: Ruleset) -> [Explanation.Match] {
    turn(to: QueryDocument(branch, of: list, arena), of: list)
    let program = ruleset.tracingProgram
    var isDecided = false
    return program.blocks.filter { block in
      QueryPath.matches(block.pattern, loaded.path, globTakesNone: program.globTakesNone, arena) && !block.allows.isEmpty
    }.map { block in
      QueryPath.bind(block, to: loaded.path, arena)
      let segments = block.chain.flatMap(\.segments)
      let bindings = segments.compactMap { segment -> Explanation.Binding? in
        switch segment {
        case .literal: return nil
        case .capture(let slot, let name), .glob(let slot, let name):
          let value = arena.global(slot)
          return Explanation.Binding(name: name, value: value.isFailure ? "unknown" : arena.display(value))
        }
      }
      let allows = block.allows.map { allow -> Explanation.Allow in
        guard allow.covers(.list) else {
          return Explanation.Allow(statement: allow.statement, verdict: .otherMethod, condition: nil)
        }
        if isDecided { return Explanation.Allow(statement: allow.statement, verdict: .notReached, condition: nil) }
        trace.clear()
        let value = run(allow)
        isDecided = value.isTrue
        let verdict: Explanation.Verdict =
          value.isTrue ? .allowed : value.isFalse ? .refused : .error(arena.message(value) ?? "evaluation error")
        return Explanation.Allow(
          statement: allow.statement, verdict: verdict, condition: trace.roots.first.map(explainedNode))
      }
      return Explanation.Match(
        pattern: segments.map(\.pattern).joined(), declaration: block.chain[block.chain.count - 1].declaration,
        bindings: bindings, allows: allows)
    }
  }

  // Depth is that of the evaluation, which the budget of 1,000 nodes bounds.
  func explainedNode(_ index: Int) -> Explanation.Node {
    let traced = trace.nodes[index]
    let outcome: Explanation.Outcome =
      traced.value.isFailure
      ? .error(arena.message(traced.value) ?? "evaluation error")
      : .value(text: arena.display(traced.value), json: arena.json(traced.value))
    return Explanation.Node(
      expression: traced.expression, outcome: outcome, children: traced.children.map(explainedNode))
  }
}
